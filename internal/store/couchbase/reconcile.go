package couchbase

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// pageKeys is how many keys a list brings at once.
const pageKeys = 10_000

// CountOf is how many documents a repository has. It sees all that was written
// before.
func (s *Store) CountOf(ctx context.Context, repo models.RepoID) (int, error) {
	found, err := rows[int](ctx, s, countOfRepository, map[string]any{"repo": repo})
	if err != nil {
		return 0, s.config.Failed(ctx, "count the documents of "+string(repo), err)
	}
	if len(found) == 0 {
		return 0, nil
	}
	return found[0], nil
}

// Reconcile deletes the documents of a repository that are not among ids, and
// returns how many those were and which of ids are not there. Nobody else may
// write documents of the repository meanwhile.
func (s *Store) Reconcile(ctx context.Context, repo models.RepoID, ids []models.DocumentID) (removed int,
	missing []models.DocumentID, err error,
) {
	wanted := make(map[string]models.DocumentID, len(ids))
	for _, id := range ids {
		wanted[wire.DocumentKey(id)] = id
	}
	var ghosts []string
	for after := ""; ; {
		page, err := rows[string](ctx, s, pageOfRepository, map[string]any{"repo": repo, "after": after, "n": pageKeys})
		if err != nil {
			return 0, nil, s.config.Failed(ctx, "list the documents of "+string(repo), err)
		}
		for _, key := range page {
			if _, ok := wanted[key]; !ok {
				ghosts = append(ghosts, key)
			}
			delete(wanted, key)
		}
		if len(page) < pageKeys {
			break
		}
		after = page[len(page)-1]
	}
	for _, id := range ids {
		if _, ok := wanted[wire.DocumentKey(id)]; ok {
			missing = append(missing, id)
		}
	}
	return len(ghosts), missing, s.remove(ctx, s.documents, ghosts)
}
