package search

import (
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// weightPlace is that of the innermost symbol at a line that a query names.
const weightPlace = 4.0

// placed finds the symbols of the files of which a query names lines: their words need
// not be in it.
func placed(ctx context.Context, l legs) (fts.Result, error) {
	var files []fts.Query
	for _, p := range l.query.Places {
		files = append(files, fts.Regexp{
			Field: fts.FieldPath, Regexp: "(?:.*/)?" + regexp.QuoteMeta(strings.TrimPrefix(p.Path, "/")), Boost: fts.Zero(),
		})
		for rest := p.Path; strings.Contains(rest, "/"); { // it may begin above the repository
			_, rest, _ = strings.Cut(rest, "/")
			if strings.Contains(rest, "/") {
				files = append(files, fts.Filter(fts.FieldPath, rest))
			}
		}
	}
	return l.index.Search(ctx, fts.Request{
		Query: fts.Conjunction{
			Conjuncts: []fts.Query{l.scope.filter(l.docType), filter.AnyOf(files)}, Boost: fts.Zero(),
		},
		Size: browsePool, Near: l.vector,
	})
}

// at lets the innermost symbol at each place that a query names stand first. Where a
// symbol of the file is named as well, as in a stack trace, its name tells more: lines
// move with each edit.
func at(q goal, hits []*hit) {
	for _, p := range q.Places {
		inner := map[place]*hit{}
		for _, h := range hits {
			if h.Type != models.TypeSymbol || !isAt(p, h.FilePath) {
				continue
			}
			in := place{h.RepoID, h.FilePath}
			best, seen := inner[in]
			switch {
			case h.parts[partIdentifier] > 0:
				inner[in] = nil
			case seen && best == nil, h.StartLine > p.Line || h.EndLine < p.Line:
			case !seen || inside(h, best):
				inner[in] = h
			}
		}
		for _, h := range inner {
			if h != nil {
				h.parts[partPath] += weightPlace
				h.finish(q)
			}
		}
	}
}

// inside reports whether a symbol is the nearer one around a line. A part of a long symbol
// is not: it has no name.
func inside(h, than *hit) bool {
	if (h.Kind == models.KindChunk) != (than.Kind == models.KindChunk) {
		return than.Kind == models.KindChunk
	}
	return h.EndLine-h.StartLine < than.EndLine-than.StartLine
}

// isAt reports whether a file is the one of a place, whose path may begin within the
// repository or above it.
func isAt(p intent.Place, file string) bool {
	if file == p.Path || strings.HasSuffix(file, "/"+strings.TrimPrefix(p.Path, "/")) {
		return true
	}
	return strings.HasSuffix(p.Path, "/"+file) && path.Dir(file) != "."
}
