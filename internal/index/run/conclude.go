package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	// concludeTimeout bounds the last write of a run that was cut short.
	concludeTimeout = 5 * time.Second
	// remarkTimeout bounds it where it only says why the index is as it was. The
	// store may be publishing another repository's draft meanwhile.
	remarkTimeout = 500 * time.Millisecond
)

// conclude leaves a run that was cancelled or failed: the repository answers
// from what is committed, which of a run with a draft is what was there before,
// and its record says what is missing. It returns err, or with it what went
// wrong while saying so.
func (r *run) conclude(ctx context.Context, err error) error {
	if r.files == nil {
		return err // nothing was read, nothing changed
	}
	if errors.Is(context.Cause(ctx), jobs.ErrHandOver) {
		return err // the run goes on elsewhere, as a lost one, which can't write any more
	}
	if r.draft != nil && r.draft.sealed {
		return err // a record written now would come after the one in the draft
	}
	meant := errors.Is(context.Cause(ctx), jobs.ErrCancelled)
	timeout := concludeTimeout
	if r.draft != nil && jobs.GivenUp(ctx) {
		timeout = remarkTimeout
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	v := r.Job.Snapshot()
	what, reason := "failed", ": "+jobs.Reason(err)
	if fault.CodeOf(err) == fault.Canceled {
		if r.draft != nil && !r.altered && v.Changed == 0 {
			return err // it had found nothing that changed
		}
		if !meant && r.draft == nil {
			r.repo.Interrupted = max(r.repo.Interrupted, 1)
		}
		what, reason = "was cancelled", ""
	}
	if v.Total > 0 {
		what += fmt.Sprintf(" after %d of %d files", v.Done, v.Total)
	}
	what += reason
	if r.draft != nil {
		r.repo = r.draft.before
		what += ", the index is as it was before"
	} else {
		r.counts(compose.NewTree(r.files), r.vectors.Waits(r.following))
		r.repo.Runs++
		r.repo.State = models.StateError
		if r.fresh || r.repo.DocCount > 0 {
			r.repo.State = models.StateFresh
		}
	}
	r.repo.LastError = "the last run " + what + "; " + records.IndexAgain(r.repo) + " to finish"
	r.Job.Update(func(j *jobs.Job) { j.Documents = r.repo.DocCount })
	apply := r.apply(ctx, models.Batch{PutRecords: []models.Record{records.RepositoryRecord(r.repo)}})
	if timeout == remarkTimeout {
		return err
	}
	return errors.Join(err, apply)
}

// Interrupted is the record of a repository whose first run was cut short.
func Interrupted(ctx context.Context, st records.Reader, known models.Repository) (models.Repository, error) {
	r := state{repo: known}
	if err := r.load(ctx, st, known.RepoID); err != nil {
		return known, err
	}
	r.counts(compose.NewTree(r.files), "")
	r.repo.State = models.StateError
	if r.repo.DocCount > 0 && !r.folders.Purge {
		r.repo.State = models.StateFresh
	}
	r.repo.LastError = fmt.Sprintf("the last run was interrupted after %d files; %s to finish",
		r.repo.FileCount+r.repo.SkippedCount, records.IndexAgain(r.repo))
	r.repo.Interrupted++
	return r.repo, nil
}
