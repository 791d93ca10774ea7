package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/store"
)

// consistent is an operation that only reads, on one state of the store.
func consistent[Req, Resp any](a *App, do func(context.Context, Req) (Resp, error)) func(context.Context, Req) (Resp,
	error) {
	p, ok := a.store.(store.Pinner)
	if !ok {
		return do
	}
	return func(ctx context.Context, req Req) (Resp, error) {
		ctx, release, err := p.Pin(ctx)
		if err != nil {
			var none Resp
			return none, err
		}
		defer release()
		return do(ctx, req)
	}
}
