package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/topk"
	"github.com/ragnav/ragnav/internal/vector"
)

// A candidate is a document with its score.
type candidate struct {
	score  float64
	id     string // once it was needed; as Snapshot.Peek
	row    int    // noRow until it is needed, or where the document has none
	serial uint32 // of the row that is to be found
}

const noRow = -1

// A top keeps the best of the candidates that it is offered. Equal scores are
// ordered by id.
type top struct {
	limit  int
	scores topk.Keys[uint64] // the best
	kept   []candidate       // those with one of them, and others that came before
	rows   *vector.Snapshot
	find   rowindex.Finder
	// floor is the score that a candidate must reach to have a chance, as far as it
	// is known.
	floor float64
}

// newTop keeps them in memory of kept, as far as there is some.
func newTop(x *execution, limit int, kept []candidate) *top {
	t := &top{
		limit: limit, scores: topk.Keys[uint64]{Limit: limit}, kept: kept[:0], rows: x.rows, find: x.find,
		floor: math.Inf(-1),
	}
	if limit == 0 {
		t.floor = math.Inf(1)
	}
	return t
}

// offer takes a candidate that reaches the floor.
func (t *top) offer(c candidate) {
	if t.scores.Offer(falling(c.score)) {
		worst, _ := t.scores.Worst()
		t.floor = unfalling(worst)
	}
	if t.kept = append(t.kept, c); len(t.kept) >= 4*t.limit {
		t.cut()
	}
}

// cut forgets what is not among the best.
func (t *top) cut() {
	t.kept = slices.DeleteFunc(t.kept, func(c candidate) bool { return c.score < t.floor })
	if len(t.kept) > t.limit {
		topk.Select(t.kept, t.limit, t.compare)
		clear(t.kept[t.limit:])
		t.kept = t.kept[:t.limit]
	}
}

// all are the best, in no order.
func (t *top) all() []candidate {
	t.scores.All()
	if worst, ok := t.scores.Worst(); ok {
		t.floor = unfalling(worst)
	}
	t.cut()
	return t.kept
}

// falling is a number that is the lower, the larger x is. Both zeros have one.
func falling(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 != 0 {
		return b
	}
	return ^b &^ (1 << 63)
}

func unfalling(n uint64) float64 {
	if n>>63 != 0 {
		return math.Float64frombits(n)
	}
	return math.Float64frombits(^n &^ (1 << 63))
}

// compare is negative when a is better than b.
func (t *top) compare(a, b *candidate) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	for _, c := range []*candidate{a, b} {
		if c.id == "" && t.locate(c) {
			c.id = t.rows.ID(c.row)
		}
	}
	return cmp.Compare(a.id, b.id)
}

// locate finds the row of a candidate.
func (t *top) locate(c *candidate) bool {
	if c.row == noRow {
		c.row = t.find.Row(c.serial)
	}
	return c.row != noRow
}

// sorted is a copy of candidates, best first, with their rows.
func (t *top) sorted(all []candidate) ([]candidate, error) {
	type ranked struct {
		score float64
		at    int
	}
	order := make([]ranked, len(all)) // what is sorted is small
	for i := range all {
		order[i] = ranked{all[i].score, i}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return t.compare(&all[a.at], &all[b.at])
	})
	found := make([]candidate, len(all))
	for i, r := range order {
		if found[i] = all[r.at]; !t.locate(&found[i]) {
			return nil, fmt.Errorf("row %d of a document: %w", found[i].serial, ErrNoRow)
		}
	}
	return found, nil
}
