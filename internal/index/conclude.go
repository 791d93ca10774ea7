package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// concludeTimeout bounds the last write of a run that was cut short.
const concludeTimeout = 5 * time.Second

// conclude leaves a run that was cancelled or failed: the repository answers
// from what is committed, and its record says what is missing. It returns
// err, or with it what went wrong while saying so.
func (r *run) conclude(ctx context.Context, err error) error {
	if r.files == nil {
		return err // nothing was read, nothing changed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), concludeTimeout)
	defer cancel()
	v := r.job.snapshot()
	what := "failed: " + reason(err)
	if fault.CodeOf(err) == fault.Canceled {
		what = "was cancelled"
	}
	if v.Total > 0 {
		what += fmt.Sprintf(" after %d of %d files", v.Done, v.Total)
	}
	r.counts(newTree(r.files))
	r.repo.State = models.StateError
	if r.fresh || r.repo.DocCount > 0 {
		r.repo.State = models.StateFresh
	}
	r.repo.LastError = "the last run " + what + "; run `ragnav index` again to finish"
	r.job.update(func(j *Job) { j.Documents = r.repo.DocCount })
	apply := r.store.Apply(ctx, models.Batch{PutRecords: []models.Record{repositoryRecord(r.repo)}})
	return errors.Join(err, apply)
}

// recover sets the state of repositories right whose first run ended with the
// process: what was committed is there to be searched.
func (s *Service) recover(ctx context.Context) error {
	var interrupted []models.Repository
	err := records(ctx, s.store, models.CollectionRepos, func(_ string, r models.Repository) {
		if r.State == models.StateIndexing {
			interrupted = append(interrupted, r)
		}
	})
	if err != nil {
		return fmt.Errorf("read repositories: %w", err)
	}
	for _, repository := range interrupted {
		r := &run{Service: s, job: newJob(spec{id: repository.RepoID}, s.config.Now), repo: repository}
		if err := r.loadRecords(ctx); err != nil {
			return err
		}
		r.counts(newTree(r.files))
		r.repo.State = models.StateError
		if r.repo.DocCount > 0 {
			r.repo.State = models.StateFresh
		}
		r.repo.LastError = fmt.Sprintf("the last run was interrupted after %d files; run `ragnav index` again to finish", len(r.files))
		if err := s.store.Apply(ctx, models.Batch{PutRecords: []models.Record{repositoryRecord(r.repo)}}); err != nil {
			return fmt.Errorf("set the state of %s: %w", repository.RepoID, err)
		}
	}
	return nil
}
