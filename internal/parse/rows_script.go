package parse

import "strings"

func scriptLanguages() []*language {
	return []*language{python(), ruby(), lua(), perl(), php(), rLanguage(), julia()}
}

func python() *language {
	return &language{
		names: []string{"Python", "Cython", "Starlark", "Xonsh", "GDScript"},
		lexis: newLexis(
			lineComment("#"), closed(`"""`, `"""`, true), closed(`'''`, `'''`, true), quoted('"'), quoted('\''),
		),
		style: indented, brackets: allBrackets, header: ":", keep: true, docstrings: true,
		decorator: expression(`^\s*@`),
		exported:  notUnderscore,
		patterns: []pattern{
			in(anywhere, "class", "class", `^\s*(?:cdef\s+)?class\s+{name}`),
			in(anywhere, "func", "def", `^\s*(?:async\s+)?(?:def|cpdef(?:\s+[\w*]+)?)\s+{name}`),
			in(anywhere, "func", "func", `^(?:static\s+)?func\s+{name}\s*\(`),
		},
	}
}

func ruby() *language {
	return &language{
		names: []string{"Ruby", "Crystal"},
		lexis: newLexis(
			lineBlock("=begin", "=end"), wordComment("#"), heredoc("<<", false), percent("%w", 1), percent("%i", 1), percent("%q", 1),
			percent("%Q", 1), percent("%r", 1), percent("%", 1), fixed("$'"), fixed(`$"`), fixed("$`"), fixed(`?"`), fixed("?'"), spanning(`"`, true, "end"), spanning("'", true, "end"), spanning("`", true, "end"),
			regex(rubyOperators),
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

func lua() *language {
	return &language{
		names: []string{"Lua", "Luau", "MoonScript"},
		lexis: newLexis(longBracket("--"), lineComment("--"), longBracket(""), quoted('"'), quoted('\'')),
		style: indented, brackets: allBrackets, keep: true, separators: ".:",
		closer:   expression(`^\s*end\b`),
		joins:    expression(`^\s*(?:else|elseif|until)\b`),
		exported: notByWord("local"),
		patterns: []pattern{
			in(anywhere, "func", "function", `^\s*(?:local\s+)?function\s+(?P<name>{id}(?:[.:]{id})*)`),
			in(anywhere, "func", "function", `^\s*(?:local\s+)?(?P<name>{id}(?:[.:]{id})*)\s*=\s*function\b`),
		},
	}
}

func perl() *language {
	return &language{
		names: []string{"Perl", "Raku", "Perl 6"},
		lexis: newLexis(
			pod(), wordComment("#"), heredoc("<<", false), lineBlock("__END__", "\x00"), lineBlock("__DATA__", "\x00"),
			percent("qw", 1), percent("qq", 1), percent("qr", 1), percent("q", 1), percent("m", 1), percent("s", 2),
			percent("tr", 2), percent("y", 2), fixed("$'"), fixed(`$"`), fixed("$`"), fixed("$#"), spanning(`"`, true, "}"), spanning("'", true, "}"), regex(rubyOperators),
		),
		brackets: bracesOnly, separators: ":'",
		pkg:      expression(`^\s*package\s+([\w:]+)`),
		exported: notUnderscore,
		patterns: []pattern{
			in(anywhere, "func", "sub", `^\s*(?:multi\s+|my\s+)?(?:sub|method)\s+(?P<name>{id}(?:(?:::|'){id})*)`, needsBody),
			in(top, "package", "package", `^\s*package\s+{path}\s*\{`, needsBody),
			in(top, "class", "class", `^\s*(?:class|role)\s+{path}`, needsBody),
		},
	}
}

func php() *language {
	const modifiers = `^\s*(?:(?:abstract|final|readonly|public|protected|private|static)\s+)*`
	x := newLexis(
		phpHTML(), blockComment("/*", "*/"), lineComment("//"), hashComment(), heredoc("<<<", true), spanning(`"`, true, ""), spanning("'", true, ""),
	)
	x.prologue = phpPrologue
	return &language{
		names: []string{"PHP", "Hack"}, lexis: x, brackets: allBrackets, separators: `\`,
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
func hashComment() lexRule {
	r := lineComment("#")
	end := r.end
	r.end = func(l *lexer, i int) int {
		if i+1 < len(l.text) && l.text[i+1] == '[' {
			return i
		}
		return end(l, i)
	}
	return r
}

func rLanguage() *language {
	return &language{
		names:    []string{"R"},
		lexis:    newLexis(lineComment("#"), spanning(`"`, true, ""), spanning("'", true, ""), quoted('`')),
		brackets: allBrackets, newline: true,
		exported: func(d *decl) bool { return !strings.HasPrefix(d.Name, ".") },
		patterns: []pattern{
			in(top, "func", "function", "^\\s*(?P<name>[\\w.]+)\\s*(?:<<?-|=)\\s*function\\s*\\("),
			in(top, "class", "R6Class", `^\s*(?P<name>[\w.]+)\s*(?:<-|=)\s*(?:R6::)?R6Class\(`),
			in(top, "class", "setClass", `^\s*(?:{id}\s*(?:<-|=)\s*)?setClass\(\s*["'](?P<name>[\w.]+)`, raw),
			in(top, "func", "setGeneric", `^\s*setGeneric\(\s*["'](?P<name>[\w.<-]+)`, raw),
			in(top, "method", "setMethod", `^\s*setMethod\(\s*["'](?P<name>[\w.<-]+)`, raw),
		},
	}
}

func julia() *language {
	return &language{
		names: []string{"Julia"},
		lexis: newLexis(
			nestedComment("#=", "=#"), lineComment("#"), lineStart(blockComment(`"""`, `"""`)), closed(`"""`, `"""`, true),
			quoted('"'), char(),
		),
		style: indented, brackets: allBrackets, keep: true, separators: ".",
		closer:    expression(`^\s*end\b`),
		joins:     expression(`^\s*(?:else|elseif|catch|finally)\b`),
		decorator: expression(`^\s*(?:@[\w.]+\s*$|$)`),
		pkg:       expression(`^(?:bare)?module\s+(\w+)`),
		exported:  notUnderscore,
		patterns: []pattern{
			in(anywhere, "func", "function", `^\s*(?:(?:Base\.)?@[\w.]+\s+)*function\s+(?P<name>[\w.!\x{80}-\x{10FFFF}]+)`),
			in(anywhere, "macro", "macro", `^\s*macro\s+(?P<name>[\w!]+)`),
			in(anywhere, "struct", "struct", `^\s*(?:@[\w.]+\s+)*(?:mutable\s+)?struct\s+{name}`),
			in(anywhere, "type", "type", `^\s*(?:abstract|primitive)\s+type\s+{name}`),
			in(anywhere, "const", "const", `^const\s+{name}\s*=`),
			in(top, "func", "=", `^(?:(?:Base\.)?@[\w.]+\s+)*(?P<name>[\w.!\x{80}-\x{10FFFF}]+)(?:\{[^{}]*\})?\([^=]*\)(?:::[\w{},.]+)?(?:\s*where\s[^=]+)?\s*=(?:[^=]|$)`),
		},
	}
}
