package app

import "context"

// A pinner is a store that can show one state to all the reading of a request.
// On others each step sees what is there by then.
type pinner interface {
	Pin(ctx context.Context) (pinned context.Context, release func(), err error)
}

// consistent carries out an operation that only reads, on one state of the store.
func consistent[Request, Response any](ctx context.Context, a *App, do func(context.Context, Request) (Response, error), req Request) (Response, error) {
	p, ok := a.store.(pinner)
	if !ok {
		return do(ctx, req)
	}
	ctx, release, err := p.Pin(ctx)
	if err != nil {
		var none Response
		return none, err
	}
	defer release()
	return do(ctx, req)
}
