package app

import (
	"context"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// namesakes is how many symbols like a name are looked at.
const namesakes = 50

// definitionsBy finds the symbols of a name by the index: a name, or the last
// parts of a qualified one.
func definitionsBy(
	index *search.Service,
) func(ctx context.Context, id models.RepoID, name string) ([]filefetch.Span, error) {
	return func(ctx context.Context, id models.RepoID, name string) ([]filefetch.Span, error) {
		resp, err := index.Search(ctx, search.Request{
			Query: name, Level: models.LevelSymbol, Mode: search.ModeLexical, RepoFilter: string(id), Limit: new(namesakes),
		})
		if err != nil {
			return nil, err
		}
		var found []filefetch.Span
		for _, hit := range resp.Items {
			if hit.FilePath == nil || hit.SymbolName == nil {
				continue
			}
			in := string(models.SymbolID(hit.RepoID, *hit.FilePath, "", 1))
			qualified := strings.TrimPrefix(string(hit.DocumentID), in)
			if bare, _, _ := strings.Cut(qualified, "#"); bare == name || *hit.SymbolName == name || endsIn(bare, name) {
				found = append(found, filefetch.Span{FilePath: *hit.FilePath, Symbol: qualified})
			}
		}
		return found, nil
	}
}

// endsIn reports whether name is the last parts of a qualified name.
func endsIn(qualified, name string) bool {
	before, ok := strings.CutSuffix(qualified, name)
	return ok && before != "" && strings.ContainsAny(before[len(before)-1:], ".:#")
}
