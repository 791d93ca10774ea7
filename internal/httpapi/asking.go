package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// slow lets a request take as long as its context.
func slow(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer unhurried(w)()
		h.ServeHTTP(w, r)
	}
}

// askEvents streams an answer to clients that ask for text/event-stream, and
// leaves the others to plain. Behind the events of package ask comes one "done",
// whose data is the reply that plain would give, or one "error". A client that
// leaves, or takes no more, ends the search for the answer.
func askEvents(d Deps, plain http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !prefersEvents(r.Header.Values("Accept")) {
			plain.ServeHTTP(w, r)
			return
		}
		var req ask.Request
		if err := decoded(w, r, &req); err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		e := &events{Stream: d.Stream.withDefaults(), w: w, r: r, conn: http.NewResponseController(w)}
		resp, stopped, err := follow(r.Context(), d, req, e, func(event ask.Event) error {
			name, data := event.Parts()
			return e.object(name, data)
		})
		if err != nil {
			e.fail(d.Log, err, stopped) //nolint:contextcheck // it asks the request for its context
			return
		}
		_ = e.reply("done", &resp) // it fails when the client has gone
	}
}

// follow finds an answer and tells each event, in the goroutine of the request;
// while there is none, comments keep the connection. The search ends with tell's
// first error, with ctx, and when the server stops.
func follow(ctx context.Context, d Deps, req ask.Request, e *events, tell func(ask.Event) error) (resp ask.Response,
	stopped bool, err error,
) {
	stops := stopping(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(stops, cancel)()
	happened := make(chan ask.Event)
	ended := parallel.Start(func() (err error) {
		resp, err = d.Ops.AskStream(ctx, req, func(event ask.Event) {
			select {
			case happened <- event:
			case <-ctx.Done():
			}
		})
		return err
	})
	beat := time.NewTicker(e.Heartbeat)
	defer beat.Stop()
	for {
		select {
		case event := <-happened:
			if tell(event) != nil {
				cancel()
			}
		case <-beat.C:
			if e.begun && e.send(": still here\n\n") != nil {
				cancel()
			}
		case err := <-ended:
			return resp, stops.Err() != nil, err
		}
	}
}

// object sends an event with a value as its data, on one line.
func (e *events) object(name string, v any) error {
	var data bytes.Buffer
	if err := models.Encode(&data, v); err != nil {
		return err
	}
	return e.send(fmt.Sprintf("event: %s\ndata: %s\n", name, data.Bytes()))
}

// stopped is the error of a request that the server's end cut off.
func stopped(err error) error {
	return fault.Wrap(fault.Overloaded, err, "the server is shutting down; try again when it is back")
}
