package patterns

import "github.com/ragnav/ragnav/internal/parse/lex"

func shellLanguages() []*Language {
	return []*Language{shell(), powerShell(), vimScript(), cmake(), makefile(), dockerfile(), tex(), fortran()}
}

func shell() *Language {
	return &Language{
		names: []string{"Shell", "Bash", "Zsh", "Ksh"},
		lexis: lex.NewLexis(
			lex.WordComment("#"), lex.Heredoc("<<", true), lex.Spanning(`"`, true, ""), lex.Spanning("'", false, ""),
		),
		brackets: lex.BracesOnly,
		patterns: []pattern{
			in(anywhere, "func", "()", `^\s*(?:function\s+)?(?P<name>[\w.:-]+)\s*\(\)`),
			in(anywhere, "func", "function", `^\s*function\s+(?P<name>[\w.:-]+)`),
		},
	}
}

func powerShell() *Language {
	return &Language{
		names: []string{"PowerShell"},
		lexis: lex.NewLexis(
			lex.BlockComment("<#", "#>"), lex.WordComment("#"), lex.Closed(`@"`, "\n\"@", false),
			lex.Closed("@'", "\n'@", false),
			lex.Quoted('"'), lex.Quoted('\''),
		),
		brackets: lex.AllBrackets,
		patterns: []pattern{
			in(anywhere, "func", "unction", `^\s*[Ff]unction\s+(?:global:|script:)?(?P<name>[\w-]+)`, needsBody),
			in(anywhere, "class", "lass", `^\s*[Cc]lass\s+{name}`, needsBody),
			in(anywhere, "enum", "num", `^\s*[Ee]num\s+{name}`, needsBody),
			in(member, "method", "(", `^\s*(?:static\s+|hidden\s+)*(?:\[[^\]]+\]\s*)?{name}\s*\(`, needsBody),
		},
	}
}

func vimScript() *Language {
	return &Language{
		names: []string{"Vim Script", "VimL"},
		lexis: lex.NewLexis(lex.Quoted('\'')),
		style: indented, keep: true,
		closer: expression(`^\s*end(?:f\w*)?\b`),
		joins:  expression(`^\s*\\`),
		patterns: []pattern{
			in(anywhere, "func", "fu", `^\s*fu(?:nction|nctio|nct|nc)?!?\s+(?P<name>[\w:.#<>]+)\s*\(`),
			in(anywhere, "func", "def", `^\s*(?:export\s+)?def!?\s+(?P<name>[\w:.#]+)\s*\(`),
		},
	}
}

func cmake() *Language {
	return &Language{
		names:    []string{"CMake"},
		lexis:    lex.NewLexis(lex.LongBracket("#"), lex.LineComment("#"), lex.Spanning(`"`, true, "")),
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

func makefile() *Language {
	return &Language{
		names: []string{"Makefile", "M4Sugar", "Just"},
		lexis: lex.NewLexis(lex.WordComment("#")),
		style: indented, keep: true,
		patterns: []pattern{
			in(top, "target", ":", `^(?P<name>[^\s:#=.(?!+'"@-][^:#=]*?)\s*::?(?:[^=:]|$)`),
		},
	}
}

func dockerfile() *Language {
	return &Language{
		names: []string{"Dockerfile", "Containerfile"},
		lexis: lex.NewLexis(lex.WordComment("#"), lex.Heredoc("<<", true)),
		style: running,
		patterns: []pattern{
			in(anywhere, "stage", "", `(?i)^FROM\s+.*\sAS\s+(?P<name>[\w.-]+)`),
			in(anywhere, "stage", "", `(?i)^FROM\s+(?:--\S+\s+)*(?P<name>\S+)`),
		},
	}
}

func tex() *Language {
	return &Language{
		names: []string{"TeX", "LaTeX"},
		lexis: lex.NewLexis(texComment()),
		style: running,
		patterns: []pattern{
			in(anywhere, "section", `\`, `^\s*\\(?:part|chapter|(?:sub)*section)\*?(?:\[[^\]]*\])?\{(?P<name>[^{}]+)`),
			in(anywhere, "macro", `command`, `^\s*\\(?:re)?newcommand\*?\{?(?P<name>\\\w+)`),
		},
	}
}

// texComment is a % that is not escaped.
func texComment() lex.Rule {
	r := lex.LineComment("%")
	end := r.End
	r.End = func(l *lex.Lexer, i int) int {
		if i > 0 && l.Text[i-1] == '\\' {
			return i
		}
		return end(l, i)
	}
	return r
}

func fortran() *Language {
	const attributes = `(?i)^\s*(?:(?:pure|elemental|recursive|module|integer|real|logical|complex|character|` +
		`double\s+precision|type)(?:\s*\([^)]*\))?\s+)*`
	return &Language{
		names: []string{"Fortran", "Fortran Free Form"},
		lexis: lex.NewLexis(lex.LineComment("!"), lex.Quoted('"'), lex.Quoted('\'')),
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
