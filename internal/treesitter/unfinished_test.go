//go:build cgo

package treesitter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
	"github.com/ragnav/ragnav/internal/treesitter/plain"
)

// Swift that somebody is typing is parsed, too: the grammar never came back from
// these texts. What is in them is found, and nothing beyond their ends.
func TestUnfinishedSwift(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"short":      {"{m(){t", ""},
		"no newline": {";t()\n(x: Int) =", ""},
		"in a function": {
			"import Testing\n\n@Suite(\"Words\")\nstruct WordTests {\n    @Test(\"counts\")\n    func counts() throws {\n" +
				"        let first = try", "WordTests counts",
		},
		"in braces": {"struct A {\n  var e: Int {\n    let local = 1\n    var computed: Int { loca", "A e"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := parse.File{Path: "a.swift", Language: "Swift", Text: c.text}
			done := make(chan parse.Outline, 1)
			go func() {
				out, err := treesitter.New().Outline(f, parse.WantSymbols)
				if err != nil {
					t.Error(err)
				}
				if got, err := treesitter.New().Facts(f); err == nil {
					checkFacts(t, c.text, got)
				}
				done <- out
			}()
			select {
			case out := <-done:
				var names []string
				for _, s := range out.Symbols {
					names = append(names, s.Name)
				}
				if got := strings.Join(names, " "); got != c.want {
					t.Errorf("symbols %q, want %q", got, c.want)
				}
			case <-time.After(5 * time.Minute):
				t.Error("the grammar does not come back")
			}
		})
	}
}

func TestCloseSwift(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"struct A { func f() { g([1, 2]) } }\n": "",
		"let a = 1":                             "\n",
		"// (\n/* { /* [ */ ( */ f()\n":         "",
		"\"(\\\"[\" + \"\"\"\n{ \" (\n\"\"\"\n": "",
		"print(\"unclosed (\nf(":                "\n)\n)\n",
		"struct A {\n  f([1\n":                  "]\n)\n}\n",
		"} ) f {":                               "\n}\n",
	} {
		if got := plain.CloseSwift(text); got != want {
			t.Errorf("CloseSwift(%q) = %q, want %q", text, got, want)
		}
	}
}
