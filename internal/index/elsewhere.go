package index

import (
	"context"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// lookTimeout bounds a look at the board on behalf of somebody who gave no
// context.
const lookTimeout = 2 * time.Second

// views are all jobs that are known, newest first.
func (s *Service) views(ctx context.Context) ([]Job, error) {
	var own []jobRecord
	for _, j := range slices.Backward(s.known()) {
		own = append(own, jobRecord{Job: j.snapshot(), Created: j.created})
	}
	all := own
	if s.board != nil {
		others, err := s.board.list(ctx)
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
func merge(own, board []jobRecord) []jobRecord {
	known := make(map[string]bool, len(own))
	for _, rec := range own {
		known[rec.Job.ID] = true
	}
	board = slices.DeleteFunc(board, func(rec jobRecord) bool { return known[rec.Job.ID] })
	all := slices.Concat(own, board)
	slices.SortFunc(all, newestFirst)
	return all
}

// elsewhere is a job that is not this process's.
func (s *Service) elsewhere(ctx context.Context, id string) (Job, error) {
	if s.board == nil {
		return Job{}, noJob(id)
	}
	rec, _, err := s.board.find(ctx, id)
	return rec.Job, err
}

// waitElsewhere is Wait for a job that is not this process's.
func (s *Service) waitElsewhere(ctx context.Context, id string, progress func(Job)) (Job, error) {
	for {
		v, err := s.elsewhere(ctx, id)
		if err != nil {
			return v, err
		}
		if progress(v); v.State.Final() {
			return v, nil
		}
		if pause(ctx, s.board.heartbeat); givenUp(ctx) {
			return v, ctx.Err()
		}
		if s.ctx.Err() != nil {
			return v, closedFault()
		}
	}
}

// cancelElsewhere marks a job as to be cancelled and waits until its holder, or
// whoever finds that it has none, has ended it, as long as ctx lives.
func (s *Service) cancelElsewhere(ctx context.Context, id string) (Job, error) {
	if s.board == nil {
		return Job{}, noJob(id)
	}
	var last Job
	for {
		rec, version, err := s.board.find(ctx, id)
		switch {
		case givenUp(ctx) && last.ID != "":
			return last, nil
		case err != nil, rec.Job.State.Final():
			return rec.Job, err
		}
		last = rec.Job
		if err := s.requestCancel(ctx, rec, version); err != nil && !isConflict(err) {
			return last, err
		}
		if pause(ctx, s.board.heartbeat/2); givenUp(ctx) {
			return last, nil
		}
	}
}

func (s *Service) requestCancel(ctx context.Context, rec jobRecord, version uint64) error {
	switch {
	case rec.Holder == "":
		return s.endFor(ctx, rec, version, JobCancelled, cancelledMessage)
	case rec.CancelRequested:
		return nil
	}
	rec.CancelRequested = true
	_, err := s.board.write(ctx, rec, version)
	return err
}

// progressElsewhere is Progress for a repository without a job of this process.
func (s *Service) progressElsewhere(id models.RepoID) (done, total int, running bool) {
	if s.board == nil {
		return 0, 0, false
	}
	ctx, cancel := context.WithTimeout(s.ctx, lookTimeout)
	defer cancel()
	rec, version, err := s.board.current(ctx, id)
	if err != nil || version == 0 || rec.Removal {
		return 0, 0, false
	}
	return rec.Job.Done, rec.Job.Total, true
}
