package search

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// An Engine searches states, and remembers what it read of the last one, of the
// rows, and of a few overlays. Its methods may be called concurrently; none changes
// a state.
type Engine struct {
	analyser  *fts.Analyser
	table     rowindex.Table
	keys      rowindex.Keys
	scratches sync.Pool // of *scratch
	values    sync.Pool // of *vector.ValueReader
	shown     vector.ValueMemory
	overlays  overlays
	known     atomic.Pointer[known] // of the last time that the store was open; until the first search
	mu        sync.Mutex            // guards view
	view      *view                 // of the last state that was searched
}

// NewEngine returns an engine that has read nothing yet.
func NewEngine(analyser *fts.Analyser) *Engine { return &Engine{analyser: analyser} }

// Search carries out a request, which was checked, on a state.
func (e *Engine) Search(ctx context.Context, st *State, req fts.Request) (fts.Result, error) {
	x, err := e.execution(ctx, st)
	if err != nil {
		return fts.Result{}, err
	}
	return x.search(req)
}

// IDs are those of the documents that a filter finds.
func (e *Engine) IDs(ctx context.Context, st *State, filter fts.Query) ([]string, error) {
	x, err := e.execution(ctx, st)
	if err != nil {
		return nil, err
	}
	rows, err := x.eligible(filter)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, rows.Count())
	for row := range rows.Members() {
		ids = append(ids, st.rows.ID(row))
	}
	return ids, nil
}

// Documents reads the documents of ids, those that there are.
func (e *Engine) Documents(ctx context.Context, st *State, ids []models.DocumentID) ([]models.Document, error) {
	values, ok := e.values.Get().(*vector.ValueReader)
	if !ok {
		values = &vector.ValueReader{Memory: &e.shown}
	}
	defer e.values.Put(values)
	defer values.Leave()
	docs := make([]models.Document, 0, len(ids))
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, found, err := st.document(string(id), values)
		if err != nil {
			return nil, err
		}
		if found {
			docs = append(docs, d)
		}
	}
	return docs, nil
}

// Records calls yield with the records of a collection, in the order of their keys.
// Where those of repositories are, which every search reads, is remembered.
func (e *Engine) Records(ctx context.Context, st *State, collection string,
	yield func(key string, value json.RawMessage) error,
) error {
	prefix := text.RecordKey(collection, "")
	find := func() ([]entry, error) { return st.prefixed(prefix) }
	if v := e.searched(st); v != nil && collection == models.CollectionRepos {
		read := find
		find = func() ([]entry, error) { return v.records.get(prefix, 1, read) }
	}
	found, err := find()
	if err != nil {
		return err
	}
	for _, at := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := st.value(at)
		if err != nil {
			return err
		}
		if err := yield(at.key[len(prefix):], value); err != nil {
			return err
		}
	}
	return nil
}

// searched is what was read of a state, or nil where nothing was: then it is not worth
// reading more than a caller asks for.
func (e *Engine) searched(st *State) *view {
	if st.over != nil {
		return st.over.view
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.view == nil || e.view.reader != st.reader {
		return nil
	}
	return e.view
}

// Embeddings adds to found what the rows of a state have under those keys.
func (e *Engine) Embeddings(st *State, keys []models.EmbeddingKey, found map[models.EmbeddingKey][]float32) error {
	return e.keys.Vectors(st.Base().rows, keys, found)
}

// Warm reads what the first search of a state would have to read. The searches of
// another one don't wait.
func (e *Engine) Warm(st *State) error {
	e.mu.Lock()
	last := e.view
	e.mu.Unlock()
	v, err := e.newView(st, last)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.view = v
	return nil
}

// Forget forgets what was read of rows and segments: they are others from now on,
// or have other numbers.
func (e *Engine) Forget() {
	e.table.Forget()
	e.keys.Forget()
	e.shown.Forget()
	e.mu.Lock()
	e.view = nil
	e.mu.Unlock()
}

// DropOverlays gives up what lies over states, which holds files open.
func (e *Engine) DropOverlays() { e.overlays.dropOthers(nil) }

func (e *Engine) execution(ctx context.Context, st *State) (*execution, error) {
	view, err := e.viewOf(st)
	if err != nil {
		return nil, err
	}
	x := &execution{ctx: ctx, view: view, rows: st.rows, over: st.over, memory: &e.scratches, analyser: e.analyser}
	if st.over != nil {
		x.find = st.over.find
	} else {
		x.find, err = e.table.Rows(st.rows)
	}
	return x, err
}

// viewOf reads what has to be known of a state.
func (e *Engine) viewOf(st *State) (*view, error) {
	if st.over != nil {
		return st.over.view, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.view != nil && e.view.reader == st.reader {
		return e.view, nil
	}
	v, err := e.newView(st, e.view)
	if err != nil {
		return nil, err
	}
	e.view = v
	e.known.Store(nil)
	e.overlays.dropOthers(st.reader)
	return v, nil
}

// newView reads what the previous view, which may be nil, has not read yet.
func (e *Engine) newView(st *State, previous *view) (*view, error) {
	read := map[uint64]*segment{}
	if previous != nil && previous.text == st.text {
		for _, s := range previous.segments {
			read[s.snapshot.Id()] = s.segment
		}
	}
	v := &view{text: st.text, reader: st.reader, fields: make([]fieldStats, len(fts.TextFields()))}
	for _, snapshot := range st.Segments() {
		seg := read[snapshot.Id()]
		if seg == nil {
			var err error
			if seg, err = e.known.Load().segment(snapshot.Segment()); err != nil {
				return nil, fmt.Errorf("segment %d: %w", snapshot.Id(), err)
			}
		}
		sv := segmentView{
			segment: seg, number: len(v.segments), terms: snapshot.Segment(), snapshot: snapshot,
			live: seg.docs,
		}
		// none: in place of a lost one
		if deleted := snapshot.Deleted(); deleted != nil && !deleted.IsEmpty() && seg.size > 0 {
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

// WithoutRows are the repositories with documents whose rows are lost. Strange
// reports whether the rows are of another store: documents have those of others.
// Unless all are looked at, it is one document of each segment.
func (e *Engine) WithoutRows(st *State, all bool) (ids []models.RepoID, strange bool, err error) {
	x, err := e.execution(context.Background(), st)
	if err != nil {
		return nil, false, err
	}
	found := map[models.RepoID]bool{}
	for i := range x.view.segments {
		seg := &x.view.segments[i]
		lost := vector.NewBits(seg.size)
		for doc := range seg.live.Members() {
			row := x.find.Row(seg.serials[doc])
			if row < 0 {
				lost.Set(doc)
				continue
			}
			key, err := st.key(i, uint64(doc)) //nolint:gosec // not negative
			if err != nil {
				return nil, false, err
			}
			if key != text.DocumentKey(st.rows.ID(row)) {
				return nil, true, nil
			}
			if !all {
				break
			}
		}
		if lost.Count() == 0 {
			continue
		}
		if err := text.EachRepository(seg.snapshot.Segment(), func(id string, list scorch.PostingsList) error {
			docs := vector.NewBits(seg.size)
			err := addPostings(docs, list)
			if docs.And(lost); docs.Count() > 0 {
				found[models.RepoID(id)] = true
			}
			return err
		}); err != nil {
			return nil, false, err
		}
	}
	return slices.Collect(maps.Keys(found)), false, nil
}
