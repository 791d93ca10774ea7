package index

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/index/compose"
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
	known, err := s.named(ctx, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	req.RepoID = known.RepoID
	if j := s.running(req.RepoID); j != nil {
		return RemoveResponse{},
			fault.New(fault.Conflict, "%s is being indexed by job %s; cancel it first (DELETE /api/index/jobs/%s)", req.RepoID,
				j.id, j.id)
	}
	last, err := s.isLast(ctx, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	b := purgeBatch(req.RepoID)
	b.DeleteRecords = append(b.DeleteRecords, foldersID(req.RepoID), repositoryID(req.RepoID))
	if last {
		b.DeleteRecords = append(b.DeleteRecords, models.RecordID{Collection: models.CollectionMeta, Key: embedderKey})
	}
	s.forgetRecords(req.RepoID)
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

func repositoryID(id models.RepoID) models.RecordID {
	return models.RecordID{Collection: models.CollectionRepos, Key: string(id)}
}

// removeClone deletes the folder of a repository that was cloned from a URL to
// below the folder of clones; any other folder is its
// owner's, and it reports false.
func (s *Service) removeClone(r models.Repository) (deleted bool, err error) {
	if r.URL == "" || s.config.ReposDir == "" {
		return false, nil
	}
	rel, err := filepath.Rel(s.reposDir(), r.Root)
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

// named is the record of the registered repository that an id, or the end of
// one, names: see filter.Repository.
func (s *Service) named(ctx context.Context, id models.RepoID) (models.Repository, error) {
	all, err := s.registered(ctx)
	if err != nil {
		return models.Repository{}, err
	}
	meant, err := filter.Repository(slices.Sorted(maps.Keys(all)), string(id))
	return all[meant], err
}

// repository is the record of the registered repository of exactly that id.
func (s *Service) repository(ctx context.Context, id models.RepoID) (models.Repository, error) {
	var r models.Repository
	ok, err := s.store.Record(ctx, models.CollectionRepos, string(id), &r)
	if err != nil {
		return r, fmt.Errorf("read repository %s: %w", id, err)
	}
	if !ok {
		return r, fault.New(fault.RepoNotFound, "no repository %q is registered; `ragnav repos` lists them",
			strings.ToValidUTF8(string(id), "?"))
	}
	return r, nil
}

// isLast reports whether no other repository is registered.
func (s *Service) isLast(ctx context.Context, id models.RepoID) (bool, error) {
	others := 0
	err := records(ctx, s.store, models.CollectionRepos, func(_ string, r models.Repository) {
		others += compose.Count(r.RepoID != id)
	})
	if err != nil {
		return false, fmt.Errorf("read repositories: %w", err)
	}
	return others == 0, nil
}
