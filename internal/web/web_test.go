package web_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/web"
)

func get(t *testing.T, path, ifNoneMatch string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	r.Header.Set("If-None-Match", ifNoneMatch)
	w := httptest.NewRecorder()
	web.Pages()[path].ServeHTTP(w, r)
	return w
}

func TestPagesAreServed(t *testing.T) {
	for path := range web.Pages() {
		w := get(t, path, "")
		if w.Code != http.StatusOK || w.Body.Len() == 0 || w.Header().Get("Content-Type") == "" {
			t.Errorf("%s: status %d, %d bytes of %q", path, w.Code, w.Body.Len(), w.Header().Get("Content-Type"))
		}
		if again := get(t, path, w.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s: status %d for what the browser has, want 304", path, again.Code)
		}
	}
}

// The policy forbids inline code and foreign files; the page must not need them.
func TestPageLivesUnderItsPolicy(t *testing.T) {
	w := get(t, "/", "")
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy = %q", policy)
	}
	page := w.Body.String()
	if bad := regexp.MustCompile(`(?i)\son\w+=|style=|<style|<script>|https?://`).FindAllString(page, -1); bad != nil {
		t.Errorf("the page has %q", bad)
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="(/assets/[^"]*)"`).FindAllStringSubmatch(page, -1) {
		if web.Pages()[m[1]] == nil {
			t.Errorf("the page asks for %s, which is not there", m[1])
		}
	}
}
