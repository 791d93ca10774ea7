package httpapi

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
)

// notFound replaces the router's plain-text 404. Browsers get a page, if there is one,
// but for what may be meant as an operation.
func notFound(log *zap.Logger, routes chi.Routes, page http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		forBrowsers := page != nil && r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/")
		if forBrowsers && prefers(r.Header.Values("Accept"), "text/html") {
			page.ServeHTTP(w, r)
			return
		}
		hint := "the routes are listed in /openapi.yaml"
		if other := otherSlash(r.URL.Path); len(methods(routes, other)) > 0 {
			hint = "use " + other
		} else if spec, ok := named(r.URL.Path); ok {
			hint = "use " + spec.Method + " " + spec.Path
		}
		writeError(w, r, log, fault.New(fault.PathNotFound, "no route %.10s %.200q; %s", r.Method, r.URL.Path, hint))
	}
}

// methodNotAllowed replaces the router's plain-text 405.
func methodNotAllowed(log *zap.Logger, routes chi.Routes) http.HandlerFunc {
	missing := notFound(log, routes, nil)
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := methods(routes, requestPath(r))
		if len(allowed) == 0 { // a method that the router doesn't know, on no route
			missing(w, r)
			return
		}
		list := strings.Join(allowed, ", ")
		w.Header().Set("Allow", list)
		writeError(w, r, log, fault.New(fault.MethodNotAllowed, "%.200q does not take %.10s; use %s", r.URL.Path, r.Method,
			list))
	}
}

// methods lists the methods of the route for a path.
func methods(routes chi.Routes, path string) []string {
	var found []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), m, path) {
			found = append(found, m)
			if m == http.MethodGet {
				found = append(found, http.MethodHead)
			}
		}
	}
	return found
}

// requestPath is the path as the router sees it.
func requestPath(r *http.Request) string {
	if r.URL.RawPath != "" {
		return r.URL.RawPath
	}
	return r.URL.Path
}

// below reports whether a path is one that an operation may be guessed to have.
func below(path string) bool {
	return strings.HasPrefix(path, "/api/") || strings.Count(path, "/") == 1
}

// named is the operation whose name, or whose tool's, ends a path.
func named(path string) (found op.Spec, ok bool) {
	path = word(path)
	for _, row := range op.All() {
		spec := row.About()
		full := "/" + word(strings.ReplaceAll(spec.Name, " ", "/"))
		switch {
		case strings.HasSuffix(path, full) || spec.Tool != "" && strings.HasSuffix(path, "/"+word(spec.Tool)):
			found, ok = spec, true // the longer name comes later
		case !ok && below(path) && strings.HasSuffix(path, full[strings.LastIndex(full, "/"):]):
			found, ok = spec, true
		}
	}
	return found, ok
}

// word is a name in one of the forms in which names of several words are written.
func word(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// otherSlash is the path with a slash at the end more or less.
func otherSlash(path string) string {
	if short, ok := strings.CutSuffix(path, "/"); ok {
		return short
	}
	return path + "/"
}
