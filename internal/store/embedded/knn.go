package embedded

import (
	"fmt"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/vector"
)

// minDistance bounds the squared distance from below, see fts.KNN.
const minDistance = 1e-9

// nearest is the documents that the knn clauses find, in the order in which
// the clauses found them, with the sums of their scores.
func (x *execution) nearest(req fts.Request) ([]candidate, error) {
	var found []candidate
	place := map[int]int{} // row → index in found
	clauses := map[int]int{}
	for _, k := range req.KNN {
		eligible, err := x.eligible(k.Filter)
		if err != nil {
			return nil, err
		}
		near, err := x.rows.Nearest(x.ctx, k.Vector, k.K, eligible)
		if err != nil {
			return nil, fmt.Errorf("nearest vectors: %w", err)
		}
		for _, n := range near {
			row := int(n.Row)
			i, ok := place[row]
			if !ok {
				i = len(found)
				place[row] = i
				found = append(found, candidate{row: row})
			}
			found[i].score += knnBoost(k) / max(minDistance, 2-2*float64(n.Dot))
			clauses[row]++
		}
	}
	if req.KNNOperator != "and" || len(req.KNN) < 2 {
		return found, nil
	}
	all := found[:0]
	for _, c := range found {
		if clauses[c.row] == len(req.KNN) {
			all = append(all, c)
		}
	}
	return all, nil
}

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
	return x.view.filtered(filter, func() (vector.Bits, error) {
		if x.over != nil {
			return x.eligibleOver(filter)
		}
		return x.rowsOf(filter)
	})
}

func (x *execution) rowsOf(filter fts.Query) (vector.Bits, error) {
	query, err := x.plan(filter, 0)
	if err != nil {
		return nil, err
	}
	rows := vector.NewBits(x.rows.Len())
	return rows, x.addRows(rows, query, 0)
}

// addRows adds the rows of the documents that a query finds in the segments from
// number from on.
func (x *execution) addRows(rows vector.Bits, query *step, from int) error {
	for i := from; i < len(x.view.segments); i++ {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		s := &x.view.segments[i]
		set, err := query.find(s)
		if err != nil {
			return err
		}
		for doc := range members(intersect(set, s.live)) {
			if row := x.find.row(s.serials[doc]); row >= 0 {
				rows.Set(row)
			}
		}
	}
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
