package app

import "context"

// A pinner is a store that can show one state to all the reading of a request.
// On others each step sees what is there by then.
type pinner interface {
	Pin(ctx context.Context) (pinned context.Context, release func(), err error)
}

// consistent is an operation that only reads, on one state of the store.
func consistent[Req, Resp any](a *App, do func(context.Context, Req) (Resp, error)) func(context.Context, Req) (Resp, error) {
	p, ok := a.store.(pinner)
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
