package disk

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/filetime"
	"github.com/ragnav/ragnav/internal/repo/relpath"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// What is read straight is what going down finds, and nothing behind a symlink is.
func TestReadStraight(t *testing.T) {
	tree := openStraight(t)
	for p, limit := range map[string]int64{"a.txt": 100, "d/b.txt": 2} {
		data, stat, ok := tree.straight.read(tree.dir, p, nil, limit)
		f, path, info, err := tree.open(p)
		if err != nil {
			t.Fatal(err)
		}
		want, err := readUpTo(f, nil, info.Size(), limit)
		if !ok || err != nil || string(data) != string(want) || stat.Path != path || stat.Size != info.Size() ||
			stat.ModTime != info.ModTime().UnixNano() || stat.Changed != filetime.Changed(info) {
			t.Errorf("%s: %q, %+v, %v; want %q, %v", p, data, stat, ok, want, info)
		}
		_ = f.Close()
	}
	for _, p := range []string{
		"d", "in", "in-folder/b.txt", "d/up", "out", "out-folder/secret", "out-abs", "to-git", "git-folder/config",
		".git/config", "loop", "dangling", "none", "a.txt/x",
	} {
		if data, _, ok := tree.straight.read(tree.dir, p, nil, 100); ok {
			t.Errorf("%s: read %q", p, data)
		}
	}
	for p := range repotest.Escapes {
		if data, _, ok := tree.straight.read(tree.dir, p, nil, 100); ok {
			t.Errorf("%.40q: read %q", p, data)
		}
	}
}

// What is looked at straight is what going down finds; a path through a symlink is
// left to that.
func TestLookStraight(t *testing.T) {
	tree := openStraight(t)
	for _, p := range []string{"", "a.txt", "d", "d/b.txt", "in", "out", "out-abs", "d/up", "dangling", "loop"} {
		info, ok, err := tree.straight.lstat(tree.dir, p)
		want, wantErr := tree.dir.Lstat(relpath.OrDot(p))
		if !ok || err != nil || wantErr != nil || !os.SameFile(info, want) || info.Mode() != want.Mode() ||
			info.Size() != want.Size() || !info.ModTime().Equal(want.ModTime()) || p != "" && info.Name() != want.Name() {
			t.Errorf("%q: %v, %t, %v; want %v, %v", p, info, ok, err, want, wantErr)
		}
	}
	for _, p := range []string{"none", "d/none", "none/x"} {
		if _, ok, err := tree.straight.lstat(tree.dir, p); !ok || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %t, %v; want that nothing is there", p, ok, err)
		}
	}
	for _, p := range []string{"in-folder/b.txt", "out-folder/secret", "hop/x", "../outside", "/etc/passwd", "a.txt/x"} {
		if info, ok, _ := tree.straight.lstat(tree.dir, p); ok {
			t.Errorf("%s: %v", p, info)
		}
	}
	for p, want := range map[string]bool{
		"": true, "d": true, "a.txt": false, "in-folder": false, "out-folder": false, "in-folder/.": false, "none": false,
		"..": false, "/": false,
	} {
		f, ok := tree.straight.folder(tree.dir, p)
		if ok {
			_ = f.Close()
		}
		if ok != want {
			t.Errorf("folder %q: opened %t, want %t", p, ok, want)
		}
	}
}

// openStraight opens a repository whose symlinks lead everywhere.
func openStraight(t *testing.T) *Folder {
	fd, err := unix.Openat2(unix.AT_FDCWD, ".", &unix.OpenHow{})
	if err != nil {
		t.Skipf("SKIPPED: this system has no openat2: %v", err)
	}
	_ = unix.Close(fd)
	return open(t, repotest.Fortress(t))
}
