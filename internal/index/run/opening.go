package run

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An opening says in the store that a run begins, and makes what the last runs left
// there fit for it.
type opening struct {
	*Site
	*state

	replace bool // the embedder changed: the old documents go first
}

// begin says in the store that a first run is under way, and which embedder
// makes the vectors. Replacing the embedder removes all that the old one made.
func (o *opening) begin(ctx context.Context) error {
	if o.Board != nil {
		return o.beginShared(ctx)
	}
	var b models.Batch
	if o.replace {
		b.DeleteRepos = []models.RepoID{o.repo.RepoID}
		b.DeleteRecords = append(records.FileCollections(o.repo.RepoID), records.FoldersID(o.repo.RepoID))
		o.files, o.folders, o.fresh = map[string]*models.FileRecord{}, records.Folders{}, false
	}
	if !o.fresh {
		o.repo.State, o.repo.LastError = models.StateIndexing, ""
		b.PutRecords = []models.Record{records.RepositoryRecord(o.repo), o.embedderRecord()}
	}
	if len(b.PutRecords) == 0 {
		return nil
	}
	return o.apply(ctx, b)
}

func (o *opening) embedderRecord() models.Record {
	return models.Record{Collection: models.CollectionMeta, Key: records.EmbedderKey, Value: o.Embed.Manifest()}
}

// beginShared is begin for a shared store, where nothing tells what a run or a
// removal that was cut short has left behind but the marks that it made first.
func (o *opening) beginShared(ctx context.Context) error {
	if err := o.mayReplace(ctx, records.CheckEmbedder(ctx, o.Store, o.Embed.Manifest())); err != nil {
		return err
	}
	// Documents of which no record tells would never be found again.
	unknown := len(o.files) == 0 && (!o.fresh || o.repo.DocCount > 0)
	if o.replace || o.folders.Purge || unknown {
		if err := o.purge(ctx); err != nil {
			return fmt.Errorf("remove the old documents of %s: %w", o.repo.RepoID, err)
		}
	} else if err := o.reconcile(ctx); err != nil {
		return fmt.Errorf("compare the documents of %s with its records: %w", o.repo.RepoID, err)
	}
	if o.fresh {
		return nil
	}
	if err := o.claimEmbedder(ctx); err != nil {
		return err
	}
	return o.enterIndexing(ctx)
}

func (o *opening) enterIndexing(ctx context.Context, more ...models.Record) error {
	o.repo.State, o.repo.LastError = models.StateIndexing, ""
	return o.apply(ctx, models.Batch{PutRecords: append(more, records.RepositoryRecord(o.repo))})
}

// purge deletes all that a repository has in the store but its own record. The
// mark that it is under way comes first and goes last.
func (o *opening) purge(ctx context.Context) error {
	id := o.repo.RepoID
	mark := records.FoldersRecord(id, records.Folders{Dirs: o.folders.Dirs, Purge: true})
	if err := o.enterIndexing(ctx, mark); err != nil {
		return err
	}
	// From here on nothing of it counts, also when the run does not get further.
	o.files, o.folders, o.fresh, o.rebuild = map[string]*models.FileRecord{}, records.Folders{Purge: true}, false, true
	if err := o.apply(ctx, records.PurgeBatch(id)); err != nil {
		return err
	}
	o.folders = records.Folders{}
	return o.apply(ctx, models.Batch{DeleteRecords: []models.RecordID{records.FoldersID(id)}})
}

// claimEmbedder writes which embedder makes the vectors. Of two servers with
// different embedders that start on an empty store at once, one fails.
//
// The record is written again also when it stays the same: who is about to
// replace it, or to delete it with the last repository, sees that.
func (o *opening) claimEmbedder(ctx context.Context) error {
	for {
		var stored embed.Manifest
		version, err := o.Board.Store.Versioned(ctx, models.CollectionMeta, records.EmbedderKey, &stored)
		if err != nil {
			return fmt.Errorf("read the embedder of the index: %w", err)
		}
		if err := o.mayReplace(ctx, o.Embed.Manifest().Check(stored)); err != nil {
			return err
		}
		_, err = o.Board.Store.Swap(ctx, models.CollectionMeta, records.EmbedderKey, version, o.Embed.Manifest(), 0)
		if err == nil || !jobs.IsConflict(err) {
			return err
		}
	}
}

// mayReplace is nil where the embedder may be replaced although check says that
// another one is in use: in a run that replaces all there is.
func (o *opening) mayReplace(ctx context.Context, check error) error {
	if check == nil || fault.CodeOf(check) != fault.IndexNotReady || !o.replace {
		return check
	}
	last, err := records.IsLast(ctx, o.Store, o.repo.RepoID)
	if err != nil {
		return err
	}
	if !last {
		return check
	}
	return nil
}

// reconcile brings the documents in a shared store into agreement with the
// records of the last run, where their number says that they are not, or this is
// a full run. What is too much goes; the files of what is missing are read again.
// See the package documentation on other writers.
//
// A run that looks at a few paths leaves that to the next one over everything.
func (o *opening) reconcile(ctx context.Context) error {
	if len(o.files) == 0 || inPart(o.Site, o.state) {
		return nil
	}
	ids, sure := o.recorded()
	id := o.repo.RepoID
	if sure && !o.full {
		n, err := o.Board.Store.CountOf(ctx, id)
		if err != nil || n == len(ids) {
			return err
		}
	}
	// Cut short from here on, the numbers may agree by chance: the mark has the
	// next run compare the documents themselves.
	o.folders.Dirty, o.rebuild = true, true
	marks := append(updating(o.Site, o.state), records.FoldersRecord(id, o.folders))
	if err := o.apply(ctx, models.Batch{PutRecords: marks}); err != nil {
		return err
	}
	_, missing, err := o.Board.Store.Reconcile(ctx, id, ids)
	if err != nil {
		return err
	}
	o.readAgain(missing)
	return nil
}
