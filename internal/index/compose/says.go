package compose

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/pattern"
)

var (
	// sentence ends with a point, before a blank or at the end of its paragraph, or has a
	// word that names of badges and pictures have not.
	sentence = pattern.NewLazy(`[\pL\pN)"'’”` + "`" + `](?:[.!?](?:[\s"')]|$)|:$)|[。！？：]|\s(?:is|for|to|in|of|with)\s`)
	// noSentence begins what is not text: lists, tables, links, notes in boxes, scripts, fields,
	// tags that are longer than a line.
	noSentence = pattern.NewLazy(`^(?:[-*+•]\s|\||\[|<|#|\d+[.)]\s|\{|:\w+:\s)`)
	// menu is words, most of them links, in a row.
	menu = pattern.NewLazy(`\s[|•·]\s\S.*\s[|•·]\s|^[^.]*\s[|•·]\s[^.]*$|\|\s*\|`)
	// thanks are those to who pays.
	thanks = pattern.NewLazy(`(?i)\b(?:sponsor(?:s|ed|ship)?|backers?|patreon|donat\w+|special thanks|supported by the)\b`)
	// note begins a quotation about the document, in bold or behind a sign.
	note = pattern.NewLazy(`(?i)^\W*(?:note|warning|important|this (?:is an? )?(?:readme|automatically)|to see)\b`)
)

const (
	leastWords = 4    // of a paragraph that says something
	farthest   = 6000 // bytes of text before it, in which there may be pictures of many sponsors
)

// says reports whether a paragraph of a document, on one line, tells of what the document
// is about: not what badges say, or a menu, a note or thanks before that.
func says(paragraph string) bool {
	p := strings.TrimLeft(paragraph, "> ")
	if len(p) < len(paragraph) && note().MatchString(p) {
		return false
	}
	words := len(strings.Fields(p)) >= leastWords || strings.ContainsAny(p, "。！？")
	return words && sentence().MatchString(p) && !noSentence().MatchString(p) && !menu().MatchString(p) &&
		!thanks().MatchString(p)
}

// Introduction is sections from the first paragraph on that says something, with all
// headings: all of the text, where none does.
func Introduction(sections []parse.Section) []parse.Section {
	at, text := introduction(sections)
	if at < 0 {
		return sections
	}
	var all []parse.Section
	for i, s := range sections {
		if i < at {
			s.Text = ""
		} else if i == at {
			s.Text = text
		}
		all = append(all, s)
	}
	return all
}

// introduction is the section that has the first paragraph which says something, and its
// text from there on; -1 without one.
func introduction(sections []parse.Section) (at int, text string) {
	seen := 0
	for i, s := range sections {
		rest, more := strings.ReplaceAll(s.Text, "\r\n", "\n"), true
		for more {
			text = rest
			var p string
			if seen > farthest {
				return -1, ""
			}
			if p, rest, more = strings.Cut(rest, "\n\n"); says(OneLine(Clip(p, 4*MaxSummary))) {
				return i, text
			}
			seen += len(p)
		}
	}
	return -1, ""
}
