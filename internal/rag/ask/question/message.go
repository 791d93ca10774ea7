package question

import (
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
)

// A message that is asked about is fewestSaid to mostSaid words long, and code gives it
// that has so many of them, and half, one after another.
const (
	fewestSaid = 4
	mostSaid   = 40
)

// A Message is the text of an error or a log, in words.
type Message []string

var inQuotes = pattern.NewLazy("[\"“]([^\"“”]+)[\"”]|`([^`]+)`|(?:^|\\s)'([^']+)'")

// messageOf is the message that a question is about: what stands in
// quotes, or all of what asks nothing. It is nil where there is none.
func messageOf(question string) Message {
	text := ""
	for _, m := range inQuotes().FindAllStringSubmatch(question, -1) {
		if quoted := m[1] + m[2] + m[3]; len(quoted) > len(text) {
			text = quoted
		}
	}
	if words := lowerWords(text); len(words) >= fewestSaid {
		return words[:min(len(words), mostSaid)]
	}
	if Asks(question) || strings.Contains(question, "\n") {
		return nil
	}
	words := lowerWords(question)
	if len(words) < fewestSaid || len(words) > mostSaid {
		return nil
	}
	return words
}

func lowerWords(text string) (words []string) {
	for _, word := range fts.Words(text) {
		words = append(words, strings.ToLower(word))
	}
	return words
}

// In is how many words of the message code has one after another.
func (m Message) In(code string) (most int) {
	text := codeOf(code)
	for i := range text {
		for k := range m {
			n := 0
			for k+n < len(m) && i+n < len(text) && m[k+n] == text[i+n] {
				n++
			}
			most = max(most, n)
		}
	}
	return most
}

// Enough reports whether so many words of the message, one after another, are enough of it.
func (m Message) Enough(n int) bool { return n >= fewestSaid && 2*n >= len(m) }

// codeOf are the words of the lines of a text that are no comments.
func codeOf(text string) (words []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !extract.IsComment(line) {
			words = append(words, lowerWords(line)...)
		}
	}
	return words
}
