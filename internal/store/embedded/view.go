package embedded

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/vector"
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

	filters     remembered[vector.Bits] // rows by the filter that finds them
	collections remembered[collection]  // by the filter that selects them
}

// maxFilters bounds how many filters a view remembers; each takes a bit a row.
const maxFilters = 64

// remembered is what was made of a few filters. A view never changes, and the
// searches of a level share filters.
type remembered[T any] struct {
	mu sync.Mutex
	of map[string]T
}

func (r *remembered[T]) get(key string, find func() (T, error)) (T, error) {
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
	if r.of == nil || len(r.of) >= maxFilters {
		r.of = map[string]T{}
	}
	r.of[key] = found
	return found, nil
}

// A place is where the document of a row is; segment is -1 where none is.
type place struct{ segment, doc int32 }

// A segmentView is a segment with the deletions of one state.
type segmentView struct {
	*segment
	terms    segmentapi.Segment
	snapshot *scorch.SegmentSnapshot // nil of an overlay
	live     vector.Bits             // documents that are not deleted
}

// fieldStats are what BM25 needs to know of a text field's live documents.
type fieldStats struct {
	docs  int // with at least one term
	terms int // in all of them
}

// A collection is the live documents that the statistics of BM25 are of.
type collection struct {
	docs   []vector.Bits // by segment
	fields []fieldStats  // by index in fts.TextFields
}

func (c collection) textField(name string) fieldStats {
	return c.fields[slices.Index(fts.TextFields(), name)]
}

// count adds what BM25 needs to know of a set of documents.
func count(fields []fieldStats, s *segmentView, set vector.Bits) {
	for doc := range members(set) {
		if n := int(s.lengths[doc]); n > 0 {
			f := &fields[s.fields[doc]]
			f.docs++
			f.terms += n
		}
	}
}

// newView reads what the previous view, which may be nil, has not read yet.
func (s *Store) newView(st *state, previous *view) (*view, error) {
	reader := st.reader
	known := map[uint64]*segment{}
	if previous != nil && previous.text == st.text {
		for _, s := range previous.segments {
			known[s.snapshot.Id()] = s.segment
		}
	}
	v := &view{text: st.text, reader: reader, fields: make([]fieldStats, len(fts.TextFields()))}
	for _, snapshot := range reader.Segments() {
		seg := known[snapshot.Id()]
		if seg == nil {
			var err error
			if seg, err = s.segment(snapshot.Segment()); err != nil {
				return nil, fmt.Errorf("segment %d: %w", snapshot.Id(), err)
			}
		}
		sv := segmentView{segment: seg, terms: snapshot.Segment(), snapshot: snapshot, live: seg.docs}
		if deleted := snapshot.Deleted(); deleted != nil && !deleted.IsEmpty() && seg.size > 0 { // none: in place of a lost one
			gone := vector.NewBits(seg.size)
			addBitmap(gone, deleted)
			sv.live = append(vector.Bits(nil), seg.docs...)
			sv.live.AndNot(gone)
		}
		v.largest = max(v.largest, seg.size)
		count(v.fields, &sv, sv.live)
		v.segments = append(v.segments, sv)
	}
	return v, nil
}

// filtered is the rows that a filter finds.
func (v *view) filtered(filter fts.Query, find func() (vector.Bits, error)) (vector.Bits, error) {
	key, err := json.Marshal(filter)
	if err != nil {
		return nil, fmt.Errorf("encode a filter: %w", err)
	}
	return v.filters.get(string(key), find)
}

// places are the places of the rows of the state, of which there are n.
func (v *view) places(find rowFinder, n int) []place {
	v.placesOnce.Do(func() {
		v.placeOf = make([]place, n)
		for i := range v.placeOf {
			v.placeOf[i].segment = -1
		}
		for i, s := range v.segments {
			for doc := range members(s.live) {
				if row := find.row(s.serials[doc]); row >= 0 && row < n {
					v.placeOf[row] = place{int32(i), int32(doc)}
				}
			}
		}
	})
	return v.placeOf
}
