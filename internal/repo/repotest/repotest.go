// Package repotest makes folders and git repositories for tests.
package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// NeedGit skips without git, and keeps this machine's git configuration out.
func NeedGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, so nothing about git trees is tested")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// Run runs git in dir as a user would.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := Try(t, dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Try is Run of what may fail.
func Try(t testing.TB, dir string, args ...string) (string, error) {
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

// Tree is the folder of a git repository with these files, committed.
func Tree(t testing.TB, files map[string]string) string {
	t.Helper()
	NeedGit(t)
	dir := Dir(t)
	Run(t, dir, "init", "-q")
	Write(t, dir, files)
	Run(t, dir, "add", "-A")
	Run(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

// Dir is a folder by its real path.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Write makes files with their folders. Names end in "/" for empty folders.
func Write(t testing.TB, dir string, files map[string]string) {
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

// Symlink makes one.
func Symlink(t testing.TB, target, dir, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Skipf("SKIPPED: no symlinks here: %v", err)
	}
}

// Remove removes a file.
func Remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// Content is that of a file.
func Content(t testing.TB, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Fortress is the folder of a repository with a secret outside of it and one in .git, and
// many ways that seem to lead there.
func Fortress(t testing.TB) string {
	t.Helper()
	top := t.TempDir()
	Write(t, top, map[string]string{
		"outside/secret": "SECRET", "repo/.git/config": "SECRET", "repo/a.txt": "inside", "repo/d/b.txt": "deep",
	})
	dir := filepath.Join(top, "repo")
	for name, target := range map[string]string{
		"in": "a.txt", "in-folder": "d", "d/up": "../a.txt", "d/around": "../d/b.txt",
		"out": "../outside/secret", "out-folder": "../outside", "out-abs": filepath.Join(top, "outside", "secret"),
		"in-abs": filepath.Join(dir, "a.txt"), "hop": "out-folder/secret", "etc": "/etc", "top": "..",
		"back":   "../repo/a.txt",
		"to-git": ".git/config", "git-folder": ".git", "d/git": "../.git/config", "loop": "loop", "dangling": "none",
	} {
		Symlink(t, target, dir, name)
	}
	return dir
}

// Escapes are paths that no operation may follow.
var Escapes = map[string]string{
	"..":                             "..",
	"../x":                           "..",
	"a/../../x":                      "..",
	"a/..":                           "..",
	"./..":                           "..",
	`..\x`:                           "..",
	`a\..\..\x`:                      "..",
	"/":                              "absolute",
	"/etc/passwd":                    "absolute",
	"//x":                            "absolute",
	`\x`:                             "absolute",
	`\\server\share`:                 "absolute",
	`C:\x`:                           "absolute",
	"c:/x":                           "absolute",
	"c:":                             "absolute",
	"a//b":                           "empty segment",
	"a//":                            "empty segment",
	"a\x00b":                         "NUL",
	"\x00":                           "NUL",
	"\xff":                           "UTF-8",
	".git":                           ".git",
	".git/config":                    ".git",
	"a/.git/HEAD":                    ".git",
	".GIT/config":                    ".git",
	".git./config":                   ".git",
	".git /config":                   ".git",
	".git::$INDEX_ALLOCATION/config": ".git",
	"git~1/config":                   ".git",
	`a\.git\config`:                  ".git",
	strings.Repeat("a", 5000):        "longer than",
}
