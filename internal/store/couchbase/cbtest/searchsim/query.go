package searchsim

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// Query executes the search in body on an index and gives the reply of the
// server. The hits of the first failPartitions partitions are missing, and the
// reply says so. Unknown indexes and requests that cannot be read are 400.
//
// A k outside 1..10,000 and a search that takes longer than ctl.timeout fail in
// every partition. An expression that is none, an unknown analyser and too many
// clauses do so, too, unless the index has one partition only: then 400.
func (e *Engine) Query(bucket, scope, name string, body []byte, failPartitions int) (status int, reply []byte) {
	start := time.Now()
	e.mu.RLock()
	defer e.mu.RUnlock()
	full := fullName(bucket, scope, name)
	x := e.indexes[full]
	if x == nil {
		return statusBadRequest, refusal("rest_auth: preparePerms, err: index not found", body)
	}
	req, err := parseRequest(body, e.opts.Prefilter)
	if err != nil {
		return refused(full, fmt.Errorf("bleve: QueryBleve parsing searchRequest, err: %w", err), body)
	}
	a := newAnswer(x, e.opts.Partitions, failPartitions)
	for _, k := range req.knn {
		if err := k.check(); err != nil {
			a.failAll(err)
			return a.encode(start)
		}
	}
	err = a.search(req, e.opts.MaxClauses)
	switch {
	case err != nil && e.opts.Partitions == 1:
		return refused(full, err, body)
	case err != nil:
		a.failAll(err)
	case time.Since(start) > req.timeout():
		a.failAll(context.DeadlineExceeded)
	}
	return a.encode(start)
}

// An answer is a reply in the making.
type answer struct {
	reply

	index *index
}

func newAnswer(x *index, partitions, failed int) *answer {
	a := &answer{index: x}
	a.Status = status{Total: partitions}
	a.Status.fail(min(max(failed, 0), partitions), x.partition, "pindex not available")
	return a
}

// failAll makes it the answer of an index that failed in every partition.
func (a *answer) failAll(err error) {
	a.reply = reply{Status: status{Total: a.Status.Total}}
	a.Status.fail(a.Status.Total, a.index.partition, err.Error())
}

func (a *answer) encode(start time.Time) (status int, body []byte) {
	if a.Hits == nil {
		a.Hits = []hit{}
	}
	a.Took = time.Since(start).Nanoseconds()
	return encode(a.reply)
}

func (a *answer) search(req *request, maxClauses int) error {
	s := &search{corpus: a.index.corpus, schema: a.index.schema, maxClauses: maxClauses}
	near, err := s.nearest(req.knn, req.KNNOperator == "and")
	if err != nil {
		return err
	}
	docs, scores, err := a.index.text(s, req)
	if err != nil {
		return err
	}
	for _, n := range near {
		docs.add(n.doc)
		scores[n.doc] += n.score
	}
	a.collect(req, docs, scores)
	return nil
}

// text is the live documents that the query finds, in a set that may be
// changed, and their scores by number; the other scores are 0.
func (x *index) text(s *search, req *request) (set, []float64, error) {
	if x.bleve != nil {
		return x.bleve.search(s.corpus, req.Query)
	}
	f, err := s.evaluate(req.query, 1)
	if err != nil {
		return nil, nil, err
	}
	docs := f.docs.and(s.corpus.live)
	scores := make([]float64, len(s.corpus.entries))
	if f.score != nil {
		f.score(docs, scores)
	}
	return docs, scores, nil
}

// collect fills in the hits, from the partitions that did not fail.
func (a *answer) collect(req *request, docs set, scores []float64) {
	entries := a.index.corpus.entries
	best := newTop(req.from+req.size, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.key, y.key))
	})
	for doc := range docs.all() {
		key := entries[doc].key
		if a.Status.Failed > 0 && partitionOf(key, a.Status.Total) < a.Status.Failed {
			continue
		}
		a.Total++
		a.MaxScore = max(a.MaxScore, scores[doc])
		best.offer(candidate{score: scores[doc], key: key, doc: doc})
	}
	sorted := best.sorted()
	for _, c := range sorted[min(req.from, len(sorted)):] {
		a.Hits = append(a.Hits, hit{
			Index: a.index.partition(partitionOf(c.key, a.Status.Total)), ID: c.key, Score: c.score,
			Sort: sortValues(req, c.key), Fields: loaded(entries[c.doc].stored, req.Fields),
		})
	}
}

type candidate struct {
	score float64
	key   string
	doc   int32
}

// sortValues is what the server says a hit was sorted by.
func sortValues(req *request, key string) []string {
	return []string{"_score", key}[:max(min(len(req.Sort), 2), 1)]
}

// loaded is the stored fields that were asked for; "*" asks for all.
func loaded(stored map[string]any, asked []string) map[string]any {
	if slices.Contains(asked, "*") {
		return stored
	}
	fields := map[string]any{}
	for _, name := range asked {
		if value, ok := stored[name]; ok {
			fields[name] = value
		}
	}
	return fields
}
