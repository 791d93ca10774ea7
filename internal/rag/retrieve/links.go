package retrieve

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	maxBacklinks = 20  // that are named
	linkingPool  = 200 // sections that are looked at for them
)

// backlinks are the files of the repository that link to the file of a document by
// its name, path or an alias.
func backlinks(ctx context.Context, index Index, d models.Document) ([]string, error) {
	if d.Type != models.TypeDocument {
		return nil, nil
	}
	var names []fts.Query
	for _, name := range namesOf(d) {
		names = append(names, filter.Link(name))
	}
	res, err := index.Search(ctx, fts.Request{Size: linkingPool, Query: filter.AllOf([]fts.Query{
		fts.Filter(fts.FieldType, string(models.TypeDocument)), fts.Filter(fts.FieldRepo, string(d.RepoID)),
		filter.AnyOf(names),
	})})
	if err != nil {
		return nil, fmt.Errorf("find backlinks: %w", err)
	}
	var files []string
	for _, h := range res.Hits {
		if h.FilePath != d.FilePath {
			files = append(files, h.FilePath)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	return files[:min(len(files), maxBacklinks)], nil
}

// namesOf are what a note is linked by.
func namesOf(d models.Document) []string {
	return append([]string{fts.LinkTerm(d.FilePath), fts.LinkTerm(path.Base(d.FilePath))}, d.Aliases...)
}

const (
	noteNames = 20  // notes that a link may mean
	maxNames  = 100 // names of them
)

// linkNames are what the notes are linked by that a link with that text means: one
// by its name, path or alias. The text itself is the first.
func linkNames(ctx context.Context, index Index, text string) ([]string, error) {
	target := fts.LinkTerm(text)
	names := []string{text}
	if target == "" {
		return names, nil
	}
	named := []fts.Query{fts.Filter(fts.FieldTitle, target)}
	for _, form := range filter.PathForms(target) {
		named = append(named, fts.Regexp{
			Field: fts.FieldPath, Regexp: `(?i)(?:.*/)?` + regexp.QuoteMeta(form) + `\.(?:md|markdown)`, Boost: fts.Zero(),
		})
	}
	res, err := index.Search(ctx,
		fts.Request{
			Size:  noteNames,
			Query: filter.AllOf([]fts.Query{fts.Filter(fts.FieldType, string(models.TypeDocument)), filter.AnyOf(named)}),
		})
	if err != nil {
		return nil, fmt.Errorf("find the note of a link: %w", err)
	}
	ids := make([]models.DocumentID, len(res.Hits))
	for i, h := range res.Hits {
		ids[i] = h.ID
	}
	docs, err := index.Documents(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	for _, d := range docs {
		of := namesOf(d)
		if !slices.ContainsFunc(of, func(name string) bool { return fts.LinkTerm(name) == target }) {
			continue // it only has that title
		}
		for _, name := range of {
			if !slices.Contains(names, name) && len(names) < maxNames {
				names = append(names, name)
			}
		}
	}
	return names, nil
}
