package embedded

import (
	"context"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/ragnav/ragnav/internal/vector"
)

// A state is the index as of one commit, held open. Scorch merging segments
// makes a new state without changing what is in it.
type state struct {
	text   *scorch.Scorch // the reader's: segments of another have other numbers
	reader *scorch.IndexSnapshot
	rows   *vector.Snapshot
	refs   atomic.Int64
	over   *overlay // nil: nothing lies over it
}

// newState takes over the references that reader and rows hold.
func newState(text *scorch.Scorch, reader *scorch.IndexSnapshot, rows *vector.Snapshot) *state {
	s := &state{text: text, reader: reader, rows: rows}
	s.refs.Store(1)
	return s
}

func (s *state) retain() *state {
	s.refs.Add(1)
	return s
}

func (s *state) release() {
	if s.refs.Add(-1) == 0 {
		s.rows.Release()
		if s.over != nil {
			s.over.under.release()
			return
		}
		_ = s.reader.Close() // unmaps files that are only read
	}
}

// pinKey is under what a context has the state that Pin gave it.
type pinKey struct{ store *Store }

// Pin returns a context under which all reading from this store sees one state,
// the newest as of now: a request that reads several times gets answers that
// belong together. Call release at its end. A context that is pinned already
// stays as it is.
func (s *Store) Pin(ctx context.Context) (pinned context.Context, release func(), err error) {
	if ctx.Value(pinKey{s}) != nil {
		return ctx, func() {}, nil
	}
	st, err := s.acquire(ctx)
	if err != nil {
		return ctx, func() {}, err
	}
	return context.WithValue(ctx, pinKey{s}, st), func() { s.release(st) }, nil
}
