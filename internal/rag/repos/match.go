package repos

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Repository returns the record of one repository, indexed or not, by its id or
// last segments of it that no other id has, see filter.Repository, or by the whole
// path of its folder, or of the bare repository that it is a clone of. An unknown id is a fault.RepoNotFound.
func (s *Service) Repository(ctx context.Context, id models.RepoID) (models.Repository, error) {
	if r, ok := s.one(ctx, id); ok {
		return r, nil
	}
	var r models.Repository
	ok, err := s.records.Record(ctx, models.CollectionRepos, string(id), &r)
	if err != nil {
		return models.Repository{}, fmt.Errorf("read repository %s: %w", id, err)
	}
	if ok {
		return r, nil
	}
	all, err := s.all(ctx)
	if err != nil {
		return models.Repository{}, err
	}
	if i := in(all, string(id)); i >= 0 {
		return all[i], nil
	}
	meant, err := filter.Repository(ids(all), string(id))
	if err != nil {
		return models.Repository{}, err
	}
	return all[slices.IndexFunc(all, func(r models.Repository) bool { return r.RepoID == meant })], nil
}

// in is which repository's folder a path is, or which was cloned from there; -1 for none.
func in(all []models.Repository, path string) int {
	if !filepath.IsAbs(path) {
		return -1
	}
	path = filepath.Clean(path)
	return slices.IndexFunc(all, func(r models.Repository) bool { return r.Root == path || r.URL == path })
}

func ids(all []models.Repository) []models.RepoID {
	ids := make([]models.RepoID, len(all))
	for i, r := range all {
		ids[i] = r.RepoID
	}
	return ids
}

// Match returns the repositories that a filter means, see filter.Repositories. At
// least one of them can answer (models.StateFresh); when none can, that is a
// fault.IndexNotReady. No match is a fault.RepoNotFound.
func (s *Service) Match(ctx context.Context, name string) ([]models.Repository, error) {
	if matched := s.recalled(name); len(matched) > 0 {
		return matched, nil
	}
	all, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fault.New(fault.IndexNotReady, "nothing is indexed yet; %s", howToStart)
	}
	matched, err := match(all, name)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(matched, func(r models.Repository) bool { return r.State == models.StateFresh }) {
		return nil, s.notReady(matched)
	}
	return matched, nil
}

func match(all []models.Repository, name string) ([]models.Repository, error) {
	if name == "" {
		return all, nil
	}
	meant, err := filter.Repositories(ids(all), name)
	if err != nil {
		return nil, err
	}
	var matched []models.Repository
	for _, r := range all {
		if slices.Contains(meant, r.RepoID) {
			matched = append(matched, r)
		}
	}
	return matched, nil
}

// notReady tells why none of the repositories can answer: the first one that is
// being indexed, else the first one.
func (s *Service) notReady(found []models.Repository) error {
	for _, r := range found {
		if done, total, running := s.progress(r.RepoID); running {
			return fault.New(fault.IndexNotReady,
				"%s is being indexed for the first time (%d of %d files); "+
					"try again when the job has ended, see `ragnav jobs`", r.RepoID, done, total)
		}
	}
	switch r := found[0]; r.State {
	case models.StateIndexing:
		return fault.New(fault.IndexNotReady, "%s is being indexed for the first time; try again later", r.RepoID)
	case models.StateError:
		if r.Root == "" {
			return fault.New(fault.IndexNotReady, "%s has no usable index: %s", r.RepoID, r.LastError)
		}
		return fault.New(fault.IndexNotReady, "%s (%s) has no usable index: %s", r.RepoID, r.Root, r.LastError)
	default:
		return fault.New(fault.IndexNotReady, "%s was never indexed; run `ragnav index %s`", r.RepoID, r.Root)
	}
}
