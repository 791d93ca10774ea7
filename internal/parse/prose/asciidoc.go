package prose

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/pattern"
)

var (
	adocTitle = pattern.NewLazy(`^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+={1,6})?\s*$`)
	adocAttr  = pattern.NewLazy(`^:([\w-]+):\s*(.*)$`)
	adocLink  = pattern.NewLazy(`(?:link:|xref:|https?://)[^\s\[]*\[([^\]]*)\]`)
	adocXref  = pattern.NewLazy(`<<([^<>,]+)(?:,([^<>]+))?>>`)
	orgTitle  = pattern.NewLazy(`^(\*{1,6})\s+(?:(?:TODO|DONE)\s+)?(\S.*?)(?:\s+(:[\w@:]+:))?\s*$`)
	orgMeta   = pattern.NewLazy(`(?i)^#\+(title|filetags|keywords|date):\s*(.*)$`)
	orgLink   = pattern.NewLazy(`\[\[([^\[\]]*)\](?:\[([^\[\]]*)\])?\]`)
)

// parseASCIIDoc reads AsciiDoc: headings with "=" or underlined, delimited
// blocks as code, attributes of the header as metadata.
func parseASCIIDoc(f parse.File) parse.Outline {
	lines := parse.SplitLines(f.Text)
	b := &sectionBuilder{file: f.Path}
	block := ""
	for n := 0; n < len(lines); n++ {
		line := strings.TrimRight(lines[n], " \t\r")
		switch {
		case block != "":
			if line == block {
				block = ""
			} else if block[0] != '/' {
				b.code(line, n+1)
			}
		case adocUnderlined(lines, n) > 0:
			b.heading(adocUnderlined(lines, n), line, n+1)
			n++
		case isDelimiter(line):
			block = line
		case strings.HasPrefix(line, "//"):
		case adocTitle().MatchString(line):
			m := adocTitle().FindStringSubmatch(line)
			b.heading(len(m[1]), headingText(m[2]), n+1)
		case adocAttr().MatchString(line):
			m := adocAttr().FindStringSubmatch(line)
			b.meta.set(map[string]string{"keywords": "tags", "revdate": "created", "tags": "tags"}[m[1]], []string{m[2]})
		default:
			line = adocXref().ReplaceAllString(adocLink().ReplaceAllString(line, "$1"), "$1 $2")
			b.prose(line, n+1)
		}
	}
	total := parse.Lines(f.Text)
	return b.outline(total, total)
}

func isDelimiter(line string) bool {
	return len(line) >= 4 && strings.IndexByte("-./+", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

// adocUnderlined is the level of the underlined heading on line n, or 0.
func adocUnderlined(lines []string, n int) int {
	if n+1 >= len(lines) || n > 0 && strings.TrimSpace(lines[n-1]) != "" {
		return 0
	}
	title, under := strings.TrimRight(lines[n], " \t\r"), strings.TrimRight(lines[n+1], " \t\r")
	if title == "" || len(under) < 3 || strings.Trim(under, under[:1]) != "" ||
		strings.ContainsAny(title[:1], " \t[.|/-+*") {
		return 0
	}
	if diff := utf8.RuneCountInString(title) - len(under); diff < -2 || diff > 2 {
		return 0
	}
	return strings.IndexByte("=-~^+", under[0]) + 1
}

// parseOrg reads Org mode: headings with stars, blocks as code.
func parseOrg(f parse.File) parse.Outline {
	lines := parse.SplitLines(f.Text)
	b := &sectionBuilder{file: f.Path}
	inBlock := false
	for n, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), "_")
		switch {
		case word == "#+begin" || word == "#+end":
			inBlock = word == "#+begin"
		case inBlock:
			b.code(line, n+1)
		case orgTitle().MatchString(line):
			m := orgTitle().FindStringSubmatch(line)
			b.heading(len(m[1]), headingText(orgLink().ReplaceAllString(m[2], "$2")), n+1)
			s := b.at(line, n+1)
			s.Tags = appendNew(s.Tags, strings.FieldsFunc(m[3], func(r rune) bool { return r == ':' })...)
		case orgMeta().MatchString(line):
			m := orgMeta().FindStringSubmatch(line)
			b.meta.set(strings.Replace(strings.ToLower(m[1]), "filetags", "tags", 1),
				[]string{strings.ReplaceAll(strings.Trim(m[2], ":<>"), ":", ",")})
		case strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "#+"):
		default:
			b.prose(orgLink().ReplaceAllString(line, "$2 $1"), n+1)
		}
	}
	total := parse.Lines(f.Text)
	return b.outline(total, total)
}
