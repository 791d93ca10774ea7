package index

import (
	"context"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// A launcher registers the repositories of jobs and queues them.
type launcher struct {
	board     *jobs.Board // nil unless the store is Shared
	queue     *jobs.Queue
	admission admission
	now       func() time.Time
	starting  sync.Mutex // held while targets are checked and registered, and while none may be
}

// submit takes the leases of jobs, registers their repositories and queues them:
// all, or none.
func (l *launcher) submit(ctx context.Context, handles []*jobs.Handle, full bool) ([]jobs.Job, error) {
	if err := l.holdAll(ctx, handles); err != nil {
		return nil, err
	}
	views, err := l.enqueue(ctx, handles, full)
	if err != nil {
		forfeit(ctx, handles)
		return nil, err
	}
	return views, nil
}

// enqueue registers the repositories of jobs and queues them.
func (l *launcher) enqueue(ctx context.Context, handles []*jobs.Handle, full bool) ([]jobs.Job, error) {
	l.starting.Lock()
	defer l.starting.Unlock()
	specs := make([]jobs.Spec, len(handles))
	views := make([]jobs.Job, len(handles))
	for i, j := range handles {
		specs[i], views[i] = j.Spec, j.Snapshot()
	}
	outdated, err := l.admission.admit(ctx, specs, full)
	if err != nil {
		return nil, err
	}
	if outdated {
		first, err := l.renewal() //nolint:contextcheck // jobs outlive the request that starts them
		if err != nil {
			return nil, err
		}
		for _, j := range handles {
			j.Behind = first
		}
	}
	return views, l.queue.Launch(handles) //nolint:contextcheck // jobs outlive the request that starts them
}

// renewal is the job that makes all vectors again, which it starts if there is
// none. l.starting is held.
func (l *launcher) renewal() (*jobs.Handle, error) {
	if j := l.queue.Reembedding(); j != nil {
		return j, nil
	}
	j := jobs.New(jobs.Spec{Target: reembedTarget, Reembed: true}, l.now)
	return j, l.queue.Launch([]*jobs.Handle{j})
}

// holdAll takes the leases of all jobs, or none. Only a Shared store has them.
func (l *launcher) holdAll(ctx context.Context, handles []*jobs.Handle) error {
	if l.board == nil {
		return nil
	}
	var specs []jobs.Spec
	now := l.now().UTC()
	for i, j := range handles {
		if err := distinct(j.Spec, specs); err != nil {
			return err
		}
		specs = append(specs, j.Spec)
		j.Created = now.Add(time.Duration(i)) // so that they have an order
		if j.Spec.URL == "" {
			var err error
			if j.Spec.Inferred, err = remote.InferID(ctx, j.Spec.Root); err != nil {
				return err
			}
		}
	}
	for i, j := range handles {
		if err := l.board.Hold(ctx, j); err != nil {
			forfeit(ctx, handles[:i])
			return err
		}
	}
	return nil
}

// forfeit takes jobs that were not launched off the board.
func forfeit(ctx context.Context, handles []*jobs.Handle) {
	for _, j := range handles {
		j.Forfeit(ctx)
	}
}
