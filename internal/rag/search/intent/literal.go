package intent

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// literals are the words of a text that code has as they are written, within strings, in
// markup or data: options, keys. Long texts that ask nothing only mention them. Paths of
// requests are none: clients have them whole, and what handles them often has not.
func literals(text string) []string {
	fields := strings.Fields(text)
	if len(fields) > topicWords && !asks().MatchString(text) {
		return nil
	}
	var all []string
	for _, word := range fields {
		if word = strings.Trim(word, "\"'`,;()?!"); isLiteral(word) {
			all = append(all, word)
		}
	}
	return all
}

func isLiteral(word string) bool {
	switch {
	case hasExtension(word), strings.Contains(word, "/"):
		return false
	case strings.HasPrefix(word, "-"):
		return true
	case strings.Contains(word, "."):
		return dottedKey().MatchString(word) && (strings.Contains(word, "_") || strings.Count(word, ".") > 1)
	}
	return hyphened().MatchString(word)
}

var (
	dottedKey = pattern.NewLazy(`^[a-z][a-z0-9_]*(?:\.[a-z0-9_-]+)+$`)
	hyphened  = pattern.NewLazy(`^[a-z0-9]+(?:-[a-z0-9]+){2,}$`)
)
