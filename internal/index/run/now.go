package run

import (
	"context"
	"sync"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// Made is what a run would make of one file.
type Made struct {
	Record    models.FileRecord // with the hash of the content; without one if the file can't be read
	Documents []models.Document // none of what is left out
}

// Now makes the documents of files of a repository as they are now, as a run
// would, and writes nothing. With an error, or when the context ends, there are
// those that were made until then.
func Now(ctx context.Context, on *Site, tree *disk.Folder, known models.Repository, paths []string) ([]Made,
	error,
) {
	on.tree = tree
	on.origin = compose.Origin{Repo: known.RepoID, Commit: known.LastIndexedCommit, Now: on.Config.Now().UTC()}
	r := newRun(on, nil, "")
	r.repo = known
	r.vectors.Postpone() // a search does not wait for it
	var mu sync.Mutex
	var all []Made
	g, ctx := parallel.NewGroup(ctx)
	g.SetLimit(max(on.Config.Workers, 1))
	for _, p := range paths {
		g.Go(func() error {
			c, err := parallel.Promptly(ctx, func() (change, error) { return r.looker.look(ctx, disk.Entry{Path: p}, nil) })
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, Made{*c.record, c.put})
			return nil
		})
	}
	err := g.Wait()
	return all, err
}
