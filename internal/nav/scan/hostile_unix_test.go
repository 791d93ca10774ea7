//go:build unix

package scan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
)

func TestSpecialFiles(t *testing.T) {
	root, _ := write(t, map[string]string{"ok": "needle", "dir/f": "needle", "unreadable": "needle"})
	outside, _ := write(t, map[string]string{"secret": "needle"})
	for name, to := range map[string]string{
		"link": "ok", "loop": "loop", "out": filepath.Join(outside, "secret"),
		"folder": "dir", "away": outside, "nothing": "none",
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(root, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "unreadable"), 0); err != nil {
		t.Fatal(err)
	}
	paths := []string{"ok", "link", "loop", "out", "folder/f", "away/secret", "nothing", "fifo"}
	want := []string{"ok:1:1+6"}
	if os.Getuid() != 0 {
		paths = append(paths, "unreadable")
	}
	r := find(t, root, paths, match.Query{Pattern: "needle"}, scan.Options{})
	if diff := cmp.Diff(want, places(r)); diff != "" || r.Skipped.Total() != len(paths)-1 {
		t.Errorf("%+v: (-want +got)\n%s", r.Skipped, diff)
	}
}
