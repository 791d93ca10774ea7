package artifact

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gitTree is a git repository with these files, committed.
func gitTree(t testing.TB, files map[string]string) string {
	t.Helper()
	repotest.NeedGit(t)
	dir := realDir(t)
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, files)
	repotest.Run(t, dir, "add", "-A")
	repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

// gitIn runs git in dir, which may fail.
func gitIn(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	return string(out), err
}

func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

func open(t testing.TB, root string) *disk.Folder {
	t.Helper()
	tree, err := disk.Open(t.Context(), root)
	must(t, err)
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}
