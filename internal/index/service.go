package index

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

const (
	parallelJobs     = 2                  // others wait in JobQueued
	rememberedJobs   = worktrees.MaxBelow // final ones; so many may be started at once
	parallelPreviews = 1                  // others wait
	progressInterval = 100 * time.Millisecond
)

// A Service runs index jobs, one at a time for each repository, and answers
// for them. Close it to end them and wait.
//
// Over a Shared store it also answers for the jobs of all other Services on that
// store, and a repository has one job at a time among all of them.
type Service struct {
	store  records.Store
	board  *board // nil unless the store is Shared
	embed  Embedder
	config Config
	slots  chan struct{} // one for each job that may run
	stop   context.CancelCauseFunc
	ctx    context.Context //nolint:containedctx // the jobs' life is the service's, not a request's
	wg     parallel.Group

	starting  sync.Mutex // held while targets are checked and registered
	previewed previewMemory
	previews  chan struct{} // one for each preview that may be made

	mu     sync.Mutex
	closed bool
	jobs   []*job // oldest first
	memos  map[models.RepoID]memo
}

// Open returns a Service over a store. Repositories whose first run was cut
// short by a crash get their state set right.
func Open(ctx context.Context, st records.Store, e Embedder, c Config) (*Service, error) {
	s := &Service{
		store: st, embed: e, config: c.withDefaults(), slots: make(chan struct{}, parallelJobs),
		memos: map[models.RepoID]memo{}, previews: make(chan struct{}, parallelPreviews),
	}
	s.ctx, s.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	s.wg, _ = parallel.NewGroup(s.ctx)
	if shared, ok := st.(records.Shared); ok {
		s.board = newBoard(shared, e, s.config)
	}
	if err := s.recover(ctx); err != nil {
		return s, err
	}
	if s.board != nil {
		s.wg.Go(func() error { s.watch(); return nil })
	}
	if s.config.GoOn > 0 {
		s.wg.Go(func() error { s.goOn(); return nil })
	}
	return s, nil
}

// Close ends all jobs and waits for them to leave a usable index: it cancels
// them, or leaves them to other servers if Config.HandOver says so.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	cause := errClosing
	if s.board != nil && s.config.HandOver {
		cause = errHandOver
	}
	s.stop(cause)
	return s.wg.Wait()
}

// Jobs lists jobs, newest first.
func (s *Service) Jobs(ctx context.Context, req JobsRequest) (JobsResponse, error) {
	all, err := s.views(ctx)
	if err != nil {
		return JobsResponse{}, err
	}
	if req.RepoID, err = s.meant(ctx, req.RepoID, all); err != nil {
		return JobsResponse{}, err
	}
	fingerprint := "jobs:" + string(req.RepoID)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return JobsResponse{}, fault.New(fault.InvalidRequest, "%v", err)
	}
	var views []Job
	for _, v := range all {
		if req.RepoID == "" || v.RepoID == req.RepoID {
			views = append(views, v)
		}
	}
	page, next := models.Page(views, offset, limitOf(req.Limit), fingerprint)
	res := JobsResponse{models.OKResult(page)}
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(views)), next, next != ""
	if len(views) == 0 {
		res.Meta.Message = new(s.noJobs())
	}
	return res, nil
}

// meant is the repository that an id, or the end of one, names: a registered
// one, or one of which there are jobs.
func (s *Service) meant(ctx context.Context, id models.RepoID, jobs []Job) (models.RepoID, error) {
	if id == "" {
		return "", nil
	}
	known, err := records.Repositories(ctx, s.store)
	if err != nil {
		return "", err
	}
	for _, j := range jobs {
		if j.RepoID != "" {
			known[j.RepoID] = models.Repository{}
		}
	}
	return filter.Repository(slices.Sorted(maps.Keys(known)), string(id))
}

func (s *Service) noJobs() string {
	since := "since this process started"
	if s.board != nil {
		since = "in the last 7 days"
	}
	return "no index jobs " + since + "; start one with `ragnav index PATH`"
}

// Job looks at one job.
func (s *Service) Job(ctx context.Context, req JobRequest) (JobsResponse, error) {
	if j := s.own(req.ID); j != nil {
		return oneJob(j.snapshot()), nil
	}
	v, err := s.elsewhere(ctx, req.ID)
	if err != nil {
		return JobsResponse{}, err
	}
	return oneJob(v), nil
}

func oneJob(v Job) JobsResponse { return JobsResponse{models.OKResult([]Job{v})} }

// Cancel asks a job to stop and waits until it has, as long as ctx lives. What
// the job committed stays. A job that has ended stays as it is; one that is
// publishing what it made ends as it would have. The reply says which it was.
func (s *Service) Cancel(ctx context.Context, req JobRequest) (JobsResponse, error) {
	if j := s.own(req.ID); j != nil {
		ended := j.snapshot().State.Final()
		j.stop(errCancelled)
		select {
		case <-j.done:
		case <-ctx.Done():
		}
		if v := j.snapshot(); v.State.Final() || givenUp(ctx) {
			return afterCancel(v, ended), nil
		}
	}
	v, err := s.cancelElsewhere(ctx, req.ID)
	if err != nil {
		return JobsResponse{}, err
	}
	return afterCancel(v, false), nil
}

// afterCancel is the reply with a job that was to be cancelled, which may have
// ended before.
func afterCancel(v Job, before bool) JobsResponse {
	res := oneJob(v)
	switch {
	case before:
		res.Meta.Message = new("the job had ended already, as " + string(v.State))
	case v.State == JobDone:
		res.Meta.Message = new("it was too late to cancel: the job has published what it made")
	case !v.State.Final():
		res.Meta.Message = new("the job has not stopped yet; what it is publishing can't be cancelled any more")
	}
	return res
}

// Wait returns a job once it has ended, whatever its outcome. Until then it
// calls progress, which may be nil, some times a second and once at the end.
func (s *Service) Wait(ctx context.Context, id string, progress func(Job)) (Job, error) {
	if progress == nil {
		progress = func(Job) {}
	}
	if j := s.own(id); j != nil {
		v, err := j.wait(ctx, progress)
		if err != nil || v.State.Final() {
			return v, err
		}
	}
	return s.waitElsewhere(ctx, id, progress)
}

// Watch is Job once the job has ended, after calls of progress as Wait does them.
func (s *Service) Watch(ctx context.Context, req JobRequest, progress func(Job)) (JobsResponse, error) {
	v, err := s.Wait(ctx, req.ID, progress)
	if err != nil {
		return JobsResponse{}, err
	}
	return oneJob(v), nil
}

// Progress tells how far the running job of a repository is.
func (s *Service) Progress(id models.RepoID) (done, total int, running bool) {
	if j := s.running(id); j != nil {
		v := j.snapshot()
		return v.Done, v.Total, true
	}
	return s.progressElsewhere(id)
}
