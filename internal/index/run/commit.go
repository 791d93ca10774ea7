package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A batch is committed when it reaches one of these.
const (
	batchDocuments = 6000
	batchBytes     = 16 << 20
	batchRecords   = 5000
)

// Where that takes long in a first run, as on a busy machine, a smaller one is
// committed: what a run that is killed has done since then is lost.
const (
	batchAge   = 2 * time.Second
	leastOfAge = 500 // documents
)

// A committer gathers changes into batches and applies them.
type committer struct {
	*Site
	*state

	batch   models.Batch
	changes []change // in the batch
	bytes   int
	since   time.Time // of the last commit
	last    bool      // nothing comes after this batch
}

// due reports whether the batch is to be committed.
func (c *committer) due() bool {
	n := len(c.batch.Put) + len(c.batch.Delete)
	return n >= c.Config.Batch || c.bytes >= batchBytes || len(c.changes) >= batchRecords ||
		c.following && n > 0 && time.Since(c.since) >= followAge ||
		c.draft == nil && n >= leastOfAge && time.Since(c.since) >= batchAge
}

// addGone takes files that are no longer there.
func (c *committer) addGone(ctx context.Context, files []string) error {
	for _, file := range files {
		if err := c.add(ctx, change{path: file, gone: true, drop: c.files[file].Documents}); err != nil {
			return err
		}
	}
	return nil
}

// add takes one file's change. All of it is in one batch with the file's
// record, so that it happens at once or not at all; see steps for stores where
// it does not.
func (c *committer) add(ctx context.Context, ch change) error {
	files := models.FilesCollection(c.repo.RepoID)
	c.batch.Delete = append(c.batch.Delete, ch.drop...)
	c.batch.Put = append(c.batch.Put, ch.put...)
	c.addContent(ch)
	switch {
	case ch.gone:
		c.batch.DeleteRecords = append(c.batch.DeleteRecords, models.RecordID{Collection: files, Key: ch.path})
	case ch.record != nil:
		c.batch.PutRecords = append(c.batch.PutRecords, models.Record{Collection: files, Key: ch.path, Value: *ch.record})
	}
	c.bytes += ch.bytes
	if !c.following {
		c.Job.Update(func(j *jobs.Job) { j.Done += compose.Count(!ch.gone) })
	}
	if ch.away != "" {
		c.Job.Update(func(j *jobs.Job) { j.Unparsed, j.UnparsedReason = j.Unparsed+1, ch.away })
	}
	c.changes = append(c.changes, ch)
	if c.due() {
		return c.flush(ctx)
	}
	return nil
}

// addContent adds to the batch what becomes of a file's stored content.
func (c *committer) addContent(ch change) {
	contents := models.ContentsCollection(c.repo.RepoID)
	old := c.files[ch.path]
	switch {
	case ch.content != nil:
		c.batch.PutRecords = append(c.batch.PutRecords, models.Record{Collection: contents, Key: ch.path, Value: *ch.content})
	case ch.dropsContent(old):
		c.batch.DeleteRecords = append(c.batch.DeleteRecords, models.RecordID{Collection: contents, Key: ch.path})
	}
}

// flush applies the batch. Before the first change to documents it marks the
// summaries as older than the files.
func (c *committer) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dirty := false
	for _, ch := range c.changes {
		dirty = dirty || ch.touched()
	}
	var marks []models.Record
	if dirty && !c.folders.Dirty {
		marks = append(marks, records.FoldersRecord(c.repo.RepoID, records.Folders{Dirs: c.folders.Dirs, Dirty: true}))
	}
	switch {
	case dirty && c.following:
		c.repo.Pending = c.left()
		marks = append(marks, records.RepositoryRecord(c.repo))
	case dirty:
		marks = append(marks, updating(c.Site, c.state)...)
	}
	for _, b := range c.steps(marks) {
		if err := c.put(ctx, b); err != nil {
			return fmt.Errorf("commit %d documents: %w", len(c.batch.Put), err)
		}
	}
	c.folders.Dirty = c.folders.Dirty || dirty
	c.committed()
	c.batch, c.changes, c.bytes, c.since = models.Batch{}, nil, 0, time.Now()
	return nil
}

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

// left is how many documents will wait for their vectors after this batch.
func (c *committer) left() int {
	n := c.pending()
	for _, ch := range c.changes {
		if old := c.files[ch.path]; old != nil && ch.record != nil {
			n += ch.record.Pending - old.Pending
		}
	}
	return n
}

// put brings a batch into the store, for readers to see at once or at the end.
func (c *committer) put(ctx context.Context, b models.Batch) error {
	if c.draft != nil {
		return c.draft.stage(ctx, c.repo.RepoID, b, c.last)
	}
	return c.apply(ctx, b)
}

// committed takes note of what the store has now, or will have.
func (c *committer) committed() {
	var progress jobs.Job
	for _, ch := range c.changes {
		c.altered = c.altered || ch.gone || ch.record != nil || ch.touched()
		switch {
		case ch.gone:
			delete(c.files, ch.path)
		case ch.record != nil:
			c.files[ch.path] = ch.record
			progress.Skipped += compose.Count(ch.record.Skipped != "")
		}
		if ch.touched() {
			c.touched = append(c.touched, ch.path)
			progress.Changed += compose.Count(len(ch.put) > 0)
			progress.Removed += compose.Count(len(ch.put) == 0)
		}
	}
	if c.following {
		c.Job.Follow(c.pending())
		return
	}
	c.Job.Update(func(j *jobs.Job) {
		j.Changed += progress.Changed
		j.Removed += progress.Removed
		j.Skipped += progress.Skipped
	})
}
