package search

import (
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/vector"
)

// minDistance bounds the squared distance from below, see fts.KNN.
const minDistance = 1e-9

// nearest is the documents that the knn clauses find, in the order in which
// the clauses found them, with the sums of their scores.
func (x *execution) nearest(req fts.Request) ([]candidate, error) {
	var found []candidate
	var place, clauses map[int]int // by row: index in found, and how many clauses found it
	for n, k := range req.KNN {
		eligible, err := x.eligible(k.Filter)
		if err != nil {
			return nil, err
		}
		near, err := x.rows.Nearest(x.ctx, k.Vector, k.K, eligible)
		if err != nil {
			return nil, fmt.Errorf("nearest vectors: %w", err)
		}
		if n == 0 {
			found = slices.Grow(found, len(near))
		}
		if n == 0 && len(req.KNN) > 1 {
			place, clauses = make(map[int]int, len(near)), make(map[int]int, len(near))
		}
		for _, c := range near {
			row, score := int(c.Row), knnBoost(k)*scoreOf(c.Dot)
			i, ok := place[row]
			if ok {
				found[i].score += score
			} else {
				i = len(found)
				found = append(found, candidate{row: row, score: score})
			}
			if place != nil {
				place[row] = i
				clauses[row]++
			}
		}
	}
	if place == nil || req.KNNOperator != "and" {
		return found, nil
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return clauses[c.row] < len(req.KNN) }), nil
}

// scoreOf is 1/d², see fts.KNN.
func scoreOf(dot float32) float64 { return 1 / max(minDistance, 2-2*float64(dot)) }

func knnBoost(k fts.KNN) float64 {
	if k.Boost == nil {
		return 1
	}
	return *k.Boost
}

// eligible is the rows of the documents that a filter finds; nil for all. They
// are shared and must not be changed.
func (x *execution) eligible(filter fts.Query) (vector.Bits, error) {
	if filter == nil {
		return nil, nil
	}
	if q, once := filter.(fts.IDs); once {
		rows := vector.NewBits(x.rows.Len())
		for row := range x.placesOf(q.IDs) {
			rows.Set(row)
		}
		return rows, nil
	}
	n, err := x.found(filter)
	if err != nil {
		return nil, err
	}
	return n.rows, nil
}

// collection is the documents whose statistics count.
func (x *execution) collection() (*selection, error) {
	if x.statistics == nil {
		return x.view.everything(), nil
	}
	return x.found(x.statistics)
}

// found is what a filter finds.
func (x *execution) found(filter fts.Query) (*selection, error) {
	n, err := x.selection(filter)
	if n == nil && err == nil {
		return x.selects(filter)
	}
	return n, err
}

// selection is what a filter finds, found once and then remembered, or nil where
// the query is none of the kind that comes again.
func (x *execution) selection(filter fts.Query) (*selection, error) {
	key, ok := appendKey(nil, filter)
	if !ok {
		return nil, nil
	}
	return x.view.selections.get(string(key), maxSelections, func() (*selection, error) { return x.selects(filter) })
}

// selects finds what a filter finds.
func (x *execution) selects(filter fts.Query) (*selection, error) {
	found, err := x.node(filter, 0)
	if err != nil {
		return nil, err
	}
	n := &selection{rows: vector.NewBits(x.rows.Len())}
	if err := x.selectBelow(n, filter); err != nil {
		return nil, err
	}
	for i := len(n.docs); i < len(x.view.segments); i++ {
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
		s := &x.view.segments[i]
		set, err := found.find(s)
		if err != nil {
			return nil, err
		}
		set = intersect(set, s.live)
		n.docs, n.total = append(n.docs, set), n.total+set.Count()
		for doc := range set.Members() {
			if row := x.find.Row(s.serials[doc]); row >= 0 {
				n.rows.Set(row)
			}
		}
	}
	return n, nil
}

// selectBelow takes over what a filter finds below an overlay, without the hidden
// documents.
func (x *execution) selectBelow(n *selection, filter fts.Query) error {
	if x.over == nil {
		return nil
	}
	under := &execution{
		ctx: x.ctx, view: x.view.under, rows: x.over.under.rows, find: x.find, memory: x.memory, analyser: x.analyser,
	}
	below, err := under.selection(filter)
	if below == nil || err != nil {
		return err
	}
	for i, set := range below.docs {
		set = intersect(set, x.view.segments[i].live)
		n.docs, n.total = append(n.docs, set), n.total+set.Count()
	}
	copy(n.rows, below.rows)
	n.rows.And(x.rows.LiveRows())
	return nil
}

// A nearDoc is a document of a segment with its score.
type nearDoc struct {
	doc   int32
	score float64
}

// bySegment finds the documents of rows.
func (x *execution) bySegment(near []candidate) [][]nearDoc {
	docs := make([][]nearDoc, len(x.view.segments))
	if len(near) == 0 {
		return docs
	}
	places := x.view.places(x.find, x.rows.Len())
	for _, c := range near {
		if p := places[c.row]; p.segment >= 0 {
			docs[p.segment] = append(docs[p.segment], nearDoc{p.doc, c.score})
		}
	}
	return docs
}
