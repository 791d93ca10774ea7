package prose

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/parse"
)

// maxTextSection is the number of lines after which a section of plain text
// ends at the next blank line, and twice that at any line.
const maxTextSection = 60

// parseText reads plain text: sections by headings where lines are clearly
// underlined, else by paragraphs.
func parseText(f parse.File) parse.Outline {
	lines := parse.SplitLines(f.Text)
	b := &sectionBuilder{file: f.Path}
	start := 0 // of the section, from 0
	for n := 0; n < len(lines); n++ {
		line := strings.TrimRight(lines[n], " \t\r")
		switch {
		case textUnderlined(lines, n) > 0:
			b.heading(textUnderlined(lines, n), strings.Join(strings.Fields(line), " "), n+1)
			start = n
			n++
		default:
			if length := n - start; length >= maxTextSection && (strings.TrimSpace(line) == "" || length >= 2*maxTextSection) {
				b.split(n + 1)
				start = n
			}
			b.code(line, n+1)
		}
	}
	total := parse.Lines(f.Text)
	return b.outline(total, total)
}

// split ends the last section before a line and goes on with another of the
// same heading.
func (b *sectionBuilder) split(line int) {
	if len(b.sections) == 0 {
		return
	}
	b.close(line - 1)
	next := b.sections[len(b.sections)-1]
	next.Text, next.StartLine, next.EndLine = "", line, line
	next.Tags, next.Wikilinks = nil, nil
	b.sections = append(b.sections, next)
}

// textUnderlined is the level, 1 or 2, of a heading on line n that stands
// alone and is underlined at about its length; else 0.
func textUnderlined(lines []string, n int) int {
	if n+1 >= len(lines) || n > 0 && strings.TrimSpace(lines[n-1]) != "" {
		return 0
	}
	title, under := strings.TrimSpace(lines[n]), strings.TrimSpace(lines[n+1])
	if len(title) < 2 || len(title) > 120 || len(under) < 3 || strings.IndexByte("=-~*", under[0]) < 0 ||
		strings.Trim(under, under[:1]) != "" {
		return 0
	}
	if diff := utf8.RuneCountInString(title) - len(under); diff < -3 || diff > 3 || ruler(title) != 0 {
		return 0
	}
	if under[0] == '=' {
		return 1
	}
	return 2
}
