package app

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

const (
	namesakes = 50 // how many symbols like a name are looked at
	outlined  = 8  // and in how many files at the package
)

// definitionsBy finds the symbols of a name by the index: a name, or the last
// parts of a qualified one, also as their language writes it. Where nothing is
// called so, what is before the name may be the package of its file.
func definitionsBy(
	index *search.Service, files *filefetch.Service,
) func(ctx context.Context, id models.RepoID, name string) ([]filefetch.Span, error) {
	return func(ctx context.Context, id models.RepoID, name string) ([]filefetch.Span, error) {
		query := name
		if strings.ContainsAny(name, `\<($`) { // which part words for a search
			query = models.PlainName(name)
		}
		resp, err := index.Search(ctx, search.Request{
			Query: query, Level: models.LevelSymbol, Mode: search.ModeLexical, RepoFilter: string(id), Limit: new(namesakes),
		})
		if err != nil {
			return nil, err
		}
		var found, ends []filefetch.Span
		for _, hit := range resp.Items {
			if hit.FilePath == nil || hit.SymbolName == nil {
				continue
			}
			in := string(models.SymbolID(hit.RepoID, *hit.FilePath, "", 1))
			span := filefetch.Span{FilePath: *hit.FilePath, Symbol: strings.TrimPrefix(string(hit.DocumentID), in)}
			bare, _, _ := strings.Cut(span.Symbol, "#")
			switch {
			case bare == name || *hit.SymbolName == name || endsIn(bare, name) ||
				models.NameMeans(name, bare, path.Dir(span.FilePath), strings.TrimSuffix(span.FilePath, path.Ext(span.FilePath))):
				found = append(found, span)
			case models.NameEnds(name, bare):
				ends = append(ends, span)
			}
		}
		if len(found) == 0 {
			return inPackage(ctx, files, id, name, ends)
		}
		return found, nil
	}
}

// inPackage keeps the symbols that have a name within the package of their file.
func inPackage(
	ctx context.Context, files *filefetch.Service, id models.RepoID, name string, all []filefetch.Span,
) (found []filefetch.Span, err error) {
	for _, span := range all[:min(len(all), outlined)] {
		o, err := files.Outline(ctx, id, span.FilePath, "")
		if err != nil {
			return nil, err
		}
		bare, _, _ := strings.Cut(span.Symbol, "#")
		if slices.ContainsFunc(o.Outline.FindAs(span.FilePath, name), func(p parse.Place) bool { return p.Name == bare }) {
			found = append(found, span)
		}
	}
	return found, nil
}

// endsIn reports whether name is the last parts of a qualified name.
func endsIn(qualified, name string) bool {
	before, ok := strings.CutSuffix(qualified, name)
	return ok && before != "" && strings.ContainsAny(before[len(before)-1:], ".:#")
}
