package patterns

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse/lex"
)

func interfaceLanguages() []*Language {
	return []*Language{protobuf(), graphQL(), thrift()}
}

func protobuf() *Language {
	return &Language{
		names:    []string{"Protocol Buffer", "Protocol Buffers", "Protobuf"},
		lexis:    lex.NewLexis(lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.Quoted('"'), lex.Quoted('\'')),
		brackets: lex.AllBrackets,
		pkg:      expression(`^\s*package\s+([\w.]+)`),
		patterns: []pattern{
			in(anywhere, "message", "message", `^\s*message\s+{name}`, needsBody, holds),
			in(anywhere, "enum", "enum", `^\s*enum\s+{name}`, needsBody),
			in(anywhere, "service", "service", `^\s*service\s+{name}`, needsBody),
			in(anywhere, "rpc", "rpc", `^\s*rpc\s+{name}`),
			in(anywhere, "message", "extend", `^\s*extend\s+(?P<name>[\w.]+)`, needsBody),
		},
	}
}

func graphQL() *Language {
	return &Language{
		names:    []string{"GraphQL"},
		lexis:    lex.NewLexis(lex.LineComment("#"), lex.BlockComment(`"""`, `"""`), lineString(), lex.Quoted('"')),
		brackets: lex.AllBrackets, newline: true,
		patterns: []pattern{
			in(top, "type", "type", `^(?:extend\s+)?type\s+(?P<name>Query|Mutation|Subscription)\b`, holds),
			in(member, "field", ":", `^\s+{name}\s*(?:\(.*)?:`),
			in(member, "field", "(", `^\s+{name}\s*\(\s*$`),
			in(top, "type", "type", `^(?:extend\s+)?type\s+{name}`),
			in(top, "struct", "input", `^(?:extend\s+)?input\s+{name}`, closed),
			in(top, "interface", "interface", `^(?:extend\s+)?interface\s+{name}`, closed),
			in(top, "enum", "enum", `^(?:extend\s+)?enum\s+{name}`),
			in(top, "union", "union", `^(?:extend\s+)?union\s+{name}`),
			in(top, "type", "scalar", `^scalar\s+{name}`),
			in(top, "type", "directive", `^directive\s+@{name}`),
			in(top, "func", "", `^(?:query|mutation|subscription|fragment)\s+{name}`, needsBody),
			in(top, "type", "schema", `^(?:extend\s+)?(?P<name>schema)\b`, needsBody),
		},
	}
}

// lineString is a string that is all of a line, which describes what is below.
func lineString() lex.Rule {
	return lex.Rule{Open: `"`, Closing: `"`, Comment: true, End: func(l *lex.Lexer, i int) int {
		start, end := strings.LastIndexByte(l.Text[:i], '\n')+1, lex.LineEnd(l.Text, i)
		line := strings.TrimSpace(l.Text[i:end])
		if strings.TrimSpace(l.Text[start:i]) != "" || len(line) < 2 || strings.IndexByte(line[1:], '"') != len(line)-2 {
			return i
		}
		return i + len(line)
	}}
}

func thrift() *Language {
	return &Language{
		names: []string{"Thrift", "Cap'n Proto", "FlatBuffers"},
		lexis: lex.NewLexis(
			lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.LineComment("#"), lex.Quoted('"'), lex.Quoted('\''),
		),
		brackets: lex.AllBrackets, newline: true,
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
