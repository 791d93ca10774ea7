package patterns

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse/lex"
)

func dataLanguages() []*Language {
	return []*Language{assembly(), jsonLanguage(), miniYAML(), toml(), hcl()}
}

// MaxKeys is the number of top-level keys of a data file above which they are
// data, not structure.
const MaxKeys = 100

// DollarQuote is PostgreSQL's $$…$$ and $tag$…$tag$.
func DollarQuote() lex.Rule {
	return lex.Rule{Open: "$", End: func(l *lex.Lexer, i int) int {
		j := i + 1
		for j < len(l.Text) && j < i+40 && lex.IsWord(l.Text[j]) {
			j++
		}
		if j >= len(l.Text) || l.Text[j] != '$' || l.Failures > lex.MaxFailures {
			return i
		}
		end, ok := lex.ClosingAt(l.Text, j+1, l.Text[i:j+1], false)
		if !ok {
			l.Failures++
			return i
		}
		return end
	}}
}

func assembly() *Language {
	return &Language{
		names: []string{"Assembly", "Unix Assembly", "GAS", "Motorola 68K Assembly"},
		lexis: lex.NewLexis(lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.LineComment(";"), lex.WordComment("# ")),
		style: running,
		patterns: []pattern{
			in(anywhere, "func", "TEXT", `^TEXT\s+(?P<name>[^\s(,<]+)`),
			in(anywhere, "macro", "macro", `^\s*(?:\.macro|%macro)\s+(?P<name>[\w.$]+)`),
			in(top, "label", ":", `^(?P<name>[A-Za-z_$][\w.$@]*):`),
			in(top, "label", "proc", `(?i)^(?P<name>[A-Za-z_$][\w.$@]*)\s+proc\b`),
		},
	}
}

func jsonLanguage() *Language {
	return &Language{
		names: []string{"JSON", "JSON with Comments", "JSON5"},
		lexis: lex.NewLexis(lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.Quoted('"')),
		style: indented, maximum: MaxKeys,
		closer:   expression(`^\s*[}\]]`),
		patterns: []pattern{in(top, "key", `"`, `^\s+"(?P<name>[^"]+)"\s*:`, raw)},
	}
}

func miniYAML() *Language {
	return &Language{
		names: []string{"MiniYAML"},
		lexis: lex.NewLexis(lex.WordComment("#")),
		style: indented, maximum: MaxKeys,
		joins:    expression(`^(?:-\s|-$|[}\]])`),
		patterns: []pattern{in(top, "key", ":", `^["']?(?P<name>[\w.$/ -]*\w)["']?\s*:(?:\s|$)`, raw)},
	}
}

func toml() *Language {
	return &Language{
		names: []string{"TOML", "INI", "EditorConfig", "Git Config", "systemd", "desktop"},
		lexis: lex.NewLexis(
			lex.WordComment("#"), lex.LineComment(";"), lex.Closed(`"""`, `"""`, true), lex.Closed("'''", "'''", false),
			lex.Quoted('"'), lex.Quoted('\''),
		),
		style: running, maximum: MaxKeys,
		patterns: []pattern{in(anywhere, "section", "[", `^\s*\[\[?\s*(?P<name>[^\[\]]+?)\s*\]\]?\s*$`, raw)},
	}
}

func hcl() *Language {
	const description = `description = "`
	return &Language{
		names: []string{"HCL", "Terraform", "Nomad"},
		lexis: lex.NewLexis(
			lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.LineComment("#"), lex.Heredoc("<<", false),
			lex.BlockComment(description, `"`), lex.HCLString(),
		),
		brackets: lex.AllBrackets, newline: true, maximum: MaxKeys * 5,
		innerDoc: description,
		around:   addressed,
		patterns: []pattern{
			in(member, "var", "=", `^\s+{name}\s*=(?:[^=>]|$)`),
			in(top, "section", "locals", `^(?P<name>locals)\s*\{`, holds),
			in(top, "resource", "{", `^resource\s+"(?P<parent>[^"]+)"\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "resource", "{", `^(?P<parent>(?:data|ephemeral|source)\s+"[^"]+)"\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "var", "variable", `^(?P<parent>variable)\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "output", "output", `^(?P<parent>output)\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "module", "module", `^(?P<parent>module)\s+"(?P<name>[^"]+)"\s*\{`, raw, closed),
			in(top, "section", "{", `^(?P<parent>\w+)\s+"(?P<name>[^"]+)"\s*\{`, raw),
			in(top, "section", "{", `^{name}\s*\{`),
		},
	}
}

// addressed is what is around a declaration of HCL, as expressions name it: var.region, data.aws_ami.ubuntu.
func addressed(block string) string {
	switch block {
	case "variable":
		return "var"
	case "locals":
		return "local"
	}
	if kind, labels, ok := strings.Cut(block, `"`); ok {
		return strings.TrimSpace(kind) + "." + labels
	}
	return block
}
