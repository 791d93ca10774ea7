package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// spans lists the documents that fit the question best: symbols and document
// sections in turn, two of the kind that the question asks for to one of the
// other.
func (r *run) spans(ctx context.Context) ([]models.Level, []models.Document, error) {
	order := r.levels()
	var levels []models.Level
	var lists [2][]models.DocumentID
	for i, level := range order {
		if !r.step("budget used up before level " + string(level) + " was searched") {
			break
		}
		ids, err := r.find(ctx, level)
		if err != nil {
			return nil, nil, err
		}
		levels, lists[i] = append(levels, level), ids
	}
	docs, err := r.docs.Documents(ctx, interleave(lists[0], lists[1]))
	return levels, docs, err
}

// levels are the levels to search, in order.
func (r *run) levels() []models.Level {
	level := r.req.Level
	if level == "" || level == models.LevelAuto {
		level = search.Route(r.question())
	}
	switch {
	case r.req.Level == models.LevelSymbol, r.req.Level == models.LevelDoc:
		return []models.Level{r.req.Level}
	case level == models.LevelDoc, level == models.LevelModule, level == models.LevelRepo:
		return []models.Level{models.LevelDoc, models.LevelSymbol}
	}
	return []models.Level{models.LevelSymbol, models.LevelDoc}
}

func (r *run) find(ctx context.Context, level models.Level) ([]models.DocumentID, error) {
	resp, err := r.search.Search(ctx, search.Request{
		Query: r.question(), Level: level, RepoFilter: r.req.RepoFilter, Limit: new(2 * r.citations),
	})
	if err != nil {
		return nil, err
	}
	r.log = append(r.log, models.Step{Operation: "search_code", Detail: "level " + string(level) + ": " + r.question(), Items: len(resp.Items)})
	for _, w := range resp.Meta.Warnings {
		if !slices.Contains(r.warnings, w) {
			r.warnings = append(r.warnings, w)
		}
	}
	r.head = &resp.Meta
	ids := make([]models.DocumentID, 0, len(resp.Items))
	for _, it := range resp.Items {
		if it.StartLine != nil {
			ids = append(ids, it.DocumentID)
		}
	}
	return ids, nil
}

// question is the query, with the question before it when the query alone has
// too few words to search by ("and where is it called?").
func (r *run) question() string {
	if len(strings.Fields(r.req.Query)) >= 5 {
		return r.req.Query
	}
	for _, m := range slices.Backward(r.req.History) {
		if m.Role == "user" {
			return cutRunes(m.Content, 1000) + "\n" + r.req.Query
		}
	}
	return r.req.Query
}

func cutRunes(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n])
	}
	return s
}

func interleave(first, second []models.DocumentID) []models.DocumentID {
	var out []models.DocumentID
	for len(first)+len(second) > 0 {
		n := min(2, len(first))
		out, first = append(out, first[:n]...), first[n:]
		n = min(1, len(second))
		out, second = append(out, second[:n]...), second[n:]
	}
	return out
}
