package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// needGit skips without git, and keeps this machine's git configuration out.
func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, so nothing about git trees is tested")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// run runs git in dir as a user would.
func run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main",
		"-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always", "-c", "advice.addEmbeddedRepo=false",
	}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write makes files with their folders. Names end in "/" for empty folders.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		folder := filepath.Dir(p)
		if strings.HasSuffix(name, "/") {
			folder = p
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if folder == p {
			continue
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func symlink(t testing.TB, target, dir, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Skipf("SKIPPED: no symlinks here: %v", err)
	}
}

func remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, root string) *Tree {
	t.Helper()
	tree, err := Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

// list is a listing in short: paths, and "path: reason (detail)".
func list(t testing.TB, root string) (files, skipped []string) {
	t.Helper()
	l, err := open(t, root).List(t.Context(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return short(l)
}

func short(l Listing) (files, skipped []string) {
	for _, f := range l.Files {
		files = append(files, f.Path)
	}
	for _, r := range l.Skipped {
		skipped = append(skipped, describe(r))
	}
	return files, skipped
}

func describe(r models.FileRecord) string {
	return r.Path + ": " + string(r.Skipped) + " (" + r.Detail + ")"
}

// inferID is InferID without an error.
func inferID(t testing.TB, root string) models.RepoID {
	t.Helper()
	id, err := InferID(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// isGit is IsGit without an error.
func isGit(t testing.TB, tree *Tree) bool {
	t.Helper()
	in, err := tree.IsGit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return in
}
