package fresh

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// home is what needGit made the user's home.
func home(t testing.TB) string {
	t.Helper()
	dir, err := os.UserHomeDir()
	must(t, err)
	return dir
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
