package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

var (
	// funInterface matches the word "fun" before "interface".
	funInterface = pattern.NewLazy(`\b(fun)[ \t]+interface\b`)
	// delegated matches the end of a line which says to whom the type whose body
	// begins there delegates: "class A(b: B) : B by b {".
	delegated = pattern.NewLazy(
		`(?m)^(?:[^\n]*\b(?:class|object)\b|[ \t]*[):,])[^\n]*([ \t]by[ \t]+[\w.]+(?:\([^()\n]*\))?)[ \t]*\{[ \t]*\r?$`)
)

// Kotlin puts spaces in the place of what the grammar, older than the one
// and mistaken about the other, loses a type for: "fun" in "fun interface", and
// the delegate before a type's body, of which it makes a call with a lambda.
func Kotlin(text string) string {
	var hidden []byte
	for _, hide := range []struct {
		word  string
		re    pattern.Lazy
		opens bool
	}{{"interface", funInterface, false}, {" by ", delegated, true}} {
		if !strings.Contains(text, hide.word) || hide.opens && !opensBehindBy(text) {
			continue
		}
		for _, m := range hide.re().FindAllStringSubmatchIndex(text, -1) {
			if hidden == nil {
				hidden = []byte(text)
			}
			blank(hidden[m[2]:m[3]])
		}
	}
	if hidden == nil {
		return text
	}
	return string(hidden)
}

// opensBehindBy reports whether a line says "by" and ends with a brace.
func opensBehindBy(text string) bool {
	for {
		_, behind, found := strings.Cut(text, "by")
		if !found {
			return false
		}
		text = behind
		line, _, _ := strings.Cut(behind, "\n")
		if strings.HasSuffix(strings.TrimRight(line, " \t\r"), "{") {
			return true
		}
	}
}
