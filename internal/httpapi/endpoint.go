package httpapi

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
)

// A decoder reads a request's input into req, a pointer to a struct. Its errors
// are *fault.Error.
type decoder func(w http.ResponseWriter, r *http.Request, req any) error

// told turns what the server tells of itself into a handler, of requests without parameters.
func told[T any](log *zap.Logger, tell func(context.Context) models.Result[T]) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := accept(w, r, query, new(struct{})); err != nil {
			writeError(w, r, log, err)
			return
		}
		res := tell(r.Context())
		answer(w, r, log, &res, nil)
	}
}

// answer writes a reply, or the error there is instead. A reply is HTTP 200 unless it
// carries an error code of its own.
func answer(w http.ResponseWriter, r *http.Request, log *zap.Logger, resp models.Envelope, err error) {
	if err != nil {
		writeError(w, r, log, err)
		return
	}
	status := http.StatusOK
	if code := resp.Head().ErrorCode; code != nil {
		status = fault.Code(*code).Row().HTTP
	}
	write(w, r, log, status, resp)
}

// accept reads a request into req, a pointer, and checks it.
func accept(w http.ResponseWriter, r *http.Request, decode decoder, req any) error {
	if !acceptsJSON(r.Header.Values("Accept")) {
		return fault.New(fault.NotAcceptable, "replies are application/json, which the Accept header excludes")
	}
	return checked(w, r, decode, req)
}

// decoded reads the JSON body of a request into req, a pointer, and checks it.
func decoded(w http.ResponseWriter, r *http.Request, req any) error { return checked(w, r, body, req) }

func checked(w http.ResponseWriter, r *http.Request, decode decoder, req any) error {
	if err := decode(w, r, req); err != nil {
		return err
	}
	return valid.Check(req)
}

// serve turns an operation into a handler: decode, validate, call, write. kept says
// whether clients may keep its replies.
func serve(d Deps, row op.Row, decode decoder, kept bool) http.HandlerFunc {
	about := row.About()
	return func(w http.ResponseWriter, r *http.Request) {
		req := row.NewRequest()
		if err := accept(w, r, decode, req); err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		call := func(ctx context.Context) (models.Envelope, error) { return row.Do(ctx, d.Ops, req) }
		if about.Unlimited {
			resp, err := unlimited(r.Context(), w, call)
			answer(w, r, d.Log, resp, err)
			return
		}
		resp, err := call(r.Context())
		if kept && err == nil && unchanged(w, r, resp) {
			return
		}
		answer(w, r, d.Log, resp, err)
	}
}
