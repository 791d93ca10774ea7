package nav_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// TestDefinitionAfterAnEditThatLeavesNoTrace: what was read of a file is used again
// for another place, and not for another text: of the same length, in a file of the
// same time.
func TestDefinitionAfterAnEditThatLeavesNoTrace(t *testing.T) {
	const text = "package p0\n\n// Do does it.\nfunc Do(first, other int) int {\n" +
		"\treturn first + other\n}\n\nvar _ = Do(1, 2)\n"
	root, _ := many(t, 1)
	put(t, root, "p0/do.go", text)
	read := 0
	svc := nav.New(gateway.Config{
		Repos: folder(root), Extract: goOnly{},
		Locals: func(ctx context.Context, path, language, text string) ([]facts.Local, error) {
			read++
			return goLocals(ctx, path, language, text)
		},
	})
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	at := func(line, column int) (where int, what string) {
		t.Helper()
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: "p0/do.go", Line: line, Column: column})
		if err != nil || len(r.Items) != 1 {
			t.Fatalf("%+v, %v", r.Items, err)
		}
		return r.Items[0].Column, r.Items[0].Signature + "|" + r.Items[0].Doc
	}
	same := func(first, other int, signature string) {
		t.Helper()
		if got, _ := at(5, 9); got != first {
			t.Errorf("the first name is bound in column %d, want %d", got, first)
		}
		if got, _ := at(5, 17); got != other {
			t.Errorf("the second name is bound in column %d, want %d", got, other)
		}
		if _, got := at(8, 9); got != signature {
			t.Errorf("Do is %q, want %q", got, signature)
		}
	}
	same(9, 16, "func Do(first, other int) int|Do does it.")
	same(9, 16, "func Do(first, other int) int|Do does it.")
	if read != 1 {
		t.Errorf("read %d times, want once", read)
	}
	file := filepath.Join(root, "p0/do.go")
	was, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.NewReplacer("(first, other int)", "(other, first int)", "does", "did ").Replace(text)
	if len(edited) != len(text) {
		t.Fatal("the edit is of another length")
	}
	put(t, root, "p0/do.go", edited)
	if err := os.Chtimes(file, was.ModTime(), was.ModTime()); err != nil {
		t.Fatal(err)
	}
	same(16, 9, "func Do(other, first int) int|Do did  it.")
	put(t, root, "p0/do.go", text)
	same(9, 16, "func Do(first, other int) int|Do does it.")
	if read != 2 {
		t.Errorf("read %d times, want once for each text", read)
	}
}

// What manifests say is remembered, but not of one that could not be read.
func TestManifestThatFailsOnce(t *testing.T) {
	root, _ := many(t, 1)
	put(t, root, "go.mod", "module example.com/a\n")
	config := gateway.Config{Repos: folder(root), Extract: goOnly{}}
	if _, err := nav.New(config).Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	opener := gateway.New(config)
	provided := func(within func()) int {
		t.Helper()
		g, err := opener.Open(t.Context(), "o/a")
		if err != nil || !g.Verdict.Graph {
			t.Fatalf("%+v, %v", g, err)
		}
		within()
		m, err := gateway.ModulesOf(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		return len(m.Provides)
	}
	file := filepath.Join(root, "go.mod")
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	got := []int{
		provided(func() { move(file, file+".away") }),
		provided(func() {}),
	}
	move(file+".away", file)
	got = append(got, provided(func() {}))
	if want := []int{0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("%v modules, want %v: first go.mod can't be read, then it is gone, then there again", got, want)
	}
}

// The names beside a place that has none come from the graph, and from the file once it changed.
func TestNamesBesideComeFromTheGraph(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/m\n")
	put(t, root, "a.go", "package m\n\nfunc F() int { return G() }\n\nfunc G() int { return 1 }\n")
	var read atomic.Int32
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: counted{read: &read}})
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	says := func(reads int32, want string) {
		t.Helper()
		read.Store(0)
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: "a.go", Line: 3, Column: 2})
		if err != nil || r.Meta.Message == nil {
			t.Fatalf("%+v, %v", r, err)
		}
		if _, got, _ := strings.Cut(*r.Meta.Message, "on that line: "); got != want || read.Load() != reads {
			t.Errorf("%q of %d readings, want %q of %d", got, read.Load(), want, reads)
		}
	}
	says(0, "F (column 6), G (column 23)")
	put(t, root, "a.go", "package m\n\nfunc F() int { return H() }\n\nfunc H() int { return 1 }\n")
	says(1, "F (column 6), H (column 23)")
}
