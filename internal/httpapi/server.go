// Package httpapi serves the REST API that api/openapi.yaml describes, and the
// web page. It is the only importer of the router.
//
// Every reply of an operation, errors included, is one JSON envelope. The named
// exceptions are the page, its assets and the API document.
package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/api"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/web"
)

// Deps are what the API needs. All fields but Hosts and Stream are required.
type Deps struct {
	Log     *zap.Logger
	Timeout time.Duration // limit for one request
	// Hosts lists the names, lower case and without port, that a request's Host
	// header may have beside IP addresses and localhost; "*" stands for any.
	Hosts   []string
	Stream  Stream // of jobs
	Ops     Operations
	Ready   func(context.Context) []models.Check
	Version models.Version
}

// Operations are the functions behind the routes. They return *fault.Error or
// context errors; whatever else they return is INTERNAL to the client.
type Operations struct {
	Repos     func(context.Context, repos.Request) (repos.Response, error)
	Structure func(context.Context, structure.Request) (structure.Response, error)
	Search    func(context.Context, search.Request) (search.Response, error)
	File      func(context.Context, filefetch.Request) (filefetch.Response, error)
	Ask       func(context.Context, ask.Request) (ask.Response, error)
	Remove    func(context.Context, index.RemoveRequest) (index.RemoveResponse, error)
	Start     func(context.Context, index.StartRequest) (index.JobsResponse, error)
	Preview   func(context.Context, index.StartRequest) (index.PreviewResponse, error)
	Jobs      func(context.Context, index.JobsRequest) (index.JobsResponse, error)
	Job       func(context.Context, index.JobRequest) (index.JobsResponse, error)
	// Watch is Job once the job has ended; until then it calls progress some times a second.
	Watch    func(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse, error)
	Cancel   func(context.Context, index.JobRequest) (index.JobsResponse, error)
	Coverage func(context.Context, index.CoverageRequest) (index.CoverageResponse, error)

	NavSearch  func(context.Context, nav.SearchRequest) (nav.SearchResponse, error)
	WhereUsed  func(context.Context, nav.WhereUsedRequest) (nav.WhereUsedResponse, error)
	Lineage    func(context.Context, nav.LineageRequest) (nav.LineageResponse, error)
	NavStatus  func(context.Context, nav.StatusRequest) (nav.StatusResponse, error)
	BuildGraph func(context.Context, nav.BuildRequest) (nav.BuildResponse, error)
}

// New returns the whole API as one handler. This function and
// timedRoutes are the route table.
func New(d Deps) http.Handler {
	log, ops := d.Log, d.Ops
	r := chi.NewRouter()
	r.Use(identify, secure, accessLog(log), recoverPanic(log), knownHost(log, d.Hosts), sameOrigin(log), middleware.GetHead)
	r.NotFound(notFound(log, r))
	r.MethodNotAllowed(methodNotAllowed(log, r))
	timed := deadline(d.Timeout)
	r.Get("/api/index/jobs/{id}", jobEvents(d, timed(endpoint(log, pathParam("id", "id"), ops.Job))))
	r.Post("/api/index", startIndex(d))
	r.Post("/api/nav/build-graph", buildGraph(d))
	r.Group(func(r chi.Router) {
		r.Use(timed)
		timedRoutes(r, d)
	})
	return r
}

// timedRoutes are the routes whose requests have a time limit: all but streams, previews and builds of graphs.
func timedRoutes(r chi.Router, d Deps) {
	log, ops := d.Log, d.Ops
	r.Get("/api/rag/repos", endpoint(log, query, ops.Repos))
	r.Delete("/api/rag/repos/*", endpoint(log, pathParam("*", "repo_id"), ops.Remove))
	r.Post("/api/rag/structure", endpoint(log, body, ops.Structure))
	r.Post("/api/rag/search", endpoint(log, body, ops.Search))
	r.Post("/api/rag/file", endpoint(log, body, ops.File))
	r.Post("/api/rag/", endpoint(log, body, ops.Ask))

	r.Post("/api/nav/search", endpoint(log, body, ops.NavSearch))
	r.Post("/api/nav/where-used", endpoint(log, body, ops.WhereUsed))
	r.Post("/api/nav/lineage", endpoint(log, body, ops.Lineage))
	r.Get("/api/nav/status", endpoint(log, query, ops.NavStatus))

	r.Get("/api/index/jobs", endpoint(log, query, ops.Jobs))
	r.Delete("/api/index/jobs/{id}", endpoint(log, pathParam("id", "id"), ops.Cancel))
	r.Get("/api/index/coverage", endpoint(log, query, ops.Coverage))

	r.Get("/healthz", endpoint(log, query, healthz))
	r.Get("/readyz", endpoint(log, query, readyz(d.Ready)))
	r.Get("/version", endpoint(log, query, version(d.Version)))
	r.Get("/openapi.yaml", document(api.Document()))

	for path, page := range web.Pages() {
		r.Method(http.MethodGet, path, page)
	}
}
