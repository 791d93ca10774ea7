package index_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
)

// A folder that was allowed, and leads elsewhere by the time that it is indexed, is refused.
func TestSettledTargets(t *testing.T) {
	b := setUp(t, map[string]string{"roots/a/main.go": "package a\n", "outside/secret.go": "package secret\n"})
	gitIn(t, filepath.Join(b.root, "roots/a"), "init", "-q")
	gitIn(t, filepath.Join(b.root, "outside"), "init", "-q")
	target := filepath.Join(b.root, "roots", "a")
	start := func(req index.StartRequest) error {
		req.Targets, req.Settled = []string{target}, true
		res, err := b.service.Start(t.Context(), req)
		for _, j := range res.Items {
			b.wait(j)
		}
		return err
	}
	if err := start(index.StartRequest{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(target, target+".was"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../outside", target); err != nil {
		t.Skip("no symlinks here: ", err)
	}
	for name, req := range map[string]index.StartRequest{
		"the folder": {}, "each below it": {Each: true}, "under an id": {RepoID: "o/a"},
	} {
		if err := start(req); fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("%s: %v", name, err)
		}
		req.DryRun, req.Targets, req.Settled = true, []string{target}, true
		if _, err := b.service.Preview(t.Context(), req); fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("a preview of %s: %v", name, err)
		}
	}
}
