package nav

import (
	"context"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An Admission waits for its turn to do work of the class of index runs, and
// returns what ends it.
type Admission func(ctx context.Context) (release func(), err error)

// builds are the graphs that are built beside requests, one at a time.
type builds struct {
	admit Admission       // nil: always
	ctx   context.Context //nolint:containedctx // builds outlive the requests that ask for them
	stop  context.CancelFunc
	tasks parallel.Group
	turn  chan struct{} // held by the one that runs

	mu     sync.Mutex
	closed bool
	asked  map[models.RepoID]bool // waiting or running
	failed map[models.RepoID]failure
}

// A failure keeps a graph from being built again and again.
type failure struct {
	why string
	at  time.Time
}

// retryBuild is when a graph that could not be built is tried again.
const retryBuild = 10 * time.Minute

// InBackground has graphs that a question missed built beside requests. Close
// ends that.
func (s *Service) InBackground(admit Admission) {
	ctx, stop := context.WithCancel(context.Background())
	tasks, ctx := parallel.NewGroup(ctx)
	s.builds = &builds{
		admit: admit, ctx: ctx, stop: stop, tasks: tasks, turn: make(chan struct{}, 1), asked: map[models.RepoID]bool{},
		failed: map[models.RepoID]failure{},
	}
	s.gate.Later = s.BuildLater
}

// Close ends builds in the background and waits for them.
func (s *Service) Close() error {
	if b := s.builds; b != nil {
		b.mu.Lock()
		b.closed = true
		b.mu.Unlock()
		b.stop()
		return b.tasks.Wait()
	}
	return nil
}

// BuildLater builds the graph of a repository in the background, and says in a
// few words how that stands; "" when it is not done here.
func (s *Service) BuildLater(id models.RepoID) string {
	b := s.builds
	if b == nil {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	failed, hasFailed := b.failed[id]
	switch {
	case b.closed:
		return ""
	case b.asked[id]:
	case hasFailed && s.gate.Now().Sub(failed.at) < retryBuild:
		return "the graph could not be built: " + failed.why
	default:
		b.asked[id] = true
		b.tasks.Go(func() error { s.buildNow(id); return nil })
	}
	return "the graph is being built, and answers all once it is there"
}

// After runs what has to wait before a graph can be built, until Close. It does
// nothing where none are built in the background.
func (s *Service) After(wait func(ctx context.Context)) {
	b := s.builds
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.tasks.Go(func() error { wait(b.ctx); return nil })
	}
}

func (s *Service) buildNow(id models.RepoID) {
	b := s.builds
	err := b.inTurn(func(ctx context.Context) error {
		_, err := s.Build(ctx, BuildRequest{RepoID: id})
		return err
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.asked, id)
	if delete(b.failed, id); err != nil && b.ctx.Err() == nil {
		b.failed[id] = failure{gateway.Words(err), s.gate.Now()}
	}
}

// inTurn does work when nothing else of the kind runs.
func (b *builds) inTurn(work func(ctx context.Context) error) error {
	select {
	case b.turn <- struct{}{}:
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
	defer func() { <-b.turn }()
	if b.admit != nil {
		release, err := b.admit(b.ctx)
		if err != nil {
			return err
		}
		defer release()
	}
	return parallel.Call(func() error { return work(b.ctx) })
}

// warmFiles is about how many files repositories have together that Warm opens.
const warmFiles = 150_000

// Warm opens the graphs of repositories and joins them, as far as they have few files
// together, so that the first question finds it done. It does one thing after the other,
// each when idle has returned true, and ends early with ctx. What fails is told to who
// asks for it.
func (s *Service) Warm(ctx context.Context, repos []models.Repository, idle func(ctx context.Context) bool) {
	files := 0
	for _, r := range repos {
		files += r.FileCount
	}
	if len(repos) > 0 && files <= warmFiles {
		_, _ = gateway.Sound(ctx, s.gate, repos,
			func(ctx context.Context, s *across.Opener, repos []models.Repository) (struct{}, error) {
				return struct{}{}, warm(ctx, s, repos, idle)
			})
	}
}

func warm(
	ctx context.Context, s *across.Opener, repos []models.Repository, idle func(ctx context.Context) bool,
) error {
	for _, r := range repos {
		if !idle(ctx) {
			return ctx.Err()
		}
		if g, err := s.OpenKnown(ctx, r); err == nil {
			g.Close()
		}
	}
	if !idle(ctx) {
		return ctx.Err()
	}
	u, err := openAll(ctx, s)
	if err != nil {
		return err
	}
	defer u.Close()
	for _, m := range u.Members {
		if m.Answer == nil {
			continue
		}
		if idle(ctx) {
			gateway.InTests(m.Gateway, m.Answer.View)
		}
		for _, scope := range m.Scopes() {
			if len(scope.Uses) > 0 && idle(ctx) {
				scope.Joint()
			}
		}
	}
	return ctx.Err()
}
