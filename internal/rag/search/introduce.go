package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var readmes = []string{
	"README.md", "readme.md", "Readme.md", "README", "README.rst", "README.txt", "README.adoc", "README.markdown",
}

// introduce puts the beginning of the README behind the summary that answers a
// question about the one project of the scope. The summary is made of it, so that
// it is as much like the question.
func (s scopes) introduce(ctx context.Context, sc scope, r *ranking) error {
	if len(r.hits) != 1 || sc.asked.Root != nil || !aboutProject.MatchString(sc.words) {
		return nil
	}
	r.asked = true
	paths := make([]fts.Query, len(readmes))
	for i, p := range readmes {
		paths[i] = fts.Filter(fts.FieldPath, p)
	}
	sc.add(fts.Filter(fts.FieldRepo, string(r.hits[0].RepoID)))
	sc.add(filter.AnyOf(paths))
	res, err := s.index.Search(ctx, fts.Request{Query: sc.filter(models.TypeDocument), Size: exactPool})
	if err != nil {
		return fmt.Errorf("find the README: %w", err)
	}
	if len(res.Hits) > 0 {
		first := slices.MinFunc(res.Hits, func(a, b fts.Hit) int { return a.StartLine - b.StartLine })
		h := *r.hits[0]
		h.Header = &first.Header
		r.hits = append(r.hits, &h)
		r.examined++
	}
	return nil
}

// whole says, of hits at a level that was asked for, which one a question about a
// project is for.
func whole(words string, asked models.Level) string {
	if asked == models.LevelRepo || asked == models.LevelAuto || !aboutProject.MatchString(words) {
		return ""
	}
	return "this is about a project as a whole; level auto finds its summary, and of one repository its README"
}
