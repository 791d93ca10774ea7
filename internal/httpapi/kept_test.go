package httpapi_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
)

// A reply that a client keeps is sent again only once it is another one.
func TestKeptReplies(t *testing.T) {
	d, lines := deps(), 3
	bind(d, op.Outline, func(_ context.Context, req outline.Request) (outline.Response, error) {
		if req.RepoID != "r" || req.FilePath != "a.go" || !req.Private {
			t.Errorf("the request is %+v", req)
		}
		return outline.Response{
			Result: models.OKResult([]models.OutlineItem{}), RepoID: "r", FilePath: "a.go",
			TotalLines: lines,
		}, nil
	})
	get := func(kept string) (status int, tag string) {
		w := do(t, d, request{
			method: "GET", path: "/api/rag/outline?repo_id=r&file_path=a.go&private=true",
			header: map[string]string{"If-None-Match": kept},
		})
		if cache := w.Header().Get("Cache-Control"); cache != "private, no-cache" {
			t.Errorf("status %d has Cache-Control %q", w.Code, cache)
		}
		return w.Code, w.Header().Get("ETag")
	}
	_, tag := get("")
	for kept, want := range map[string]int{
		"": http.StatusOK, tag: http.StatusNotModified, `"x", ` + tag: http.StatusNotModified, `W/"x"`: http.StatusOK,
		"*": http.StatusNotModified,
	} {
		if got, again := get(kept); got != want || again != tag {
			t.Errorf("If-None-Match %s gives %d with %s, want %d with %s", kept, got, again, want, tag)
		}
	}
	lines++
	if status, other := get(tag); status != http.StatusOK || other == tag {
		t.Errorf("another reply gives %d with %s", status, other)
	}
	w := do(t, d, request{method: "GET", path: "/api/rag/file?repo_id=r&spans=x"})
	if got := message(t, w); got !=
		`INVALID_REQUEST: unknown query parameter "spans"; there are repo_id, file_path, start_line, end_line, symbol, `+
			`document_id, context, cursor, max_tokens, commit, picture` {
		t.Error(got)
	}
}
