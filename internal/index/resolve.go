package index

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/index/tell"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// A resolver finds out what targets are, and how they are called.
type resolver struct {
	store  records.Reader
	shared bool   // several servers use the store
	clones string // absolute folder for clones; "" refuses git URLs
	// exclude are absolute folders that are never indexed
	exclude []string
	// settled says that targets have no symlinks, see StartRequest
	settled bool
}

// settle is the resolver for a request.
func (r resolver) settle(req StartRequest) resolver {
	r.settled = req.Settled
	return r
}

// resolveAll finds out what the targets of a request are.
func (r resolver) resolveAll(ctx context.Context, req StartRequest) ([]jobs.Spec, error) {
	if req.RepoID != "" && len(req.Targets) > 1 {
		return nil, fault.New(fault.InvalidRequest,
			"repo_id names one repository, but there are %d targets; index them one by one", len(req.Targets))
	}
	if len(req.Targets) == 0 {
		var err error
		if req, err = r.again(ctx, req); err != nil {
			return nil, err
		}
	}
	specs := make([]jobs.Spec, len(req.Targets))
	for i, target := range req.Targets {
		sp, err := r.resolveAs(ctx, target, req.RepoID, specs[:i])
		if err != nil {
			return nil, err
		}
		sp.Full, sp.Named = req.Full, req.RepoID != ""
		sp.Graph = !req.DryRun && (req.GraphNext || !req.NoGraph)
		sp.Summarise, sp.Tokens = req.Summarise, cmp.Or(req.SummaryTokens, tell.Tokens)
		specs[i] = sp
	}
	return specs, nil
}

// resolveAs is resolve for a target with an id, or of several.
func (r resolver) resolveAs(ctx context.Context, target string, id models.RepoID,
	others []jobs.Spec,
) (jobs.Spec, error) {
	if id != "" || remote.IsURL(target) {
		return r.resolve(ctx, target, id, others...)
	}
	return r.resolveBeside(ctx, target, others)
}

// again is the request for a repository by its id, with its target.
func (r resolver) again(ctx context.Context, req StartRequest) (StartRequest, error) {
	if req.RepoID == "" {
		return req, fault.New(fault.InvalidRequest,
			"give targets: folders or git URLs to index; or repo_id, to index a repository again")
	}
	known, err := records.Named(ctx, r.store, req.RepoID)
	req.RepoID, req.Targets = known.RepoID, []string{cmp.Or(known.URL, known.Root)}
	return req, err
}

// resolve finds out what a target is and how it is called, beside others.
func (r resolver) resolve(ctx context.Context, target string, id models.RepoID,
	others ...jobs.Spec,
) (jobs.Spec, error) {
	sp := jobs.Spec{Target: target, ID: id}
	if strings.ContainsRune(target, 0) {
		return jobs.Spec{}, fault.New(fault.InvalidPath, "target %q has a NUL byte", target)
	}
	if remote.IsURL(target) {
		return r.resolveURL(ctx, sp, others)
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
	if r.settled && root != filepath.Clean(target) {
		return jobs.Spec{}, errMovedAway(target)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return jobs.Spec{}, fault.New(fault.InvalidRequest, "%q is not a folder; give the folder that holds it", target)
	}
	if err := worktrees.NoWorkTree(root); err != nil {
		return jobs.Spec{}, err
	}
	if slices.Contains(r.exclude, root) {
		return jobs.Spec{}, fault.New(fault.InvalidRequest,
			"%q is the data directory of the index itself, which each run changes; keep the index elsewhere (--store)", root)
	}
	sp.Root = root
	if sp.ID == "" {
		if sp.ID, err = r.idOf(ctx, root); err != nil {
			return jobs.Spec{}, err
		}
	}
	return sp, checkID(sp)
}

// errMovedAway is of a folder that was allowed, and is another one by now.
func errMovedAway(target string) error {
	return fault.New(fault.Forbidden,
		"the path %q leads through a symlink now, which it did not when it was allowed; ask again", target)
}

// below reports whether a path is that of a folder or of something in it.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// idOf is the id that a folder is registered under, or else that it suggests.
func (r resolver) idOf(ctx context.Context, root string) (models.RepoID, error) {
	registered, err := records.Repositories(ctx, r.store)
	if err != nil {
		return "", err
	}
	for id, known := range registered {
		if known.Root == root && known.URL == "" && !r.shared {
			return id, nil
		}
	}
	return remote.InferID(ctx, root)
}

// resolveURL finds out where a clone goes. A path to a bare repository is a
// URL too.
func (r resolver) resolveURL(ctx context.Context, sp jobs.Spec, others []jobs.Spec) (jobs.Spec, error) {
	shown := remote.RedactURL(sp.Target)
	if r.clones == "" {
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
	taken, err := records.Repositories(ctx, r.store)
	if err != nil {
		return jobs.Spec{}, err
	}
	for _, o := range others {
		taken[o.ID] = models.Repository{RepoID: o.ID, Root: o.Root, URL: o.URL}
	}
	sp.URL = shown
	id := r.idOfURL(shown, ids, taken)
	if known, ok := taken[id]; ok && known.URL == shown && !r.shared {
		sp.Root = known.Root
	} else {
		sp.Root = r.cloneOf(id)
	}
	sp.ID = cmp.Or(sp.ID, id)
	return sp, checkID(sp)
}

// cloneOf is the folder of the clone with that id.
func (r resolver) cloneOf(id models.RepoID) string {
	return filepath.Join(r.reposDir(), filepath.FromSlash(string(id)))
}

// idOfURL is the id that a URL has already, else the first of those that it may
// have which nobody else has.
func (r resolver) idOfURL(url string, ids []models.RepoID, taken map[models.RepoID]models.Repository) models.RepoID {
	for id, known := range taken {
		if known.URL == url {
			return id
		}
	}
	for _, id := range ids {
		known, ok := taken[id]
		others := func(other models.Repository) bool { return other.Root == r.cloneOf(id) }
		if (!ok || known.Root == "") && !slices.ContainsFunc(slices.Collect(maps.Values(taken)), others) {
			return id
		}
	}
	return ids[0]
}

// reposDir is the folder for clones without symlinks, as far as it is there.
func (r resolver) reposDir() string {
	if dir, err := filepath.EvalSymlinks(r.clones); err == nil {
		return dir
	}
	return r.clones
}

func checkID(sp jobs.Spec) error {
	if sp.ID.Valid() {
		return nil
	}
	return fault.New(fault.InvalidRequest,
		"%q can't be the id of a repository (1 to 4 segments of letters, digits, '.', '_' and '-'); choose one with repo_id",
		sp.ID)
}

// resolveBeside is resolve for a folder among others. Two clones of one
// repository have the same id by their remotes: the second one gets the name of
// its folder behind it. On a store that servers share the id is left to be
// refused, because the other folder may be this one on another machine.
func (r resolver) resolveBeside(ctx context.Context, root string, others []jobs.Spec) (jobs.Spec, error) {
	sp, err := r.resolve(ctx, root, "")
	if err != nil {
		return jobs.Spec{}, err
	}
	taken := slices.ContainsFunc(others, func(o jobs.Spec) bool { return o.ID == sp.ID && o.Root != sp.Root })
	if !r.shared && !taken {
		registered, err := records.Repositories(ctx, r.store)
		if err != nil {
			return jobs.Spec{}, err
		}
		known, ok := registered[sp.ID]
		taken = ok && known.Root != sp.Root && isFolder(known.Root) // else the folder was moved, perhaps
	}
	if taken {
		sp.ID = remote.BesideID(sp.ID, sp.Root)
	}
	return sp, checkID(sp)
}

// below finds the repositories below the targets, each once, and warns of
// folders that can't be looked into. To find none is an error.
func (r resolver) below(ctx context.Context, req StartRequest) (roots []string, warnings []models.Warning, err error) {
	if req.RepoID != "" {
		return nil, nil, fault.New(fault.InvalidRequest,
			"repo_id names one repository; leave it out where each repository of a folder is indexed")
	}
	seen := map[string]bool{}
	for _, target := range req.Targets {
		if remote.IsURL(target) || !filepath.IsAbs(target) {
			return nil, nil, fault.New(fault.InvalidRequest,
				"%q is not the absolute path of a folder; each looks for repositories in folders", remote.RedactURL(target))
		}
		found, unreadable, err := worktrees.Below(ctx, target)
		if err != nil {
			return nil, nil, err
		}
		if r.settled && slices.ContainsFunc(found, func(root string) bool { return !below(target, root) }) {
			return nil, nil, errMovedAway(target)
		}
		if len(found) == 0 {
			return nil, nil, fault.New(fault.InvalidRequest,
				"there is no git repository at or below %s; to index a folder without git, leave each out", target)
		}
		for _, folder := range unreadable {
			warnings = append(warnings,
				models.Warning{Code: codeNotStarted, Message: folder + " can't be read, nothing below it was looked for"})
		}
		for _, root := range found {
			if !seen[root] {
				seen[root], roots = true, append(roots, root)
			}
		}
	}
	if len(roots) > worktrees.MaxBelow {
		return nil, nil, fault.New(fault.InvalidRequest,
			"there are %d repositories below the targets, more than %d; give folders with fewer", len(roots), worktrees.MaxBelow)
	}
	return roots, warnings, nil
}

func isFolder(root string) bool {
	info, err := os.Stat(root)
	return err == nil && info.IsDir()
}

// reach is the job of another server as this one can run it. It is false when
// the folder is not on this machine.
func (r resolver) reach(ctx context.Context, rec jobs.SpecRecord) (jobs.Spec, bool) {
	sp := jobs.Spec{Target: rec.Target, ID: rec.RepoID, Root: rec.Root, Inferred: rec.Inferred, Secret: rec.Secret}
	if rec.URL != "" {
		var err error
		if sp, err = r.resolveURL(ctx, jobs.Spec{Target: rec.URL, ID: rec.RepoID, Secret: rec.Secret}, nil); err != nil ||
			!hasOrigin(rec.URL) {
			return jobs.Spec{}, false
		}
	} else if !sameRepository(ctx, rec) {
		return jobs.Spec{}, false
	}
	sp.Full = rec.Full
	return sp, true
}

// hasOrigin is false for a URL of a folder that is not on this machine.
func hasOrigin(url string) bool {
	dir, local := strings.CutPrefix(url, "file://")
	if !local && !filepath.IsAbs(url) {
		return true
	}
	_, err := os.Stat(dir)
	return err == nil
}

// sameRepository reports whether a folder is on this machine and, as far as it
// can tell, the same as on the other. An empty one may be a place where nothing
// is mounted: to index it would remove everything.
func sameRepository(ctx context.Context, rec jobs.SpecRecord) bool {
	entries, err := os.ReadDir(rec.Root)
	if err != nil || len(entries) == 0 {
		return false
	}
	id, err := remote.InferID(ctx, rec.Root)
	return err == nil && id == rec.Inferred
}
