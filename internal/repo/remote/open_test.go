package remote

import (
	"testing"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

// open opens a folder until the end of the test.
func open(t testing.TB, root string) *disk.Folder {
	t.Helper()
	tree, err := disk.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}
