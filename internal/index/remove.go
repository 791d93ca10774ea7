package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Remove forgets a repository: its documents, its records and, of a clone that
// this service made, its folder. A repository with a running job is a Conflict.
// When it was the last one the store takes another embedder again.
func (s *Service) Remove(ctx context.Context, req RemoveRequest) (RemoveResponse, error) {
	if s.board != nil {
		return s.removeShared(ctx, req)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	known, err := records.Named(ctx, s.store, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	req.RepoID = known.RepoID
	if j := s.queue.Running(req.RepoID); j != nil {
		return RemoveResponse{},
			fault.New(fault.Conflict, "%s is being indexed by job %s; cancel it first (DELETE /api/index/jobs/%s)", req.RepoID,
				j.ID, j.ID)
	}
	last, err := records.IsLast(ctx, s.store, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	b := records.PurgeBatch(req.RepoID)
	b.DeleteRecords = append(b.DeleteRecords, records.FoldersID(req.RepoID), records.RepositoryID(req.RepoID))
	if last {
		embedder := models.RecordID{Collection: models.CollectionMeta, Key: records.EmbedderKey}
		b.DeleteRecords = append(b.DeleteRecords, embedder)
	}
	s.memory.Take(req.RepoID) // it leaves the index
	if err := s.store.Apply(ctx, b); err != nil {
		return RemoveResponse{}, fmt.Errorf("remove %s: %w", req.RepoID, err)
	}
	return s.removed(known), nil
}

// removed deletes the clone of a repository that has left the index, and says
// what was removed.
func (s *Service) removed(known models.Repository) RemoveResponse {
	res := RemoveResponse{models.OKResult([]Removed{{RepoID: known.RepoID, Documents: known.DocCount}})}
	deleted, err := s.removeClone(known)
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
func (s *Service) removeClone(r models.Repository) (deleted bool, err error) {
	if r.URL == "" || s.config.ReposDir == "" {
		return false, nil
	}
	rel, err := filepath.Rel(s.targets.reposDir(), r.Root)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return false, nil // not below: not ours
	}
	root, err := os.OpenRoot(s.config.ReposDir)
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
