package nav

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/across"
)

// A search that was given a path is not told of a language.
func TestNothingNamesNoOtherFilter(t *testing.T) {
	q := &lineQuery{fields: true}
	if got := nothing(t.Context(), make([]across.Found, 1), q); got != "the filters choose no file" {
		t.Errorf("of no file: %q", got)
	}
	for says, filter := range map[string][2]string{
		`no file matches path_filter "nosuch/**"`:           {"nosuch/**", ""},
		`no file matches path_filter "nosuch" and is in Go`: {"nosuch", "golang"},
		"no file is in Go": {"", "go"},
	} {
		q, err := readQuery(SearchRequest{Query: "x", PathFilter: filter[0], Language: filter[1]})
		if err != nil {
			t.Fatal(err)
		}
		if got := nothing(t.Context(), make([]across.Found, 1), &q); got != says {
			t.Errorf("of %q: %q, want %q", filter, got, says)
		}
	}
	cut := make([]across.Found, 1)
	cut[0].Uncounted = true
	if got := nothing(t.Context(), cut, &lineQuery{}); !strings.HasPrefix(got, "time was short") {
		t.Errorf("of a list that was cut: %q", got)
	}
	found := []across.Found{{}}
	found[0].Files = 2
	const want = "nothing in the files that the filters choose matches"
	if got := nothing(t.Context(), found, q); !strings.HasPrefix(got, want) {
		t.Errorf("of two files: %q", got)
	}
}

// A text that looks like a regular expression is one that nothing was found of as text.
func TestNothingTellsOfExpressions(t *testing.T) {
	found := []across.Found{{}}
	found[0].Files = 2
	for asked, want := range map[string]bool{
		`one|two`: true, `k\w+`: true, `get.*Name`: true, `f\(`: true,
		"a || b": false, "x.y()": false, "if a | b": false, "arr[i]": false,
	} {
		q, err := readQuery(SearchRequest{Query: asked})
		if err != nil {
			t.Fatal(err)
		}
		if got := nothing(t.Context(), found, &q); strings.Contains(got, "regexp: true") != want {
			t.Errorf("of %q: %q", asked, got)
		}
	}
	q, err := readQuery(SearchRequest{Query: `one|two`, Regexp: true})
	if got := nothing(t.Context(), found, &q); err != nil || strings.Contains(got, "regexp") {
		t.Errorf("of an expression: %q, %v", got, err)
	}
}
