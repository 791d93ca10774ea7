package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
)

// What was typed into a form is in it still when it was wrong, below what is wrong.
func TestFormsAreKept(t *testing.T) {
	s, f := newSite(fewFiles)
	wrong := fault.New(fault.InvalidRequest, "that is wrong")
	op.Bind(&f.Table, op.Impact, func(context.Context, nav.ImpactRequest) (nav.ImpactResponse, error) {
		return nav.ImpactResponse{}, wrong
	})
	op.Bind(&f.Table, op.StartIndex, func(context.Context, index.StartRequest) (index.JobsResponse, error) {
		return index.JobsResponse{}, wrong
	})
	op.Bind(&f.Table, op.PreviewIndex, func(context.Context, index.StartRequest) (index.PreviewResponse, error) {
		return index.PreviewResponse{}, wrong
	})
	for _, test := range []struct{ address, form, kept string }{
		{"/impact", "repo=a/b&base=v1&diff=" + url.QueryEscape("--- a/x\n<b>"), "--- a/x\n&lt;b&gt;</textarea>"},
		{"/impact", "repo=a/b&base=v1", `name="base" value="v1"`},
		{"/jobs", "do=index&target=/no/such", `name="target" value="/no/such"`},
		{"/jobs", "do=preview&target=/no/such", `name="target" value="/no/such"`},
	} {
		r := httptest.NewRequestWithContext(access.With(t.Context(), access.Owner), http.MethodPost, test.address,
			strings.NewReader(test.form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		body := w.Body.String()
		if w.Code != http.StatusBadRequest || !strings.Contains(body, test.kept) ||
			strings.Count(body, "<h2>that is wrong</h2>") != 1 || strings.Contains(body, "No symbol changes") {
			t.Errorf("%s of %s: status %d, without %s or what is wrong:\n%s", test.address, test.form, w.Code, test.kept, body)
		}
	}
	op.Bind(&f.Table, op.NavSearch, func(context.Context, nav.SearchRequest) (nav.SearchResponse, error) {
		return nav.SearchResponse{}, wrong
	})
	p := open(t, s, "/files?q=a&repo=a/b")
	if got := textOf(p.all("ul")[0]); p.Code != http.StatusBadRequest || got != "that is wrong" ||
		!strings.Contains(p.Body.String(), `name="q" value="a"`) || strings.Contains(p.text, "No file is named") {
		t.Errorf("a name that can't be looked for: status %d, %q in the list\n%s", p.Code, got, p.Body)
	}
	if p := open(t, s, "/ask?q=fail&repo=a/b"); p.Code != http.StatusServiceUnavailable ||
		!strings.Contains(p.Body.String(), ">fail</textarea>") || !strings.Contains(p.text, "LLM_UNAVAILABLE") {
		t.Errorf("a question that failed: status %d\n%s", p.Code, p.Body)
	}
	events := open(t, s, "/ask/events?q=fail&repo=a/b").Body.String()
	if !strings.Contains(events, `\u003efail\u003c/textarea`) || !strings.Contains(events, "LLM_UNAVAILABLE") {
		t.Errorf("a question that failed comes as\n%s", events)
	}
}
