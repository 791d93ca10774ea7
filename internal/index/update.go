package index

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// maxPaths is how many paths an update looks at one by one. Listing everything
// is as quick beyond that.
const maxPaths = 200

// An UpdateRequest tells that something changed in a registered repository.
type UpdateRequest struct {
	RepoID models.RepoID
	// Paths are the files and folders that may differ from what the last run
	// saw, relative to the root; a folder stands for all that is below it. None
	// means that anything may differ.
	Paths []string
}

// Update is an index run of a registered folder, and returns once that has
// ended. It looks at the named paths only, if that is sure to give what a whole
// run gives: see part. While another job has the repository it is a Conflict;
// ask again later, with the same paths.
//
// Clones are InvalidRequest: they change when they are indexed.
func (s *Service) Update(ctx context.Context, req UpdateRequest) (jobs.Job, error) {
	known, err := records.Repository(ctx, s.store, req.RepoID)
	if err != nil {
		return jobs.Job{}, err
	}
	if known.URL != "" {
		return jobs.Job{}, fault.New(fault.InvalidRequest, "%s is a clone; it is brought up to date by `ragnav index %s`",
			known.RepoID, known.URL)
	}
	j := jobs.New(jobs.Spec{
		Target: known.Root, ID: known.RepoID, Root: known.Root,
		Update: true, Paths: slices.Compact(slices.Sorted(slices.Values(req.Paths))),
	}, s.config.Now)
	if _, err := s.submit(ctx, []*jobs.Handle{j}, false); err != nil {
		return jobs.Job{}, err
	}
	return s.Wait(ctx, j.ID, nil)
}

// Registered are the repositories that are registered, in order of their ids.
func (s *Service) Registered(ctx context.Context) ([]models.Repository, error) {
	byID, err := records.Repositories(ctx, s.store)
	if err != nil {
		return nil, err
	}
	all := make([]models.Repository, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		all = append(all, byID[id])
	}
	return all, nil
}

// part reports whether a run may look at the changed paths alone: the last run
// came to its end over the same commit with the same settings, and nothing
// changed that decides about other files.
func (r *run) part() bool {
	sp := r.job.Spec
	return len(sp.Paths) > 0 && len(sp.Paths) <= maxPaths && !slices.ContainsFunc(sp.Paths, farReaching) &&
		r.fresh && !r.full && !r.rebuild && r.repo.LastError == "" &&
		r.repo.LastIndexedCommit == r.origin.Commit && r.repo.Stored == r.config.StoreContent
}

// farReaching reports whether a change of that path can change what is listed
// elsewhere.
func farReaching(p string) bool {
	return p == "" || p == "." || listing.HoldsRules(p) || slices.Contains(strings.Split(p, "/"), ".git")
}

// list finds the files that the run has to compare with their records.
func (r *run) list(ctx context.Context) (listing.Listing, error) {
	if r.part() {
		found, ok, err := listing.Paths(ctx, r.tree, r.job.Spec.Paths, r.config.limits())
		if err != nil || ok {
			r.scope = scopeOf(r.job.Spec.Paths)
			return found, err
		}
	}
	return listing.List(ctx, r.tree, r.config.limits())
}

// A scope is the paths that a run looks at, with all below them; nil is all.
type scope map[string]bool

func scopeOf(paths []string) scope {
	s := make(scope, len(paths))
	for _, p := range paths {
		s[p] = true
	}
	return s
}

func (s scope) holds(file string) bool {
	if s == nil {
		return true
	}
	for ; file != compose.RootDir; file = path.Dir(file) {
		if s[file] {
			return true
		}
	}
	return false
}

// A memo is what a run left in the store, kept in memory for the next one: to
// read the records of 10,000 files takes longer than to index one of them.
type memo struct {
	files   map[string]*models.FileRecord
	folders records.Folders
}

// recall is loadRecords from memory, where there is a memo. A run takes the
// memo with it; only one that comes to its end puts it back. Of a store that
// others write to there is none.
func (r *run) recall(ctx context.Context) error {
	s, id := r.Service, r.job.Spec.ID
	s.mu.Lock()
	m, ok := s.memos[id]
	delete(s.memos, id)
	s.mu.Unlock()
	r.memorable = s.board == nil && (ok || r.job.Spec.Update)
	if !ok {
		return r.loadRecords(ctx)
	}
	r.files, r.folders = m.files, m.folders
	return nil
}

// memorise keeps what a run that has ended well left in the store, for
// repositories that were updated once: the next update will come.
func (r *run) memorise() {
	if !r.memorable {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memos[r.job.Spec.ID] = memo{r.files, r.folders}
}

// forgetRecords drops the memo of a repository that leaves the index.
func (s *Service) forgetRecords(id models.RepoID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.memos, id)
}
