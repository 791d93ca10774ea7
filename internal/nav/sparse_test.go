package nav_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// What git keeps out of the folder is searched by nobody, and replies say so.
func TestSparseCheckout(t *testing.T) {
	repotest.NeedGit(t)
	root := repotest.Tree(t, map[string]string{
		"go.mod": "module example.com/m\n", "a/a.go": "package a\n\nfunc Walrus() {}\n",
		"b/b.go": "package b\n\nimport \"example.com/m/a\"\n\nfunc Use() { a.Walrus() }\n",
	})
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	ask := func(sparse bool) {
		t.Helper()
		found, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "o/a", Query: "nowhere to be found"})
		if err != nil || saysSparse(found.Meta) != sparse {
			t.Errorf("search: %+v, %v; want a warning: %v", found.Meta, err, sparse)
		}
		used, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "a.Walrus"})
		if err != nil || saysSparse(used.Meta) != sparse || (len(used.Items) == 0) != sparse {
			t.Errorf("where used: %d, %+v, %v; want a warning: %v", len(used.Items), used.Meta, err, sparse)
		}
		reached, err := svc.Lineage(t.Context(), nav.LineageRequest{RepoID: "o/a", Symbol: "a.Walrus", Direction: "upstream"})
		if err != nil || saysSparse(reached.Meta) != sparse {
			t.Errorf("lineage: %+v, %v; want a warning: %v", reached.Meta, err, sparse)
		}
		kinds, err := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: "o/a", Symbol: "a.Walrus"})
		if err != nil || saysSparse(kinds.Meta) != sparse {
			t.Errorf("implementations: %+v, %v; want a warning: %v", kinds.Meta, err, sparse)
		}
		outer, err := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: "o/a", Symbol: "io.Writer"})
		if err != nil || saysSparse(outer.Meta) != sparse {
			t.Errorf("implementations of io.Writer: %+v, %v; want a warning: %v", outer.Meta, err, sparse)
		}
		_, err = svc.Lineage(t.Context(), nav.LineageRequest{RepoID: "o/a", Symbol: "Nobody", Direction: "upstream"})
		_, none := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Nobody"})
		for _, err := range []error{err, none} {
			if fault.CodeOf(err) != fault.SymbolNotFound || sparse != strings.Contains(err.Error(), "sparse checkout") {
				t.Errorf("of no definition: %v; want that it may be outside: %v", err, sparse)
			}
		}
		hit, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Diff: widened})
		if err != nil || saysSparse(hit.Meta) != sparse {
			t.Errorf("impact: %+v, %v; want a warning: %v", hit.Meta, err, sparse)
		}
	}
	ask(false)
	repotest.Run(t, root, "sparse-checkout", "set", "a")
	ask(true)
	repotest.Run(t, root, "sparse-checkout", "disable")
	ask(false)
}

// widened is a diff of a function that gets a parameter.
const widened = "--- a/a/a.go\n+++ b/a/a.go\n@@ -1,3 +1,3 @@\n package a\n \n" +
	"-func Walrus() {}\n+func Walrus(n int) {}\n"

// saysSparse reports whether a reply says that a part of the repository is not there.
func saysSparse(meta models.Meta) bool {
	for _, w := range meta.Warnings {
		if w.Code == "FILES_NOT_SEARCHED" && strings.Contains(w.Message, "sparse checkout") {
			return true
		}
	}
	return false
}

// What no search looks into is told where nothing is found, by the graph and without it.
func TestSearchInVainTellsWhatItHasNotSeen(t *testing.T) {
	repotest.NeedGit(t)
	root := repotest.Tree(t, map[string]string{"go.mod": "module example.com/m\n", "a/a.go": "package a\n"})
	lib := repotest.Tree(t, map[string]string{"lib.go": "package lib\n\nfunc Hidden() {}\n"})
	repotest.Run(t, root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "ext/lib")
	if err := os.WriteFile(filepath.Join(root, "two\nlines.go"), []byte("package m\n"), 0o600); err != nil {
		t.Skipf("SKIPPED: this file system takes no such names: %v", err)
	}
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	for _, how := range []string{"live", "graph"} {
		for query, want := range map[string]bool{"Hidden": true, "package a": false} {
			found, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "o/a", Query: query})
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, w := range found.Meta.Warnings {
				said += w.Message
			}
			if want != strings.Contains(said, "1 file whose name") || want && !strings.Contains(said, "1 of its submodules") {
				t.Errorf("%s, %s: %q, want a file and a submodule: %v", how, query, said, want)
			}
		}
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Hidden"})
		if err == nil || !strings.Contains(err.Error(), "it may be in 1 nested repository") {
			t.Errorf("%s: %v, want that there is a submodule", how, err)
		}
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
	}
}

// A place without a column says that the column is missing.
func TestPlaceWithoutColumn(t *testing.T) {
	root := repotest.Tree(t, map[string]string{"a.go": "package a\n"})
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", File: "a.go", Line: new(1)})
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.HasPrefix(fault.MessageOf(err), "column is missing") {
		t.Errorf("%v, want that the column is missing", err)
	}
}

// What can't be read may have what was looked for, and is told.
func TestSearchInVainOfWhatCantBeRead(t *testing.T) {
	if repotest.AsNobody(t) {
		return
	}
	root := t.TempDir()
	repotest.Write(t, root, map[string]string{
		"go.mod": "module example.com/m\n", "a/a.go": "package a\n", "a/closed.go": "package a\n\nfunc Hidden() {}\n",
		"shut/b.go": "package b\n\nfunc Deep() {}\n",
	})
	for _, name := range []string{"a/closed.go", "shut"} {
		p := filepath.Join(root, name)
		if err := os.Chmod(p, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(p, 0o700) })
	}
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	for _, how := range []string{"live", "graph"} {
		found, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "o/a", Query: "Deep"})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, w := range found.Meta.Warnings {
			said += w.Message
		}
		if !strings.Contains(said, "1 file that could not be read") || strings.Count(said, "1 folder ") != 1 {
			t.Errorf("%s: search says %q", how, said)
		}
		_, err = svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Hidden"})
		if fault.CodeOf(err) != fault.SymbolNotFound || !strings.Contains(fault.MessageOf(err), "a/closed.go") {
			t.Errorf("%s: where used: %v, want that a/closed.go could not be read", how, err)
		}
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
	}
}
