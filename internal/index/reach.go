package index

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// reach is the job of another server as this one can run it. It is false when
// the folder is not on this machine, or this server makes other vectors.
func (s *Service) reach(ctx context.Context, rec jobs.SpecRecord) (jobs.Spec, bool) {
	if rec.Embedder != s.board.Embedder {
		return jobs.Spec{}, false
	}
	sp := jobs.Spec{Target: rec.Target, ID: rec.RepoID, Root: rec.Root, Inferred: rec.Inferred, Secret: rec.Secret}
	if rec.URL != "" {
		var err error
		if sp, err = s.resolveURL(ctx, jobs.Spec{Target: rec.URL, ID: rec.RepoID, Secret: rec.Secret}, nil); err != nil ||
			!hasOrigin(rec.URL) {
			return jobs.Spec{}, false
		}
	} else if !sameRepository(ctx, rec) {
		return jobs.Spec{}, false
	}
	sp.Full = rec.Full
	return sp, true
}

// hasOrigin is false for a URL of a folder that is not on this machine.
func hasOrigin(url string) bool {
	dir, local := strings.CutPrefix(url, "file://")
	if !local && !filepath.IsAbs(url) {
		return true
	}
	_, err := os.Stat(dir)
	return err == nil
}

// sameRepository reports whether a folder is on this machine and, as far as it
// can tell, the same as on the other. An empty one may be a place where nothing
// is mounted: to index it would remove everything.
func sameRepository(ctx context.Context, rec jobs.SpecRecord) bool {
	entries, err := os.ReadDir(rec.Root)
	if err != nil || len(entries) == 0 {
		return false
	}
	id, err := remote.InferID(ctx, rec.Root)
	return err == nil && id == rec.Inferred
}
