package couchbase

import (
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// windows are how many of the best hits are looked through for those that a
// broad filter selects, in steps.
var windows = []int{1000, 4000, fts.MaxK}

// request is send, also for regular expressions that fit more terms than the
// service takes in a query (1,024 by default, counted in each part of the
// index). They are left out of it then and applied to the headers of the hits.
func request(ctx context.Context, s *Store, index string, req fts.Request) (fts.Result, error) {
	res, err := send(ctx, s, index, req)
	if err == nil || !driver.IsTooMany(err.Error()) {
		return res, err
	}
	query, left := withoutBroad(req.Query)
	if len(left) == 0 {
		return res, err
	}
	wide := req
	wide.Query, wide.From = query, 0
	for _, wide.Size = range windows {
		if res, err = send(ctx, s, index, wide); err != nil {
			return fts.Result{}, err
		}
		all := len(res.Hits)+res.Dropped < wide.Size
		kept, err := fitting(res.Hits, req, left)
		if err != nil {
			return fts.Result{}, err
		}
		if !all && len(kept) < req.From+req.Size && wide.Size < fts.MaxK {
			continue
		}
		if res.Total = -1; all {
			res.Total = len(kept)
		} else if len(kept) < req.From+req.Size {
			res.Degraded = fmt.Sprintf(
				"the path filter fits more files than the Search service takes in one query, so only the best %d documents were "+
					"looked through; narrow it to a folder", fts.MaxK)
		}
		res.Hits = kept[min(req.From, len(kept)):min(req.From+req.Size, len(kept))]
		break
	}
	return res, nil
}

// withoutBroad takes the parts that a query requires and that have regular
// expressions out of it, where headers can answer them.
func withoutBroad(q fts.Query) (fts.Query, []fts.Query) {
	if c, ok := q.(fts.Conjunction); ok {
		parts := make([]fts.Query, len(c.Conjuncts))
		var left []fts.Query
		for i, part := range c.Conjuncts {
			var more []fts.Query
			parts[i], more = withoutBroad(part)
			left = append(left, more...)
		}
		c.Conjuncts = parts
		return c, left
	}
	if wire.HeaderTells(q) && hasRegexp(q) {
		return everything(), []fts.Query{q}
	}
	return q, nil
}

func hasRegexp(q fts.Query) bool {
	switch q := q.(type) {
	case fts.Regexp:
		return true
	case fts.Not:
		return hasRegexp(q.Query)
	case fts.Conjunction:
		return slices.ContainsFunc(q.Conjuncts, hasRegexp)
	case fts.Disjunction:
		return slices.ContainsFunc(q.Disjuncts, hasRegexp)
	}
	return false
}

// everything selects all documents and adds nothing to their scores.
func everything() fts.Query {
	var types []fts.Query
	for _, l := range models.Levels() {
		types = append(types, fts.Filter(fts.FieldType, string(l.DocType())))
	}
	return fts.Disjunction{Disjuncts: types}
}

// fitting are the hits that all of the parts select, and those that a knn
// clause, whose filter has them, brought.
func fitting(hits []fts.Hit, req fts.Request, parts []fts.Query) ([]fts.Hit, error) {
	all := fts.Conjunction{Conjuncts: parts}
	var kept []fts.Hit
	for _, h := range hits {
		keywords := fts.Keywords(&models.Document{Header: h.Header})
		selected, err := fts.Matches(all, string(h.ID), keywords)
		if err != nil {
			return nil, err
		}
		for _, k := range req.KNN {
			selected = selected || k.Filter == nil || wire.Selects(k.Filter, h, keywords) == wire.Yes
		}
		if selected {
			kept = append(kept, h)
		}
	}
	return kept, nil
}
