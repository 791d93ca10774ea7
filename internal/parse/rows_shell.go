package parse

func shellLanguages() []*language {
	return []*language{shell(), powerShell(), vimScript(), cmake(), makefile(), dockerfile(), tex(), fortran()}
}

func shell() *language {
	return &language{
		names: []string{"Shell", "Bash", "Zsh", "Ksh"},
		lexis: newLexis(
			wordComment("#"), heredoc("<<", true), spanning(`"`, true, ""), spanning("'", false, ""),
		),
		brackets: bracesOnly,
		patterns: []pattern{
			in(anywhere, "func", "()", `^\s*(?:function\s+)?(?P<name>[\w.:-]+)\s*\(\)`),
			in(anywhere, "func", "function", `^\s*function\s+(?P<name>[\w.:-]+)`),
		},
	}
}

func powerShell() *language {
	return &language{
		names: []string{"PowerShell"},
		lexis: newLexis(
			blockComment("<#", "#>"), wordComment("#"), closed(`@"`, "\n\"@", false), closed("@'", "\n'@", false),
			quoted('"'), quoted('\''),
		),
		brackets: allBrackets,
		patterns: []pattern{
			in(anywhere, "func", "unction", `^\s*[Ff]unction\s+(?:global:|script:)?(?P<name>[\w-]+)`, needsBody),
			in(anywhere, "class", "lass", `^\s*[Cc]lass\s+{name}`, needsBody),
			in(anywhere, "enum", "num", `^\s*[Ee]num\s+{name}`, needsBody),
			in(member, "method", "(", `^\s*(?:static\s+|hidden\s+)*(?:\[[^\]]+\]\s*)?{name}\s*\(`, needsBody),
		},
	}
}

func vimScript() *language {
	return &language{
		names: []string{"Vim Script", "VimL"},
		lexis: newLexis(quoted('\'')),
		style: indented, keep: true,
		closer: expression(`^\s*end(?:f\w*)?\b`),
		joins:  expression(`^\s*\\`),
		patterns: []pattern{
			in(anywhere, "func", "fu", `^\s*fu(?:nction|nctio|nct|nc)?!?\s+(?P<name>[\w:.#<>]+)\s*\(`),
			in(anywhere, "func", "def", `^\s*(?:export\s+)?def!?\s+(?P<name>[\w:.#]+)\s*\(`),
		},
	}
}

func cmake() *language {
	return &language{
		names:    []string{"CMake"},
		lexis:    newLexis(longBracket("#"), lineComment("#"), spanning(`"`, true, "")),
		style:    indented,
		keep:     true,
		brackets: "",
		closer:   expression(`(?i)^\s*end(?:function|macro)\b`),
		patterns: []pattern{
			in(anywhere, "func", "", `(?i)^\s*function\s*\(\s*(?P<name>[\w${}.-]+)`),
			in(anywhere, "macro", "", `(?i)^\s*macro\s*\(\s*(?P<name>[\w${}.-]+)`),
		},
	}
}

func makefile() *language {
	return &language{
		names: []string{"Makefile", "M4Sugar", "Just"},
		lexis: newLexis(wordComment("#")),
		style: indented, keep: true,
		patterns: []pattern{
			in(top, "target", ":", `^(?P<name>[^\s:#=.(?!+'"@-][^:#=]*?)\s*::?(?:[^=:]|$)`),
		},
	}
}

func dockerfile() *language {
	return &language{
		names: []string{"Dockerfile", "Containerfile"},
		lexis: newLexis(wordComment("#"), heredoc("<<", true)),
		style: running,
		patterns: []pattern{
			in(anywhere, "stage", "", `(?i)^FROM\s+.*\sAS\s+(?P<name>[\w.-]+)`),
			in(anywhere, "stage", "", `(?i)^FROM\s+(?:--\S+\s+)*(?P<name>\S+)`),
		},
	}
}

func tex() *language {
	return &language{
		names: []string{"TeX", "LaTeX"},
		lexis: newLexis(texComment()),
		style: running,
		patterns: []pattern{
			in(anywhere, "section", `\`, `^\s*\\(?:part|chapter|(?:sub)*section)\*?(?:\[[^\]]*\])?\{(?P<name>[^{}]+)`),
			in(anywhere, "macro", `command`, `^\s*\\(?:re)?newcommand\*?\{?(?P<name>\\\w+)`),
		},
	}
}

// texComment is a % that is not escaped.
func texComment() lexRule {
	r := lineComment("%")
	end := r.end
	r.end = func(l *lexer, i int) int {
		if i > 0 && l.text[i-1] == '\\' {
			return i
		}
		return end(l, i)
	}
	return r
}

func fortran() *language {
	const attributes = `(?i)^\s*(?:(?:pure|elemental|recursive|module|integer|real|logical|complex|character|double\s+precision|type)(?:\s*\([^)]*\))?\s+)*`
	return &language{
		names: []string{"Fortran", "Fortran Free Form"},
		lexis: newLexis(lineComment("!"), quoted('"'), quoted('\'')),
		style: indented, keep: true,
		closer: expression(`(?i)^\s*end\b`),
		joins:  expression(`(?i)^\s*(?:contains|else)\b`),
		pkg:    expression(`(?i)^\s*module\s+(\w+)\s*$`),
		patterns: []pattern{
			in(anywhere, "func", "", attributes+`(?:subroutine|function)\s+{name}`),
			in(anywhere, "module", "", `(?i)^\s*(?:sub)?module\s+{name}\s*$`),
			in(anywhere, "func", "", `(?i)^\s*program\s+{name}`),
			in(anywhere, "struct", "", `(?i)^\s*type(?:\s*,[^:]*)?(?:\s*::\s*|\s+){name}\s*$`),
		},
	}
}
