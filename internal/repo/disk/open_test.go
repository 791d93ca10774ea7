package disk

import (
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{"file": "", "real/a": ""})
	repotest.Symlink(t, "real", dir, "link")
	for name, tc := range map[string]struct {
		root string
		want fault.Code
	}{
		"missing": {filepath.Join(dir, "nothing"), fault.PathNotFound},
		"a file":  {filepath.Join(dir, "file"), fault.InvalidRequest},
		"empty":   {"", fault.InvalidRequest},
		"NUL":     {"a\x00b", fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Open(t.Context(), tc.root); fault.CodeOf(err) != tc.want {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
	t.Run("through a symlink", func(t *testing.T) {
		want, err := filepath.EvalSymlinks(filepath.Join(dir, "real"))
		if got := open(t, filepath.Join(dir, "link")).Root(); got != want || err != nil {
			t.Errorf("Root = %q, want %q", got, want)
		}
	})
}

func TestHeadWithoutCommit(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	tree := open(t, dir)
	if head, err := tree.Head(t.Context()); head != "" || err != nil || !isGit(t, tree) {
		t.Errorf("Head = %q, %v, IsGit = %v; want an empty git tree", head, err, isGit(t, tree))
	}
}

func open(t testing.TB, root string) *Folder {
	t.Helper()
	tree, err := Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

// isGit is IsGit without an error.
func isGit(t testing.TB, tree *Folder) bool {
	t.Helper()
	in, err := tree.IsGit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return in
}
