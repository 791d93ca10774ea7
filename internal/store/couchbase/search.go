package couchbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/couchbase/gocb/v2"
	"github.com/couchbase/gocb/v2/vector"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// searchIn runs a request on an index.
func searchIn(ctx context.Context, s *Store, live liveIndex, req fts.Request) (fts.Result, error) {
	if err := live.searchable(s.config.Dims, len(req.KNN) > 0); err != nil {
		return fts.Result{}, err
	}
	if !live.prefilter && slices.ContainsFunc(req.KNN, func(k fts.KNN) bool { return k.Filter != nil }) {
		return searchWithoutPrefilter(ctx, s, live, req)
	}
	if alone, ok := nearestAlone(req); ok {
		res, err := nearest(ctx, s, live.name, alone)
		if err != nil || len(res.Hits) == req.Size {
			res.Total = -1
			return res, err
		}
	}
	return requestSelected(ctx, s, live.name, req)
}

func requestSelected(ctx context.Context, s *Store, index string, req fts.Request) (fts.Result, error) {
	res, err := request(ctx, s, index, req)
	if err == nil && len(req.KNN) > 0 {
		wire.DropUnselected(&res, req)
	}
	return res, err
}

// nearestAlone is a request without its query, where that only repeats the
// filter of the one knn clause and scores nothing. What such a query adds comes
// after the nearest, and finding it costs 0.7 µs for each document that the
// filter selects; so it is only worth running where the nearest don't fill the
// page, because few are selected.
func nearestAlone(req fts.Request) (alone fts.Request, ok bool) {
	if len(req.KNN) != 1 || req.From+req.Size > req.KNN[0].K || !reflect.DeepEqual(req.Query, req.KNN[0].Filter) {
		return req, false
	}
	if _, weighs := wire.Boosted(wire.Query(req.Query), 1); weighs {
		return req, false
	}
	req.Query = fts.MatchNone{}
	return req, true
}

// moreNeighbours is how many more than wanted are asked for at first.
const moreNeighbours = 16

// nearest runs a request for neighbours only. Which of those that are equally near, as copies of code are, the service
// counts among the k nearest is chance. So it asks for more, until the last is further away than the last of the page.
func nearest(ctx context.Context, s *Store, index string, req fts.Request) (fts.Result, error) {
	end := req.From + req.Size
	wide := req
	for more := moreNeighbours; ; more *= 2 {
		clause := req.KNN[0]
		clause.K = min(clause.K+more, fts.MaxK)
		wide.KNN, wide.From, wide.Size = []fts.KNN{clause}, 0, min(end+more, clause.K)
		res, err := requestSelected(ctx, s, index, wide)
		if err != nil {
			return res, err
		}
		if len(res.Hits) < end || end == 0 { // the page is not full, or wants no hit
			res.Hits = res.Hits[min(req.From, len(res.Hits)):min(end, len(res.Hits))]
			return res, nil
		}
		last := len(res.Hits) - 1
		if last+1+res.Dropped < wide.Size || clause.K == fts.MaxK || res.Hits[last].Score < res.Hits[end-1].Score {
			res.Hits = res.Hits[req.From:end]
			return res, nil
		}
	}
}

// send runs a request as it is.
func send(ctx context.Context, s *Store, index string, req fts.Request) (fts.Result, error) {
	request := gocb.SearchRequest{SearchQuery: wire.Scored(req.Query)}
	if len(req.KNN) > 0 {
		request.VectorSearch = vectors(req)
	}
	options := &gocb.SearchOptions{
		Fields: []string{wire.HeaderField},
		Skip:   uint32(req.From),
		// The option for the size leaves out a size of 0, which then is 10.
		Raw: map[string]any{"size": req.Size, "sort": []string{"-_score", "_id"}},
	}
	bounded, cancel := s.config.Bounded(ctx)
	defer cancel()
	var found fts.Result
	err := driver.Repeat(bounded, func() (err error) {
		found, err = sendOnce(bounded, s, index, request, options)
		return err
	})
	if err != nil {
		return fts.Result{}, s.config.Failed(ctx, "search", errors.Join(err, context.Cause(bounded)))
	}
	return found, nil
}

// sendOnce reads the rows to the end, then their error, then what the parts of
// the index report: only that tells an incomplete answer.
func sendOnce(ctx context.Context, s *Store, index string, request gocb.SearchRequest, options *gocb.SearchOptions,
) (fts.Result, error) {
	options.Context, options.Timeout = ctx, s.config.Timeout(ctx)
	result, err := s.scope.Search(index, request, options)
	if err != nil {
		return fts.Result{}, err
	}
	defer context.AfterFunc(ctx, func() { _ = result.Close() })()
	var res fts.Result
	for result.Next() {
		row := result.Row()
		if hit, ok := wire.HitOf(row); ok {
			res.Hits = append(res.Hits, hit)
		} else {
			res.Dropped++
		}
	}
	if err := result.Err(); err != nil {
		return fts.Result{}, fmt.Errorf("read the hits: %w", err)
	}
	meta, err := result.MetaData()
	if err != nil {
		return fts.Result{}, fmt.Errorf("read the end of the answer: %w", err)
	}
	for _, text := range meta.Errors { // an index of several partitions answers with status 200 all the same
		if driver.IsTooMany(text) {
			return fts.Result{}, driver.TooMany(errors.New(text))
		}
	}
	res.Total = int(meta.Metrics.TotalRows)
	res.Failed, res.Partitions = int(meta.Metrics.ErrorPartitionCount), int(meta.Metrics.TotalPartitionCount)
	slices.SortFunc(res.Hits, byScore)
	return res, nil
}

// byScore is the order of hits: the service orders by keys what has the same
// score, and long ids have other keys.
func byScore(a, b fts.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}

// vectors is the knn part of a request.
func vectors(req fts.Request) *vector.Search {
	queries := make([]*vector.Query, len(req.KNN))
	for i, k := range req.KNN {
		q := vector.NewQuery(k.Field, k.Vector).NumCandidates(uint32(k.K))
		if k.Filter != nil {
			q.Prefilter(wire.Query(k.Filter))
		}
		if k.Boost != nil {
			q.Boost(float32(*k.Boost))
		}
		queries[i] = q
	}
	return vector.NewSearch(queries,
		&vector.SearchOptions{VectorQueryCombination: vector.VectorQueryCombination(req.KNNOperator)})
}
