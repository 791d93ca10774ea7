package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/store"
)

// consistent is an operation that only reads, on one state of the store, of which
// the list of repositories is read once, and with each folder opened once.
func consistent[Req, Resp any](a *App, do func(context.Context, Req) (Resp, error)) func(context.Context, Req) (Resp,
	error) {
	p, pins := a.store.(store.Pinner)
	return func(ctx context.Context, req Req) (Resp, error) {
		if pins {
			pinned, release, err := p.Pin(ctx)
			if err != nil {
				var none Resp
				return none, err
			}
			defer release()
			ctx = pinned
		}
		ctx, leave := a.repos.Together(ctx)
		defer leave()
		ctx, release := a.files.Together(ctx)
		defer release()
		return do(ctx, req)
	}
}
