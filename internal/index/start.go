package index

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// Start starts one job for each target, or none when a target is refused. It
// returns as soon as they are queued.
func (s *Service) Start(ctx context.Context, req StartRequest) (JobsResponse, error) {
	if req.DryRun || req.Only != "" || req.Limit != nil || req.Cursor != "" {
		return JobsResponse{},
			fault.New(fault.InvalidRequest,
				"only, limit and cursor page through a preview, which starts no job; give them together with dry_run")
	}
	if req.Summarise && s.config.Summariser == nil {
		return JobsResponse{},
			fault.New(fault.LLMUnavailable, "no language model is configured; set RAGNAV_LLM_URL and RAGNAV_LLM_MODEL")
	}
	if req.Reembed {
		return s.startReembed(req) //nolint:contextcheck // jobs outlive the request that starts them
	}
	if req.Each {
		return s.startEach(ctx, req)
	}
	specs, err := s.resolveAll(ctx, req)
	if err != nil {
		return JobsResponse{}, err
	}
	handles := make([]*jobs.Handle, len(specs))
	for i, sp := range specs {
		handles[i] = jobs.New(sp, s.config.Now)
	}
	views, err := s.submit(ctx, handles, req.Full)
	if err != nil {
		return JobsResponse{}, err
	}
	return JobsResponse{models.OKResult(views)}, nil
}

// submit takes the leases of jobs, registers their repositories and queues them:
// all, or none.
func (s *Service) submit(ctx context.Context, handles []*jobs.Handle, full bool) ([]jobs.Job, error) {
	if err := s.holdAll(ctx, handles); err != nil {
		return nil, err
	}
	views, err := s.enqueue(ctx, handles, full)
	if err != nil {
		forfeit(ctx, handles)
		return nil, err
	}
	return views, nil
}

// resolveAll finds out what the targets of a request are.
func (s *Service) resolveAll(ctx context.Context, req StartRequest) ([]jobs.Spec, error) {
	if req.RepoID != "" && len(req.Targets) > 1 {
		return nil, fault.New(fault.InvalidRequest,
			"repo_id names one repository, but there are %d targets; index them one by one", len(req.Targets))
	}
	if len(req.Targets) == 0 {
		var err error
		if req, err = s.again(ctx, req); err != nil {
			return nil, err
		}
	}
	specs := make([]jobs.Spec, len(req.Targets))
	for i, target := range req.Targets {
		sp, err := s.resolveAs(ctx, target, req.RepoID, specs[:i])
		if err != nil {
			return nil, err
		}
		sp.Full = req.Full
		sp.Summarise, sp.Tokens = req.Summarise, cmp.Or(req.SummaryTokens, run.SummaryTokens)
		specs[i] = sp
	}
	return specs, nil
}

// resolveAs is resolve for a target with an id, or of several.
func (s *Service) resolveAs(ctx context.Context, target string, id models.RepoID,
	others []jobs.Spec,
) (jobs.Spec, error) {
	if id != "" || remote.IsURL(target) {
		return s.resolve(ctx, target, id, others...)
	}
	return s.resolveBeside(ctx, target, others)
}

// again is the request for a repository by its id, with its target.
func (s *Service) again(ctx context.Context, req StartRequest) (StartRequest, error) {
	if req.RepoID == "" {
		return req, fault.New(fault.InvalidRequest,
			"give targets: folders or git URLs to index; or repo_id, to index a repository again")
	}
	known, err := records.Named(ctx, s.store, req.RepoID)
	req.RepoID, req.Targets = known.RepoID, []string{cmp.Or(known.URL, known.Root)}
	return req, err
}

// enqueue registers the repositories of jobs and queues them.
func (s *Service) enqueue(ctx context.Context, handles []*jobs.Handle, full bool) ([]jobs.Job, error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	specs := make([]jobs.Spec, len(handles))
	views := make([]jobs.Job, len(handles))
	for i, j := range handles {
		specs[i], views[i] = j.Spec, j.Snapshot()
	}
	if err := s.admit(ctx, specs, full); err != nil {
		return nil, err
	}
	return views, s.queue.Launch(handles) //nolint:contextcheck // jobs outlive the request that starts them
}

// holdAll takes the leases of all jobs, or none. Only a Shared store has them.
func (s *Service) holdAll(ctx context.Context, handles []*jobs.Handle) error {
	if s.board == nil {
		return nil
	}
	var specs []jobs.Spec
	now := s.config.Now().UTC()
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
		if err := s.board.Hold(ctx, j); err != nil {
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

// resolve finds out what a target is and how it is called, beside others.
func (s *Service) resolve(ctx context.Context, target string, id models.RepoID,
	others ...jobs.Spec,
) (jobs.Spec, error) {
	sp := jobs.Spec{Target: target, ID: id}
	if strings.ContainsRune(target, 0) {
		return jobs.Spec{}, fault.New(fault.InvalidPath, "target %q has a NUL byte", target)
	}
	if remote.IsURL(target) {
		return s.resolveURL(ctx, sp, others)
	}
	if !filepath.IsAbs(target) {
		return jobs.Spec{}, fault.New(fault.InvalidRequest,
			"target %q is neither an absolute path nor a git URL; give the folder's absolute path", target)
	}
	root, err := filepath.EvalSymlinks(filepath.Clean(target))
	if err != nil {
		return jobs.Spec{}, fault.Wrap(fault.PathNotFound, err,
			"there is no folder %q on the machine that indexes; check the path", target)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return jobs.Spec{}, fault.New(fault.InvalidRequest, "%q is not a folder; give the folder that holds it", target)
	}
	if err := worktrees.NoWorkTree(root); err != nil {
		return jobs.Spec{}, err
	}
	sp.Root = root
	if sp.ID == "" {
		if sp.ID, err = s.idOf(ctx, root); err != nil {
			return jobs.Spec{}, err
		}
	}
	return sp, checkID(sp)
}

// idOf is the id that a folder is registered under, or else that it suggests.
func (s *Service) idOf(ctx context.Context, root string) (models.RepoID, error) {
	registered, err := records.Repositories(ctx, s.store)
	if err != nil {
		return "", err
	}
	for id, known := range registered {
		if known.Root == root && known.URL == "" && s.board == nil {
			return id, nil
		}
	}
	return remote.InferID(ctx, root)
}

func checkID(sp jobs.Spec) error {
	if sp.ID.Valid() {
		return nil
	}
	return fault.New(fault.InvalidRequest,
		"%q can't be the id of a repository (1 to 4 segments of letters, digits, '.', '_' and '-'); choose one with repo_id",
		sp.ID)
}

// resolveURL finds out where a clone goes. A path to a bare repository is a
// URL too.
func (s *Service) resolveURL(ctx context.Context, sp jobs.Spec, others []jobs.Spec) (jobs.Spec, error) {
	shown := remote.RedactURL(sp.Target)
	if s.config.ReposDir == "" {
		return jobs.Spec{}, fault.New(fault.InvalidRequest,
			"can't clone %q: no folder for clones is set (--repos-dir); clone it yourself and index the folder", shown)
	}
	if !strings.Contains(sp.Target, ":") && !filepath.IsAbs(sp.Target) {
		return jobs.Spec{}, fault.New(fault.InvalidRequest,
			"target %q is neither an absolute path nor a git URL; give the absolute path", shown)
	}
	ids, err := remote.URLIDs(sp.Target)
	if err != nil {
		return jobs.Spec{}, err
	}
	taken, err := records.Repositories(ctx, s.store)
	if err != nil {
		return jobs.Spec{}, err
	}
	for _, o := range others {
		taken[o.ID] = models.Repository{RepoID: o.ID, Root: o.Root, URL: o.URL}
	}
	sp.URL = shown
	id := s.idOfURL(shown, ids, taken)
	if known, ok := taken[id]; ok && known.URL == shown && s.board == nil {
		sp.Root = known.Root
	} else {
		sp.Root = s.cloneOf(id)
	}
	sp.ID = cmp.Or(sp.ID, id)
	return sp, checkID(sp)
}

// cloneOf is the folder of the clone with that id.
func (s *Service) cloneOf(id models.RepoID) string {
	return filepath.Join(s.reposDir(), filepath.FromSlash(string(id)))
}

// idOfURL is the id that a URL has already, else the first of those that it may
// have which nobody else has.
func (s *Service) idOfURL(url string, ids []models.RepoID, taken map[models.RepoID]models.Repository) models.RepoID {
	for id, known := range taken {
		if known.URL == url {
			return id
		}
	}
	for _, id := range ids {
		known, ok := taken[id]
		others := func(r models.Repository) bool { return r.Root == s.cloneOf(id) }
		if (!ok || known.Root == "") && !slices.ContainsFunc(slices.Collect(maps.Values(taken)), others) {
			return id
		}
	}
	return ids[0]
}

// reposDir is the folder for clones without symlinks, as far as it is there.
func (s *Service) reposDir() string {
	if dir, err := filepath.EvalSymlinks(s.config.ReposDir); err == nil {
		return dir
	}
	return s.config.ReposDir
}
