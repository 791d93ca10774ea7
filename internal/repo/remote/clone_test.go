package remote

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// origin makes a work tree to commit in and the bare repository it pushes to.
func origin(t *testing.T) (work, bare string) {
	t.Helper()
	base := t.TempDir()
	work, bare = filepath.Join(base, "work"), filepath.Join(base, "tool.git")
	repotest.Write(t, work, map[string]string{"a.go": "package a\n"})
	repotest.Run(t, base, "init", "-q", "--bare", bare)
	repotest.Run(t, work, "init", "-q")
	repotest.Run(t, work, "remote", "add", "origin", bare)
	push(t, work, "one")
	return work, bare
}

func push(t *testing.T, work, message string) {
	t.Helper()
	repotest.Run(t, work, "add", "-A")
	repotest.Run(t, work, "commit", "-qm", message)
	repotest.Run(t, work, "push", "-q", "origin", "HEAD:main")
}

func TestClone(t *testing.T) {
	repotest.NeedGit(t)
	work, bare := origin(t)
	for name, url := range map[string]string{"path": bare, "file URL": "file://" + filepath.ToSlash(bare)} {
		t.Run(name, func(t *testing.T) {
			repos := filepath.Join(t.TempDir(), "repos")
			root, err := Clone(t.Context(), url, repos, "")
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(repos, "tool"); root != want {
				t.Errorf("root %q, want %q", root, want)
			}
			if id := inferID(t, root); id != "tool" {
				t.Errorf("id %q, want tool", id)
			}
			if n := repotest.Run(t, root, "rev-list", "--count", "HEAD"); n != "1" {
				t.Errorf("%s commits, want 1", n)
			}
			entries, err := os.ReadDir(repos)
			if len(entries) != 1 || err != nil {
				t.Errorf("%v left in the folder of clones, %v", entries, err)
			}
			checkUpdate(t, work, url, repos, root)
		})
	}
}

func checkUpdate(t *testing.T, work, url, repos, root string) {
	t.Helper()
	repotest.Write(t, work,
		map[string]string{"b.go": "package a // " + t.Name() + "\n", "a.go": "package b // " + t.Name() + "\n"})
	push(t, work, "two")
	repotest.Write(t, root, map[string]string{"a.go": "changed here\n", ".llmc/status": "kept"})
	again, err := Clone(t.Context(), url, repos, "")
	if err != nil || again != root {
		t.Fatalf("Clone again = %q, %v; want %q", again, err, root)
	}
	if diff := cmp.Diff(repotest.Content(t, work, "a.go"), repotest.Content(t, root, "a.go")); diff != "" {
		t.Errorf("after the update (-want +got):\n%s", diff)
	}
	if got := repotest.Content(t, root, ".llmc", "status"); got != "kept" {
		t.Errorf("untracked file is %q", got)
	}
	files, _, err := git.Read(t.Context(), git.Command{Dir: root, Args: []string{"ls-files"}})
	if diff := cmp.Diff("a.go\nb.go\n", files); diff != "" || err != nil {
		t.Error(diff)
	}
}

func TestCloneEmptyRemote(t *testing.T) {
	repotest.NeedGit(t)
	bare := filepath.Join(t.TempDir(), "empty.git")
	repotest.Run(t, t.TempDir(), "init", "-q", "--bare", bare)
	repos := t.TempDir()
	for range 2 {
		root, err := Clone(t.Context(), bare, repos, "")
		if err != nil {
			t.Fatal(err)
		}
		if head, err := open(t, root).Head(t.Context()); head != "" || err != nil {
			t.Errorf("Head = %q, %v", head, err)
		}
	}
}

func TestCloneRunsNothing(t *testing.T) {
	repotest.NeedGit(t)
	_, bare := origin(t)
	marker := filepath.Join(t.TempDir(), "ran")
	templates := t.TempDir()
	repotest.Write(t, templates, map[string]string{"hooks/post-checkout": "#!/bin/sh\ntouch " + marker + "\n"})
	if err := os.Chmod(filepath.Join(templates, "hooks", "post-checkout"), 0o755); err != nil { //nolint:gosec // a hook
		t.Fatal(err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	repotest.Write(t, home,
		map[string]string{".gitconfig": "[init]\n\ttemplateDir = " + templates + "\n[core]\n\thooksPath = " + templates +
			"/hooks\n"})
	if _, err := Clone(t.Context(), bare, t.TempDir(), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a hook ran")
	}
}

func TestCloneRefuses(t *testing.T) {
	repotest.NeedGit(t)
	_, bare := origin(t)
	repos := t.TempDir()
	repotest.Write(t, repos, map[string]string{"taken/x": ""})
	if _, err := Clone(t.Context(), bare, repos, ""); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ url, want string }{
		"option":               {"--upload-pack=touch x", "not a git URL"},
		"option as host":       {"ssh://-oProxyCommand=x/y", "not a git URL"},
		"option as scp host":   {"-oProxyCommand=x:y", "not a git URL"},
		"a folder":             {"some/folder", "not a git URL"},
		"helper":               {"ext::sh -c 'touch x' a/b", "use an https, ssh or file URL"},
		"unencrypted":          {"http://host.invalid/a/b", "use an https, ssh or file URL"},
		"new line":             {"https://host.invalid/a\n/b", "not a git URL"},
		"no name":              {"https://host.invalid/", "does not name a repository"},
		"missing":              {"file:///nowhere/at/all.git", "can't clone"},
		"missing, of an owner": {"https://127.0.0.1:1/acme/none.git", "can't clone"},
		"not a clone":          {"file:///nowhere/taken.git", "not a clone"},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := Clone(t.Context(), tc.url, repos, "")
			if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), tc.want) {
				t.Errorf("Clone = %q, %v; want InvalidRequest with %q", root, err, tc.want)
			}
		})
	}
	entries, err := os.ReadDir(repos)
	if len(entries) != 2 || err != nil {
		t.Errorf("%v left in the folder of clones, %v", entries, err)
	}
}

// Remotes of the same name have clones beside each other, which are found again.
func TestClonesOfOneName(t *testing.T) {
	repotest.NeedGit(t)
	repos := t.TempDir()
	urls, roots := make([]string, 3), make([]string, 3)
	for i, dir := range []string{"x", "y", "z/y"} {
		_, bare := origin(t)
		moved := filepath.Join(t.TempDir(), filepath.FromSlash(dir), "tool.git")
		if err := errors.Join(os.MkdirAll(filepath.Dir(moved), 0o700), os.Rename(bare, moved)); err != nil {
			t.Fatal(err)
		}
		urls[i] = "file://" + filepath.ToSlash(moved)
	}
	for range 2 {
		for i, url := range urls {
			root, err := Clone(t.Context(), url, repos, "")
			if err != nil || roots[i] != "" && roots[i] != root {
				t.Fatalf("%s is cloned to %s, %v; and was to %s", url, root, err, roots[i])
			}
			roots[i] = root
		}
	}
	entries, err := os.ReadDir(repos)
	if err != nil || len(entries) != 3 || entries[0].Name() != "tool" || entries[2].Name() != "tool-y" {
		t.Errorf("%v, %v; want tool, tool- and a checksum, tool-y", entries, err)
	}
}

func TestCloneInsideAnotherClone(t *testing.T) {
	repotest.NeedGit(t)
	_, bare := origin(t)
	repos := t.TempDir()
	if _, err := Clone(t.Context(), bare, repos, ""); err != nil {
		t.Fatal(err)
	}
	_, err := Clone(t.Context(), "https://host.invalid/tool/inner", repos, "")
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), "another repository") {
		t.Errorf("error %v, want InvalidRequest", err)
	}
}

func TestCloneTellsNoCredentials(t *testing.T) {
	c := cloner{url: "https://me:s3cret@host/x", shown: "https://host/x"}
	err := c.failed(&git.Error{
		Stderr: "fatal: unable to access 'https://me:s3cret@host/x/': failed for me:s3cret (s3cret)\n",
		Err:    errors.New("exit status 128"),
	})
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("%q tells the password", err)
	}
}

func TestCloneStoresNoCredentials(t *testing.T) {
	repotest.NeedGit(t)
	_, bare := origin(t)
	repos := t.TempDir()
	url := "file://me:s3cret@" + filepath.ToSlash(bare)
	root, err := Clone(t.Context(), url, repos, "")
	if err != nil {
		t.Skipf("SKIPPED: this git takes no user in a file URL: %v", err)
	}
	if strings.Contains(repotest.Content(t, root, ".git", "config"), "s3cret") {
		t.Error("the password is in .git/config")
	}
}

func TestCloneCancelled(t *testing.T) {
	repotest.NeedGit(t)
	_, bare := origin(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	repos := t.TempDir()
	if _, err := Clone(ctx, bare, repos, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if entries, err := os.ReadDir(repos); len(entries) != 0 || err != nil {
		t.Errorf("%v left behind, %v", entries, err)
	}
}

func TestCloneWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Clone(t.Context(), "https://host.invalid/a/b", t.TempDir(), "")
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), "needs git") {
		t.Errorf("error %v, want InvalidRequest that asks for git", err)
	}
}

func TestOpenClone(t *testing.T) {
	repotest.NeedGit(t)
	_, bare := origin(t)
	shared := filepath.Join(t.TempDir(), "repos")
	if _, err := Clone(t.Context(), bare, shared, ""); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "mounted")
	if err := os.Rename(shared, elsewhere); err != nil {
		t.Fatal(err)
	}
	tree, err := OpenClone(t.Context(), bare, elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	if data, _, err := tree.Read(t.Context(), "a.go", 100); string(data) != "package a\n" || err != nil {
		t.Errorf("Read = %q, %v", data, err)
	}
	for name, tc := range map[string]struct{ url, dir string }{
		"no such folder":             {bare, shared},
		"another's of the same name": {filepath.Join(filepath.Dir(bare), "other", "tool.git"), elsewhere},
		"not a URL":                  {"tool", elsewhere},
	} {
		if _, err := OpenClone(t.Context(), tc.url, tc.dir); fault.CodeOf(err) != fault.PathNotFound {
			t.Errorf("%s: %v, want PathNotFound", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenClone(ctx, bare, elsewhere); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
