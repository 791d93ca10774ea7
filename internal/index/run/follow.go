package run

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
)

// Where a server makes the vectors, which may be slow or away, a run first brings
// the documents into the store as they are, with those vectors that are known, and
// only then has the others made: files whose record says that vectors are pending
// are composed again, if they are as they were. What is made is committed as it
// comes. A server that fails ends that, not the run: the next one goes on.

const (
	// followers look into files at the same time, so that the embedder finds enough
	// texts for its batches.
	followers = 16
	// followAge is how old vectors may get before they are committed: what a run
	// that is killed has made since then is lost.
	followAge = 5 * time.Second
)

// follow has the vectors made that are missing.
func (r *run) follow(ctx context.Context) error {
	if r.pending() == 0 {
		return nil
	}
	r.Job.Enter(jobs.Embedding)
	r.following, r.fresh, r.scope, r.touched = true, true, nil, nil
	r.full, r.rebuild, r.draft = false, r.folders.Pending > 0, nil
	r.vectors.Forget()
	r.vectors.Resume()
	r.Job.Follow(r.pending())
	var p plan
	for _, rec := range r.byPath() {
		if rec.Pending > 0 {
			p.read = append(p.read, again(rec))
		}
	}
	if err := r.carryOut(ctx, p); err != nil {
		return err
	}
	return r.summariser.summarise(ctx)
}

// summariseByModel has the model write the summaries that are missing, and puts
// them in place of extractive ones.
func (r *run) summariseByModel(ctx context.Context) error {
	if !r.Job.Spec.Summarise {
		return nil
	}
	r.Job.Enter(jobs.Embedding)
	r.teller.Ask(r.Config.Summariser, r.Job.Spec.Tokens)
	r.following, r.fresh, r.scope, r.touched, r.draft, r.full, r.rebuild = true, true, nil, nil, nil, false, true
	r.vectors.Resume()
	said, err := r.teller.Files(ctx, r.byPath())
	if err != nil {
		return err
	}
	var p plan
	for _, rec := range said {
		p.read = append(p.read, again(rec))
	}
	r.looker.anyway = true
	if err := r.carryOut(ctx, p); err != nil {
		return err
	}
	made, found, _ := r.teller.Counts()
	r.repo.Summaries = max(r.repo.Summaries, found) + made
	if err := r.summariser.summarise(ctx); err != nil {
		return err
	}
	if _, _, why := r.teller.Counts(); why != "" {
		r.Job.Update(func(j *jobs.Job) { j.SummaryReason = why })
	}
	return nil
}
