package disk

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/filetime"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// What is read straight is what going down finds, and nothing behind a symlink is.
func TestReadStraight(t *testing.T) {
	tree := open(t, repotest.Fortress(t))
	if fd, err := unix.Openat2(unix.AT_FDCWD, ".", &unix.OpenHow{}); err != nil {
		t.Skipf("SKIPPED: this system has no openat2: %v", err)
	} else {
		_ = unix.Close(fd)
	}
	for p, limit := range map[string]int64{"a.txt": 100, "d/b.txt": 2} {
		data, stat, ok := tree.straight.read(tree.dir, p, limit)
		f, path, info, err := tree.open(p)
		if err != nil {
			t.Fatal(err)
		}
		want, err := readUpTo(f, info.Size(), limit)
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
		if data, _, ok := tree.straight.read(tree.dir, p, 100); ok {
			t.Errorf("%s: read %q", p, data)
		}
	}
	for p := range repotest.Escapes {
		if data, _, ok := tree.straight.read(tree.dir, p, 100); ok {
			t.Errorf("%.40q: read %q", p, data)
		}
	}
}
