package scan_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
)

// write makes a folder with files.
func write(t testing.TB, files map[string]string) (root string, paths []string) {
	t.Helper()
	root = t.TempDir()
	for name, content := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, name)
	}
	slices.Sort(paths)
	return root, paths
}

func find(t testing.TB, root string, paths []string, q match.Query, o scan.Options) scan.Result {
	t.Helper()
	m, err := match.Compile(q)
	if err != nil {
		t.Fatalf("Compile(%+v): %v", q, err)
	}
	r, err := scan.Search(context.Background(), scan.OpenFolder(root), paths, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// expression is a query as one expression for a line.
func expression(q match.Query) *regexp.Regexp {
	pattern := q.Pattern
	if !q.Regexp {
		pattern = regexp.QuoteMeta(pattern)
	}
	if q.Case == match.Insensitive || q.Case == match.Smart && !strings.ContainsFunc(q.Pattern, unicode.IsUpper) {
		pattern = "(?i:" + pattern + ")"
	}
	pattern = "(" + pattern + ")"
	if q.Word {
		const word = `\pL\pM\p{Nd}\p{Nl}\p{Pc}`
		pattern = "(?:^|[^" + word + "])" + pattern + "(?:[^" + word + "]|$)"
	}
	return regexp.MustCompile(pattern)
}

// naive splits text into lines and holds an expression against each: what the
// search is defined by.
func naive(path, text string, re *regexp.Regexp) []scan.Match {
	var found []scan.Match
	for i, line := range strings.SplitAfter(text, "\n") {
		if line == "" {
			continue
		}
		if cut, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(cut, "\r")
		}
		if at := re.FindStringSubmatchIndex(line); at != nil {
			found = append(found, scan.Match{Path: path, Line: i + 1, Column: at[2] + 1, Length: at[3] - at[2]})
		}
	}
	return found
}

// Pieces of random text and patterns: much that is nearly the same.
var pieces = []string{
	"a", "b", "k", "s", "K", "S", "ſ", "\u212a", "é", "É", "ss", "task", "Task", "taſk", "foo", "Foo", "foobar", "_", " ",
	"  ", "\t", ".", "(", ")",
	"ж", "Ж", "日本", "σ", "ς", "Σ", "x1", "return err", "err", "error", "\r", "-", "aa", "aaa", "ab",
}

var fragments = []string{
	"a", "b+", "k", "s", "[ks]", "foo", "Foo", "(foo|bar)", "(?:task|err)", ".", ".*", `\w`, `\s`, `\S+`, "^", "$", `\b`,
	"[^a]", "[a-c]", "é", "ж?", "x*", "(a|b|)",
	"a{2,3}", "(?i:task)", "(?i:k)", "[[:upper:]]", `\pL`, "日", "o?o", "(ab|a)(b|c)", `\(`, "err(or)?", "σ",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(60) {
		switch r.IntN(8) {
		case 0:
			b.WriteString("\n")
		case 1:
			b.WriteString([]string{"\r\n", "\n\n", "\n", "\xff", "\xe2\x84", "\n"}[r.IntN(6)])
		default:
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
	}
	return b.String()
}

func randomQuery(r *rand.Rand) match.Query {
	q := match.Query{Case: match.Case(r.IntN(3)), Word: r.IntN(3) == 0, Regexp: r.IntN(2) == 0}
	from := pieces
	if q.Regexp {
		from = fragments
	}
	for range 1 + r.IntN(4) {
		q.Pattern += from[r.IntN(len(from))]
	}
	if q.Regexp && q.Case == match.Smart { // what is upper-case in an expression is tested elsewhere
		q.Case = match.Sensitive
	}
	return q
}

// mostlyText is text that the scan takes for text: its rule has a test of its own.
func mostlyText(r *rand.Rand) string {
	return strings.Repeat("plain text that decides that this is text\n", 1+r.IntN(3)) + randomText(r)
}

func TestSearchIsLineByLine(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 10 {
		files := map[string]string{}
		for i := range 12 {
			files[fmt.Sprintf("d%d/f%02d.go", i%3, i)] = mostlyText(r)
		}
		root, paths := write(t, files)
		for range 60 {
			q := randomQuery(r)
			var want []scan.Match
			re := expression(q)
			for _, p := range paths {
				want = append(want, naive(p, files[p], re)...)
			}
			got := find(t, root, paths, q, scan.Options{})
			if diff := cmp.Diff(want, got.Matches, equateEmpty); diff != "" {
				t.Fatalf("round %d, %+v: (-want +got)\n%s", round, q, diff)
			}
			if len(want) == 0 {
				continue
			}
			q.Limit = 1 + r.IntN(len(want))
			got = find(t, root, paths, q, scan.Options{Workers: 3})
			if diff := cmp.Diff(want[:q.Limit], got.Matches); diff != "" || got.Truncated != (len(want) > q.Limit) {
				t.Fatalf("%+v: truncated is %v of %d: (-want +got)\n%s", q, got.Truncated, len(want), diff)
			}
			q.Limit = 1
			if got = find(t, root, paths, q, scan.Options{Counted: len(paths)}); got.Lines() != len(want) || got.Uncounted {
				t.Fatalf("%+v: %d lines counted of %d", q, got.Lines(), len(want))
			}
		}
	}
}

var equateEmpty = cmp.Transformer("empty", func(m []scan.Match) []scan.Match {
	if len(m) == 0 {
		return nil
	}
	return m
})

func TestSearchOfLongText(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	var text bytes.Buffer
	for i := range 50_000 {
		fmt.Fprintf(&text, "line %d of a file\n", i)
	}
	root, paths := write(t, map[string]string{"long.txt": text.String()})
	for _, q := range []match.Query{
		{Pattern: "line 49999 "},
		{Pattern: "LINE 499", Case: match.Insensitive},
		{Pattern: "7777"},
		{Pattern: `\b4999\d\b`, Regexp: true},
		{Pattern: `[a-c]{3}`, Regexp: true},
	} {
		want := naive("long.txt", text.String(), expression(q))
		got := find(t, root, paths, q, scan.Options{MaxFileSize: 1 << 30})
		if diff := cmp.Diff(want, got.Matches, equateEmpty); diff != "" {
			t.Errorf("%+v: (-want +got)\n%s", q, diff)
		}
	}
}

// Expressions without a literal go through the automaton; some have more states
// than it keeps.
func TestSearchWithoutLiterals(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	r := rand.New(rand.NewPCG(7, 8))
	var text strings.Builder
	for range 4000 {
		for range 20 + r.IntN(60) {
			text.WriteString([]string{"a", "b", "a", "b", "c", "é", "_", " "}[r.IntN(8)])
		}
		text.WriteString([]string{"\n", "\r\n", "\r", "\xff\n"}[r.IntN(4)])
	}
	root, paths := write(t, map[string]string{"f": "plain text to begin with, so that this is text\n" + text.String()})
	whole, err := os.ReadFile(filepath.Join(root, "f"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{
		`[ab].{14}c$`, `(?:[ab]{3}|c\w)_\b.a`, `\b[a-c]+\B$`, `^[^ab]+.[^c]`, `[é_]{2}\s`,
		`^$|^\S+$`, `\x{FFFD}$`, `(a|b)(a|b|c)(.)[^\pL]$`, `.{90,}`,
	} {
		for _, word := range []bool{false, true} {
			q := match.Query{Pattern: p, Regexp: true, Case: match.Sensitive, Word: word}
			want := naive("f", string(whole), expression(q))
			if diff := cmp.Diff(want, find(t, root, paths, q, scan.Options{}).Matches, equateEmpty); diff != "" {
				t.Errorf("%+v: (-want +got)\n%.2000s", q, diff)
			}
		}
	}
}
