package index

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// beginShared is begin for a shared store, where nothing tells what a run or a
// removal that was cut short has left behind but the marks that it made first.
func (r *run) beginShared(ctx context.Context) error {
	if err := r.mayReplace(ctx, records.CheckEmbedder(ctx, r.store, r.embed.Manifest())); err != nil {
		return err
	}
	// Documents of which no record tells would never be found again.
	unknown := len(r.files) == 0 && (!r.fresh || r.repo.DocCount > 0)
	if r.replace || r.folders.Purge || unknown {
		if err := r.purge(ctx); err != nil {
			return fmt.Errorf("remove the old documents of %s: %w", r.repo.RepoID, err)
		}
	} else if err := r.reconcile(ctx); err != nil {
		return fmt.Errorf("compare the documents of %s with its records: %w", r.repo.RepoID, err)
	}
	if r.fresh {
		return nil
	}
	if err := r.claimEmbedder(ctx); err != nil {
		return err
	}
	return r.enterIndexing(ctx)
}

func (r *run) enterIndexing(ctx context.Context, more ...models.Record) error {
	r.repo.State, r.repo.LastError = models.StateIndexing, ""
	return r.apply(ctx, models.Batch{PutRecords: append(more, records.RepositoryRecord(r.repo))})
}

// purge deletes all that a repository has in the store but its own record. The
// mark that it is under way comes first and goes last.
func (r *run) purge(ctx context.Context) error {
	id := r.repo.RepoID
	mark := records.FoldersRecord(id, records.Folders{Dirs: r.folders.Dirs, Purge: true})
	if err := r.enterIndexing(ctx, mark); err != nil {
		return err
	}
	// From here on nothing of it counts, also when the run does not get further.
	r.files, r.folders, r.fresh, r.rebuild = map[string]*models.FileRecord{}, records.Folders{Purge: true}, false, true
	if err := r.apply(ctx, purgeBatch(id)); err != nil {
		return err
	}
	r.folders = records.Folders{}
	return r.apply(ctx, models.Batch{DeleteRecords: []models.RecordID{records.FoldersID(id)}})
}

// purgeBatch deletes the documents of a repository and what is known of its files.
func purgeBatch(id models.RepoID) models.Batch {
	return models.Batch{DeleteRepos: []models.RepoID{id}, DeleteRecords: records.FileCollections(id)}
}

// claimEmbedder writes which embedder makes the vectors. Of two servers with
// different embedders that start on an empty store at once, one fails.
//
// The record is written again also when it stays the same: who is about to
// replace it, or to delete it with the last repository, sees that.
func (r *run) claimEmbedder(ctx context.Context) error {
	for {
		var stored embed.Manifest
		version, err := r.board.Store.Versioned(ctx, models.CollectionMeta, records.EmbedderKey, &stored)
		if err != nil {
			return fmt.Errorf("read the embedder of the index: %w", err)
		}
		if err := r.mayReplace(ctx, r.embed.Manifest().Check(stored)); err != nil {
			return err
		}
		_, err = r.board.Store.Swap(ctx, models.CollectionMeta, records.EmbedderKey, version, r.embed.Manifest(), 0)
		if err == nil || !jobs.IsConflict(err) {
			return err
		}
	}
}

// mayReplace is nil where the embedder may be replaced although check says that
// another one is in use: in a run that replaces all there is.
func (r *run) mayReplace(ctx context.Context, check error) error {
	if check == nil || fault.CodeOf(check) != fault.IndexNotReady || !r.replace {
		return check
	}
	last, err := records.IsLast(ctx, r.store, r.repo.RepoID)
	if err != nil {
		return err
	}
	if !last {
		return check
	}
	return nil
}
