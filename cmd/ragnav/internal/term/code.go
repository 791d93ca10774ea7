package term

import (
	"strings"

	"github.com/ragnav/ragnav/internal/highlight"
)

// colours are those of code.
var colours = map[highlight.Class]string{
	highlight.Keyword: Magenta, highlight.Type: Cyan, highlight.Func: Bold,
	highlight.String: Green, highlight.Number: Cyan, highlight.Comment: Dim,
}

// Code is the lines of a text, coloured where colour is allowed as its language
// wants it, which is one of the name given or else that of the file.
func (s *Screen) Code(file, language, text string) []string {
	text = strings.ReplaceAll(s.Safe(strings.ReplaceAll(text, "\r\n", "\n")), "\t", "    ")
	var lines []string
	if !s.Colour {
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
		return lines
	}
	for _, line := range highlight.Lines(file, language, text) {
		var b strings.Builder
		for _, span := range line {
			if style := colours[span.Class]; style != "" {
				b.WriteString(s.Styled(style, span.Text))
			} else {
				b.WriteString(span.Text)
			}
		}
		lines = append(lines, b.String())
	}
	return lines
}
