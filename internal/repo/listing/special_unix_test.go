//go:build unix

package listing

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestListSpecialFiles(t *testing.T) {
	repotest.NeedGit(t)
	dir, outside := t.TempDir(), t.TempDir()
	repotest.Write(t, dir, map[string]string{"a.go": "", "d/b.go": "", "id_rsa": "", ".git2/x": ""})
	repotest.Write(t, outside, map[string]string{"x": "secret"})
	repotest.Symlink(t, "a.go", dir, "l-file")
	repotest.Symlink(t, "d", dir, "l-folder")
	repotest.Symlink(t, filepath.Join(outside, "x"), dir, "l-out-absolute")
	repotest.Symlink(t, "../"+filepath.Base(outside)+"/x", dir, "l-out-relative")
	repotest.Symlink(t, "nothing", dir, "l-dangling")
	repotest.Symlink(t, "l-loop2", dir, "l-loop")
	repotest.Symlink(t, "l-loop", dir, "l-loop2")
	repotest.Symlink(t, ".", dir, "l-self")
	fifo(t, filepath.Join(dir, "pipe"))
	(&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(dir, "sock")) //nolint:errcheck,gosec // checked by the listing
	repotest.Write(t, dir, map[string]string{"new\nline": "", "esc\x1b[31m": "", "bad\xff": ""})

	want := []string{
		"bad\\xff: unreadable (the name is not valid UTF-8)",
		"esc\\x1b[31m: unreadable (the name has control characters)",
		"id_rsa: secret (named id_rsa)",
		"l-dangling: symlink (symlink to nothing)",
		"l-file: symlink (symlink to the file a.go)",
		"l-folder: symlink (symlink to the folder d)",
		"l-loop: symlink (symlink loop)",
		"l-loop2: symlink (symlink loop)",
		"l-out-absolute: symlink (symlink that leaves the repository)",
		"l-out-relative: symlink (symlink that leaves the repository)",
		"l-self: symlink (symlink to the folder .)",
		"new\\nline: unreadable (the name has control characters)",
		"pipe: not_regular (FIFO)",
		"sock: not_regular (socket)",
	}
	for _, kind := range []string{"plain", "git"} {
		t.Run(kind, func(t *testing.T) {
			want := want
			if kind == "git" {
				// git lists neither sockets nor FIFOs that nobody added
				repotest.Run(t, dir, "init", "-q")
				want = want[:len(want)-2]
			}
			tree := open(t, dir)
			l, err := List(t.Context(), tree, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			files, skipped := short(l)
			if diff := cmp.Diff([]string{".git2/x", "a.go", "d/b.go"}, files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			if wire, err := json.Marshal(l.Skipped); err != nil || strings.Contains(string(wire), "\ufffd") {
				t.Errorf("paths don't survive JSON: %s, %v", wire, err)
			}
		})
	}
}

func TestFIFOsDoNotHang(t *testing.T) {
	dir := t.TempDir()
	fifo(t, filepath.Join(dir, "pipe"))
	fifo(t, filepath.Join(dir, ".gitignore"))
	fifo(t, filepath.Join(dir, ".ragnavignore"))
	tree := open(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, _, err := tree.Read(ctx, "pipe", 10)
		_, listErr := List(ctx, tree, Limits{})
		_, dirErr := tree.ReadDir(ctx, "pipe")
		if listErr != nil || fault.CodeOf(dirErr) != fault.InvalidPath {
			t.Errorf("List = %v, ReadDir = %v", listErr, dirErr)
		}
		done <- err
	}()
	select {
	case err := <-done:
		if fault.CodeOf(err) != fault.InvalidPath {
			t.Errorf("error %v, want InvalidPath", err)
		}
	case <-ctx.Done():
		t.Fatal("a FIFO hung the reader")
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("SKIPPED: root can read everything")
	}
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{"a": "", "file": "", "locked/x": ""})
	for _, name := range []string{"file", "locked"} {
		p := filepath.Join(dir, name)
		if err := os.Chmod(p, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(p, 0o700) })
	}
	_, skipped := list(t, dir)
	if diff := cmp.Diff([]string{"locked: unreadable (the folder can't be read)"}, skipped); diff != "" {
		t.Error(diff)
	}
	_, _, err := open(t, dir).Read(t.Context(), "file", 10)
	if fault.CodeOf(err) != fault.PathNotFound || !strings.Contains(fault.MessageOf(err), "permissions") {
		t.Errorf("error %v, want PathNotFound that names permissions", err)
	}
}

func fifo(t *testing.T, p string) {
	t.Helper()
	if err := syscall.Mkfifo(p, 0o600); err != nil {
		t.Fatal(err)
	}
}
