package search

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/vector"
)

// An execution is one request under way on one state.
type execution struct {
	ctx    context.Context //nolint:containedctx // lives as long as the request
	view   *view
	rows   *vector.Snapshot
	find   rowindex.Finder
	over   *overlay   // nil: nothing lies over the state
	memory *sync.Pool // of *scratch

	analyser *fts.Analyser

	statistics fts.Query // what BM25 counts; nil: all
}

func (x *execution) search(req fts.Request) (fts.Result, error) {
	if req.From+req.Size == 0 && len(req.KNN) == 0 {
		total, err := x.total(req.Query)
		return fts.Result{Total: total, Partitions: 1}, err
	}
	near, err := x.nearest(req)
	if err != nil {
		return fts.Result{}, err
	}
	x.statistics = req.Statistics
	query, err := x.plan(req.Query, 1)
	if err != nil {
		return fts.Result{}, err
	}
	var found []candidate
	total, limit := 0, req.From+req.Size
	if len(near) >= limit && onlyFilters(req) {
		if total, err = x.count(query); err == nil {
			found, err = newTop(x, limit, nil).sorted(near)
		}
		found = found[:min(limit, len(found))]
	} else {
		found, total, err = x.evaluate(query, near, limit)
	}
	if err != nil {
		return fts.Result{}, err
	}
	hits, err := x.hits(found, req)
	return fts.Result{Hits: hits, Total: total, Partitions: 1}, err
}

// onlyFilters reports whether the query finds just what the filters of all knn
// clauses find, and scores nothing. Then the nearest are ahead of the rest.
func onlyFilters(req fts.Request) bool {
	if len(req.KNN) == 0 || !isFilter(req.Query) {
		return false
	}
	key, ok := appendKey(nil, req.Query)
	return !slices.ContainsFunc(req.KNN, func(k fts.KNN) bool {
		if k.Filter == nil || knnBoost(k) == 0 {
			return true
		}
		if !ok {
			return !reflect.DeepEqual(k.Filter, req.Query)
		}
		other, _ := appendKey(nil, k.Filter)
		return !bytes.Equal(key, other)
	})
}

func isFilter(q fts.Query) bool {
	if boostOf(q) == 0 {
		return true
	}
	switch q := q.(type) {
	case fts.Conjunction:
		return !slices.ContainsFunc(q.Conjuncts, func(q fts.Query) bool { return !isFilter(q) })
	case fts.Disjunction:
		return !slices.ContainsFunc(q.Disjuncts, func(q fts.Query) bool { return !isFilter(q) })
	}
	return false
}

// total is the number of documents that a query finds: of those of a filter that have
// words, which each search asks for, it is remembered.
func (x *execution) total(q fts.Query) (int, error) {
	count := func() (int, error) {
		query, err := x.plan(q, 1)
		if err != nil {
			return 0, err
		}
		return x.count(query)
	}
	both, ok := q.(fts.Conjunction)
	if !ok || len(both.Conjuncts) != 2 {
		return count()
	}
	words, ok := both.Conjuncts[0].(fts.Match)
	if !ok {
		return count()
	}
	filter, err := x.filter(both.Conjuncts[1])
	if err != nil {
		return 0, err
	}
	within, ok := filter.(*selection)
	if !ok || len(words.Match) > maxRemembered {
		return count()
	}
	return within.having.get(leaf{field: words.Field, term: words.Operator + " " + words.Match}, maxHaving, count)
}

// maxRemembered is how long a text may be of which it is remembered how many documents
// have its words.
const maxRemembered = 128

// count is the number of documents that a query finds.
func (x *execution) count(query *step) (int, error) {
	if n, ok := query.node.(*selection); ok {
		return n.total, nil
	}
	total := 0
	for i := range x.view.segments {
		n, err := x.countIn(query, &x.view.segments[i])
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, x.ctx.Err()
}

func (x *execution) countIn(query *step, s *segmentView) (int, error) {
	if c, ok := query.node.(*conjunction); ok {
		words, within, err := c.words(s)
		if err != nil {
			return 0, err
		}
		if words != nil {
			return words.countIn(s, within)
		}
	}
	set, err := query.find(s)
	return intersect(set, s.live).Count(), err
}

// scored is the set of live documents of a segment that a query finds, in memory of m,
// to whose scores it adds theirs.
func (x *execution) scored(query *step, s *segmentView, m *scratch) (vector.Bits, error) {
	if c, ok := query.node.(*conjunction); ok && !query.filter {
		words, within, err := c.words(s)
		if err != nil {
			return nil, err
		}
		if words != nil && words.weights != nil {
			set := m.empty(s.size)
			return set, words.scoreIn(s, within, set, m.scores)
		}
	}
	found, err := query.find(s)
	if err != nil {
		return nil, err
	}
	m.set = append(m.set[:0], found...)
	m.set.And(s.live)
	return m.set, query.score(s, m.set, m.scores)
}

// evaluate is the best of the documents that the query finds and of those that
// are near, and how many they are.
func (x *execution) evaluate(query *step, near []candidate, limit int) (found []candidate, total int, err error) {
	nearBy := x.bySegment(near)
	memory := x.scratch()
	best := newTop(x, limit, memory.kept)
	for i := range x.view.segments {
		if err := x.ctx.Err(); err != nil {
			return nil, 0, err
		}
		s := &x.view.segments[i]
		if len(nearBy[i]) == 0 && query.scoresFew() {
			docs, few, err := query.few(s)
			if err != nil {
				return nil, 0, err
			}
			if few {
				total += s.offer(query, docs, memory.scores, best)
				continue
			}
		}
		set, err := x.scored(query, s, memory)
		if err != nil {
			return nil, 0, err
		}
		for _, n := range nearBy[i] {
			set.Set(int(n.doc))
			memory.scores[n.doc] += n.score
		}
		total += set.Count()
		s.collect(set, memory.scores, best)
	}
	kept := best.all()
	found, err = best.sorted(kept)
	clear(kept[:cap(kept)]) // of ids, which are in mapped memory
	memory.kept = kept
	x.memory.Put(memory)
	return found, total, err
}

// A scratch is memory for a search, which then goes back to the pool.
type scratch struct {
	scores []float64   // of the documents of a segment; all zero
	set    vector.Bits // of one
	kept   []candidate
}

// empty is an empty set of documents of a segment.
func (m *scratch) empty(size int) vector.Bits {
	m.set = slices.Grow(m.set[:0], (size+63)/64)[:(size+63)/64]
	clear(m.set)
	return m.set
}

// scratch takes one with room for the scores of any segment.
func (x *execution) scratch() *scratch {
	m, ok := x.memory.Get().(*scratch)
	if !ok {
		m = new(scratch)
	}
	if len(m.scores) < x.view.largest {
		m.scores = make([]float64, x.view.largest)
	}
	return m
}

// collect offers the documents of a set to best, and makes their scores zero.
func (s *segmentView) collect(set vector.Bits, scores []float64, best *top) {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			doc := i*64 + bits.TrailingZeros64(word)
			score := scores[doc]
			if scores[doc] = 0; score >= best.floor {
				best.offer(candidate{score: score, row: noRow, serial: s.serials[doc]})
			}
		}
	}
}

// hits reads the headers of the documents that a request asks for, and measures them.
func (x *execution) hits(found []candidate, req fts.Request) ([]fts.Hit, error) {
	found = found[min(req.From, len(found)):]
	ids := x.idsOf(found)
	hits, scratch := make([]fts.Hit, len(found)), make([]int8, len(req.Near))
	for i, c := range found {
		var err error
		h := &hits[i]
		h.Score = c.score
		if h.Header, err = codec.MetaHeader(ids[i], x.rows.Meta(c.row)); err != nil {
			return nil, fmt.Errorf("row %d: %w", c.row, err)
		}
		if req.Near == nil {
			continue
		}
		if dot, ok := x.rows.Dot(req.Near, c.row, scratch); ok {
			h.Near = scoreOf(dot)
		}
	}
	return hits, nil
}

// idsOf are the ids of documents, made at once: in headers there are parts of them.
func (x *execution) idsOf(found []candidate) []string {
	const usual = 128 // bytes of an id, or less
	var all strings.Builder
	all.Grow(usual * len(found))
	ends := make([]int, len(found))
	for i, c := range found {
		x.rows.WriteID(&all, c.row)
		ends[i] = all.Len()
	}
	ids, text, from := make([]string, len(found)), all.String(), 0
	for i, end := range ends {
		ids[i], from = text[from:end], end
	}
	return ids
}

// rowsOfIDs are the rows of documents that are not to be seen: those of ids, and
// those that others replace.
func (x *execution) rowsOfIDs(ids []models.DocumentID, replaced []models.Document) []int {
	var rows []int
	add := func(id models.DocumentID) {
		if row, ok := x.rows.Lookup(string(id)); ok {
			rows = append(rows, row)
		}
	}
	for _, id := range ids {
		add(id)
	}
	for i := range replaced {
		add(replaced[i].ID)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// viewOver is the view with one more segment and without the documents of rows.
func (x *execution) viewOver(segment segmentView, find rowindex.Finder, rows int, hidden []int) (*view, error) {
	under := x.view
	v := &view{
		text: under.text, reader: under.reader, largest: under.largest, under: under,
		segments: slices.Clone(under.segments), fields: slices.Clone(under.fields),
	}
	places := slices.Grow(slices.Clone(under.places(x.find, x.rows.Len())), rows-x.rows.Len())
	cloned := map[int32]bool{}
	for _, row := range hidden {
		p := places[row]
		if p.segment < 0 {
			return nil, fmt.Errorf("row %d: %w", row, ErrNoRow)
		}
		s := &v.segments[p.segment]
		if !cloned[p.segment] {
			s.live, cloned[p.segment] = slices.Clone(s.live), true
		}
		s.live.Clear(int(p.doc))
		if n := int(s.lengths[p.doc]); n > 0 {
			f := &v.fields[s.fields[p.doc]]
			f.docs--
			f.terms -= n
		}
		places[row] = place{segment: -1}
	}
	for range rows - x.rows.Len() {
		places = append(places, place{segment: -1})
	}
	if segment.segment != nil {
		v.largest = max(v.largest, segment.size)
		count(v.fields, &segment, segment.live)
		segment.number = len(v.segments)
		v.segments = append(v.segments, segment)
		for doc := range segment.live.Members() {
			places[find.Row(segment.serials[doc])] = place{int32(len(v.segments) - 1), int32(doc)} //nolint:gosec // few
		}
	}
	v.placesOnce.Do(func() { v.placeOf = places })
	return v, nil
}
