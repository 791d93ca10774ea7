package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// ofDocuments are the fields that only documents have.
var ofDocuments = []filter.Field{
	filter.CreatedDate, filter.ModifiedDate, filter.Tags, filter.Wikilinks, filter.Heading, filter.Title,
	filter.HeadingLevel,
}

// ofDocument reports whether only documents can hold what a condition speaks of. One
// of several parts, of which one is enough, must speak of documents in each.
func ofDocument(c filter.Condition) bool {
	switch c.Operator {
	case filter.And, filter.Not:
		return slices.ContainsFunc(c.Parts, ofDocument)
	case filter.Or:
		return len(c.Parts) > 0 && !slices.ContainsFunc(c.Parts, func(p filter.Condition) bool { return !ofDocument(p) })
	}
	return slices.Contains(ofDocuments, c.Field)
}

// levelsOf are the levels that a plan asks about: sections of documents where it
// speaks of what only they have, symbols where of what only these have, else both.
func levelsOf(semantic string, filters []filter.Condition) []models.Level {
	if slices.ContainsFunc(filters, ofDocument) {
		return []models.Level{models.LevelDoc}
	}
	asked, err := query.Parse(semantic)
	symbols := err == nil && query.Has(asked.Root, func(n query.Node) bool {
		f, ok := n.(query.Field)
		return ok && f.Name == query.FieldSymbol
	})
	if symbols {
		return []models.Level{models.LevelSymbol}
	}
	return []models.Level{models.LevelDoc, models.LevelSymbol}
}

// find searches the levels, and orders what is found by its place at its own:
// scores of two levels can't be compared.
func (r *retrieval) find(ctx context.Context, where fts.Query, resp *Response) error {
	r.levels = levelsOf(r.plan.SemanticQuery, r.plan.Filters)
	places := map[models.DocumentID]int{}
	for i, level := range r.levels {
		found, err := r.search.Query(ctx, search.Request{
			Query: r.plan.SemanticQuery, Level: level, RepoFilter: r.req.RepoFilter, Limit: new(max(overFetch, 4*r.limit)),
			Where: where,
		})
		if err != nil {
			return err
		}
		head(&resp.Meta, found.Meta, i == 0)
		hits, err := r.documents(ctx, level, found.Items)
		if err != nil {
			return err
		}
		for place, h := range hits {
			places[h.ID] = place
		}
		r.hits = append(r.hits, hits...)
	}
	slices.SortStableFunc(r.hits, func(a, b hit) int {
		return cmp.Or(boolCompare(a.weak, b.weak), cmp.Compare(places[a.ID], places[b.ID]))
	})
	return nil
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// head takes what a search says about the index into the head of a reply.
func head(meta *models.Meta, of models.Meta, first bool) {
	if first {
		meta.FreshnessState, meta.IndexStatus = of.FreshnessState, of.IndexStatus
		meta.StaleFiles, meta.StaleFileCount = of.StaleFiles, of.StaleFileCount
	}
	meta.FreshnessState = models.LeastFresh(meta.FreshnessState, of.FreshnessState)
	for _, w := range of.Warnings {
		if !slices.Contains(meta.Warnings, w) {
			meta.Warnings = append(meta.Warnings, w)
		}
	}
}

func (r *retrieval) documents(ctx context.Context, level models.Level, items []models.SearchResult) ([]hit, error) {
	ids := make([]models.DocumentID, len(items))
	for i, item := range items {
		ids[i] = item.DocumentID
	}
	docs, err := r.index.Documents(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	byID := make(map[models.DocumentID]models.Document, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	var hits []hit
	for _, item := range items {
		if d, ok := byID[item.DocumentID]; ok {
			hits = append(hits, hit{d, level, item.Score, item.Weak})
		}
	}
	return hits, nil
}

// A kept hit is the best of its file, with the lines of those beside it.
type kept struct {
	hit

	start, end int
}

// maxGap is how many lines may be between spans that are merged: a blank one.
const maxGap = 1

// dedupe keeps the first hit of each file, in order, as far as the limit goes. Of
// the others of a file those that are beside it, or each other, are merged into it
// where texts are wanted.
func (r *retrieval) dedupe() {
	type file struct {
		repo models.RepoID
		path string
	}
	byFile := map[file]*kept{}
	others := map[*kept][]hit{}
	precise := r.plan.ResponseFormat == plan.SelectiveContext &&
		slices.ContainsFunc(r.hits, func(h hit) bool { return !h.weak })
	for _, h := range r.hits {
		at := file{h.RepoID, h.FilePath}
		k := byFile[at]
		switch {
		case h.weak && precise && k == nil:
			r.drop(h, "weak: less like the query than what was measured to answer one")
		case k != nil:
			others[k] = append(others[k], h)
		case len(r.kept) == r.limit:
			r.drop(h, fmt.Sprintf("over the limit of %d", r.limit))
		default:
			k = &kept{h, h.StartLine, h.EndLine}
			byFile[at] = k
			r.kept = append(r.kept, k)
		}
	}
	for _, k := range r.kept {
		r.merge(k, others[k])
	}
}

// merge takes the lines of other hits of the file that are beside those of k, and
// drops the hits.
func (r *retrieval) merge(k *kept, others []hit) {
	for merged := r.plan.ResponseFormat == plan.SelectiveContext; merged; {
		merged = false
		for i, h := range others {
			if h.StartLine > 0 && h.StartLine <= k.end+1+maxGap && h.EndLine >= k.start-1-maxGap {
				k.start, k.end = min(k.start, h.StartLine), max(k.end, h.EndLine)
				k.Tags, k.Wikilinks = union(k.Tags, h.Tags), union(k.Wikilinks, h.Wikilinks)
				r.drop(h, "merged into "+string(k.ID))
				others = append(others[:i:i], others[i+1:]...)
				merged = true
				break
			}
		}
	}
	for _, h := range others {
		why := "the file is there by "
		if h.ParentID == k.ID {
			why = "child of "
		}
		r.drop(h, why+string(k.ID))
	}
}

// union is a list with what another has and it has not.
func union(list, other []string) []string {
	list = slices.Clip(list)
	for _, s := range other {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func (r *retrieval) drop(h hit, why string) {
	r.dropped = append(r.dropped, Dropped{h.ID, why})
}
