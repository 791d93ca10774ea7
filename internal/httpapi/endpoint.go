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

// envelope is a pointer to a reply.
type envelope[Resp any] interface {
	*Resp
	models.Envelope
}

// endpoint turns an operation into a handler: decode, validate, call, write.
// A reply is HTTP 200 unless it carries an error code of its own.
func endpoint[Req, Resp any, P envelope[Resp]](
	log *zap.Logger, decode decoder, call func(context.Context, Req) (Resp, error),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		resp, err := invoke(w, r, decode, call)
		answer(w, r, log, P(&resp), err)
	}
}

// answer writes a reply, or the error there is instead.
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

func invoke[Req, Resp any](
	w http.ResponseWriter, r *http.Request, decode decoder, call func(context.Context, Req) (Resp, error),
) (resp Resp, err error) {
	var req Req
	if err := accept(w, r, decode, &req); err != nil {
		return resp, err
	}
	return call(r.Context(), req)
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

// serve is endpoint for an operation. kept says whether clients may keep its
// replies.
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
