package app

import (
	"path/filepath"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// newCurrent joins what knows of folders to what indexes them. Stores that can't
// show changed files over the index only have them told.
func newCurrent(c config.Config, st store.Store, jobs *index.Service, all *repos.Service,
	watchers *fresh.Watchers,
) *current.Service {
	known := current.Config{
		Store: st, Indexer: jobs, Open: all.Open, Share: all.Share, Limits: WatchLimits(c), Watchers: watchers,
	}
	if p, ok := st.(store.Pinner); ok {
		known.Pin = p.Pin
	}
	known.Overlay, _ = st.(store.Overlayer)
	return current.New(known)
}

// keptBy is where a process has, or may leave, what is known of folders.
func keptBy(c config.Config, st store.Store, role Role) current.Kept {
	if !c.Embedded() {
		return current.Kept{}
	}
	return current.Kept{Dir: filepath.Join(c.DataDir, embedded.FoldersDir), Write: role != Reader && !readOnly(st)}
}
