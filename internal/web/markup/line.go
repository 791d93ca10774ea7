// Package markup makes HTML of lines of code and of Markdown. It is the only place
// where text becomes HTML without a template.
package markup

import (
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/highlight"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const lineBytes = 2000 // of a line that are shown

// Cut keeps what is shown of a line, and tells how many bytes are not.
func Cut(line []highlight.Span) (shown []highlight.Span, more int) {
	left := lineBytes
	for i, s := range line {
		if len(s.Text) <= left {
			left -= len(s.Text)
			continue
		}
		end := left
		for end > 0 && !utf8.RuneStart(s.Text[end]) {
			end--
		}
		more = len(s.Text) - end
		for _, rest := range line[i+1:] {
			more += len(rest.Text)
		}
		return append(slices.Clone(line[:i]), highlight.Span{Class: s.Class, Text: s.Text[:end]}), more
	}
	return line, 0
}

// Trimmed is a line without the white space at its beginning.
func Trimmed(line []highlight.Span) []highlight.Span {
	for i, s := range line {
		if text := strings.TrimLeft(s.Text, " \t"); text != "" {
			return append([]highlight.Span{{Class: s.Class, Text: text}}, line[i+1:]...)
		}
	}
	return nil
}

// Line is the HTML of a line. Marks are places in the line, in order and apart.
func Line(line []highlight.Span, marks []Place) template.HTML {
	var b strings.Builder
	at := 0
	for _, s := range line {
		if s.Class != highlight.None {
			b.WriteString(`<i class=` + string(s.Class) + `>`)
		}
		for rest := s.Text; rest != ""; {
			marked, n := within(marks, at)
			n = min(n, len(rest))
			if marked {
				b.WriteString("<mark>")
			}
			b.WriteString(Escape(rest[:n]))
			if marked {
				b.WriteString("</mark>")
			}
			rest, at = rest[n:], at+n
		}
		if s.Class != highlight.None {
			b.WriteString("</i>")
		}
	}
	return template.HTML(b.String())
}

// A Place is a part of a line, from a byte to before another.
type Place struct{ from, to int }

// within tells whether a byte is in one of some places, and how many bytes on
// that changes.
func within(marks []Place, at int) (marked bool, n int) {
	for _, m := range marks {
		if at < m.from {
			return false, m.from - at
		}
		if at < m.to {
			return true, m.to - at
		}
	}
	return false, math.MaxInt
}

// Escape makes text what it is in HTML. Controls that change how the text
// around them reads are shown, so that code is read as it is compiled.
func Escape(text string) string {
	return template.HTMLEscapeString(hidden.Replace(text))
}

// hidden shows the characters that turn the direction of text or can't be seen.
var hidden = strings.NewReplacer(
	"\u202a", "⟪LRE⟫", "\u202b", "⟪RLE⟫", "\u202c", "⟪PDF⟫", "\u202d", "⟪LRO⟫", "\u202e", "⟪RLO⟫",
	"\u2066", "⟪LRI⟫", "\u2067", "⟪RLI⟫", "\u2068", "⟪FSI⟫", "\u2069", "⟪PDI⟫", "\u200b", "⟪ZWSP⟫", "\x00", "␀", "\r", "",
)

// Places are the matches of a line, which are told in characters.
func Places(m models.MatchLine) []Place {
	at := make([]int, 0, len(m.Text)+1)
	for i := range m.Text {
		at = append(at, i)
	}
	at = append(at, len(m.Text))
	var marks []Place
	for _, match := range m.Matches {
		if from, to := match[0], match[1]; 0 <= from && from < to && to < len(at) {
			marks = append(marks, Place{at[from], at[to]})
		}
	}
	return marks
}
