package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

func TestOperations(t *testing.T) {
	for _, test := range []struct {
		name string
		req  request
	}{
		{"repos", request{method: "GET", path: "/api/rag/repos?limit=10"}},
		{"remove", request{method: "DELETE", path: "/api/rag/repos/a/b"}},
		{"structure", request{method: "POST", path: "/api/rag/structure", body: `{"repo_id":"a/b"}`}},
		{"search", request{method: "POST", path: "/api/rag/search", body: `{"query":"x","level":"symbol"}`}},
		{"file", request{method: "POST", path: "/api/rag/file", body: `{"repo_id":"a/b","file_path":"x.go"}`}},
		{"ask", request{method: "POST", path: "/api/rag/", body: `{"query":"x"}`}},
		{"index", request{method: "POST", path: "/api/index", body: `{"targets":["/src/b"]}`}},
		{"preview", request{
			method: "POST", path: "/api/index",
			body: `{"targets":["/src/b"],"dry_run":true,"only":"indexed","limit":5}`,
		}},
		{"jobs", request{method: "GET", path: "/api/index/jobs"}},
		{"job", request{method: "GET", path: "/api/index/jobs/j1"}},
		{"cancel", request{method: "DELETE", path: "/api/index/jobs/j1"}},
		{"coverage", request{method: "GET", path: "/api/index/coverage?repo_id=a/b&only=skipped"}},
		{"nav_search", request{
			method: "POST", path: "/api/nav/search",
			body: `{"repo_id":"a/b","query":"x","regexp":true,"case":"smart","word":true}`,
		}},
		{"where_used", request{
			method: "POST", path: "/api/nav/where-used",
			body: `{"repo_id":"a/b","symbol":"T.M","include_text":true,"only":"code"}`,
		}},
		{"lineage", request{
			method: "POST", path: "/api/nav/lineage",
			body: `{"repo_id":"a/b","symbol":"T.M","direction":"callers","depth":2}`,
		}},
		{"definition", request{
			method: "POST", path: "/api/nav/definition",
			body: `{"repo_id":"a/b","file_path":"x.go","line":3,"column":2}`,
		}},
		{"implementations", request{
			method: "POST", path: "/api/nav/implementations",
			body: `{"repo_id":"a/b","symbol":"T.M","direction":"down"}`,
		}},
		{"impact", request{method: "POST", path: "/api/nav/impact", body: `{"repo_id":"a/b","base":"HEAD","depth":2}`}},
		{"map", request{method: "POST", path: "/api/rag/map", body: `{"repo_id":"a/b","path":"x","max_tokens":500}`}},
		{"nav_status", request{method: "GET", path: "/api/nav/status?repo_id=a/b"}},
		{"build_graph", request{method: "POST", path: "/api/nav/build-graph", body: `{"repo_id":"a/b","full":true}`}},
		{"healthz", request{method: "GET", path: "/healthz"}},
		{"readyz", request{method: "GET", path: "/readyz"}},
		{"version", request{method: "GET", path: "/version"}},
	} {
		t.Run(test.name, func(t *testing.T) { compare(t, do(t, deps(), test.req)) })
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name   string
		err    error
		status int
	}{
		{"not_found", fmt.Errorf("search: %w",
			fault.New(fault.RepoNotFound, "no repository %q; list them with GET /api/rag/repos", "a")), 404},
		{"not_ready", fault.New(fault.IndexNotReady, "a/b is being indexed: 3 of 9 files"), 409},
		{"store_down", fault.Wrap(fault.RAGUnavailable, errors.New("dial 10.0.0.1"), "the store does not answer"), 503},
		{"fields", &fault.Error{
			Code: fault.InvalidRequest, Message: "cursor is old",
			Fields: map[string]string{"cursor": "is old"},
		}, 400},
		{"bug", errors.New("secret detail"), 500},
		{"slow", fmt.Errorf("read: %w", context.DeadlineExceeded), 504},
		{"cancelled_by_itself", context.Canceled, 500},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := deps()
			bind(d, op.Search, func(context.Context, search.Request) (search.Response, error) {
				return search.Response{},
					test.err
			})
			w := do(t, d, request{method: "POST", path: "/api/rag/search", body: `{"query":"x"}`})
			if w.Code != test.status {
				t.Errorf("status = %d, want %d", w.Code, test.status)
			}
			compare(t, w)
		})
	}
}

// FALLBACK is an answer, so it is 200 like OK.
func TestFallback(t *testing.T) {
	d := deps()
	bind(d, op.Jobs, func(context.Context, index.JobsRequest) (index.JobsResponse, error) {
		return index.JobsResponse{Result: models.FallbackResult[index.Job](nil, "scanned")}, nil
	})
	w := do(t, d, request{method: "GET", path: "/api/index/jobs"})
	if w.Code != http.StatusOK {
		t.Errorf("status = %d, want 200", w.Code)
	}
	compare(t, w)
}

func TestNotReady(t *testing.T) {
	d := deps()
	d.Ready = func(context.Context) []models.Check {
		return []models.Check{{Name: "store", Message: "closed"}, {Name: "git", OK: true, Message: "git version 2.47"}}
	}
	w := do(t, d, request{method: "GET", path: "/readyz"})
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status = %d, want 503", w.Code)
	}
	compare(t, w)
}

// What most answers do without is a warning.
func TestReadyButDegraded(t *testing.T) {
	d := deps()
	d.Ready = func(context.Context) []models.Check {
		return []models.Check{
			{Name: "couchbase_query", OK: true, Degraded: true, Message: "it is away"},
			{Name: "store", OK: true, Message: "open"},
		}
	}
	w := do(t, d, request{method: "GET", path: "/readyz"})
	if w.Code != http.StatusOK {
		t.Errorf("status = %d, want 200", w.Code)
	}
	compare(t, w)
}

func TestRetryAfter(t *testing.T) {
	for _, test := range []struct {
		name string
		err  *fault.Error
		want string
	}{
		{"as told, rounded up", &fault.Error{Code: fault.RAGUnavailable, RetryAfter: 1500 * time.Millisecond}, "2"},
		{"never without", fault.New(fault.Overloaded, "busy"), "1"},
		{"only where it helps", fault.New(fault.RAGUnavailable, "gone"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := deps()
			bind(d, op.Search, func(context.Context, search.Request) (search.Response, error) {
				return search.Response{},
					test.err
			})
			w := do(t, d, request{method: "POST", path: "/api/rag/search", body: `{"query":"x"}`})
			if got := w.Header().Get("Retry-After"); got != test.want {
				t.Errorf("Retry-After = %q, want %q", got, test.want)
			}
		})
	}
}

// What reaches an operation is what the client sent, from wherever it was sent.
func TestInput(t *testing.T) {
	var got any
	d := deps()
	bind(d, op.Remove, func(_ context.Context, req index.RemoveRequest) (index.RemoveResponse, error) {
		got = req
		return index.RemoveResponse{Result: models.OKResult([]index.Removed{{RepoID: req.RepoID}})}, nil
	})
	bind(d, op.Job, func(_ context.Context, req index.JobRequest) (index.JobsResponse, error) {
		got = req
		return jobs(), nil
	})
	bind(d, op.Coverage, func(_ context.Context, req index.CoverageRequest) (index.CoverageResponse, error) {
		got = req
		return index.CoverageResponse{Result: models.OKResult[index.CoverageItem](nil), Skipped: map[models.SkipReason]int{}},
			nil
	})
	bind(d, op.Search, func(ctx context.Context, req search.Request) (search.Response, error) {
		got = req
		return found(ctx, req)
	})
	for _, test := range []struct {
		name string
		req  request
		want any
	}{
		{"one segment", request{method: "DELETE", path: "/api/rag/repos/a"}, index.RemoveRequest{RepoID: "a"}},
		{"four segments", request{method: "DELETE", path: "/api/rag/repos/a/b/c/d"}, index.RemoveRequest{RepoID: "a/b/c/d"}},
		{"escaped slash", request{method: "DELETE", path: "/api/rag/repos/a%2Fb"}, index.RemoveRequest{RepoID: "a/b"}},
		{"path parameter", request{method: "GET", path: "/api/index/jobs/j%201"}, index.JobRequest{ID: "j 1"}},
		{
			"query",
			request{method: "GET", path: "/api/index/coverage?repo_id=a%2Fb&path=x+y.go&limit=7"},
			index.CoverageRequest{RepoID: "a/b", Path: "x y.go", Limit: new(7)},
		},
		{
			"body",
			request{
				method: "POST", path: "/api/rag/search",
				body: ` {"query":"\u00e9 ","limit":1.0,"preview":true,"cursor":""}` + "\n",
			},
			search.Request{Query: "é ", Limit: new(1), Preview: true},
		},
		{
			"media type with charset",
			request{
				method: "POST", path: "/api/rag/search", body: `{"query":"x"}`,
				header: map[string]string{"Content-Type": "application/json; charset=UTF-8"},
			},
			search.Request{Query: "x"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got = nil
			do(t, d, test.req)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}
