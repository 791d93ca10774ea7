package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A remover takes repositories out of the index.
type remover struct {
	store   records.Store
	board   *jobs.Board // nil unless the store is Shared
	launch  *launcher   // which starts no job meanwhile
	memory  *run.Memory
	targets resolver
	site    func(*jobs.Handle) *run.Site
}

// remove is Service.Remove.
func (r *remover) remove(ctx context.Context, req RemoveRequest) (RemoveResponse, error) {
	if r.board != nil {
		return r.shared(ctx, req)
	}
	r.launch.starting.Lock()
	defer r.launch.starting.Unlock()
	known, err := records.Named(ctx, r.store, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	req.RepoID = known.RepoID
	if j := r.launch.queue.Running(req.RepoID); j != nil {
		return RemoveResponse{},
			fault.New(fault.Conflict, "%s is being indexed by job %s; cancel it first (`ragnav jobs cancel %s`)", req.RepoID,
				j.ID, j.ID)
	}
	last, err := records.IsLast(ctx, r.store, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	b := records.PurgeBatch(req.RepoID)
	b.DeleteRecords = append(b.DeleteRecords, records.FoldersID(req.RepoID), records.RepositoryID(req.RepoID))
	if last {
		embedder := models.RecordID{Collection: models.CollectionMeta, Key: records.EmbedderKey}
		b.DeleteRecords = append(b.DeleteRecords, embedder)
	}
	r.memory.Take(req.RepoID) // it leaves the index
	if err := r.store.Apply(ctx, b); err != nil {
		return RemoveResponse{}, fmt.Errorf("remove %s: %w", req.RepoID, err)
	}
	return r.removed(known), nil
}

// shared is remove for a shared store. It has the repository's lease for
// as long as it works.
func (r *remover) shared(ctx context.Context, req RemoveRequest) (RemoveResponse, error) {
	named, err := records.Named(ctx, r.store, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	req.RepoID = named.RepoID
	j := jobs.New(jobs.Spec{ID: req.RepoID}, r.launch.now)
	j.Removal = true
	if err := r.board.Hold(ctx, j); err != nil {
		return RemoveResponse{}, err
	}
	defer j.Forfeit(ctx)
	ctx, release := j.Under(ctx)
	defer release()
	known, err := records.Repository(ctx, r.store, req.RepoID) // again: now nobody else changes it
	if err != nil {
		return RemoveResponse{}, err
	}
	err = run.Erase(ctx, r.site(j), known)
	if errors.Is(context.Cause(ctx), jobs.ErrLost) {
		return RemoveResponse{},
			fault.Wrap(fault.RAGUnavailable, err,
				"the store did not answer for %v, so the removal of %s was given up half-way; run `ragnav remove` again",
				r.board.TTL, req.RepoID)
	}
	if err != nil {
		return RemoveResponse{}, fmt.Errorf("remove %s: %w", req.RepoID, err)
	}
	return r.removed(known), nil
}

// removed deletes the clone of a repository that has left the index, and says
// what was removed.
func (r *remover) removed(known models.Repository) RemoveResponse {
	res := RemoveResponse{models.OKResult([]Removed{{RepoID: known.RepoID, Documents: known.DocCount}})}
	deleted, err := r.removeClone(known)
	if res.Items[0].Clone = deleted; err != nil {
		res.Meta.Message = new(
			fmt.Sprintf("%s is removed from the index, but its clone %s could not be deleted; delete it by hand", known.RepoID,
				known.Root))
	}
	return res
}

// removeClone deletes the folder of a repository that was cloned from a URL to
// below the folder of clones; any other folder is its
// owner's, and it reports false.
func (r *remover) removeClone(of models.Repository) (deleted bool, err error) {
	if of.URL == "" || r.targets.clones == "" {
		return false, nil
	}
	rel, err := filepath.Rel(r.targets.reposDir(), of.Root)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return false, nil // not below: not ours
	}
	root, err := os.OpenRoot(r.targets.clones)
	if err != nil {
		return false, err
	}
	defer func() { _ = root.Close() }()
	if err := root.RemoveAll(rel); err != nil {
		return false, err
	}
	// The owner's folder goes when nothing else is in it.
	for dir := filepath.Dir(rel); dir != "."; dir = filepath.Dir(dir) {
		if root.Remove(dir) != nil {
			break
		}
	}
	return true, nil
}
