package retrieve

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	// notePool is how many sections are looked at at once for the notes that a
	// condition is not to select: as many as the Search service lists.
	notePool = 10_000
	// pathsPerFilter is how many files are in one part of a filter: the Search service
	// takes 1,024.
	pathsPerFilter = 1000
)

// positive is what a condition excludes; false if it excludes nothing by a tag or
// link. These are written in some section of a note, and are of all of it.
func positive(c filter.Condition) (of filter.Condition, ok bool) {
	if c.Operator == filter.Not && len(c.Parts) == 1 {
		of = c.Parts[0]
		return of, (of.Field == filter.Tags || of.Field == filter.Wikilinks) && of.Operator != filter.Ne &&
			of.Operator != filter.Nin
	}
	of = c
	switch c.Operator {
	case filter.Ne:
		of.Operator = filter.Eq
	case filter.Nin:
		of.Operator = filter.In
	default:
		return of, false
	}
	return of, c.Field == filter.Tags || c.Field == filter.Wikilinks
}

// apart are conditions without "not any of", which is "not" of each.
func apart(conditions []filter.Condition) (all []filter.Condition) {
	for _, c := range conditions {
		if c.Operator != filter.Not || len(c.Parts) != 1 || c.Parts[0].Operator != filter.Or {
			all = append(all, c)
			continue
		}
		for _, part := range c.Parts[0].Parts {
			all = append(all, filter.Condition{Operator: filter.Not, Parts: []filter.Condition{part}})
		}
	}
	return all
}

// wholeNotes is a filter that leaves out all sections of the notes of which the plan's
// conditions leave out one for its tag or link.
func wholeNotes(ctx context.Context, index Index, where fts.Query, conditions []filter.Condition) (fts.Query, error) {
	for _, c := range apart(conditions) {
		of, ok := positive(c)
		if !ok {
			continue
		}
		q, err := of.Query()
		if err != nil {
			return nil, err
		}
		left := []fts.Query{fts.Filter(fts.FieldType, string(models.TypeDocument)), q}
		seen := map[models.DocumentID]bool{}
		for more := true; more; {
			res, err := index.Search(ctx, fts.Request{Size: notePool, Query: filter.AllOf(left)})
			if err != nil {
				return nil, fmt.Errorf("find the notes that are left out: %w", err)
			}
			files := filesOf(res.Hits, seen)
			if more = len(files) > 0 && len(res.Hits)+res.Dropped >= notePool; len(files) > 0 {
				others := fts.Not{Query: ofFiles(files)}
				left, where = append(left, others), filter.AllOf([]fts.Query{where, others})
			}
		}
	}
	return where, nil
}

// filesOf are the paths of the files of hits that were not seen before, by repository.
func filesOf(hits []fts.Hit, seen map[models.DocumentID]bool) map[models.RepoID][]fts.Query {
	files := map[models.RepoID][]fts.Query{}
	for _, h := range hits {
		if id := models.FileID(h.RepoID, h.FilePath); !seen[id] {
			seen[id] = true
			files[h.RepoID] = append(files[h.RepoID], fts.Filter(fts.FieldPath, h.FilePath))
		}
	}
	return files
}

// ofFiles selects the documents of some files, of which there are some.
func ofFiles(files map[models.RepoID][]fts.Query) fts.Query {
	var repos []fts.Query
	for _, id := range slices.Sorted(maps.Keys(files)) {
		var paths []fts.Query
		for part := range slices.Chunk(files[id], pathsPerFilter) {
			paths = append(paths, filter.AnyOf(part))
		}
		repos = append(repos, filter.AllOf([]fts.Query{fts.Filter(fts.FieldRepo, string(id)), filter.AnyOf(paths)}))
	}
	var parts []fts.Query
	for part := range slices.Chunk(repos, pathsPerFilter) {
		parts = append(parts, filter.AnyOf(part))
	}
	return filter.AnyOf(parts)
}
