package index

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// Config is how a Service works. Zero fields mean the defaults.
type Config struct {
	ReposDir    string           // absolute folder for clones; "" refuses git URLs
	Exclude     []string         // absolute folders that are never indexed: the data directory
	Workers     int              // that parse and embed, of each job; default 2
	MaxFileSize int64            // bytes of the largest file to index; default 1 MiB
	Now         func() time.Time // default time.Now
}

func (c Config) limits() repo.Limits {
	return repo.Limits{MaxFileSize: c.MaxFileSize, Exclude: c.Exclude}
}

const (
	defaultWorkers   = 2
	parallelJobs     = 2   // others wait in JobQueued
	rememberedJobs   = 100 // final ones
	progressInterval = 100 * time.Millisecond
)

// A Service runs index jobs, one at a time for each repository, and answers
// for them. Close it to cancel them and wait.
type Service struct {
	store  Store
	embed  Embedder
	config Config
	slots  chan struct{} // one for each job that may run
	stop   context.CancelFunc
	ctx    context.Context //nolint:containedctx // the jobs' life is the service's, not a request's
	wg     sync.WaitGroup

	starting sync.Mutex // held while targets are checked and registered

	mu     sync.Mutex
	closed bool
	jobs   []*job // oldest first
}

// Open returns a Service over a store. Repositories whose first run was cut
// short by a crash get their state set right.
func Open(ctx context.Context, st Store, e Embedder, c Config) (*Service, error) {
	if c.Workers <= 0 {
		c.Workers = defaultWorkers
	}
	if c.MaxFileSize <= 0 {
		c.MaxFileSize = repo.DefaultMaxFileSize
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Service{store: st, embed: e, config: c, slots: make(chan struct{}, parallelJobs)}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	return s, s.recover(ctx)
}

// Close cancels all jobs and waits for them to leave a usable index.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.wg.Wait()
	return nil
}

// Jobs lists jobs, newest first.
func (s *Service) Jobs(_ context.Context, req JobsRequest) (JobsResponse, error) {
	fingerprint := "jobs:" + string(req.RepoID)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return JobsResponse{}, fault.New(fault.InvalidRequest, "%v", err)
	}
	var views []Job
	for _, j := range slices.Backward(s.known()) {
		if v := j.snapshot(); req.RepoID == "" || v.RepoID == req.RepoID {
			views = append(views, v)
		}
	}
	page, next := models.Page(views, offset, limitOf(req.Limit), fingerprint)
	res := JobsResponse{models.OKResult(page)}
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(views)), next, next != ""
	if len(views) == 0 {
		res.Meta.Message = new("no index jobs since this process started; start one with `ragnav index PATH`")
	}
	return res, nil
}

// Job looks at one job.
func (s *Service) Job(_ context.Context, req JobRequest) (JobsResponse, error) {
	j, err := s.find(req.ID)
	if err != nil {
		return JobsResponse{}, err
	}
	return JobsResponse{models.OKResult([]Job{j.snapshot()})}, nil
}

// Cancel asks a job to stop and waits until it has, as long as ctx lives. What
// the job committed stays. A job that has ended stays as it is.
func (s *Service) Cancel(ctx context.Context, req JobRequest) (JobsResponse, error) {
	j, err := s.find(req.ID)
	if err != nil {
		return JobsResponse{}, err
	}
	j.cancel()
	select {
	case <-j.done:
	case <-ctx.Done():
	}
	return JobsResponse{models.OKResult([]Job{j.snapshot()})}, nil
}

// Wait returns a job once it has ended, whatever its outcome. Until then it
// calls progress, which may be nil, some times a second and once at the end.
func (s *Service) Wait(ctx context.Context, id string, progress func(Job)) (Job, error) {
	j, err := s.find(id)
	if err != nil {
		return Job{}, err
	}
	if progress == nil {
		progress = func(Job) {}
	}
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	for {
		progress(j.snapshot())
		select {
		case <-j.done:
			last := j.snapshot()
			progress(last)
			return last, nil
		case <-ctx.Done():
			return j.snapshot(), ctx.Err()
		case <-tick.C:
		}
	}
}

// Progress tells how far the running job of a repository is.
func (s *Service) Progress(id models.RepoID) (done, total int, running bool) {
	if j := s.running(id); j != nil {
		v := j.snapshot()
		return v.Done, v.Total, true
	}
	return 0, 0, false
}
