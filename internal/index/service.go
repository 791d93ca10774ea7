package index

import (
	"context"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	parallelPreviews = 1 // others wait
)

// A Service runs index jobs, one at a time for each repository, and answers
// for them. Close it to end them and wait.
//
// Over a Shared store it also answers for the jobs of all other Services on that
// store, and a repository has one job at a time among all of them.
type Service struct {
	store  records.Store
	board  *jobs.Board // nil unless the store is Shared
	embed  vectors.Embedder
	config Config
	queue  *jobs.Queue

	targets  resolver
	coverage coverage

	launch   *launcher
	previews *previewer
	removals *remover

	memory run.Memory
}

// Open returns a Service over a store. Repositories whose first run was cut
// short by a crash get their state set right.
func Open(ctx context.Context, st records.Store, e vectors.Embedder, c Config) (*Service, error) {
	s := &Service{store: st, embed: e, config: c.withDefaults()}
	s.coverage = coverage{store: st, limits: s.config.options().Limits()}
	if shared, ok := st.(records.Shared); ok {
		wait := jobs.Timing{Heartbeat: s.config.Heartbeat, TTL: s.config.LeaseTTL}
		s.board = jobs.NewBoard(shared, e.Manifest(), wait, s.config.Now)
	}
	s.targets = resolver{store: st, shared: s.board != nil, clones: s.config.ReposDir, exclude: s.config.Exclude}
	var err error
	others := s.board // whose jobs the queue goes on with
	if !s.config.ReadOnly {
		if err = recoverAll(ctx, st, s.board); err != nil {
			others = nil
		}
	}
	s.queue = jobs.NewQueue(ctx, others, s.work())
	admits := admission{
		store: st, shared: s.board != nil, inPlace: s.config.Beside != nil, embed: e, running: s.queue.Running,
	}
	s.launch = &launcher{board: s.board, queue: s.queue, admission: admits, now: s.config.Now}
	s.previews = &previewer{
		store: st, targets: s.targets, admission: admits, config: s.config, site: s.siteOf,
		turn: make(chan struct{}, parallelPreviews),
	}
	s.removals = &remover{
		store: st, board: s.board, launch: s.launch, memory: &s.memory, targets: s.targets, site: s.siteOf,
	}
	if s.config.GoOn > 0 && err == nil {
		resume := &resumer{every: s.config.GoOn, store: st, embed: e, queue: s.queue, launch: s.launch}
		s.queue.Beside(resume.goOn)
	}
	return s, err
}

// work is what the service does for its queue.
func (s *Service) work() jobs.Work {
	return jobs.Work{
		Do: s.do, Failed: s.config.Failed, HandOver: s.config.HandOver,
		Reach: func(ctx context.Context, rec jobs.SpecRecord) (jobs.Spec, bool) {
			if rec.Embedder != s.board.Embedder { // this server makes other vectors
				return jobs.Spec{}, false
			}
			return s.targets.reach(ctx, rec)
		},
		RecoverRepo: func(ctx context.Context, id models.RepoID) error { return recoverShared(ctx, s.board, id) },
	}
}

// do does a job.
func (s *Service) do(ctx context.Context, j *jobs.Handle) error {
	if j.Spec.Reembed {
		return reembed(ctx, s, j)
	}
	return run.Do(ctx, s.siteOf(j), &s.memory, s.targets.reposDir())
}

// siteOf is where the service does a job.
func (s *Service) siteOf(j *jobs.Handle) *run.Site {
	return &run.Site{Store: s.store, Board: s.board, Embed: s.embed, Config: s.config.options(), Job: j}
}

// Close ends all jobs and waits for them to leave a usable index: it cancels
// them, or leaves them to other servers if Config.HandOver says so.
func (s *Service) Close() error { return s.queue.Close() }

// Jobs lists jobs, newest first.
func (s *Service) Jobs(ctx context.Context, req JobsRequest) (JobsResponse, error) {
	all, err := s.queue.Views(ctx)
	if err != nil {
		return JobsResponse{}, err
	}
	if req.RepoID, err = s.meant(ctx, req.RepoID, all); err != nil {
		return JobsResponse{}, err
	}
	fingerprint := "jobs:" + string(req.RepoID)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return JobsResponse{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	var views []jobs.Job
	for _, v := range all {
		if req.RepoID == "" || v.RepoID == req.RepoID {
			views = append(views, v)
		}
	}
	page, next := models.Page(views, offset, models.Or(req.Limit, defaultLimit), fingerprint)
	res := JobsResponse{models.OKResult(page)}
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(views)), next, next != ""
	if len(views) == 0 {
		res.Meta.Message = new(s.noJobs())
	}
	return res, nil
}

// meant is the repository that an id, or the end of one, names: a registered
// one, or one of which there are jobs.
func (s *Service) meant(ctx context.Context, id models.RepoID, jobs []jobs.Job) (models.RepoID, error) {
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
	v, err := s.queue.Find(ctx, req.ID)
	if err != nil {
		return JobsResponse{}, err
	}
	return oneJob(v), nil
}

func oneJob(v jobs.Job) JobsResponse { return JobsResponse{models.OKResult([]jobs.Job{v})} }

// Cancel asks a job to stop and waits until it has, as long as ctx lives. What
// the job committed stays. A job that has ended stays as it is; one that is
// publishing what it made ends as it would have. The reply says which it was.
func (s *Service) Cancel(ctx context.Context, req JobRequest) (JobsResponse, error) {
	v, ended, err := s.queue.Cancel(ctx, req.ID)
	if err != nil {
		return JobsResponse{}, err
	}
	return afterCancel(v, ended), nil
}

// afterCancel is the reply with a job that was to be cancelled, which may have
// ended before.
func afterCancel(v jobs.Job, before bool) JobsResponse {
	res := oneJob(v)
	switch {
	case before:
		res.Meta.Message = new("the job had ended already, as " + string(v.State))
	case v.State == jobs.Done:
		res.Meta.Message = new("it was too late to cancel: the job has published what it made")
	case !v.State.Final():
		res.Meta.Message = new("the job has not stopped yet; what it is publishing can't be cancelled any more")
	}
	return res
}

// Wait returns a job once it has ended, whatever its outcome. Until then it
// calls progress, which may be nil, several times a second and once at the end.
func (s *Service) Wait(ctx context.Context, id string, progress func(jobs.Job)) (jobs.Job, error) {
	if progress == nil {
		progress = func(jobs.Job) {}
	}
	return s.queue.Wait(ctx, id, progress)
}

// Watch is Job once the job has ended, after calls of progress as Wait does them.
func (s *Service) Watch(ctx context.Context, req JobRequest, progress func(jobs.Job)) (JobsResponse, error) {
	v, err := s.Wait(ctx, req.ID, progress)
	if err != nil {
		return JobsResponse{}, err
	}
	return oneJob(v), nil
}

// Progress tells how far the running job of a repository is.
func (s *Service) Progress(id models.RepoID) (done, total int, running bool) {
	return s.queue.Progress(id)
}

// Coverage tells which files are indexed and why others are not: all that the
// last run saw, page by page, or those of one folder, or one file by its path.
// Of a file it also tells what has become of it since.
func (s *Service) Coverage(ctx context.Context, req CoverageRequest) (CoverageResponse, error) {
	return s.coverage.cover(ctx, req)
}

// Preview tells what Start would do with the same request, file by file, and
// does none of it: nothing is written to the store, no repository is registered,
// and a URL is cloned to a temporary folder that is gone when Preview returns.
// Targets that Start refuses are refused, except that a repository may be
// previewed while it is being indexed.
//
// It reads and parses as a run does, the files that a run would read, and only
// leaves out the vectors. Pages after the first come from what the first has
// found, if this process still has it.
func (s *Service) Preview(ctx context.Context, req StartRequest) (PreviewResponse, error) {
	return s.previews.preview(ctx, req)
}

// Remove forgets a repository: its documents, its records and, of a clone that
// this service made, its folder. A repository with a running job is a Conflict.
// When it was the last one the store takes another embedder again.
func (s *Service) Remove(ctx context.Context, req RemoveRequest) (RemoveResponse, error) {
	return s.removals.remove(ctx, req)
}
