// Package inert makes text of repositories harmless in Markdown that another program may
// render: names of files and symbols in code, headings and comments in prose. None of it
// must become an image that is fetched, a link, or an element of HTML.
package inert

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

var (
	element = pattern.NewLazy(
		`(?i)<!--|--!?>|</?(?:a|audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|script|source|style|` +
			`svg|track|video)\b[^<>]*>?`)
	apart   = strings.NewReplacer("](", "] (", "\n", " ", "\r", " ")
	oneLine = strings.NewReplacer("\n", " ", "\r", " ")
)

// Prose is a text as a line of prose in which nothing is an image, a link or an
// element of HTML.
func Prose(text string) string {
	for range 8 { // what is left must not be an element again
		once := apart.Replace(element().ReplaceAllString(text, ""))
		if once == text {
			return text
		}
		text = once
	}
	return strings.ReplaceAll(text, "<", "(")
}

// Code is a text as code of one line, whatever it has in it.
func Code(text string) string {
	text = oneLine.Replace(text)
	if !strings.Contains(text, "`") {
		return "`" + text + "`"
	}
	fence := Fence(text, "``")
	return fence + " " + text + " " + fence
}

// Fence are backticks that are in no run of them in a text, least at least.
func Fence(text, least string) string {
	for strings.Contains(text, least) {
		least += "`"
	}
	return least
}
