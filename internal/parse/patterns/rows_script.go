package patterns

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse/lex"
)

func scriptLanguages() []*Language {
	return []*Language{python(), ruby(), lua(), perl(), php(), rLanguage(), julia()}
}

func python() *Language {
	return &Language{
		names: []string{"Python", "Cython", "Starlark", "Xonsh", "GDScript"},
		lexis: lex.NewLexis(
			lex.LineComment("#"), lex.Closed(`"""`, `"""`, true), lex.Closed(`'''`, `'''`, true), lex.Quoted('"'),
			lex.Quoted('\''),
		),
		style: indented, brackets: lex.AllBrackets, header: ":", keep: true, docstrings: true,
		decorator: expression(`^\s*@`),
		exported:  notUnderscore,
		patterns: []pattern{
			in(anywhere, "class", "class", `^\s*(?:cdef\s+)?class\s+{name}`),
			in(anywhere, "func", "def", `^\s*(?:async\s+)?(?:def|cpdef(?:\s+[\w*]+)?)\s+{name}`),
			in(anywhere, "func", "func", `^(?:static\s+)?func\s+{name}\s*\(`),
		},
	}
}

func ruby() *Language {
	return &Language{
		names: []string{"Ruby", "Crystal"},
		lexis: lex.NewLexis(
			lex.LineBlock("=begin", "=end"), lex.WordComment("#"), lex.Heredoc("<<", false), lex.Percent("%w", 1),
			lex.Percent("%i", 1), lex.Percent("%q", 1),
			lex.Percent("%Q", 1), lex.Percent("%r", 1), lex.Percent("%", 1), lex.Fixed("$'"), lex.Fixed(`$"`), lex.Fixed("$`"),
			lex.Fixed(`?"`), lex.Fixed("?'"), lex.Spanning(`"`, true, "end"), lex.Spanning("'", true, "end"),
			lex.Spanning("`", true, "end"),
			lex.Regex(lex.RubyOperators),
		),
		style: indented, keep: true, separators: ":",
		closer:   expression(`^\s*end\b`),
		joins:    expression(`^\s*(?:rescue|ensure|else|elsif|when|in|then)\b`),
		exported: notUnderscore,
		patterns: []pattern{
			in(anywhere, "class", "class", `^\s*class\s*<<\s*self`, hidden, holds),
			in(anywhere, "class", "class", `^\s*(?:abstract\s+)?class\s+{path}`),
			in(anywhere, "module", "module", `^\s*module\s+{path}`),
			in(anywhere, "struct", "struct", `^\s*struct\s+{path}`),
			in(anywhere, "method", "def", `^\s*(?:(?:private|protected|public|module_function|memoize)\s+)?def\s+`+
				`(?:self\.|{id}\.)?(?P<name>[A-Za-z_\x{80}-\x{10FFFF}][\w\x{80}-\x{10FFFF}]*[?!=]?|\[\]=?|[-+*/%<>=!~^&|]+@?)`),
			in(anywhere, "class", "Struct.new", `^\s*{name}\s*=\s*Struct\.new`),
		},
	}
}

func lua() *Language {
	return &Language{
		names: []string{"Lua", "Luau", "MoonScript"},
		lexis: lex.NewLexis(lex.LongBracket("--"), lex.LineComment("--"), lex.LongBracket(""), lex.Quoted('"'),
			lex.Quoted('\'')),
		style: indented, brackets: lex.AllBrackets, keep: true, separators: ".:",
		closer:   expression(`^\s*end\b`),
		joins:    expression(`^\s*(?:else|elseif|until)\b`),
		exported: notByWord("local"),
		patterns: []pattern{
			in(anywhere, "func", "function", `^\s*(?:local\s+)?function\s+(?P<name>{id}(?:[.:]{id})*)`),
			in(anywhere, "func", "function", `^\s*(?:local\s+)?(?P<name>{id}(?:[.:]{id})*)\s*=\s*function\b`),
		},
	}
}

func perl() *Language {
	return &Language{
		names: []string{"Perl", "Raku", "Perl 6"},
		lexis: lex.NewLexis(
			lex.Pod(), lex.WordComment("#"), lex.Heredoc("<<", false), lex.LineBlock("__END__", "\x00"),
			lex.LineBlock("__DATA__", "\x00"),
			lex.Percent("qw", 1), lex.Percent("qq", 1), lex.Percent("qr", 1), lex.Percent("q", 1), lex.Percent("m", 1),
			lex.Percent("s", 2),
			lex.Percent("tr", 2), lex.Percent("y", 2), lex.Fixed("$'"), lex.Fixed(`$"`), lex.Fixed("$`"), lex.Fixed("$#"),
			lex.Spanning(`"`, true, "}"), lex.Spanning("'", true, "}"), lex.Regex(lex.RubyOperators),
		),
		brackets: lex.BracesOnly, separators: ":'",
		pkg:      expression(`^\s*package\s+([\w:]+)`),
		exported: notUnderscore,
		patterns: []pattern{
			in(anywhere, "func", "sub", `^\s*(?:multi\s+|my\s+)?(?:sub|method)\s+(?P<name>{id}(?:(?:::|'){id})*)`, needsBody),
			in(top, "const", "use constant", `^\s*use\s+constant\s+{name}\s*=>`, wholeLine),
			in(top, "property", "has", `^has\s+["'+]*(?P<name>\w+)`, raw),
			in(top, "package", "package", `^\s*package\s+{path}\s*\{`, needsBody),
			in(top, "class", "class", `^\s*(?:class|role)\s+{path}`, needsBody),
		},
	}
}

func php() *Language {
	const modifiers = `^\s*(?:(?:abstract|final|readonly|public|protected|private|static)\s+)*`
	x := lex.NewLexis(
		lex.PHPHTML(), lex.BlockComment("/*", "*/"), lex.LineComment("//"), hashComment(), lex.Heredoc("<<<", true),
		lex.Spanning(`"`, true, ""), lex.Spanning("'", true, ""),
	)
	x.Prologue = lex.PHPPrologue
	return &Language{
		names: []string{"PHP", "Hack"}, lexis: x, brackets: lex.AllBrackets, separators: `\`,
		decorator: expression(`^\s*#\[`),
		pkg:       expression(`^\s*namespace\s+([\w\\]+)`),
		exported:  notByWord("private|protected"),
		patterns: []pattern{
			in(top, "namespace", "namespace", `^\s*namespace\s+(?P<name>[\w\\]+)\s*\{?$`, needsBody, hidden),
			in(anywhere, "class", "class", modifiers+`class\s+{name}`, needsBody),
			in(anywhere, "interface", "interface", modifiers+`interface\s+{name}`, needsBody),
			in(anywhere, "trait", "trait", modifiers+`trait\s+{name}`, needsBody),
			in(anywhere, "enum", "enum", modifiers+`enum\s+{name}`, needsBody),
			in(anywhere, "func", "function", modifiers+`function\s+&?\s*{name}\s*\(`),
		},
	}
}

// hashComment is a lineComment that is not the attribute "#[".
func hashComment() lex.Rule {
	r := lex.LineComment("#")
	end := r.End
	r.End = func(l *lex.Lexer, i int) int {
		if i+1 < len(l.Text) && l.Text[i+1] == '[' {
			return i
		}
		return end(l, i)
	}
	return r
}

func rLanguage() *Language {
	return &Language{
		names: []string{"R"},
		lexis: lex.NewLexis(lex.LineComment("#"), lex.Spanning(`"`, true, ""), lex.Spanning("'", true, ""),
			lex.Quoted('`')),
		brackets: lex.AllBrackets, newline: true,
		exported: func(d *decl) bool { return !strings.HasPrefix(d.Name, ".") },
		patterns: []pattern{
			in(top, "func", "function", "^\\s*(?P<name>[\\w.]+)\\s*(?:<<?-|=)\\s*function\\s*\\("),
			in(top, "func", "function", "^[`\"'](?P<name>[^`\"']+)[`\"']\\s*(?:<<?-|=)\\s*function\\s*\\(", raw),
			in(top, "func", "\\(", `^\s*(?P<name>[\w.]+)\s*(?:<<?-|=)\s*\\\(`),
			in(top, "class", "setRefClass", `^\s*(?:{id}\s*(?:<-|=)\s*)?(?:methods::)?setRefClass\(\s*["'](?P<name>[\w.]+)`, raw),
			in(top, "class", "R6Class", `^\s*(?P<name>[\w.]+)\s*(?:<-|=)\s*(?:R6::)?R6Class\(`),
			in(top, "class", "setClass", `^\s*(?:{id}\s*(?:<-|=)\s*)?setClass\(\s*["'](?P<name>[\w.]+)`, raw),
			in(top, "func", "setGeneric", `^\s*setGeneric\(\s*["'](?P<name>[\w.<-]+)`, raw),
			in(top, "method", "setMethod", `^\s*setMethod\(\s*["'](?P<name>[\w.<-]+)`, raw),
		},
	}
}

func julia() *Language {
	return &Language{
		names: []string{"Julia"},
		lexis: lex.NewLexis(
			lex.NestedComment("#=", "=#"), lex.LineComment("#"), lex.LineStart(lex.BlockComment(`"""`, `"""`)),
			lex.Closed(`"""`, `"""`, true), lex.LineStart(lineString()),
			lex.Quoted('"'), lex.Char(),
		),
		style: indented, brackets: lex.AllBrackets, keep: true, separators: ".",
		closer:    expression(`^\s*end\b`),
		joins:     expression(`^\s*(?:else|elseif|catch|finally)\b`),
		decorator: expression(`^\s*(?:@[\w.]+\s*$|$)`),
		pkg:       expression(`^(?:bare)?module\s+(\w+)`),
		exported:  notUnderscore,
		patterns: []pattern{
			in(anywhere, "func", "function", `^\s*(?:(?:Base\.)?@[\w.]+\s+)*function\s+(?P<name>[\w.!\x{80}-\x{10FFFF}]+(?::[^\w\s(]+)?)`),
			in(anywhere, "macro", "macro", `^\s*macro\s+(?P<name>[\w!]+)`),
			in(anywhere, "struct", "struct", `^\s*(?:@[\w.]+\s+)*(?:mutable\s+)?struct\s+{name}`),
			in(anywhere, "type", "type", `^\s*(?:abstract|primitive)\s+type\s+{name}`),
			in(anywhere, "const", "const", `^const\s+{name}(?:\{[^{}]*\})?\s*=`),
			in(anywhere, "enum", "@enum", `^@enum\s+{name}`),
			in(top, "func", "=", `^(?:(?:Base\.)?@[\w.]+\s+)*(?P<name>[\w.!\x{80}-\x{10FFFF}]+)(?:\{[^{}]*\})?\([^=]*\)(?:::[\w{},.]+)?(?:\s*where\s[^=]+)?\s*=(?:[^=]|$)`),
		},
	}
}
