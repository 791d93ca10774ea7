package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Chips edit the query: each leads to the text without it, and a value of a
// facet to the text with it, both of which mean just that.
func TestChips(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"plain words":   {},
		"retry lang:go": {"lang:go": "/?q=retry"},
		`lang:go "not  modified" -file:*_test.go x`: {
			"lang:go":         "/?q=%22not++modified%22+-file%3A%2A_test.go+x",
			`"not  modified"`: "/?q=lang%3Ago+-file%3A%2A_test.go+x",
			"-file:*_test.go": "/?q=lang%3Ago+%22not++modified%22+x",
		},
		`é /fn \w+/ not repo:"a b"`: {
			`/fn \w+/`:    "/?q=%C3%A9+not+repo%3A%22a+b%22",
			`-repo:"a b"`: "/?q=%C3%A9+%2Ffn+%5Cw%2B%2F",
		},
		"a or lang:go":          {"a or lang:go": ""},
		"x (lang:go or lang:c)": {"lang:go or lang:c": ""},
		`"open`:                 {},
	} {
		got := map[string]string{}
		for _, c := range (Query{Text: text}).chips() {
			got[c.Text] = c.URL
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("chips of %q (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"retry":        "/?q=retry+repo%3A%22a+b%22",
		"a or lang:go": "/?q=%28a+or+lang%3Ago%29+repo%3A%22a+b%22",
		`"open`:        "/?q=%22open&repo=a+b",
	} {
		if got := (Query{Text: text}).And("repo", "a b", "repo"); got != want {
			t.Errorf("%q in a repository is %s, want %s", text, got, want)
		}
	}
}
