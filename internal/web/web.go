// Package web is the pages of the server: HTML for people, made of the same
// operations as every other surface, under the same rules of access.
//
// Pages are whole without JavaScript: links and forms do everything, and the
// script only saves steps. Text of repositories reaches a page as text, through
// html/template; the one exception is Markdown, whose raw HTML is left out
// before it is made.
package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Options are what the pages are made of.
type Options struct {
	Ops     op.Backend
	Ready   func(context.Context) []models.Check
	Version models.Version
	// Traffic is the 60 minutes up to now, the oldest first; nil where none are counted.
	Traffic func(now time.Time) []models.Minute
	// Failed is told of errors that are not the client's; nil is told nothing.
	Failed func(r *http.Request, err error)
}

// A Route is an address that a Site serves: "*" at the end of a path stands for
// whatever follows.
type Route struct {
	Method, Path string
	Slow         bool // it may take as long as an answer
}

// A Site serves the pages.
type Site struct {
	Options

	mux    *http.ServeMux
	routes []Route
}

// New returns the pages over those operations.
func New(o Options) *Site {
	s := &Site{Options: o, mux: http.NewServeMux()}
	ask, jobs, graphs, names := askPages{s}, jobPages{o.Ops}, graphPages{o.Ops}, namePages{o.Ops}
	s.page("/", searchPages{o.Ops}.search)
	s.page("/r/*", filePages{o.Ops}.entry)
	s.page("/files", finderPages{o.Ops}.finder)
	s.page("/definition", names.definition)
	s.page("/lineage", graphs.lineage)
	s.page("/impact", graphs.impactForm)
	s.handle(Route{Method: http.MethodPost, Path: "/impact"}, s.show(graphs.impact))
	s.page("/jobs", jobs.jobs)
	s.page("/status", s.status)
	s.handle(Route{http.MethodGet, "/ask", true}, s.show(ask.ask))
	s.handle(Route{http.MethodGet, "/ask/events", true}, http.HandlerFunc(ask.events))
	s.handle(Route{http.MethodPost, "/jobs", true}, s.show(jobs.change))
	for _, a := range assets {
		s.handle(Route{Method: http.MethodGet, Path: a.path}, a)
	}
	return s
}

// Routes lists the addresses of the pages.
func (s *Site) Routes() []Route { return s.routes }

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Site) page(path string, p handler) {
	s.handle(Route{Method: http.MethodGet, Path: path}, s.show(p))
}

func (s *Site) handle(route Route, h http.Handler) {
	s.routes = append(s.routes, route)
	path := route.Path
	if rest, ok := strings.CutSuffix(path, "*"); ok {
		path = rest + "{rest...}"
	} else if path == "/" {
		path = "/{$}"
	}
	s.mux.Handle(route.Method+" "+path, h)
}
