package artifact

import (
	"testing"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

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
