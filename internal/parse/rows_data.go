package parse

func dataLanguages() []*language {
	return []*language{assembly(), jsonLanguage(), miniYAML(), toml(), hcl()}
}

// maxKeys is the number of top-level keys of a data file above which they are
// data, not structure.
const maxKeys = 100

// dollarQuote is PostgreSQL's $$…$$ and $tag$…$tag$.
func dollarQuote() lexRule {
	return lexRule{open: "$", end: func(l *lexer, i int) int {
		j := i + 1
		for j < len(l.text) && j < i+40 && isWord(l.text[j]) {
			j++
		}
		if j >= len(l.text) || l.text[j] != '$' || l.failures > maxFailures {
			return i
		}
		end, ok := closingAt(l.text, j+1, l.text[i:j+1], false)
		if !ok {
			l.failures++
			return i
		}
		return end
	}}
}

func assembly() *language {
	return &language{
		names: []string{"Assembly", "Unix Assembly", "GAS", "Motorola 68K Assembly"},
		lexis: newLexis(blockComment("/*", "*/"), lineComment("//"), lineComment(";"), wordComment("# ")),
		style: running,
		patterns: []pattern{
			in(anywhere, "func", "TEXT", `^TEXT\s+(?P<name>[^\s(,<]+)`),
			in(anywhere, "macro", "macro", `^\s*(?:\.macro|%macro)\s+(?P<name>[\w.$]+)`),
			in(top, "label", ":", `^(?P<name>[A-Za-z_$][\w.$@]*):`),
			in(top, "label", "proc", `(?i)^(?P<name>[A-Za-z_$][\w.$@]*)\s+proc\b`),
		},
	}
}

func jsonLanguage() *language {
	return &language{
		names: []string{"JSON", "JSON with Comments", "JSON5"},
		lexis: newLexis(blockComment("/*", "*/"), lineComment("//"), quoted('"')),
		style: indented, maximum: maxKeys,
		closer:   expression(`^\s*[}\]]`),
		patterns: []pattern{in(top, "key", `"`, `^\s+"(?P<name>[^"]+)"\s*:`, raw)},
	}
}

func miniYAML() *language {
	return &language{
		names: []string{"MiniYAML"},
		lexis: newLexis(wordComment("#")),
		style: indented, maximum: maxKeys,
		joins:    expression(`^(?:-\s|-$|[}\]])`),
		patterns: []pattern{in(top, "key", ":", `^["']?(?P<name>[\w.$/ -]*\w)["']?\s*:(?:\s|$)`, raw)},
	}
}

func toml() *language {
	return &language{
		names: []string{"TOML", "INI", "EditorConfig", "Git Config", "systemd", "desktop"},
		lexis: newLexis(
			wordComment("#"), lineComment(";"), closed(`"""`, `"""`, true), closed("'''", "'''", false), quoted('"'), quoted('\''),
		),
		style: running, maximum: maxKeys,
		patterns: []pattern{in(anywhere, "section", "[", `^\s*\[\[?\s*(?P<name>[^\[\]]+?)\s*\]\]?\s*$`, raw)},
	}
}

func hcl() *language {
	return &language{
		names: []string{"HCL", "Terraform", "Nomad"},
		lexis: newLexis(
			blockComment("/*", "*/"), lineComment("//"), lineComment("#"), heredoc("<<", false), quoted('"'),
		),
		brackets: allBrackets, maximum: maxKeys * 5,
		patterns: []pattern{
			in(top, "resource", "{", `^(?:resource|data)\s+"(?P<parent>[^"]+)"\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "section", "{", `^(?P<parent>\w+)\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "section", "{", `^{name}\s*\{`),
		},
	}
}
