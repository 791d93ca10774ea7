//go:build cgo

package treesitter

import (
	"strings"
	"unicode/utf8"
)

// How much is kept of a name, which may be a path, and of the expression that
// it is taken from.
const (
	maxName = 300
	maxOf   = 80
)

// kindRequire is of references that are an import if the function that they
// are an argument of is one of requires.
const kindRequire = "require"

var requires = map[string]bool{
	"require": true, "require_relative": true, "load": true, "import": true, "source": true,
	".": true,
}

// clip cuts a text to a length, on a character boundary and one line.
func clip(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	return strings.Join(strings.Fields(text), " ")
}

func unquoted(text string) string {
	if len(text) > 1 && strings.IndexByte("\"'`<", text[0]) >= 0 {
		return strings.Trim(text, "\"'`<>")
	}
	return text
}
