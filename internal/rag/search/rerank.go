package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// A Reranker tells how much texts have to do with a query, in their order; more is
// better.
type Reranker interface {
	Scores(ctx context.Context, query string, texts []string) ([]float64, error)
}

// A reranking puts the first hits of a question in another order.
type reranking struct {
	by         Reranker // nil: nothing does
	first      int      // so many hits
	characters int      // so many of each are shown
}

// Rerank has the first so many hits of questions put in the order of r, which is
// shown so many characters of what is stored of each. First is at most 255.
func (s *Service) Rerank(r Reranker, first, characters int) {
	s.reranking = reranking{r, first, characters}
}

// wanted reports whether a request begins a list whose order is a matter of meaning:
// not that of what has a name or a path, or fits what was said exactly.
func (r reranking) wanted(req Request, sc scope) bool {
	return r.by != nil && !req.AsRanked && req.Cursor == "" && req.Mode != ModeLexical &&
		intent.PlainWords(sc.words) >= leastPlain && !query.Has(sc.asked.Root, ofText(sc.asked.Query))
}

const leastPlain = 2

// order gives the places of the first hits in the order of the reranker; equal ones
// stay as they are. Nil is the order that they have: a reranker that fails costs a
// warning, not the answer.
func (r reranking) order(ctx context.Context, index Index, words string, ranked *ranking) ([]byte, error) {
	hits := ranked.hits[:min(r.first, len(ranked.hits))]
	if ranked.asked || len(hits) < 2 {
		return nil, nil
	}
	texts, err := r.texts(ctx, index, hits)
	if err != nil {
		return nil, err
	}
	limited := ctx
	if end, ok := ctx.Deadline(); ok { // the rest is for the answer without it
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	scores, err := r.by.Scores(limited, words, texts)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		ranked.warnings = append(ranked.warnings, notReranked(err))
		return nil, nil
	}
	order := make([]byte, len(hits))
	for i, h := range hits {
		order[i], h.parts[partReranker] = byte(i), scores[i]
	}
	slices.SortStableFunc(order, func(a, b byte) int { return cmp.Compare(scores[b], scores[a]) })
	return order, nil
}

func notReranked(err error) models.Warning {
	why := "there was no time to wait for the reranker"
	if !errors.Is(err, context.DeadlineExceeded) {
		why = fault.MessageOf(err)
	}
	return models.Warning{Code: "RERANKER_UNAVAILABLE", Message: "in the order of the index: " + why}
}

// texts are what is shown of hits: where they are, the symbol that speaks best for a
// file, and what is stored of them.
func (r reranking) texts(ctx context.Context, index Index, hits []*hit) ([]string, error) {
	var ids []models.DocumentID
	for _, h := range hits {
		ids = append(ids, h.ID)
		if len(h.speakers) > 0 {
			ids = append(ids, h.speakers[0].ID)
		}
	}
	docs, err := index.Documents(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[models.DocumentID]models.Document, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	texts := make([]string, len(hits))
	for i, h := range hits {
		d := byID[h.ID]
		lines := []string{h.FilePath, h.QualifiedName, strings.Join(d.HeaderPath, " > ")}
		if len(h.speakers) > 0 {
			lines = append(lines, byID[h.speakers[0].ID].Content)
		}
		lines = slices.DeleteFunc(append(lines, d.Content), func(line string) bool { return line == "" })
		texts[i] = cut(strings.Join(lines, "\n"), r.characters)
	}
	return texts, nil
}

// reorder puts the hits that came first at these places. The scores keep their places,
// so that they go on falling.
func (r *ranking) reorder(order []byte) {
	was := slices.Clone(r.hits[:min(len(order), len(r.hits))])
	scores := make([]float64, len(was))
	for i, h := range was {
		scores[i] = h.score
	}
	n := 0
	for _, at := range order {
		if int(at) >= len(was) { // the index has fewer since
			continue
		}
		h := was[at]
		h.score, h.parts[partRanked] = scores[n], float64(at)+1
		r.hits[n] = h
		n++
	}
	r.order = order
}
