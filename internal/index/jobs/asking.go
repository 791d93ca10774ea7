package jobs

import (
	"context"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// lookTimeout bounds a look at the board on behalf of somebody who gave no
// context.
const lookTimeout = 2 * time.Second

// Views are all jobs that are known, newest first.
func (q *Queue) Views(ctx context.Context) ([]Job, error) {
	var own []Record
	for _, j := range slices.Backward(q.known()) {
		own = append(own, Record{Job: j.Snapshot(), Created: j.Created})
	}
	all := own
	if q.board != nil {
		others, err := q.board.list(ctx)
		if err != nil {
			return nil, err
		}
		all = merge(own, others)
	}
	views := make([]Job, len(all))
	for i, rec := range all {
		views[i] = rec.Job
	}
	return views, nil
}

// merge joins this process's jobs, which are more recent, with those of the board.
func merge(own, board []Record) []Record {
	known := make(map[string]bool, len(own))
	for _, rec := range own {
		known[rec.Job.ID] = true
	}
	board = slices.DeleteFunc(board, func(rec Record) bool { return known[rec.Job.ID] })
	all := slices.Concat(own, board)
	slices.SortFunc(all, newestFirst)
	return all
}

// Find is a job of this process or of another one.
func (q *Queue) Find(ctx context.Context, id string) (Job, error) {
	if j := q.own(id); j != nil {
		return j.Snapshot(), nil
	}
	return q.elsewhere(ctx, id)
}

// Cancel asks a job to stop and waits until it has, as long as ctx lives.
// ended reports that it had ended before.
func (q *Queue) Cancel(ctx context.Context, id string) (v Job, ended bool, err error) {
	if j := q.own(id); j != nil {
		ended := j.Snapshot().State.Final()
		j.Stop(ErrCancelled)
		select {
		case <-j.done:
		case <-ctx.Done():
		}
		if v := j.Snapshot(); v.State.Final() || GivenUp(ctx) {
			return v, ended, nil
		}
	}
	v, err = q.cancelElsewhere(ctx, id)
	return v, false, err
}

// Wait returns a job once it has ended, whatever its outcome. Until then it calls
// progress several times a second, and once at the end.
func (q *Queue) Wait(ctx context.Context, id string, progress func(Job)) (Job, error) {
	if j := q.own(id); j != nil {
		v, err := j.wait(ctx, progress)
		if err != nil || v.State.Final() {
			return v, err
		}
	}
	return q.waitElsewhere(ctx, id, progress)
}

// Progress tells how far the running job of a repository is.
func (q *Queue) Progress(id models.RepoID) (done, total int, running bool) {
	if j := q.Running(id); j != nil {
		v := j.Snapshot()
		return v.Done, v.Total, true
	}
	return q.progressElsewhere(id)
}

// elsewhere is a job that is not this process's.
func (q *Queue) elsewhere(ctx context.Context, id string) (Job, error) {
	if q.board == nil {
		return Job{}, noJob(id)
	}
	rec, _, err := q.board.find(ctx, id)
	return rec.Job, err
}

// waitElsewhere is Wait for a job that is not this process's.
func (q *Queue) waitElsewhere(ctx context.Context, id string, progress func(Job)) (Job, error) {
	for {
		v, err := q.elsewhere(ctx, id)
		if err != nil {
			return v, err
		}
		if progress(v); v.State.Final() {
			return v, nil
		}
		if pause(ctx, q.board.Heartbeat); GivenUp(ctx) {
			return v, ctx.Err()
		}
		if q.ctx.Err() != nil {
			return v, closedFault()
		}
	}
}

// cancelElsewhere marks a job as to be cancelled and waits until its holder, or
// whoever finds that it has none, has ended it, as long as ctx lives.
func (q *Queue) cancelElsewhere(ctx context.Context, id string) (Job, error) {
	if q.board == nil {
		return Job{}, noJob(id)
	}
	var last Job
	for {
		rec, version, err := q.board.find(ctx, id)
		switch {
		case GivenUp(ctx) && last.ID != "":
			return last, nil
		case err != nil, rec.Job.State.Final():
			return rec.Job, err
		}
		last = rec.Job
		if err := q.requestCancel(ctx, rec, version); err != nil && !IsConflict(err) {
			return last, err
		}
		if pause(ctx, q.board.Heartbeat/2); GivenUp(ctx) {
			return last, nil
		}
	}
}

func (q *Queue) requestCancel(ctx context.Context, rec Record, version uint64) error {
	switch {
	case rec.Holder == "":
		return q.endFor(ctx, rec, version, Cancelled, cancelledMessage)
	case rec.CancelRequested:
		return nil
	}
	rec.CancelRequested = true
	_, err := q.board.write(ctx, rec, version)
	return err
}

// progressElsewhere is Progress for a repository without a job of this process.
func (q *Queue) progressElsewhere(id models.RepoID) (done, total int, running bool) {
	if q.board == nil {
		return 0, 0, false
	}
	ctx, cancel := context.WithTimeout(q.ctx, lookTimeout)
	defer cancel()
	rec, version, err := q.board.Current(ctx, id)
	if err != nil || version == 0 || rec.Removal {
		return 0, 0, false
	}
	return rec.Job.Done, rec.Job.Total, true
}
