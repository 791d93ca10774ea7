package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// startIndex starts index jobs, within the time limit of requests, or tells what
// they would do, which may take as long as the jobs: until the client leaves or
// the server shuts down.
func startIndex(d Deps) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var req index.StartRequest
		if err := accept(w, r, body, &req); err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		if req.DryRun {
			resp, err := unlimited(r.Context(), w,
				func(ctx context.Context) (models.Envelope, error) { return op.PreviewIndex.Do(ctx, d.Ops, &req) })
			answer(w, r, d.Log, resp, err)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), d.Timeout)
		defer cancel()
		resp, err := op.StartIndex.Do(ctx, d.Ops, &req)
		answer(w, r, d.Log, resp, inTime(ctx, err))
	}
}

// unlimited does an operation that has no time limit of its own. It ends when
// ctx does or the server stops.
func unlimited[T any](ctx context.Context, w http.ResponseWriter, op func(context.Context) (T, error)) (T, error) {
	stops := stopping(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(stops, cancel)()
	defer unhurried(w)()
	resp, err := op(ctx)
	if err != nil && stops.Err() != nil {
		err = stopped(err)
	}
	return resp, err
}

// inTime is err, or a Timeout when it came after the time of ctx was up.
func inTime(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	code, message := classify(ctx, err)
	return fault.Wrap(code, err, "%s", message)
}

// unhurried lifts the limits of a request's connection until the result is
// called; then there is time to write a reply.
func unhurried(w http.ResponseWriter) (done func()) {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Time{}) // where there is no connection, there are no limits
	_ = conn.SetWriteDeadline(time.Time{})
	return func() { _ = conn.SetWriteDeadline(time.Now().Add(writeSlack)) }
}
