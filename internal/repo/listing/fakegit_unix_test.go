//go:build unix

package listing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/remote"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// fakeGit puts a git on the PATH that is a shell script. What begins with "real"
// in it is the real one.
func fakeGit(t *testing.T, script string) {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := fmt.Sprintf("#!/bin/sh\nreal() { %q \"$@\"; }\n%s\n", program, script)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(text), 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	t.Setenv("PATH", strings.Join([]string{dir, filepath.Dir(program), "/usr/bin", "/bin"}, ":"))
}

// ragged makes a work tree that a walk lists differently: with a tracked file
// that the rules exclude, and an untracked one that only git's own rules do.
func ragged(t *testing.T) string {
	t.Helper()
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{
		".gitignore": "*.gen\n", "a.go": "", "kept.gen": "", "sub/b.go": "", "secret.local": "",
		".git/info/exclude": "*.local\n",
	})
	repotest.Run(t, dir, "add", "-f", "a.go", "kept.gen", "sub", ".gitignore")
	repotest.Run(t, dir, "commit", "-qm", "one")
	return dir
}

var raggedFiles = []string{".gitignore", "a.go", "kept.gen", "sub/b.go"}

func TestGitThatFailsIsNotNoGit(t *testing.T) {
	const list = `case "$*" in *ls-files*) `
	for name, tc := range map[string]struct {
		script string
		want   fault.Code
		says   string
	}{
		"every command fails": {`echo "fatal: out of luck" >&2; exit 128`, fault.RAGUnavailable, "out of luck"},
		"with status 1":       {`exit 1`, fault.RAGUnavailable, "exit status 1"},
		"with status 129":     {`echo "usage: git" >&2; exit 129`, fault.RAGUnavailable, "usage: git"},
		"killed":              {`kill -9 $$`, fault.RAGUnavailable, "signal: killed"},
		"says nothing":        {`exit 0`, fault.RAGUnavailable, "does not tell"},
		"the listing fails":   {list + `exit 1;; *) real "$@";; esac`, fault.RAGUnavailable, "exit status 1"},
		"the listing is killed": {
			list + `printf 'a.go\0'; kill -15 $$;; *) real "$@";; esac`, fault.RAGUnavailable,
			"signal: terminated",
		},
		"half a listing": {
			list + `printf 'a.go\0su';; *) real "$@";; esac`, fault.RAGUnavailable,
			"ends in the middle",
		},
		"no program": {"\n#", fault.RAGUnavailable, "git"},
		"another owner's": {
			`echo "fatal: detected dubious ownership in repository at '/x'" >&2; exit 128`,
			fault.RAGUnavailable, "dubious ownership",
		},
		"denies what is on the disk": {`echo "fatal: not a git repository (or any of the parent directories): .git" >&2; ` +
			`exit 128`, fault.RAGUnavailable, "not a git repository"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := ragged(t)
			fakeGit(t, tc.script)
			l, err := List(t.Context(), open(t, dir), Limits{})
			if fault.CodeOf(err) != tc.want || !strings.Contains(fault.MessageOf(err), tc.says) {
				t.Errorf("%d files, error %v; want %s with %q", len(l.Files), err, tc.want, tc.says)
			}
		})
	}
}

func TestGitThatIsOddAndRight(t *testing.T) {
	for name, script := range map[string]string{
		"noise":                  `echo "warning: something" >&2; echo "trace: x" >&2; real "$@"`,
		"leaves a process":       `sleep 30 & real "$@"; echo $! >> "$LEFT"`,
		"and that is in a group": `set -m; sleep 30 & real "$@"; echo $! >> "$LEFT"`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := ragged(t)
			left := filepath.Join(t.TempDir(), "left")
			t.Setenv("LEFT", left)
			t.Cleanup(func() {
				pids, _ := os.ReadFile(left)
				for pid := range strings.FieldsSeq(string(pids)) {
					_ = exec.Command("kill", pid).Run()
				}
			})
			fakeGit(t, script)
			began := time.Now()
			files, _ := list(t, dir)
			if diff := cmp.Diff(raggedFiles, files); diff != "" {
				t.Error(diff)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %v: it waits for the processes that are left", took)
			}
		})
	}
}

// What git wrote before it ended is all there, however much and however late it
// is read.
func TestOutputIsWhole(t *testing.T) {
	repotest.NeedGit(t)
	fakeGit(t, `sleep 30 & echo $! >&2; yes 0123456789 | head -c 3000000`)
	out, messages, err := git.Command{Dir: t.TempDir()}.Output(t.Context())
	if pid := strings.TrimSpace(messages); pid != "" {
		_ = exec.CommandContext(t.Context(), "kill", pid).Run()
	}
	if len(out) != 3_000_000 || err != nil {
		t.Errorf("%d bytes, error %v", len(out), err)
	}
}

func TestGitThatHangsIsATimeout(t *testing.T) {
	dir := ragged(t)
	fakeGit(t, `sleep 30`)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := List(ctx, open(t, dir), Limits{})
	if fault.CodeOf(err) != fault.Timeout || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want a Timeout", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v after a limit of 100 ms", took)
	}
}

// A damaged repository is none to git; to us it is one that can't be listed.
func TestDamagedRepositoryIsNotNone(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string){
		"no HEAD": func(t *testing.T, dir string) { t.Helper(); repotest.Remove(t, dir, ".git/HEAD") },
		"a broken setting": func(t *testing.T, dir string) {
			t.Helper()
			repotest.Write(t, dir, map[string]string{".git/config": "[core\n"})
		},
		"a broken index": func(t *testing.T, dir string) {
			t.Helper()
			repotest.Write(t, dir, map[string]string{".git/index": "not an index"})
		},
		"a .git file that leads to nothing": func(t *testing.T, dir string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
			repotest.Write(t, dir, map[string]string{".git": "gitdir: /nowhere/at/all\n"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := ragged(t)
			damage(t, dir)
			for _, root := range []string{dir, filepath.Join(dir, "sub")} {
				if l, err := List(t.Context(), open(t, root), Limits{}); fault.CodeOf(err) != fault.RAGUnavailable {
					t.Errorf("%d files, error %v; want RAGUnavailable", len(l.Files), err)
				}
			}
		})
	}
}

// Nothing but a listing needs git, so a git that hangs holds up no reader.
func TestReadersNeedNoGit(t *testing.T) {
	dir := ragged(t)
	fakeGit(t, `exit 1`)
	tree := open(t, dir)
	if _, _, err := tree.Read(t.Context(), "a.go", 10); err != nil {
		t.Error(err)
	}
	if entries, err := tree.ReadDir(t.Context(), ""); err != nil || len(entries) == 0 {
		t.Errorf("entries %v, error %v", entries, err)
	}
}

func TestIDNeedsAnAnswer(t *testing.T) {
	dir := ragged(t)
	fakeGit(t, `exit 128`)
	if id, err := remote.InferID(t.Context(), dir); err == nil {
		t.Errorf("id %q of a git that does not answer, want an error", id)
	}
}
