package records

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Repositories are the repositories that have a record.
func Repositories(ctx context.Context, st Reader) (map[models.RepoID]models.Repository, error) {
	all := map[models.RepoID]models.Repository{}
	if err := Each(ctx, st, models.CollectionRepos, func(_ string, r models.Repository) {
		all[r.RepoID] = r
	}); err != nil {
		return nil, fmt.Errorf("read repositories: %w", err)
	}
	return all, nil
}

// Named is the record of the registered repository that an id, or the end of
// one, names: see filter.Repository.
func Named(ctx context.Context, st Reader, id models.RepoID) (models.Repository, error) {
	all, err := Repositories(ctx, st)
	if err != nil {
		return models.Repository{}, err
	}
	meant, err := filter.Repository(slices.Sorted(maps.Keys(all)), string(id))
	return all[meant], err
}

// Repository is the record of the registered repository of exactly that id.
func Repository(ctx context.Context, st Reader, id models.RepoID) (models.Repository, error) {
	var r models.Repository
	ok, err := st.Record(ctx, models.CollectionRepos, string(id), &r)
	if err != nil {
		return r, fmt.Errorf("read repository %s: %w", id, err)
	}
	if !ok {
		return r, fault.New(fault.RepoNotFound, "no repository %q is registered; `ragnav repos` lists them",
			strings.ToValidUTF8(string(id), "?"))
	}
	return r, nil
}

// IsLast reports whether no other repository is registered.
func IsLast(ctx context.Context, st Reader, id models.RepoID) (bool, error) {
	others := 0
	err := Each(ctx, st, models.CollectionRepos, func(_ string, r models.Repository) {
		if r.RepoID != id {
			others++
		}
	})
	if err != nil {
		return false, fmt.Errorf("read repositories: %w", err)
	}
	return others == 0, nil
}

// RepositoryRecord is a repository's own record, to be put into a store.
func RepositoryRecord(r models.Repository) models.Record {
	return models.Record{Collection: models.CollectionRepos, Key: string(r.RepoID), Value: r}
}

// RepositoryID names that record, to be deleted.
func RepositoryID(id models.RepoID) models.RecordID {
	return models.RecordID{Collection: models.CollectionRepos, Key: string(id)}
}

// IndexAgain tells the command that indexes a repository again.
func IndexAgain(known models.Repository) string {
	target := known.Root
	if known.URL != "" {
		target = known.URL
	}
	if strings.ContainsAny(target, " \t\n\"'\\$&;|<>()*?") {
		target = "'" + strings.ReplaceAll(target, "'", `'\''`) + "'"
	}
	return "run `ragnav index " + target + "`"
}
