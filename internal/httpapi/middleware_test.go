package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/search"
)

var searching = request{method: "POST", path: "/api/rag/search", body: `{"query":"s3cret words"}`}

// observed is deps with a log to look at.
func observed() (httpapi.Deps, *observer.ObservedLogs) {
	core, logs := observer.New(zap.DebugLevel)
	d := deps()
	d.Log = zap.New(core)
	return d, logs
}

// A panic, in the goroutine of the request or in one that it started, is that
// request's error, and logged once.
func TestPanic(t *testing.T) {
	for name, fail := range map[string]func(ctx context.Context) error{
		"in the request": func(context.Context) error { panic("s3cret state") },
		"in a leg": func(ctx context.Context) error {
			legs, _ := parallel.NewGroup(ctx)
			legs.Go(func() error { panic("s3cret state") })
			return fault.Wrap(fault.RAGUnavailable, legs.Wait(), "a leg failed")
		},
		"carried on": func(context.Context) error { panic(<-parallel.Start(func() error { panic("s3cret state") })) },
	} {
		t.Run(name, func(t *testing.T) {
			d, logs := observed()
			bind(d, op.Search, func(ctx context.Context, _ search.Request) (search.Response, error) {
				return search.Response{}, fail(ctx)
			})
			w := do(t, d, searching)
			want := "INTERNAL: internal error; the log has it under this request id"
			if got := message(t, w); got != want || w.Code != http.StatusInternalServerError {
				t.Errorf("status %d, %s; want %s", w.Code, got, want)
			}
			failures := logs.FilterLevelExact(zap.ErrorLevel).All()
			if len(failures) != 1 || !strings.Contains(failures[0].ContextMap()["stack"].(string), "TestPanic.") ||
				failures[0].ContextMap()["request_id"] != "test" {
				t.Errorf("the log does not tell what happened, once: %v", failures)
			}
		})
	}
}

// An operation sees the limit through its context, and what it fails with after
// that is a timeout whatever it says.
func TestTimeout(t *testing.T) {
	for name, late := range map[string]func(context.Context) error{
		"the context's error": func(ctx context.Context) error { return ctx.Err() },
		"a foreign error":     func(context.Context) error { return errors.New("read: interrupted") },
		"a cancelled part":    func(context.Context) error { return context.Canceled },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := deps()
				d.Timeout = time.Second
				bind(d, op.Search, func(ctx context.Context, _ search.Request) (search.Response, error) {
					<-ctx.Done()
					return search.Response{}, late(ctx)
				})
				start := time.Now()
				w := do(t, d, searching)
				if got := message(t, w); !strings.HasPrefix(got, "TIMEOUT: ") || w.Code != http.StatusGatewayTimeout {
					t.Errorf("status %d, %s", w.Code, got)
				}
				if got := time.Since(start); got != time.Second {
					t.Errorf("it took %v, want 1s", got)
				}
			})
		})
	}
}

func TestRequestID(t *testing.T) {
	for _, test := range []struct {
		name, sent string
		kept       bool
	}{
		{"sane", "Ab-9._", true},
		{"longest", strings.Repeat("a", 100), true},
		{"none", "", false},
		{"too long", strings.Repeat("a", 101), false},
		{"would break a log line", "a b", false},
		{"not ASCII", "ä", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := do(t, deps(), request{method: "GET", path: "/healthz", header: map[string]string{"X-Request-Id": test.sent}})
			id := w.Header().Get("X-Request-Id")
			if id == "" || (id == test.sent) != test.kept {
				t.Errorf("sent %q, got %q", test.sent, id)
			}
			if !strings.Contains(w.Body.String(), `"request_id":"`+id+`"`) {
				t.Errorf("the body has another id than the header's %q: %s", id, w.Body)
			}
		})
	}
}

// One line a request, with the route's pattern and nothing of what was asked.
func TestAccessLog(t *testing.T) {
	for _, test := range []struct {
		name string
		req  request
		want map[string]any
	}{
		{"ok", searching, map[string]any{
			"method": "POST", "route": "/api/rag/search", "status": int64(200),
			"request_id": "test",
		}},
		{
			"path parameter",
			request{method: "GET", path: "/api/index/jobs/s3cret"},
			map[string]any{"method": "GET", "route": "/api/index/jobs/{id}", "status": int64(200), "request_id": "test"},
		},
		{
			"refused",
			request{method: "POST", path: "/api/rag/search", body: `{"s3cret":1}`},
			map[string]any{
				"method": "POST", "route": "/api/rag/search", "status": int64(400), "error_code": "INVALID_REQUEST",
				"request_id": "test",
			},
		},
		{
			"no route",
			request{method: "GET", path: "/s3cret"},
			map[string]any{
				"method": "GET", "route": "none", "status": int64(404), "error_code": "PATH_NOT_FOUND",
				"request_id": "test",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, logs := observed()
			w := do(t, d, test.req)
			if logs.Len() != 1 {
				t.Fatalf("%d lines, want 1: %v", logs.Len(), logs.All())
			}
			got := logs.All()[0].ContextMap()
			if got["bytes"] != int64(w.Body.Len()) || got["took"] == nil {
				t.Errorf("bytes = %v, want %d; took = %v", got["bytes"], w.Body.Len(), got["took"])
			}
			delete(got, "bytes")
			delete(got, "took")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
		})
	}
}

// What the client doesn't see is in the log, once. What is the client's own
// fault is not.
func TestErrorLog(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want []string
	}{
		{"bug", errors.New("nil map"), []string{"nil map"}},
		{
			"store", fault.Wrap(fault.RAGUnavailable, errors.New("dial 10.0.0.1"), "the store does not answer"),
			[]string{"the store does not answer: dial 10.0.0.1"},
		},
		{"client", fault.New(fault.RepoNotFound, "no repository"), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, logs := observed()
			bind(d, op.Search, func(context.Context, search.Request) (search.Response, error) {
				return search.Response{},
					test.err
			})
			do(t, d, searching)
			var got []string
			for _, e := range logs.FilterMessage("request failed").All() {
				got = append(got, e.ContextMap()["error"].(string))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("logged %q, want %q", got, test.want)
			}
		})
	}
}

// Nobody reads the reply when the client has gone; the access log tells it.
func TestClientGone(t *testing.T) {
	d, logs := observed()
	bind(d, op.Search, func(ctx context.Context, _ search.Request) (search.Response, error) {
		return search.Response{}, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/api/rag/search",
		strings.NewReader(searching.body))
	r.Header.Set("Content-Type", "application/json")
	httpapi.New(d).ServeHTTP(httptest.NewRecorder(), r)
	if logs.Len() != 1 || logs.All()[0].ContextMap()["status"] != int64(499) {
		t.Errorf("log = %v, want one line with status 499", logs.All())
	}
}
