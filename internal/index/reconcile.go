package index

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
func (r *run) reconcile(ctx context.Context) error {
	if len(r.files) == 0 || r.part() {
		return nil
	}
	ids, sure := r.recorded()
	id := r.repo.RepoID
	if sure && !r.full {
		n, err := r.board.Store.CountOf(ctx, id)
		if err != nil || n == len(ids) {
			return err
		}
	}
	// Cut short from here on, the numbers may agree by chance: the mark has the
	// next run compare the documents themselves.
	r.folders.Dirty, r.rebuild = true, true
	marks := append(r.updating(), records.FoldersRecord(id, r.folders))
	if err := r.apply(ctx, models.Batch{PutRecords: marks}); err != nil {
		return err
	}
	_, missing, err := r.board.Store.Reconcile(ctx, id, ids)
	if err != nil {
		return err
	}
	r.readAgain(missing)
	return nil
}

// recorded are the ids of all documents that records speak of. They are sure
// when the last run came to its end: intents and dirty folders speak of
// documents that may be there.
func (r *run) recorded() (ids []models.DocumentID, sure bool) {
	sure = !r.folders.Dirty
	for _, rec := range r.files {
		ids = append(ids, rec.Documents...)
		sure = sure && !records.IsIntent(*rec)
	}
	for _, dir := range r.folders.Dirs {
		ids = append(ids, models.ModuleID(r.repo.RepoID, dir))
	}
	if len(r.folders.Dirs) > 0 {
		ids = append(ids, models.RepoDocID(r.repo.RepoID))
	}
	return ids, sure
}

// readAgain has the run make documents of files again, by reading the files.
// Summaries are all made again anyway.
func (r *run) readAgain(missing []models.DocumentID) {
	lost := make(map[models.DocumentID]bool, len(missing))
	for _, id := range missing {
		lost[id] = true
	}
	for file, rec := range r.files {
		for _, id := range rec.Documents {
			if lost[id] {
				again := *rec
				again.Hash, again.Racy = "", true // as of an intent: no file is like that
				r.files[file] = &again
				break
			}
		}
	}
}
