package pattern_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Whoever writes what other engines know is told that this one has it not, and what does instead.
func TestMistake(t *testing.T) {
	for expr, want := range map[string]string{
		`(?<=def )foo`: "without look-around", `x(?<!a)`: "without look-around", `a(?=b)`: "without look-around",
		`(?!b)c`: "without look-around", `(a)\1`: "without back-references", `(?P<n>a)(?P=n)`: "without back-references",
		`(?<n>a)\k<n>`: "without back-references", `(?>a)`: "without atomic groups", `a++`: "without possessive",
		`(?#c)a`: "without comments", `(?(1)a|b)`: "without conditions", `a{2000}`: "up to 1000",
		`a**`: `\ before a character`,
		`a(`:  `\ before a character`, `[[:x:]]`: `\ before a character`, `a\`: `\ before a character`,
	} {
		_, err := regexp.Compile(expr)
		if err == nil {
			t.Fatalf("%s is an expression", expr)
		}
		got := pattern.Mistake(err)
		if !strings.Contains(got, "the syntax is RE2") || !strings.Contains(got, want) ||
			strings.Contains(got, "error parsing regexp") {
			t.Errorf("%s: %s", expr, got)
		}
	}
	if got := pattern.Mistake(errors.New("other")); got != "other" {
		t.Errorf("another error: %s", got)
	}
}
