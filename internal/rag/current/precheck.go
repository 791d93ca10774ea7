package current

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A precheck looks at the folders of one request before anything else does: most are
// as they were, which watchers tell at once, so that one goroutine is enough for all.
type precheck struct {
	found []*fresh.Delta // by repository: that of one as indexed; nil: nothing is known
	at    atomic.Int32   // which of them it looks at
	looks fresh.Looks
	above disk.Above
}

// precheckOf tells of which repositories the folders are as indexed. One that holds it up
// is looked at by itself from then on.
func precheckOf(ctx context.Context, s *Service, repos []models.Repository) []*fresh.Delta {
	g := &precheck{found: make([]*fresh.Delta, len(repos)), above: disk.Above{}}
	ctx, cancel := context.WithTimeout(ctx, precheckBudget)
	defer cancel()
	if !s.running() {
		return g.found
	}
	ended := parallel.Start(func() error {
		defer s.runs.Done()
		for i, r := range repos {
			if ctx.Err() != nil {
				return nil
			}
			g.at.Store(int32(i)) //nolint:gosec // few
			if d, same := g.unchanged(ctx, s, r); same {
				g.found[i] = &d
			}
		}
		return nil
	})
	select {
	case err := <-ended:
		if err == nil {
			return g.found
		}
	case <-ctx.Done():
		f, ok := s.folder(repos[g.at.Load()].RepoID)
		if ok && errors.Is(ctx.Err(), context.DeadlineExceeded) { // else who asked went away
			f.slow.Store(true)
		}
	}
	return make([]*fresh.Delta, len(repos))
}

// unchanged waits for nobody: where others look at the folder, it knows nothing.
func (g *precheck) unchanged(ctx context.Context, s *Service, r models.Repository) (fresh.Delta, bool) {
	if r.State != models.StateFresh {
		return fresh.Delta{}, false
	}
	f, ok := s.folder(r.RepoID)
	if !ok || f.slow.Load() || !f.enter() {
		return fresh.Delta{}, false
	}
	defer f.leave()
	select {
	case f.loading <- struct{}{}:
	default:
		return fresh.Delta{}, false
	}
	if f.manifest == nil || f.of != generationOf(r) || f.tree == nil || !f.tree.Current(g.above) {
		f.unlock()
		return fresh.Delta{}, false
	}
	tree, manifest := f.tree.Retain(), f.manifest
	f.unlock()
	defer func() { _ = tree.Close() }()
	d, same := manifest.Unchanged(ctx, tree, fresh.Options{Limits: s.Limits, Watchers: s.Watchers}, &g.looks)
	if same && s.Share != nil {
		s.Share(ctx, r.RepoID, tree)
	}
	return d, same
}
