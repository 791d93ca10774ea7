package patterns

import (
	"go/token"

	"github.com/ragnav/ragnav/internal/parse/lex"
)

func curlyLanguages() []*Language {
	return []*Language{goLanguage(), rust(), swift(), zig(), solidity()}
}

// goLanguage is for the parts of Go files that go/parser cannot read.
func goLanguage() *Language {
	return &Language{
		names: []string{"Go"}, lexis: curlyLexis(lex.Closed("`", "`", false)), brackets: lex.AllBrackets, newline: true,
		flat:     true,
		pkg:      expression(`^package\s+(\w+)`),
		exported: func(d *decl) bool { return token.IsExported(d.Name) },
		patterns: []pattern{
			in(anywhere, "method", "func", `^func\s*\([^)]*?\*?\s*(?P<parent>{id})(?:\[[^\]]*\])?\s*\)\s*{name}`),
			in(anywhere, "func", "func", `^func\s+{name}`),
			in(top, "struct", "struct", `^type\s+{name}(?:\[[^\]]*\])?\s+struct\b`),
			in(top, "interface", "interface", `^type\s+{name}(?:\[[^\]]*\])?\s+interface\b`),
			in(top, "type", "type", `^type\s+{name}`),
			in(top, "const", "const", `^const\s+{name}`),
			in(top, "var", "var", `^var\s+{name}`),
		},
	}
}

func rust() *Language {
	const modifiers = `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern|safe)\s+)*`
	return &Language{
		names: []string{"Rust"},
		lexis: lex.NewLexis(
			lex.NestedComment("/*", "*/"), lex.LineComment("//"), lex.RustRaw("br#"), lex.RustRaw(`br"`), lex.RustRaw("r#"),
			lex.RustRaw(`r"`),
			lex.Closed(`"`, `"`, true), lex.Char(),
		),
		brackets:  lex.AllBrackets,
		decorator: expression(`^\s*#!?\[`),
		exported:  publicByWord("pub"),
		patterns: []pattern{
			in(anywhere, "func", "fn", modifiers+`fn\s+(?:r#)?{name}`),
			in(anywhere, "struct", "struct", modifiers+`struct\s+{name}`),
			in(anywhere, "enum", "enum", modifiers+`enum\s+{name}`),
			in(outer, "union", "union", modifiers+`union\s+{name}`, needsBody),
			in(anywhere, "trait", "trait", modifiers+`(?:auto\s+)?trait\s+{name}`),
			in(anywhere, "impl", "impl",
				`^\s*(?:unsafe\s+|default\s+)*impl\b.*?\bfor\s+&?(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?(?:\w+::)*{name}`, needsBody,
				hidden),
			in(anywhere, "impl", "impl",
				`^\s*(?:unsafe\s+|default\s+)*impl\b(?:<[^{]*?>)?\s*&?(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?(?:\w+::)*{name}`,
				needsBody, hidden),
			in(outer, "module", "mod", modifiers+`mod\s+{name}`, needsBody),
			in(anywhere, "macro", "macro_rules", `^\s*macro_rules!\s*{name}`, needsBody),
			in(top, "const", "const", `^\s*(?:pub(?:\([^)]*\))?\s+)?const\s+{name}\s*:`),
			in(top, "var", "static", `^\s*(?:pub(?:\([^)]*\))?\s+)?static\s+(?:mut\s+)?(?:ref\s+)?{name}\s*:`),
			in(outer, "type", "type", `^\s*(?:pub(?:\([^)]*\))?\s+)?type\s+{name}`),
		},
	}
}

func swift() *Language {
	const modifiers = `^\s*(?:@\w+(?:\([^()]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|package|static|` +
		`class|final|override|mutating|nonmutating|indirect|convenience|required|lazy|weak|async|nonisolated|prefix|` +
		`postfix|infix|dynamic|optional)(?:\(set\))?\s+)*`
	return &Language{
		names: []string{"Swift"},
		lexis: lex.NewLexis(
			lex.NestedComment("/*", "*/"), lex.LineComment("//"), lex.Closed(`#"`, `"#`, false), lex.Closed(`"""`, `"""`, true),
			lex.Quoted('"'),
		),
		brackets: lex.AllBrackets, newline: true, separators: ".",
		decorator: expression(`^\s*@`),
		exported:  notByWord("private|fileprivate"),
		patterns: []pattern{
			in(anywhere, "func", "func", modifiers+`func\s+(?P<name>{id}|[^\s\w(]+)`),
			in(anywhere, "class", "", modifiers+`(?:class|actor)\s+{name}\b`, needsBody),
			in(anywhere, "struct", "struct", modifiers+`struct\s+{name}`, needsBody),
			in(anywhere, "enum", "enum", modifiers+`enum\s+{name}`, needsBody),
			in(anywhere, "protocol", "protocol", modifiers+`protocol\s+{name}`, needsBody),
			in(top, "extension", "extension", modifiers+`extension\s+(?P<name>{id}(?:\.{id})*)`, needsBody, hidden),
			in(member, "func", "init", modifiers+`(?P<name>init)\??\s*[(<]`),
			in(member, "func", "init", modifiers+`(?P<name>deinit)\b`, needsBody),
			in(member, "func", "subscript", modifiers+`(?P<name>subscript)\s*[(<]`, needsBody),
			in(outer, "type", "typealias", modifiers+`typealias\s+{name}`),
			in(top, "const", "let", modifiers+`let\s+{name}`),
		},
	}
}

func zig() *Language {
	const public = `^\s*(?:pub\s+)?`
	return &Language{
		names:    []string{"Zig"},
		lexis:    lex.NewLexis(lex.LineComment("//"), lex.LineComment(`\\`), lex.Quoted('"'), lex.Char()),
		brackets: lex.AllBrackets,
		exported: publicByWord("pub|export"),
		patterns: []pattern{
			in(anywhere, "func", "fn", `^\s*(?:(?:pub|export|inline|noinline|extern|threadlocal)\s+)*fn\s+{name}`),
			in(anywhere, "struct", "struct", public+`const\s+{name}\s*=\s*(?:packed\s+|extern\s+)?struct\b`, needsBody),
			in(anywhere, "enum", "enum", public+`const\s+{name}\s*=\s*enum\b`, needsBody),
			in(anywhere, "union", "union", public+`const\s+{name}\s*=\s*(?:packed\s+|extern\s+)?union\b`, needsBody),
			in(anywhere, "struct", "opaque", public+`const\s+{name}\s*=\s*opaque\b`, needsBody),
			in(anywhere, "enum", "error", public+`const\s+{name}\s*=\s*error\s*\{`, needsBody),
			in(top, "struct", "@This", `^const\s+{name}\s*=\s*@This\(\)`), // the file itself is the type
			in(top, "test", "test", `^\s*test\s+"(?P<name>[^"]+)"`, raw, needsBody),
			in(top, "test", "test", `^test\s+{name}\s*\{`, needsBody),
			in(outer, "const", "const", `^\s*pub\s+const\s+{name}\s*(?::[^=]+)?=`),
			in(outer, "var", "var", `^\s*pub\s+(?:threadlocal\s+)?var\s+{name}\s*(?::[^=]+)?=`),
		},
	}
}

func solidity() *Language {
	return &Language{
		names:    []string{"Solidity"},
		lexis:    lex.NewLexis(lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.Quoted('"'), lex.Quoted('\'')),
		brackets: lex.AllBrackets, flat: true,
		exported: notByWord("private|internal"),
		patterns: []pattern{
			in(top, "contract", "contract", `^\s*(?:abstract\s+)?contract\s+{name}`, needsBody),
			in(top, "contract", "library", `^\s*library\s+{name}`, needsBody),
			in(top, "interface", "interface", `^\s*interface\s+{name}`, needsBody),
			in(outer, "struct", "struct", `^\s*struct\s+{name}`, needsBody),
			in(outer, "type", "error", `^\s*error\s+{name}\s*\(`),
			in(outer, "type", "type", `^\s*type\s+{name}\s+is\b`),
			in(outer, "enum", "enum", `^\s*enum\s+{name}`, needsBody),
			in(outer, "func", "", `^\s*(?:function|modifier)\s+{name}`),
			in(outer, "func", "constructor", `^\s*(?P<name>constructor)\s*\(`, needsBody),
			in(outer, "type", "event", `^\s*event\s+{name}`),
		},
	}
}
