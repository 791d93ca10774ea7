package ask

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A question for a default or a limit is answered by a constant or a field, whose name
// has fewestNamed of its words and most of them; functions that set it have them, too,
// and more beside.
const (
	fewestNamed = 2
	mayLimit    = 5 // of the best values
)

// limit is the value whose name says the most of a question for one, if one says enough.
func (f finder) limit(ctx context.Context, text string) (l lead, ok bool, err error) {
	asks := question.LimitTerms(text)
	if asks == nil || !f.Step(1, "constants were searched") {
		return l, false, nil
	}
	kinds := []fts.Query{
		fts.Filter(fts.FieldKind, "const"), fts.Filter(fts.FieldKind, "field"), fts.Filter(fts.FieldKind, "property"),
		fts.Filter(fts.FieldKind, "var"),
	}
	resp, err := f.search.Search(ctx, search.Request{
		Query: text, Level: models.LevelSymbol, RepoFilter: f.asked.Filter, Limit: new(mayLimit),
		AsRanked: true, Where: filter.AnyOf(kinds),
	})
	if err != nil {
		return l, false, err
	}
	f.Did("search_code", "constants and fields: "+text, len(resp.Items))
	most := fewestNamed - 1
	for _, item := range resp.Items {
		if item.Weak || item.FilePath == nil || item.SymbolName == nil {
			continue
		}
		var named []string
		for _, term := range fts.Analyze(*item.SymbolName) {
			if slices.Contains(asks, term) && !slices.Contains(named, term) {
				named = append(named, term)
			}
		}
		if len(named) > most && 2*len(named) > len(asks) {
			most, ok = len(named), true
			l = lead{score: surely, place: place{
				repo: item.RepoID, path: *item.FilePath, share: 1, cosine: resp.Likeness[item.DocumentID].Cosine,
				leader: item.DocumentID,
			}}
		}
	}
	return l, ok, nil
}

// surely is more than any other lead has.
const surely = 3
