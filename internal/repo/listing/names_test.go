package listing

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/repo/relpath"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// namesTree is a folder in which much is excluded, for each reason.
func namesTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	repotest.Write(t, root, map[string]string{
		"a.go": "a", "b/c.go": "c", "b/d/e.go": "e", "b/.ragnavignore": "*.txt\nhidden/\n!keep.txt\n", "b/x.txt": "x",
		"b/keep.txt": "k", "b/d/y.txt": "y",
		"b/hidden/z.go": "z", ".gitignore": "build/\n", "build/out.go": "o", ".svn/entries": "s",
		".llmc/rag_graph.json": "{}", "data/store.bin": "d",
		".env": "SECRET=1", "ü/ß.go": "u", "odd\nname": "o", "new/one.go": "n", "new/two.txt": "t",
		"c/only-ignored-rules/.ragnavignore": "*\n", "c/only-ignored-rules/f": "f",
	})
	repotest.Symlink(t, "a.go", root, "link.go")
	repotest.Symlink(t, "b", root, "folder-link")
	return root
}

// checkNames compares both lists of names with List.
func checkNames(t *testing.T, root string, tracked []string) {
	t.Helper()
	limits := Limits{Exclude: []string{filepath.Join(root, "data")}}
	tree := open(t, root)
	listing, err := List(t.Context(), tree, limits)
	if err != nil {
		t.Fatal(err)
	}
	names, err := TrackedNames(t.Context(), tree, limits)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tracked, names); diff != "" {
		t.Errorf("tracked: (-want +got)\n%s", diff)
	}
	others, err := OtherNames(t.Context(), tree, limits)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(others) {
		t.Errorf("other names are not in order: %q", others)
	}
	var want []string
	for _, f := range listing.Files {
		want = append(want, f.Path)
	}
	for _, f := range listing.Skipped {
		if f.Detail != relpath.HasControls && f.Detail != relpath.NotUTF8 {
			want = append(want, f.Path)
		}
	}
	slices.Sort(want)
	got := slices.Sorted(slices.Values(slices.Concat(names, others)))
	got = slices.DeleteFunc(got, func(p string) bool {
		_, err := os.Lstat(filepath.Join(root, p))
		return err != nil
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all: (-List +names)\n%s", diff)
	}
}

func TestNamesOfAGitTree(t *testing.T) {
	repotest.NeedGit(t)
	root := namesTree(t)
	repotest.Run(t, root, "init", "-q")
	repotest.Run(t, root, "add", "-f", "a.go", "b", ".svn", "build", "data", "link.go", "ü")
	repotest.Run(t, root, "commit", "-q", "-m", "first")
	repotest.Remove(t, root, "b/keep.txt")
	checkNames(t, root, []string{
		"a.go", "b/.ragnavignore", "b/c.go", "b/d/e.go", "b/keep.txt", "build/out.go", "link.go",
		"ü/ß.go",
	})
}

func TestNamesOfAPlainFolder(t *testing.T) {
	checkNames(t, namesTree(t), nil)
}

func TestNamesCancelled(t *testing.T) {
	root := namesTree(t)
	ctx, cancel := context.WithCancel(t.Context())
	tree := open(t, root)
	cancel()
	if _, err := OtherNames(ctx, tree, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// Work trees have a file ".git", which names the folder with what is sparse there.
func TestSparse(t *testing.T) {
	root := repotest.Tree(t, map[string]string{"a/a.go": "a", "b/b.go": "b"})
	linked := filepath.Join(t.TempDir(), "linked")
	repotest.Run(t, root, "worktree", "add", "-q", linked)
	check := func(dir string, want bool) {
		t.Helper()
		tree := open(t, dir)
		is, err := Sparse(t.Context(), tree)
		if err != nil || is != want || MaySparse(tree) != want {
			t.Errorf("sparse: %v, %v, maybe: %v; want %v", is, err, MaySparse(tree), want)
		}
	}
	check(root, false)
	check(linked, false)
	repotest.Run(t, linked, "sparse-checkout", "set", "a")
	check(root, false)
	check(linked, true)
	repotest.Run(t, root, "sparse-checkout", "set", "b")
	check(root, true)
	check(t.TempDir(), false)
}
