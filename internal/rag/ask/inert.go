package ask

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// What repositories say of themselves stands in answers, which are Markdown that
// another program may render: names of files and symbols in code, headings and
// comments in prose. None of it must become an image that is fetched, a link, or
// an element of HTML.

var (
	element = pattern.NewLazy(
		`(?i)<!--|--!?>|</?(?:a|audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|script|source|style|` +
			`svg|track|video)\b[^<>]*>?`)
	apart   = strings.NewReplacer("](", "] (", "\n", " ", "\r", " ")
	oneLine = strings.NewReplacer("\n", " ", "\r", " ")
)

// Inert is a text as a line of prose in which nothing is an image, a link or an
// element of HTML.
func Inert(text string) string {
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
	return fenceOf(text, "``") + " " + text + " " + fenceOf(text, "``")
}
