package scan_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
)

// memory is files by path, for a Searcher that needs no folder.
type memory map[string]string

func (m memory) Reader() (scan.Reader, error) { return m, nil }

func (m memory) Close() error { return nil }

func (m memory) Read(_ context.Context, path string, _ []byte, _ int64) ([]byte, error) {
	return []byte(m[path]), nil
}

// head makes what follows text, whatever it is.
var head = strings.Repeat("This is a file of text, and it says so.\n", 250)

// Whatever the text and the pattern are, the search finds the lines that a
// naive one finds, and the trigrams have their file among the candidates.
func FuzzSearch(f *testing.F) {
	f.Add("foo", "a foo\r\nfoo\n", false, false, false)
	f.Add("TASK", "taſk\xfftask", false, true, true)
	f.Add(`(ab|c+)\b.$`, "abc \ncc\rab.", true, false, true)
	f.Add(`(?i)k[^k]{2,3}`, "\u212aabk\n", true, false, false)
	f.Add(`^\s*$`, "\n\t\n", true, false, false)
	f.Fuzz(func(t *testing.T, pattern, text string, isRegexp, insensitive, word bool) {
		q := match.Query{Pattern: pattern, Regexp: isRegexp, Case: match.Sensitive, Word: word}
		if insensitive {
			q.Case = match.Insensitive
		}
		m, err := match.Compile(q)
		if err != nil || isRegexp && strings.Contains(pattern, `\Q`) { // which would quote what is put around the pattern
			return
		}
		files := memory{"f": head + text}
		got, err := scan.Search(t.Context(), files, []string{"f"}, m, scan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := naive("f", files["f"], expression(q))
		if diff := cmp.Diff(want, got.Matches, equateEmpty); diff != "" {
			t.Fatalf("%+v in %q: (-want +got)\n%s", q, text, diff)
		}
		candidates, ok, err := build(t, files).Candidates(m)
		if err != nil || len(want) > 0 && ok && !slices.Contains(candidates, "f") {
			t.Fatalf("%+v in %q: candidates %q, %v", q, text, candidates, err)
		}
	})
}
