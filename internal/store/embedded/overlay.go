package embedded

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
	under *state
	view  *view
	find  rowindex.Finder
	docs  map[models.DocumentID]models.Document // without Text and Embedding
}

// Overlay returns a context under which Search and Documents see the documents
// of o in place of those that it hides, and of those with the same ids, until
// release. Records are as they are stored. The documents may be shared with
// others and are not changed. What was made of the last few overlays is kept: the
// same key costs nothing again.
func (s *Store) Overlay(ctx context.Context, o models.Overlay) (over context.Context, release func(), err error) {
	var st *state
	err = s.read(ctx, "lay documents over the index", func(under *state) (err error) {
		if st = s.overlays.recall(o.Key, under); st == nil {
			if st, err = s.lay(ctx, under.base(), o); err != nil {
				return err
			}
			s.overlays.remember(st)
		}
		s.reading.Add(1)
		s.readers.Add(1) // acquire has seen that the store is open, and release comes later
		return nil
	})
	if err != nil {
		return ctx, nil, err
	}
	return context.WithValue(ctx, pinKey{s}, st), func() { s.release(st) }, nil
}

// base is the state itself, without what lies over it.
func (s *state) base() *state {
	if s.over != nil {
		return s.over.under
	}
	return s
}

// lay makes the state with documents over it.
func (s *Store) lay(ctx context.Context, under *state, o models.Overlay) (*state, error) {
	x, err := s.execution(ctx, under)
	if err != nil {
		return nil, err
	}
	first := uint32(0)
	if n := len(x.find); n > 0 {
		first = x.find[n-1].Serial + 1
	}
	c := change{serial: first}
	docs := last(o.Documents)
	segment, err := s.segmentOf(&c, docs)
	if err != nil {
		return nil, err
	}
	hidden := x.rowsOfIDs(o.Hidden, docs)
	rows, err := under.rows.Over(c.rows, hidden)
	if err != nil {
		return nil, err
	}
	over := &overlay{key: o.Key, under: under.retain(), docs: make(map[models.DocumentID]models.Document, len(docs))}
	for _, d := range docs {
		d.Text, d.Embedding = "", nil
		over.docs[d.ID] = d
	}
	st := newState(under.text, under.reader, rows)
	st.over = over
	if over.find, err = x.find.With(rows, under.rows.Len()); err == nil {
		over.view, err = x.viewOver(segment, over.find, rows.Len(), hidden)
	}
	if err != nil {
		st.release()
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

// segmentOf builds the segment of documents, and adds their rows to the change.
func (s *Store) segmentOf(c *change, docs []models.Document) (segmentView, error) {
	built := make([]*text.Document, len(docs))
	memo := text.NewBatchMemo()
	for i := range docs {
		d := &docs[i]
		built[i] = text.NewDocument(d, c.serial, s.analyser, memo)
		built[i].AddIDField()
		for _, f := range built[i].Fields {
			f.Analyze()
		}
		c.rows = append(c.rows,
			vector.Row{ID: string(d.ID), Meta: codec.EncodeMeta(c.serial, d.Header, d.EmbeddingKey), Vector: d.Embedding})
		c.serial++
	}
	if len(built) == 0 {
		return segmentView{}, nil
	}
	terms, _, err := text.Build(built, nil)
	if err != nil {
		return segmentView{}, err
	}
	read, err := readSegment(terms)
	if err != nil {
		return segmentView{}, err
	}
	return segmentView{segment: read, terms: terms, live: read.docs}, nil
}

// maxOverlays is how many overlays are kept: few repositories are edited at a time.
const maxOverlays = 4

// overlays are the last ones, all over one state.
type overlays struct {
	mu  sync.Mutex
	all []*state // the newest last
}

// recall is the overlay of that key over a state, or nil; release it.
func (o *overlays) recall(key string, under *state) *state {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, st := range o.all {
		if st.over.key == key && st.over.under.reader == under.reader {
			return st.retain()
		}
	}
	return nil
}

func (o *overlays) remember(st *state) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, st.retain())
	if len(o.all) > maxOverlays {
		o.all[0].release()
		o.all = slices.Delete(o.all, 0, 1)
	}
}

// dropOthers gives up the overlays of other states than that of a reader: they
// hold its files open.
func (o *overlays) dropOthers(reader *scorch.IndexSnapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = slices.DeleteFunc(o.all, func(st *state) bool {
		if st.over.under.reader == reader {
			return false
		}
		st.release()
		return true
	})
}
