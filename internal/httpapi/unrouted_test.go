package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestUnrouted(t *testing.T) {
	for _, test := range []struct {
		name, method, path string
		status             int
		allow, message     string
	}{
		{
			"unknown path", "GET", "/nowhere", 404, "",
			`PATH_NOT_FOUND: no route GET "/nowhere"; the routes are listed in /openapi.yaml`,
		},
		{
			"unknown asset", "GET", "/assets/x.js", 404, "",
			`PATH_NOT_FOUND: no route GET "/assets/x.js"; the routes are listed in /openapi.yaml`,
		},
		{
			"slash too much", "POST", "/api/rag/search/", 404, "",
			`PATH_NOT_FOUND: no route POST "/api/rag/search/"; use /api/rag/search`,
		},
		{"slash missing", "POST", "/api/rag", 404, "", `PATH_NOT_FOUND: no route POST "/api/rag"; use /api/rag/`},
		{
			"an operation elsewhere", "POST", "/api/rag/ask", 404, "",
			`PATH_NOT_FOUND: no route POST "/api/rag/ask"; use POST /api/rag/`,
		},
		{
			"a tool's name", "GET", "/api/where_used", 404, "",
			`PATH_NOT_FOUND: no route GET "/api/where_used"; use POST /api/nav/where-used`,
		},
		{
			"a name at the end of anything", "GET", "/health/status", 404, "",
			`PATH_NOT_FOUND: no route GET "/health/status"; the routes are listed in /openapi.yaml`,
		},
		{
			"the name of two, in its group", "POST", "/nav/search", 404, "",
			`PATH_NOT_FOUND: no route POST "/nav/search"; use POST /api/nav/search`,
		},
		{
			"dots are not resolved", "GET", "/api/../healthz", 404, "",
			`PATH_NOT_FOUND: no route GET "/api/../healthz"; the routes are listed in /openapi.yaml`,
		},
		{
			"escaped path", "GET", "/a%2F%00", 404, "",
			`PATH_NOT_FOUND: no route GET "/a/\x00"; the routes are listed in /openapi.yaml`,
		},
		{
			"other method", "GET", "/api/rag/search", 405, "POST",
			`METHOD_NOT_ALLOWED: "/api/rag/search" does not take GET; use POST`,
		},
		{
			"two methods", "PUT", "/api/index/jobs/j1", 405, "GET, HEAD, DELETE",
			`METHOD_NOT_ALLOWED: "/api/index/jobs/j1" does not take PUT; use GET, HEAD, DELETE`,
		},
		{
			"OPTIONS", "OPTIONS", "/api/rag/repos", 405, "GET, HEAD",
			`METHOD_NOT_ALLOWED: "/api/rag/repos" does not take OPTIONS; use GET, HEAD`,
		},
		{
			"invented method", "BREW", "/healthz", 405, "GET, HEAD",
			`METHOD_NOT_ALLOWED: "/healthz" does not take BREW; use GET, HEAD`,
		},
		{
			"invented method, unknown path", "BREW", "/pot", 404, "",
			`PATH_NOT_FOUND: no route BREW "/pot"; the routes are listed in /openapi.yaml`,
		},
		{"page", "POST", "/", 405, "GET, HEAD", `METHOD_NOT_ALLOWED: "/" does not take POST; use GET, HEAD`},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := do(t, deps(), request{method: test.method, path: test.path})
			if w.Code != test.status || w.Header().Get("Allow") != test.allow {
				t.Errorf("status %d, Allow %q; want %d, %q", w.Code, w.Header().Get("Allow"), test.status, test.allow)
			}
			if got := message(t, w); got != test.message {
				t.Errorf("\n got %s\nwant %s", got, test.message)
			}
		})
	}
}

// Who goes to an address with a browser gets a page.
func TestUnroutedInABrowser(t *testing.T) {
	d := deps()
	d.NoPage = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
	})
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, test := range []struct{ method, path, accept, want string }{
		{"GET", "/nowhere", browser, "text/html"},
		{"GET", "/nowhere", "*/*", "application/json"},
		{"GET", "/nowhere", "application/json, text/html;q=0.5", "application/json"},
		{"GET", "/nowhere", "text/html;q=0", "application/json"},
		{"POST", "/nowhere", browser, "application/json"},
		{"GET", "/api/nowhere", browser, "application/json"},
	} {
		w := do(t, d, request{method: test.method, path: test.path, header: map[string]string{"Accept": test.accept}})
		if media := w.Header().Get("Content-Type"); w.Code != http.StatusNotFound || !strings.HasPrefix(media, test.want) {
			t.Errorf("%s %s for %q: status %d, %s; want 404, %s", test.method, test.path, test.accept, w.Code, media, test.want)
		}
	}
}

func TestHead(t *testing.T) {
	for path, status := range map[string]int{
		"/healthz": 200, "/": 200, "/api/rag/repos": 200, "/api/rag/search": 405,
		"/nowhere": 404,
	} {
		if w := do(t, deps(), request{method: http.MethodHead, path: path}); w.Code != status {
			t.Errorf("HEAD %s: status %d, want %d", path, w.Code, status)
		}
	}
}

func TestStaticReplies(t *testing.T) {
	for path, media := range map[string]string{
		"/":              "text/html; charset=utf-8",
		"/assets/app.js": "text/javascript; charset=utf-8", "/openapi.yaml": "application/yaml",
		"/metrics": "text/plain; version=0.0.4; charset=utf-8",
	} {
		w := do(t, deps(), request{method: "GET", path: path})
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != media || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %s, %d bytes", path, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s: security headers are missing: %v", path, w.Header())
		}
	}
}
