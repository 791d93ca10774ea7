package fresh

import (
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// needGit skips without git, and keeps this machine's git configuration out.
func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, so nothing about git trees is tested")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// home is what needGit made the user's home.
func home(t testing.TB) string {
	t.Helper()
	dir, err := os.UserHomeDir()
	must(t, err)
	return dir
}

// gitIn runs git in dir as a user would.
func gitIn(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main",
		"-c", "commit.gpgsign=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "protocol.file.allow=always",
		"-c", "advice.addEmbeddedRepo=false",
	}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := gitIn(t, dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// write makes files with their folders. Names end in "/" for empty folders.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(p, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(p), 0o755))
		must(t, os.WriteFile(p, []byte(content), 0o644))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gitTree is a git repository with these files, committed.
func gitTree(t testing.TB, files map[string]string) string {
	t.Helper()
	needGit(t)
	dir := realDir(t)
	git(t, dir, "init", "-q")
	write(t, dir, files)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
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

// A settledClock pretends that everything was looked at long after it was
// written, so that nothing is racy and a check trusts times. That is true once
// the file system's clock has gone on, which tick waits for.
func settledClock() time.Time { return time.Now().Add(time.Hour) }

// tick waits until a file that is written now is newer than all before.
func tick(t testing.TB, dir string) {
	t.Helper()
	probe := filepath.Join(dir, "tick")
	stamp := func() time.Time {
		must(t, os.WriteFile(probe, []byte("x"), 0o600))
		info, err := os.Stat(probe)
		must(t, err)
		return info.ModTime()
	}
	start, deadline := stamp(), time.Now().Add(time.Minute)
	for stamp().Sub(start) < 20*time.Millisecond {
		if time.Now().After(deadline) {
			t.Fatal("the clock of the file system stands still")
		}
	}
}

// content is what a whole listing finds: every file's hash.
func content(t testing.TB, tree *disk.Folder, limits listing.Limits) map[string]Hash {
	t.Helper()
	l, err := listing.List(t.Context(), tree, limits)
	must(t, err)
	all := map[string]Hash{}
	for _, e := range l.Files {
		data, err := os.ReadFile(filepath.Join(tree.Root(), e.Path))
		if errors.Is(err, os.ErrPermission) {
			all[e.Path] = Hash{}
			continue
		}
		must(t, err)
		all[e.Path] = sha256.Sum256(data)
	}
	return all
}

func readFile(t testing.TB, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	must(t, err)
	return string(data)
}
