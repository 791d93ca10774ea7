// Package httpapi serves the REST API that api/openapi.yaml describes, and the
// web page. It is the only importer of the router.
//
// Every reply of an operation, errors included, is one JSON envelope. The named
// exceptions are the page, its assets, the API document and the metrics.
package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/api"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Deps are what the API needs. All fields but AskTimeout, Hosts, Access, Stream,
// MCP, Pages and Traffic are required.
type Deps struct {
	Log     *zap.Logger
	Timeout time.Duration // limit for one request
	// AskTimeout is that of an answer, which may wait for a language model; default
	// Timeout.
	AskTimeout time.Duration
	// Hosts lists the names, lower case and without port, that a request's Host
	// header may have beside IP addresses and localhost; "*" stands for any.
	Hosts   []string
	Access  Access
	Stream  Stream // of jobs and answers
	Ops     op.Backend
	MCP     http.Handler // of agents, at /mcp; nil serves none
	Pages   []Page       // for browsers
	NoPage  http.Handler // tells browsers that there is none; nil tells them as others
	Traffic *Traffic     // counts the requests, for others than /metrics too
	Ready   func(context.Context) []models.Check
	Version models.Version
}

// A Page is an address for browsers; a slow one may take as long as an answer.
type Page struct {
	Method, Path string
	Slow         bool
	Handler      http.Handler
}

// askTimeout is the limit of an answer.
func (d Deps) askTimeout() time.Duration { return max(d.Timeout, d.AskTimeout) }

// New returns the whole API as one handler: the operations of package op, and
// the routes of the server itself.
func New(d Deps) http.Handler {
	log := d.Log
	if d.Traffic == nil {
		d.Traffic = new(Traffic)
	}
	r := chi.NewRouter()
	r.Use(identify, secure, accessLog(log), counted(d.Traffic), recoverPanic(log), knownHost(log, d.Hosts),
		sameOrigin(log), identified(log, d.Access), middleware.GetHead)
	r.NotFound(notFound(log, r, d.NoPage))
	r.MethodNotAllowed(methodNotAllowed(log, r))
	for _, row := range op.All() {
		if about := row.About(); about.Variant == "" {
			r.Method(about.Method, chiPath(about.Path), operation(d, row))
			if about.Kept {
				r.Method(http.MethodGet, chiPath(about.Path), deadline(d.Timeout)(serve(d, row, query, true)))
			}
		}
	}
	if d.MCP != nil {
		r.Handle("/mcp", untilStopped(d.MCP)) // its calls have limits of their own, its streams have none
	}
	r.Method(http.MethodPost, "/v1/chat/completions", deadline(d.askTimeout())(chatCompletions(d)))
	r.Group(func(r chi.Router) {
		r.Use(deadline(d.Timeout))
		r.Get(modelsPath, chatModels(d))
		r.Get(modelsPath+"/*", oneModel(d))
		r.Get("/healthz", told(log, healthz))
		r.Get("/readyz", told(log, readyz(d.Ready)))
		r.Get("/version", told(log, func(context.Context) models.Result[models.Version] { return about(d.Version) }))
		r.Get("/openapi.yaml", document(api.Document()))
		r.Get("/metrics", metricsOf(d.Traffic, d.Version))
	})
	for _, p := range d.Pages {
		h := deadline(d.Timeout)(p.Handler)
		if p.Slow {
			h = deadline(d.askTimeout())(untilStopped(p.Handler))
		}
		r.Method(p.Method, p.Path, h)
	}
	return r
}

// operation is the handler of an operation: within the time limit of requests,
// if it has one. The named exceptions are jobs and answers, which are streamed to
// those who ask for it, and the start of index jobs, which has a variant.
func operation(d Deps, row op.Row) http.Handler {
	about := row.About()
	if about.Name == op.StartIndex.Name {
		return startIndex(d)
	}
	h := http.Handler(serve(d, row, decoderOf(about), false))
	if about.Name == op.Ask.Name {
		return deadline(d.askTimeout())(askEvents(d, slow(h)))
	}
	if !about.Unlimited {
		h = deadline(d.Timeout)(h)
	}
	if about.Name == op.Job.Name {
		h = jobEvents(d, h)
	}
	return h
}

// PageFailed logs what went wrong behind a page.
func PageFailed(log *zap.Logger) func(*http.Request, error) {
	return func(r *http.Request, err error) { logFailure(log, r, fault.CodeOf(err), err) }
}

// untilStopped serves what may take longer than other requests, and ends when the
// server does.
func untilStopped(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer unhurried(w)()
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(stopping(ctx), cancel)()
		h.ServeHTTP(w, r.WithContext(ctx))
	}
}
