package embedded

import "context"

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
