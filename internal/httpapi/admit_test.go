package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A crowd of agents waits as long as it takes, as far as each has the time.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deps()
		bind(d, op.Search, func(context.Context, search.Request) (search.Response, error) {
			time.Sleep(time.Second) // of the bubble
			return search.Response{}, nil
		})
		ops := httpapi.Patient(httpapi.Admitted(d.Ops, true))
		seats := max(2, parallel.Processors())
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+time.Millisecond)
		defer cancel()
		var served, late atomic.Int32
		var all sync.WaitGroup
		for range 20 * seats {
			all.Go(func() {
				switch _, err := op.Search.By(ctx, ops, search.Request{Query: "x"}); {
				case err == nil:
					served.Add(1)
				case errors.Is(err, context.DeadlineExceeded):
					late.Add(1)
				}
			})
		}
		all.Wait()
		if n := int(served.Load()); n != 10*seats && n != 11*seats || int(served.Load()+late.Load()) != 20*seats {
			t.Errorf("%d are served in 10 s, %d were too late", n, late.Load())
		}
	})
}

// Outlines are parsed, only so many at once; lines are read meanwhile.
func TestAdmissionOfOutlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deps()
		var running atomic.Int32
		open := make(chan struct{})
		bind(d, op.Outline, func(context.Context, outline.Request) (outline.Response, error) {
			running.Add(1)
			<-open
			return outline.Response{}, nil
		})
		ops := httpapi.Admitted(d.Ops, true)
		var refused atomic.Int32
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				_, err := op.Outline.By(t.Context(), ops, outline.Request{RepoID: "a/b", FilePath: "x.go"})
				if fault.CodeOf(err) == fault.Overloaded {
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		seats := max(2, parallel.Processors())
		if n := int(running.Load()); n != seats || int(refused.Load()) != 64-4*seats {
			t.Errorf("%d run, %d are refused, of 64", n, refused.Load())
		}
		if _, err := op.File.By(t.Context(), ops, filefetch.Request{RepoID: "a/b", FilePath: "x.go"}); err != nil {
			t.Errorf("lines meanwhile: %v", err)
		}
		close(open)
		all.Wait()
	})
}

// Previews of large folders keep nobody from starting a job or building a graph.
func TestPreviewsKeepNobodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deps()
		open := make(chan struct{})
		bind(d, op.PreviewIndex, func(context.Context, index.StartRequest) (index.PreviewResponse, error) {
			<-open
			return index.PreviewResponse{}, nil
		})
		ops := httpapi.Admitted(d.Ops, true)
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() { _, _ = op.PreviewIndex.By(t.Context(), ops, index.StartRequest{Targets: []string{"/a"}}) })
		}
		synctest.Wait()
		if _, err := op.BuildGraph.By(t.Context(), ops, nav.BuildRequest{RepoID: "a/b"}); err != nil {
			t.Errorf("a graph meanwhile: %v", err)
		}
		if _, err := op.StartIndex.By(t.Context(), ops, index.StartRequest{Targets: []string{"/a"}}); err != nil {
			t.Errorf("a job meanwhile: %v", err)
		}
		close(open)
		all.Wait()
	})
}

// A crowd of searches: as many as there are processors run, three times as many
// wait, the others are told at once to come again; all else is served meanwhile.
func TestAdmission(t *testing.T) {
	seats := max(2, parallel.Processors())
	synctest.Test(t, func(t *testing.T) {
		d := deps()
		var running, most atomic.Int32
		open := make(chan struct{})
		bind(d, op.Search, func(context.Context, search.Request) (search.Response, error) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer running.Add(-1)
			<-open
			return search.Response{}, nil
		})
		d.Ops = httpapi.Admitted(d.Ops, true)
		h := httpapi.New(d)
		ask := func(method, path, body string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
			r.Host = "localhost"
			if body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			h.ServeHTTP(w, r)
			return w
		}
		var all sync.WaitGroup
		var served, refused atomic.Int32
		for range 256 {
			all.Go(func() {
				w := ask(searching.method, searching.path, searching.body)
				switch {
				case w.Code == http.StatusOK:
					served.Add(1)
				case w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "1" &&
					strings.Contains(w.Body.String(), `"OVERLOADED"`):
					refused.Add(1)
				default:
					t.Errorf("status %d, %s", w.Code, w.Body)
				}
			})
		}
		synctest.Wait()
		if n := int(running.Load()); n != seats || int(refused.Load()) != 256-4*seats {
			t.Errorf("%d run, %d are refused, of 256", n, refused.Load())
		}
		for path, body := range map[string]string{
			"/healthz": "", "/api/rag/repos": "", "/api/rag/file": `{"repo_id":"a/b","file_path":"x.go"}`,
			"/api/nav/where-used": `{"repo_id":"a/b","symbol":"T.M"}`,
		} {
			method := http.MethodGet
			if body != "" {
				method = http.MethodPost
			}
			if w := ask(method, path, body); w.Code != http.StatusOK {
				t.Errorf("%s meanwhile: status %d, %s", path, w.Code, w.Body)
			}
		}
		time.Sleep(3 * time.Second) // of the bubble: who waits is refused then
		if n := int(refused.Load()); n != 256-seats {
			t.Errorf("%d are refused after 3 s", n)
		}
		close(open)
		all.Wait()
		if n := int(served.Load()); n != seats || int(most.Load()) != seats {
			t.Errorf("%d were served, %d at once", n, most.Load())
		}
		if w := ask(searching.method, searching.path, searching.body); w.Code != http.StatusOK {
			t.Errorf("afterwards: status %d", w.Code)
		}
	})
}
