package embedded

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
)

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

// Overlay returns a context under which Search and Documents see the documents
// of o in place of those that it hides, and of those with the same ids, until
// release. Records are as they are stored. The documents may be shared with
// others and are not changed. What was made of the last few overlays is kept: the
// same key costs nothing again.
func (s *Store) Overlay(ctx context.Context, o models.Overlay) (over context.Context, release func(), err error) {
	var st *search.State
	err = s.read(ctx, "lay documents over the index", func(under *search.State) (err error) {
		if st, err = s.engine.Overlay(ctx, under, o); err != nil {
			return err
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
