package prose

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/pattern"
)

// markdown reads the blocks of Markdown line by line: headings, fenced code,
// HTML comments, paragraphs.
type markdown struct {
	sections  *sectionBuilder
	fence     string // the fence of the code that is open
	comment   bool   // an HTML comment is open
	paragraph int    // lines of the paragraph so far
	last      string // its last line, which may turn out to be a heading
	lastLine  int
	blank     bool // the line before was blank
}

var (
	atx        = pattern.NewLazy(`^ {0,3}(#{1,6})(?:[ \t]+(.*))?$`)
	atxEnd     = pattern.NewLazy(`(?:^|[ \t])#+[ \t]*$`)
	setext     = pattern.NewLazy(`^ {0,3}(?:=+|-+)[ \t]*$`)
	fenceLine  = pattern.NewLazy("^[ \t>]*(?:[-*+][ \t]+|\\d+[.)][ \t]+)?(```+|~~~+)([^`]*)$")
	htmlTitle  = pattern.NewLazy(`(?i)^\s*<h([1-6])(?:\s[^<>]*)?>(.*)</h[1-6]>\s*$`)
	linkTarget = pattern.NewLazy(`^\[[^\]]+\]:\s*\S+`)
	notTitle   = pattern.NewLazy(`^\s*(?:[-*+>|]|\d+[.)]\s|<)`)
)

func parseMarkdown(f parse.File) parse.Outline {
	lines := parse.SplitLines(f.Text)
	b := &sectionBuilder{file: f.Path}
	meta, from := frontMatter(lines)
	b.meta = meta
	m := &markdown{sections: b}
	for n := from; n < len(lines); n++ {
		m.line(strings.TrimRight(lines[n], "\r"), n+1)
	}
	m.flush()
	total := parse.Lines(f.Text)
	if len(b.sections) == 0 && from > 0 {
		b.sections = append(b.sections, parse.Section{Parent: -1, StartLine: 1})
	}
	return b.outline(total, total)
}

// line takes the next line, 1-indexed.
func (m *markdown) line(text string, n int) {
	if m.fence != "" {
		m.codeLine(text, n)
		return
	}
	if m.comment || strings.Contains(text, "<!--") {
		if text = m.withoutComments(text); strings.TrimSpace(text) == "" {
			return
		}
	}
	if match := fenceOf(text); match != nil {
		m.flush()
		m.fence = match[1]
		return
	}
	if m.heading(text, n) {
		return
	}
	m.flush()
	if strings.TrimSpace(text) == "" {
		m.paragraph, m.blank = 0, true
		m.sections.prose("", n)
		return
	}
	if m.blank && (strings.HasPrefix(text, "    ") || strings.HasPrefix(text, "\t")) {
		m.sections.code(text, n)
		return
	}
	if strings.HasPrefix(text, "[") && linkTarget().MatchString(text) {
		m.sections.prose("", n)
		return
	}
	m.paragraph++
	m.last, m.lastLine, m.blank = text, n, false
}

// heading adds the heading that the line is, or makes of the line before.
func (m *markdown) heading(text string, n int) bool {
	level, title, at := 0, "", n
	if !mayBeHeading(text) {
		return false
	}
	if match := atx().FindStringSubmatch(text); match != nil {
		level, title = len(match[1]), atxEnd().ReplaceAllString(match[2], "")
	} else if m.paragraph == 1 && m.last != "" && setext().MatchString(text) && !notTitle().MatchString(m.last) {
		level, title, at = 2, m.last, m.lastLine
		if strings.Contains(text, "=") {
			level = 1
		}
		m.last = ""
	} else if match := htmlTitle().FindStringSubmatch(text); match != nil {
		level, title = int(match[1][0]-'0'), match[2]
	}
	if level == 0 || headingText(title) == "" {
		return false
	}
	m.flush()
	m.sections.heading(level, headingText(title), at)
	m.sections.mark(title)
	m.paragraph, m.blank = 0, true
	m.sections.at(text, n)
	return true
}

// mayBeHeading tells most lines that are none apart.
func mayBeHeading(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text != "" && strings.IndexByte("#=-<", text[0]) >= 0
}

func fenceOf(text string) []string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil
	}
	return fenceLine().FindStringSubmatch(text)
}

// flush adds the line that was held back.
func (m *markdown) flush() {
	if m.last != "" {
		m.sections.prose(m.last, m.lastLine)
		m.last = ""
	}
}

func (m *markdown) codeLine(text string, n int) {
	trimmed := strings.TrimLeft(text, " \t>")
	if strings.HasPrefix(trimmed, m.fence) && strings.Trim(trimmed, m.fence[:1]+" \t") == "" {
		m.fence, m.paragraph, m.blank = "", 0, true
		m.sections.code("", n)
		return
	}
	m.sections.code(text, n)
}

// withoutComments is a line without its HTML comments.
func (m *markdown) withoutComments(text string) string {
	var out strings.Builder
	for text != "" {
		mark := "<!--"
		if m.comment {
			mark = "-->"
		}
		before, after, ok := strings.Cut(text, mark)
		if !m.comment {
			out.WriteString(before)
		}
		if ok {
			m.comment = !m.comment
		}
		text = after
	}
	return out.String()
}
