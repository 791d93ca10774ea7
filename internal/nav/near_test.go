//go:build cgo

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const nearArchive = `
-- go.mod --
module example.com/near
-- a.go --
package near

// Middle is used and uses.
func Middle() { low(); low() }

func low() {}
-- b.go --
package near

func High() { Middle(); Middle() }

func Higher() { Middle() }
-- a_test.go --
package near

func TestMiddle() { Middle() }
`

// Where a name is declared elsewhere, places come first whose paths say what was said.
func TestDefinedNear(t *testing.T) {
	svc := serviceOf(t, `
-- bench/run.py --
def spawn(): pass
-- examples/run.py --
def spawn(): pass
-- other/run.py --
def spawn(): pass
-- pool/src/task/run.py --
def spawn(): pass
`)
	_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "pool.spawn"})
	if want := "spawn is defined in pool/src/task/run.py:1, bench/run.py:1"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q in it", err, want)
	}
}

func TestNear(t *testing.T) {
	svc := serviceOf(t, nearArchive)
	middle := models.Header{RepoID: "o/a", FilePath: "a.go", SymbolName: "Middle", StartLine: 3, EndLine: 4}
	if _, ok, err := svc.Near(t.Context(), middle, 5); ok || err != nil {
		t.Fatalf("without a graph: %v, %v", ok, err)
	}
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	elsewhere, other := middle, middle
	elsewhere.StartLine, elsewhere.EndLine = 6, 6
	other.FilePath = "b.go"
	for _, test := range []struct {
		name        string
		symbol      models.Header
		limit       int
		users, used []string
		total       int
		ok          bool
	}{
		{"each once, tests last", middle, 5, []string{"High", "Higher", "TestMiddle"}, []string{"low"}, 3, true},
		{"limited", middle, 1, []string{"High"}, []string{"low"}, 3, true},
		{"not at these lines", elsewhere, 5, nil, nil, 0, false},
		{"not in that file", other, 5, nil, nil, 0, false},
	} {
		n, ok, err := svc.Near(t.Context(), test.symbol, test.limit)
		if err != nil || ok != test.ok || n.Total != test.total {
			t.Errorf("%s: %d users, %v, %v", test.name, n.Total, ok, err)
		}
		if diff := cmp.Diff([][]string{test.users, test.used}, [][]string{qualified(n.Users), qualified(n.Used)}); diff !=
			"" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// What implements a method of an interface stands below it.
func TestNearBelow(t *testing.T) {
	svc := serviceOf(t, `
-- go.mod --
module example.com/below

go 1.24
-- a.go --
package below

type Store interface {
	Save(text string) error
}

type Disk struct{}

func (Disk) Save(text string) error { return nil }

type Other struct{}

func (Other) Save(text string, twice bool) error { return nil }
`)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	save := models.Header{RepoID: "o/a", FilePath: "a.go", SymbolName: "Save", StartLine: 4, EndLine: 4}
	n, ok, err := svc.Near(t.Context(), save, 5)
	if got := strings.Join(qualified(n.Below), " "); got != "Disk.Save" || !ok || err != nil {
		t.Errorf("below Store.Save: %q, %v, %v; want Disk.Save", got, ok, err)
	}
}

func qualified(defs []models.Definition) (names []string) {
	for _, d := range defs {
		names = append(names, d.Qualified)
	}
	return names
}

func TestCountUses(t *testing.T) {
	root, svc := many(t, 5)
	put(t, root, "p0/use_test.go", "package p0\n\nimport \"example.com/many/shared\"\n\nfunc init() { shared.Shared() }\n")
	hit := func(path, name string, from, to int) models.SearchResult {
		return models.SearchResult{
			RepoID: "o/a", DocType: models.TypeSymbol, Kind: "func", FilePath: &path,
			SymbolName: &name, StartLine: &from, EndLine: &to,
		}
	}
	hits := []models.SearchResult{
		hit("shared/shared.go", "Shared", 3, 4), hit("p1/use.go", "Use1", 5, 5),
		hit("shared/shared.go", "Shared", 9, 12), hit("gone.go", "Shared", 1, 9),
	}
	count := func(edited bool) (all []string) {
		for i := range hits {
			hits[i].Uses, hits[i].Tests = nil, nil
		}
		svc.CountUses(t.Context(), hits, edited)
		for _, h := range hits {
			if h.Uses == nil || h.Tests == nil {
				all = append(all, "-")
				continue
			}
			all = append(all, fmt.Sprintf("%d, %d in tests", *h.Uses, *h.Tests))
		}
		return all
	}
	if got := count(false); strings.Join(got, "; ") != "-; -; -; -" {
		t.Errorf("without a graph: %q", got)
	}
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	if got := count(false); strings.Join(got, "; ") != "6, 1 in tests; 0, 0 in tests; -; -" {
		t.Errorf("uses %q", got)
	}
	put(t, root, "p1/use.go", "package p1\n\nimport \"example.com/many/shared\"\n\nfunc Use1() {}\n\n"+
		"func Two() { shared.Shared(); shared.Shared(); Use1() }\n")
	put(t, root, "p0/use_test.go", "package p0\n")
	if got := count(true); strings.Join(got, "; ") != "6, 0 in tests; 1, 0 in tests; -; -" {
		t.Errorf("after an edit: uses %q", got)
	}
	for i := range 20 {
		put(t, root, fmt.Sprintf("q%d/q.go", i), "package q\n")
	}
	if got := count(true); strings.Join(got, "; ") != "-; -; -; -" {
		t.Errorf("after many edits: uses %q", got)
	}
}
