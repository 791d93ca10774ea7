package run

import (
	"slices"

	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// steps are the batches that bring the changes into the store, with the marks
// that must not come after them. That is one batch where batches are atomic.
//
// In a shared store intents come first: records of the files that are touched,
// which list all documents that these files have before, after, or in between.
// The files' own records come last. Should the process die between, the next run
// reads those files again and drops what is stale.
func (c *committer) steps(marks []models.Record) []models.Batch {
	if c.Board == nil {
		c.batch.PutRecords = append(c.batch.PutRecords, marks...)
		return withoutEmpty(c.batch)
	}
	files := models.FilesCollection(c.repo.RepoID)
	for _, ch := range c.changes {
		if old := c.files[ch.path]; ch.touched() || ch.content != nil || ch.dropsContent(old) {
			marks = append(marks, models.Record{Collection: files, Key: ch.path, Value: ch.intent(old)})
		}
	}
	data, last := c.batch, models.Batch{}
	data.PutRecords, last.PutRecords = part(data.PutRecords, func(r models.Record) bool { return r.Collection != files })
	data.DeleteRecords, last.DeleteRecords = part(data.DeleteRecords,
		func(r models.RecordID) bool { return r.Collection != files })
	if len(data.PutRecords)+len(data.DeleteRecords) == 0 {
		data, last = c.batch, models.Batch{} // documents come before records anyway
	}
	return withoutEmpty(models.Batch{PutRecords: marks}, data, last)
}

// updating is the record that tells readers of a shared store that they see some
// files as they were and some as they are, unless it was written before.
func updating(on *Site, s *state) []models.Record {
	if on.Board == nil || !s.fresh || s.repo.Updating {
		return nil
	}
	s.repo.Updating = true
	return []models.Record{records.RepositoryRecord(s.repo)}
}

// part divides a list into what is so and what is not.
func part[T any](list []T, is func(T) bool) (yes, no []T) {
	for _, v := range list {
		if is(v) {
			yes = append(yes, v)
		} else {
			no = append(no, v)
		}
	}
	return yes, no
}

func withoutEmpty(batches ...models.Batch) []models.Batch {
	return slices.DeleteFunc(batches, func(b models.Batch) bool {
		return len(b.DeleteRepos)+len(b.Delete)+len(b.DeleteRecords)+len(b.Put)+len(b.PutRecords) == 0
	})
}

// intent is the record of a file while its documents change. No file matches
// it, so that the next run reads the file again, unless the change's own record
// has come after it. What readers are told in between is what was true before.
func (c change) intent(old *models.FileRecord) models.FileRecord {
	rec := models.FileRecord{Path: c.path}
	switch {
	case old != nil:
		rec = *old
	case c.record != nil:
		rec = *c.record
	}
	rec.Size, rec.ModTime, rec.Changed, rec.Hash, rec.Racy = 0, 0, 0, "", true
	rec.Skipped, rec.Detail = "", ""
	rec.Stored = rec.Stored || c.content != nil
	rec.Documents = slices.Clone(rec.Documents)
	listed := make(map[models.DocumentID]bool, len(rec.Documents))
	for _, id := range rec.Documents {
		listed[id] = true
	}
	for _, d := range c.put {
		if !listed[d.ID] {
			rec.Documents = append(rec.Documents, d.ID)
		}
	}
	return rec
}
