package search

import (
	"context"
	"slices"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// An overlay is documents over a state: one more segment and more rows, in
// memory, and some of the documents below hidden. It is searched as one corpus
// with the state, so that scores are those of a store that has it all.
type overlay struct {
	key   string
	under *State
	view  *view
	find  rowindex.Finder
	docs  map[models.DocumentID]models.Document // without Text and Embedding
}

// Base is the state itself, without what lies over it.
func (s *State) Base() *State {
	if s.over != nil {
		return s.over.under
	}
	return s
}

// Overlay is a state with documents over it; release it.
func (e *Engine) Overlay(ctx context.Context, under *State, o models.Overlay) (*State, error) {
	if st := e.overlays.recall(o.Key, under); st != nil {
		return st, nil
	}
	st, err := e.lay(ctx, under.Base(), o)
	if err == nil {
		e.overlays.remember(st)
	}
	return st, err
}

// lay makes the state with documents over it.
func (e *Engine) lay(ctx context.Context, under *State, o models.Overlay) (*State, error) {
	x, err := e.execution(ctx, under)
	if err != nil {
		return nil, err
	}
	first := uint32(0)
	if n := len(x.find); n > 0 {
		first = x.find[n-1].Serial + 1
	}
	docs := last(o.Documents)
	segment, added, err := e.segmentOf(docs, first)
	if err != nil {
		return nil, err
	}
	hidden := x.rowsOfIDs(o.Hidden, docs)
	rows, err := under.rows.Over(added, hidden)
	if err != nil {
		return nil, err
	}
	over := &overlay{key: o.Key, under: under.Retain(), docs: make(map[models.DocumentID]models.Document, len(docs))}
	for _, d := range docs {
		d.Text, d.Embedding = "", nil
		over.docs[d.ID] = d
	}
	st := NewState(under.text, under.reader, rows)
	st.over = over
	if over.find, err = x.find.With(rows, under.rows.Len()); err == nil {
		over.view, err = x.viewOver(segment, over.find, rows.Len(), hidden)
	}
	if err != nil {
		st.Release()
		return nil, err
	}
	return st, nil
}

// last are the documents, of several with one id the last.
func last(docs []models.Document) []models.Document {
	at := make(map[models.DocumentID]int, len(docs))
	for i := range docs {
		at[docs[i].ID] = i
	}
	kept := make([]models.Document, 0, len(at))
	for i := range docs {
		if at[docs[i].ID] == i {
			kept = append(kept, docs[i])
		}
	}
	return kept
}

// segmentOf builds the segment of documents, and their rows, from that serial number.
func (e *Engine) segmentOf(docs []models.Document, serial uint32) (segmentView, []vector.Row, error) {
	built, rows := make([]*text.Document, len(docs)), make([]vector.Row, len(docs))
	memo := text.NewBatchMemo()
	for i := range docs {
		d := &docs[i]
		built[i] = text.NewDocument(d, serial, e.analyser, memo)
		built[i].AddIDField()
		for _, f := range built[i].Fields {
			f.Analyze()
		}
		rows[i] = vector.Row{ID: string(d.ID), Meta: codec.EncodeMeta(serial, d.Header, d.EmbeddingKey), Vector: d.Embedding}
		serial++
	}
	if len(built) == 0 {
		return segmentView{}, nil, nil
	}
	terms, _, err := text.Build(built, nil)
	if err != nil {
		return segmentView{}, nil, err
	}
	read, err := readSegment(terms)
	if err != nil {
		return segmentView{}, nil, err
	}
	return segmentView{segment: read, terms: terms, live: read.docs}, rows, nil
}

// maxOverlays is how many overlays are kept: few repositories are edited at a time.
const maxOverlays = 4

// overlays are the last ones, all over one state.
type overlays struct {
	mu  sync.Mutex
	all []*State // the newest last
}

// recall is the overlay of that key over a state, or nil; release it.
func (o *overlays) recall(key string, under *State) *State {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, st := range o.all {
		if st.over.key == key && st.over.under.reader == under.reader {
			return st.Retain()
		}
	}
	return nil
}

func (o *overlays) remember(st *State) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, st.Retain())
	if len(o.all) > maxOverlays {
		o.all[0].Release()
		o.all = slices.Delete(o.all, 0, 1)
	}
}

// dropOthers gives up the overlays of other states than that of a reader: they
// hold its files open.
func (o *overlays) dropOthers(reader *scorch.IndexSnapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = slices.DeleteFunc(o.all, func(st *State) bool {
		if st.over.under.reader == reader {
			return false
		}
		st.Release()
		return true
	})
}
