package repos

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const namedInMessages = 5 // ids in a message about an unknown one

// Repository returns the record of one repository, indexed or not. An unknown
// id is a fault.RepoNotFound.
func (s *Service) Repository(ctx context.Context, id models.RepoID) (models.Repository, error) {
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
	return models.Repository{}, notFound(string(id), all)
}

// Match returns the repositories that a filter means: all for "", the one of
// that id, or those whose id matches a glob in which "*" stays within a segment
// and "**" does not. At least one of them can answer (models.StateFresh); when
// none can, that is a fault.IndexNotReady. No match is a fault.RepoNotFound.
func (s *Service) Match(ctx context.Context, filter string) ([]models.Repository, error) {
	if matched := s.recalled(filter); len(matched) > 0 {
		return matched, nil
	}
	all, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fault.New(fault.IndexNotReady, "nothing is indexed yet; %s", howToStart)
	}
	matched, err := match(all, filter)
	if err != nil {
		return nil, err
	}
	if len(matched) == 0 {
		return nil, notFound(filter, all)
	}
	if !slices.ContainsFunc(matched, func(r models.Repository) bool { return r.State == models.StateFresh }) {
		return nil, s.notReady(matched)
	}
	return matched, nil
}

func match(all []models.Repository, filter string) ([]models.Repository, error) {
	if filter == "" {
		return all, nil
	}
	if !doublestar.ValidatePattern(filter) {
		return nil, fault.New(fault.InvalidRequest, "repo_filter %q is not a repository id or a glob such as owner/*", filter)
	}
	var matched []models.Repository
	for _, r := range all {
		if string(r.RepoID) == filter || doublestar.MatchUnvalidated(filter, string(r.RepoID)) {
			matched = append(matched, r)
		}
	}
	return matched, nil
}

func notFound(filter string, all []models.Repository) error {
	if len(all) == 0 {
		return fault.New(fault.RepoNotFound, "no repository %q: nothing is indexed yet; %s", filter, howToStart)
	}
	var known []string
	for _, r := range all[:min(len(all), namedInMessages)] {
		known = append(known, string(r.RepoID))
	}
	more := ""
	if rest := len(all) - len(known); rest > 0 {
		more = fmt.Sprintf(" and %d more (`ragnav repos`)", rest)
	}
	return fault.New(fault.RepoNotFound, "no repository matches %q; known are %s%s", filter, strings.Join(known, ", "), more)
}

// notReady tells why none of the repositories can answer: the first one that is
// being indexed, else the first one.
func (s *Service) notReady(found []models.Repository) error {
	for _, r := range found {
		if done, total, running := s.progress(r.RepoID); running {
			return fault.New(fault.IndexNotReady,
				"%s is being indexed for the first time (%d of %d files); try again when the job has ended, see GET /api/index/jobs", r.RepoID, done, total)
		}
	}
	switch r := found[0]; r.State {
	case models.StateIndexing:
		return fault.New(fault.IndexNotReady, "%s is being indexed for the first time; try again later", r.RepoID)
	case models.StateError:
		return fault.New(fault.IndexNotReady, "%s (%s) has no usable index: %s", r.RepoID, r.Root, r.LastError)
	default:
		return fault.New(fault.IndexNotReady, "%s was never indexed; run `ragnav index %s`", r.RepoID, r.Root)
	}
}
