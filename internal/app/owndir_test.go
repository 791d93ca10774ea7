package app_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// A data directory that was not empty when it became one does not ignore itself. In a
// repository its files are left out all the same: each run changes them.
func TestDataDirInARepository(t *testing.T) {
	root := written(t)
	data := filepath.Join(root, "data")
	repotest.Write(t, data, map[string]string{"notes.md": "text\n"})
	a := open(t, data)
	commit(t, root)
	indexFolder(t, a, root)
	resp, err := op.Repos.By(t.Context(), a, repos.Request{})
	if err != nil || len(resp.Items) != 1 || resp.Items[0].FileCount != 1 {
		t.Errorf("indexed %+v, %v; want 1 file", resp.Items, err)
	}
	tree, err := disk.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	found, err := listing.List(t.Context(), tree, app.WatchLimits(settings(t, data)))
	var paths []string
	for _, e := range found.Files {
		paths = append(paths, e.Path)
	}
	if diff := cmp.Diff([]string{"a.go"}, paths); diff != "" || err != nil {
		t.Errorf("watched (-want +got), %v:\n%s", err, diff)
	}
	_, err = op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{data}, RepoID: models.RepoID("data")})
	if fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("to index the data directory: %v", err)
	}
}
