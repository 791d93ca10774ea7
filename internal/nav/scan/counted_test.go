package scan_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
)

// A counted is what sources of random files have of the needle.
type counted struct {
	sources []scan.Source
	lines   []int // by source
	files   int
	matches []string // of all, in order
	byFile  []map[string]int
}

func randomSources(t *testing.T, r *rand.Rand) (c counted) {
	for s := range 1 + r.IntN(4) {
		files := map[string]string{}
		for i := range r.IntN(60) {
			var text strings.Builder
			for range r.IntN(6) {
				text.WriteString([]string{"needle\n", "hay\n"}[r.IntN(2)])
			}
			files[fmt.Sprintf("d%d/f%02d", i%3, i)] = text.String()
		}
		root, paths := write(t, files)
		c.sources = append(c.sources, scan.Source{Files: scan.OpenFolder(root), Paths: paths})
		c.byFile, c.lines = append(c.byFile, map[string]int{}), append(c.lines, 0)
		c.files += len(paths)
		for _, p := range paths {
			for i, line := range strings.Split(files[p], "\n") {
				if line == "needle" {
					c.matches = append(c.matches, fmt.Sprintf("%d %s:%d", s, p, i+1))
					c.byFile[s][p]++
					c.lines[s]++
				}
			}
		}
	}
	return c
}

// A search in several sources returns the first matches of all, counts lines in as
// many files as it is told, and says where it did not count: the same whoever is faster.
func TestSearchAllCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // a test
	for round := range 60 {
		c := randomSources(t, r)
		q := match.Query{Pattern: "needle", Limit: r.IntN(len(c.matches) + 2)}
		counted := r.IntN(c.files + 20)
		m := compile(t, q)
		search := func(workers int) []scan.Result {
			all, err := scan.SearchAll(context.Background(), c.sources, m,
				scan.Options{Workers: workers, Counted: counted, Snippets: true})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		found := search(1)
		for range 3 {
			if diff := cmp.Diff(found, search(3)); diff != "" {
				t.Fatalf("round %d: workers differ:\n%s", round, diff)
			}
		}
		want := c.matches
		if q.Limit > 0 {
			want = want[:min(q.Limit, len(want))]
		}
		var got []string
		searched, whole := 0, true
		for s := range found {
			f := &found[s]
			for _, match := range f.Matches {
				if match.Snippet == nil {
					t.Errorf("round %d: a match without its lines", round)
				}
				got = append(got, fmt.Sprintf("%d %s:%d", s, match.Path, match.Line))
			}
			for _, count := range f.Counts {
				if count.Lines != c.byFile[s][count.Path] || count.AtLeast {
					t.Errorf("round %d: %+v, want %d lines", round, count, c.byFile[s][count.Path])
				}
			}
			if !f.Uncounted && f.Lines() != c.lines[s] {
				t.Errorf("round %d, source %d: %d lines counted of %d", round, s, f.Lines(), c.lines[s])
			}
			searched += f.Files
			whole = whole && !f.Uncounted
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d, %+v (-want +got):\n%s", round, q, diff)
		}
		if whole != (searched == c.files) || (counted >= c.files || q.Limit == 0 || q.Limit >= len(c.matches)) && !whole {
			t.Errorf("round %d, limit %d: %d of %d files searched, %d counted, all: %v", round, q.Limit, searched, c.files,
				counted, whole)
		}
	}
}

// The next page of a list is the same whether what the pages before found is known or
// not, and reads the files of its lines only where it is.
func TestSearchAllGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // a test
	for round := range 40 {
		c := randomSources(t, r)
		size, counted := 1+r.IntN(30), r.IntN(c.files+20)
		var known scan.Known
		var got []string
		for from := 0; from <= len(c.matches); from += size {
			m := compile(t, match.Query{Pattern: "needle", Limit: from + size})
			search := func(k *scan.Known) []scan.Result {
				all, err := scan.SearchAll(t.Context(), c.sources, m,
					scan.Options{Workers: 1 + r.IntN(3), Counted: counted, Snippets: true, From: from, Known: k})
				if err != nil {
					t.Fatal(err)
				}
				return all
			}
			want, found := search(nil), search(&known)
			if diff := cmp.Diff(want, found); diff != "" {
				t.Fatalf("round %d, from %d by %d (-without +with what is known):\n%s", round, from, size, diff)
			}
			for s := range found {
				for _, match := range found[s].Matches {
					got = append(got, fmt.Sprintf("%d %s:%d", s, match.Path, match.Line))
				}
			}
			if r.IntN(5) == 0 {
				known = scan.Known{} // forgotten
			}
		}
		if diff := cmp.Diff(c.matches, got); diff != "" {
			t.Fatalf("round %d, pages of %d (-want +got):\n%s", round, size, diff)
		}
	}

	files := map[string]string{}
	for i := range 600 {
		files[fmt.Sprintf("f%03d", i)] = "needle\n"
	}
	root, paths := write(t, files)
	reads := &reads{Opener: scan.OpenFolder(root)}
	var known scan.Known
	for from := 0; from < 600; from += 20 {
		reads.n = 0
		m := compile(t, match.Query{Pattern: "needle", Limit: from + 20})
		if _, err := scan.SearchAll(t.Context(), []scan.Source{{Files: reads, Paths: paths}}, m,
			scan.Options{Workers: 1, From: from, Known: &known}); err != nil {
			t.Fatal(err)
		}
		if reads.n > 2*128 {
			t.Errorf("from %d on: %d files were read", from, reads.n)
		}
	}
}

// Reads counts files that are read, by one goroutine.
type reads struct {
	scan.Opener

	n int
}

func (r *reads) Reader() (scan.Reader, error) {
	reader, err := r.Opener.Reader()
	return counting{reader, r}, err
}

type counting struct {
	scan.Reader

	by *reads
}

func (c counting) Read(ctx context.Context, path string, buffer []byte, limit int64) ([]byte, error) {
	c.by.n++
	return c.Reader.Read(ctx, path, buffer, limit)
}

// One source that can't be read is an error of its own, and the others are searched.
func TestSearchAllWithoutOne(t *testing.T) {
	root, paths := write(t, map[string]string{"a": "needle\n"})
	gone := filepath.Join(root, "gone")
	found, err := scan.SearchAll(t.Context(), []scan.Source{
		{Files: scan.OpenFolder(gone), Paths: []string{"a"}}, {Files: scan.OpenFolder(root), Paths: paths},
	}, compile(t, match.Query{Pattern: "needle", Limit: 1}), scan.Options{})
	if err != nil || found[0].Err == nil || found[1].Err != nil || len(found[1].Matches) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Of a file with very many lines that match not all are counted, which is said.
func TestSearchAllCountsFilesToAPoint(t *testing.T) {
	root, _ := write(t, nil)
	if err := os.WriteFile(filepath.Join(root, "a"), []byte(strings.Repeat("needle\n", 100_001)), 0o600); err != nil {
		t.Fatal(err)
	}
	r := find(t, root, []string{"a"}, match.Query{Pattern: "needle", Limit: 5}, scan.Options{Counted: 10})
	if len(r.Counts) != 1 || r.Counts[0].Lines != 100_000 || !r.Counts[0].AtLeast || !r.Uncounted || len(r.Matches) != 5 {
		t.Errorf("%d matches, %+v, uncounted is %v", len(r.Matches), r.Counts, r.Uncounted)
	}
}
