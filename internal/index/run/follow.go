package run

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/repo/disk"
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
	r.vectors.waiting.Store(nil)
	r.vectors.later.Store(false)
	r.Job.Follow(r.pending())
	var p plan
	for _, rec := range r.files {
		if rec.Pending > 0 {
			p.read = append(p.read,
				task{disk.Entry{Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed}, rec})
		}
	}
	slices.SortFunc(p.read, func(a, b task) int { return cmp.Compare(a.entry.Path, b.entry.Path) })
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
	r.teller.model, r.teller.budget = r.Config.Summariser, int64(r.Job.Spec.Tokens)
	r.following, r.fresh, r.scope, r.touched, r.draft, r.full, r.rebuild = true, true, nil, nil, nil, false, true
	r.vectors.later.Store(false)
	tasks, err := r.teller.askOfFiles(ctx, r.byPath())
	if err != nil {
		return err
	}
	r.looker.anyway = true
	if err := r.carryOut(ctx, plan{read: tasks}); err != nil {
		return err
	}
	r.repo.Summaries = max(r.repo.Summaries, int(r.teller.found.Load())) + int(r.teller.made.Load())
	if err := r.summariser.summarise(ctx); err != nil {
		return err
	}
	if why := r.teller.reason.Load(); why != nil {
		r.Job.Update(func(j *jobs.Job) { j.SummaryReason = *why })
	}
	return nil
}
