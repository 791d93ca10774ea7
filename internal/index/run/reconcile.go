package run

import (
	"context"

	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

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
