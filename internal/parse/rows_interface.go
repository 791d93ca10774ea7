package parse

func interfaceLanguages() []*language {
	return []*language{protobuf(), graphQL(), thrift()}
}

func protobuf() *language {
	return &language{
		names: []string{"Protocol Buffer", "Protocol Buffers", "Protobuf"},
		lexis: newLexis(blockComment("/*", "*/"), lineComment("//"), quoted('"'), quoted('\'')), brackets: allBrackets,
		pkg: expression(`^\s*package\s+([\w.]+)`),
		patterns: []pattern{
			in(anywhere, "message", "message", `^\s*message\s+{name}`, needsBody, holds),
			in(anywhere, "enum", "enum", `^\s*enum\s+{name}`, needsBody),
			in(anywhere, "service", "service", `^\s*service\s+{name}`, needsBody),
			in(anywhere, "rpc", "rpc", `^\s*rpc\s+{name}`),
			in(anywhere, "message", "extend", `^\s*extend\s+(?P<name>[\w.]+)`, needsBody),
		},
	}
}

func graphQL() *language {
	return &language{
		names: []string{"GraphQL"},
		lexis: newLexis(lineComment("#"), blockComment(`"""`, `"""`), quoted('"')), brackets: allBrackets, newline: true,
		patterns: []pattern{
			in(top, "type", "type", `^(?:extend\s+)?type\s+{name}`),
			in(top, "struct", "input", `^(?:extend\s+)?input\s+{name}`),
			in(top, "interface", "interface", `^(?:extend\s+)?interface\s+{name}`),
			in(top, "enum", "enum", `^(?:extend\s+)?enum\s+{name}`),
			in(top, "union", "union", `^(?:extend\s+)?union\s+{name}`),
			in(top, "type", "scalar", `^scalar\s+{name}`),
			in(top, "type", "directive", `^directive\s+@{name}`),
			in(top, "func", "", `^(?:query|mutation|subscription|fragment)\s+{name}`, needsBody),
			in(top, "type", "schema", `^(?:extend\s+)?(?P<name>schema)\b`, needsBody),
		},
	}
}

func thrift() *language {
	return &language{
		names: []string{"Thrift", "Cap'n Proto", "FlatBuffers"},
		lexis: newLexis(
			blockComment("/*", "*/"), lineComment("//"), lineComment("#"), quoted('"'), quoted('\''),
		),
		brackets: allBrackets, newline: true,
		pkg: expression(`^\s*namespace\s+(?:\w+\s+)?([\w.]+)`),
		patterns: []pattern{
			in(anywhere, "struct", "", `^\s*(?:struct|table|exception)\s+{name}`, needsBody),
			in(anywhere, "union", "union", `^\s*union\s+{name}`, needsBody),
			in(anywhere, "enum", "enum", `^\s*enum\s+{name}`, needsBody),
			in(anywhere, "service", "", `^\s*(?:service|interface|rpc_service)\s+{name}`, needsBody),
			in(member, "rpc", "(", `^\s*(?:oneway\s+)?[\w.<>, ]+\s+{name}\s*\(`),
			in(top, "type", "typedef", `^\s*typedef\s+.*\s{name}\s*$`),
			in(top, "const", "const", `^\s*const\s+.*?\s{name}\s*=`),
		},
	}
}
