package couchbase

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// oversampling is how many times more neighbours than wanted a server without
// a pre-filter is asked for at first.
const oversampling = 20

// searchWithoutPrefilter is Search on servers before 7.6.4, which ignore the
// filter of a knn clause. The request is taken apart: the nearest of each
// clause are looked for among ever more neighbours, the filter is applied
// here, the query runs by itself, and the hits are put together again.
func searchWithoutPrefilter(ctx context.Context, s *Store, live liveIndex, req fts.Request) (fts.Result, error) {
	p := parts{store: s, index: live.name}
	near, err := p.near(ctx, req)
	if err != nil {
		return fts.Result{}, err
	}
	found, err := p.send(ctx, fts.Request{Query: req.Query, Size: req.From + req.Size})
	if err != nil {
		return fts.Result{}, err
	}
	scores, err := p.scores(ctx, req.Query, near)
	if err != nil {
		return fts.Result{}, err
	}
	hits := map[models.DocumentID]fts.Hit{}
	for _, h := range found.Hits {
		hits[h.ID] = h
	}
	for _, h := range near {
		h.Score += scores[h.ID]
		hits[h.ID] = h
	}
	page := slices.SortedFunc(maps.Values(hits), byScore)
	page = page[min(req.From, len(page)):min(req.From+req.Size, len(page))]
	return fts.Result{
		Hits: page, Total: found.Total + len(near) - len(scores), Failed: p.failed, Partitions: p.partitions,
		Dropped: p.dropped,
		Degraded: fmt.Sprintf(
			"Couchbase %s filters vectors only after it has looked for the nearest, so some may be missing; 7.6.4 and newer "+
				"do not",
			cmp.Or(live.version, "of unknown version")),
	}, nil
}

// parts are the requests that one is put together from.
type parts struct {
	store                       *Store
	index                       string
	failed, partitions, dropped int
}

func (p *parts) send(ctx context.Context, req fts.Request) (fts.Result, error) {
	res, err := request(ctx, p.store, p.index, req)
	p.failed, p.partitions = max(p.failed, res.Failed), max(p.partitions, res.Partitions)
	p.dropped += res.Dropped
	return res, err
}

// near is what the knn clauses find together.
func (p *parts) near(ctx context.Context, req fts.Request) (map[models.DocumentID]fts.Hit, error) {
	together := map[models.DocumentID]fts.Hit{}
	for i, clause := range req.KNN {
		hits, err := p.nearest(ctx, clause)
		if err != nil {
			return nil, err
		}
		both := map[models.DocumentID]fts.Hit{}
		for _, h := range hits {
			other, ok := together[h.ID]
			if h.Score += other.Score; ok || i == 0 || req.KNNOperator != "and" {
				both[h.ID] = h
			}
		}
		if req.KNNOperator != "and" {
			maps.Copy(together, both)
		} else {
			together = both
		}
	}
	return together, nil
}

// nearest is what one clause finds. It doubles the neighbours asked for until
// enough of them are selected, there are no more, or the server takes no more.
func (p *parts) nearest(ctx context.Context, clause fts.KNN) ([]fts.Hit, error) {
	filter := clause.Filter
	clause.Filter = nil
	wanted := clause.K
	if filter != nil {
		clause.K = min(wanted*oversampling, fts.MaxK)
	}
	for {
		res, err := p.send(ctx, fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{clause}, Size: clause.K})
		if err != nil {
			return nil, err
		}
		hits, err := p.selected(ctx, filter, res.Hits)
		if err != nil {
			return nil, err
		}
		if len(hits) >= wanted || len(res.Hits)+res.Dropped < clause.K || clause.K == fts.MaxK {
			return hits[:min(wanted, len(hits))], nil
		}
		clause.K = min(2*clause.K, fts.MaxK)
	}
}

// selected are the hits that a filter selects. What headers don't tell, the
// server is asked.
func (p *parts) selected(ctx context.Context, filter fts.Query, hits []fts.Hit) ([]fts.Hit, error) {
	if filter == nil || len(hits) == 0 {
		return hits, nil
	}
	keep := func(h fts.Hit) bool {
		return wire.Selects(filter, h, fts.Keywords(&models.Document{Header: h.Header})) == wire.Yes
	}
	if !wire.HeaderTells(filter) {
		ids := map[models.DocumentID]fts.Hit{}
		for _, h := range hits {
			ids[h.ID] = h
		}
		scores, err := p.scores(ctx, filter, ids)
		if err != nil {
			return nil, err
		}
		keep = func(h fts.Hit) bool { _, ok := scores[h.ID]; return ok }
	}
	return slices.DeleteFunc(hits, func(h fts.Hit) bool { return !keep(h) }), nil
}

// scores is what a query scores those of some documents that it selects.
func (p *parts) scores(ctx context.Context, query fts.Query,
	of map[models.DocumentID]fts.Hit,
) (map[models.DocumentID]float64, error) {
	if len(of) == 0 {
		return nil, nil
	}
	ids := make([]string, 0, len(of))
	for id := range of {
		ids = append(ids, string(id))
	}
	slices.Sort(ids)
	res, err := p.send(ctx, fts.Request{
		Query: fts.Conjunction{Conjuncts: []fts.Query{query, fts.IDs{IDs: ids, Boost: fts.Zero()}}}, Size: len(ids),
	})
	scores := map[models.DocumentID]float64{}
	for _, h := range res.Hits {
		scores[h.ID] = h.Score
	}
	return scores, err
}
