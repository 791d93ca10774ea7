package retrieve

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// notePool is how many sections are looked at at once for the notes that a condition
// is not to select: more would be too many files for one filter.
const notePool = 1000

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

// wholeNotes is a filter that leaves out all sections of the notes of which the plan's
// conditions leave out one for its tag or link.
func wholeNotes(ctx context.Context, index Index, where fts.Query, conditions []filter.Condition) (fts.Query, error) {
	for _, c := range conditions {
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
				others := fts.Not{Query: filter.AnyOf(files)}
				left, where = append(left, others), filter.AllOf([]fts.Query{where, others})
			}
		}
	}
	return where, nil
}

// filesOf select the files of hits that were not seen before.
func filesOf(hits []fts.Hit, seen map[models.DocumentID]bool) (files []fts.Query) {
	for _, h := range hits {
		if id := models.FileID(h.RepoID, h.FilePath); !seen[id] {
			seen[id] = true
			files = append(files, filter.AllOf([]fts.Query{
				fts.Filter(fts.FieldRepo, string(h.RepoID)), fts.Filter(fts.FieldPath, h.FilePath),
			}))
		}
	}
	return files
}
