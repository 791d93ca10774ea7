package search

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/vector"
	"github.com/ragnav/ragnav/internal/wire"
)

// A view is what was read of one state of the index. It may only be used
// while that state is held open.
type view struct {
	text     *scorch.Scorch
	reader   *scorch.IndexSnapshot // identifies the state
	segments []segmentView
	largest  int          // size of the largest segment
	fields   []fieldStats // by index in fts.TextFields

	under *view // what an overlay lies over; nil without

	placesOnce sync.Once
	placeOf    []place
	records    remembered[string, []entry] // by the beginning of their keys

	allOnce    sync.Once
	all        *selection                     // everything
	selections remembered[string, *selection] // by the key of the filter
}

// remembered is a few results, which never change.
type remembered[K comparable, T any] struct {
	mu sync.Mutex
	of map[K]T
}

// get is what find makes of a key, or made of it before. Beyond limit all are forgotten.
func (r *remembered[K, T]) get(key K, limit int, find func() (T, error)) (T, error) {
	r.mu.Lock()
	found, ok := r.of[key]
	r.mu.Unlock()
	if ok {
		return found, nil
	}
	found, err := find()
	if err != nil {
		return found, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil || len(r.of) >= limit {
		r.of = map[K]T{}
	}
	r.of[key] = found
	return found, nil
}

// A place is where the document of a row is; segment is -1 where none is.
type place struct{ segment, doc int32 }

// A segmentView is a segment with the deletions of one state.
type segmentView struct {
	*segment
	number   int // in its view
	terms    segmentapi.Segment
	snapshot *scorch.SegmentSnapshot // nil of an overlay
	live     vector.Bits             // documents that are not deleted
}

// fieldStats are what BM25 needs to know of a text field's live documents.
type fieldStats struct {
	docs  int // with at least one term
	terms int // in all of them
}

// count adds what BM25 needs to know of a set of documents.
func count(fields []fieldStats, s *segmentView, set vector.Bits) {
	for doc := range set.Members() {
		if n := int(s.lengths[doc]); n > 0 {
			f := &fields[s.fields[doc]]
			f.docs++
			f.terms += n
		}
	}
}

// places are the places of the rows of the state, of which there are n.
func (v *view) places(find rowindex.Finder, n int) []place {
	v.placesOnce.Do(func() {
		v.placeOf = make([]place, n)
		for i := range v.placeOf {
			v.placeOf[i].segment = -1
		}
		for i, s := range v.segments {
			for doc := range s.live.Members() {
				if row := find.Row(s.serials[doc]); row >= 0 && row < n {
					v.placeOf[row] = place{int32(i), int32(doc)}
				}
			}
		}
	})
	return v.placeOf
}

// A selection is what a filter finds in a view: searches of a level share their
// filter, and a view never changes. It must not be changed.
type selection struct {
	docs  []vector.Bits // live ones, by segment
	total int
	rows  vector.Bits // of the documents

	countOnce sync.Once
	fields    []fieldStats // by index in fts.TextFields
	having    remembered[leaf, int]
}

// How much is remembered: selections of a view, each of which takes two bits a
// row, and in how many documents of one of them words are.
const (
	maxSelections = 64
	maxHaving     = 4096
)

// find implements node.
func (n *selection) find(s *segmentView) (vector.Bits, error) { return n.docs[s.number], nil }

// score implements node: a filter scores nothing.
func (n *selection) score(*segmentView, vector.Bits, []float64) error { return nil }

// statistics are what BM25 needs to know of the documents.
func (n *selection) statistics(v *view) []fieldStats {
	n.countOnce.Do(func() {
		n.fields = make([]fieldStats, len(fts.TextFields()))
		for i, set := range n.docs {
			count(n.fields, &v.segments[i], set)
		}
	})
	return n.fields
}

// documentsWith is how many of the documents have a word with those postings.
func (n *selection) documentsWith(word leaf, in func(segment int) postings) int {
	found, _ := n.having.get(word, maxHaving, func() (total int, err error) {
		for i, set := range n.docs {
			total += in(i).count(set)
		}
		return total, nil
	})
	return found
}

// everything is all documents of the view.
func (v *view) everything() *selection {
	v.allOnce.Do(func() {
		v.all = &selection{docs: make([]vector.Bits, len(v.segments)), fields: v.fields}
		v.all.countOnce.Do(func() {})
		for i, s := range v.segments {
			v.all.docs[i] = s.live
		}
	})
	return v.all
}

// appendKey appends what tells a filter from all others. It is not ok with words
// and ids in it, which hardly come again.
func appendKey(b []byte, q fts.Query) (key []byte, ok bool) {
	text := func(s string) { b = wire.AppendText(b, s) }
	boost := func(kind byte) {
		b = binary.LittleEndian.AppendUint64(append(b, kind), math.Float64bits(boostOf(q)))
	}
	parts := func(kind byte, qs []fts.Query) {
		boost(kind)
		b = binary.AppendUvarint(b, uint64(len(qs)))
		ok = true
		for _, q := range qs {
			if b, ok = appendKey(b, q); !ok {
				return
			}
		}
	}
	switch q := q.(type) {
	case fts.Term:
		boost('t')
		text(q.Field)
		text(q.Term)
	case fts.Regexp:
		boost('r')
		text(q.Field)
		text(q.Regexp)
	case fts.TermRange:
		boost('<')
		text(q.Field)
		text(q.Min)
		text(q.Max)
	case fts.Conjunction:
		parts('&', q.Conjuncts)
		return b, ok
	case fts.Disjunction:
		parts('|', q.Disjuncts)
		b = binary.AppendVarint(b, int64(q.Min))
		return b, ok
	case fts.Not:
		return appendKey(append(b, '!'), q.Query)
	case fts.MatchAll:
		b = append(b, '*')
	case fts.MatchNone:
		b = append(b, '0')
	default:
		return b, false
	}
	return b, true
}
