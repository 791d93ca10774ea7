package openai_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed/openai/openaitest"
	"github.com/ragnav/ragnav/internal/fault"
)

// A query is asked for once, however many ask at the same time and later.
func TestQueriesAreRemembered(t *testing.T) {
	s := openaitest.New(t, dims)
	gate := make(chan struct{})
	s.Fail(func(http.ResponseWriter, openaitest.Request) bool { <-gate; return false })
	c := client(s, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := c.Queries(t.Context(), []string{"open a file"})
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff(want(t, "open a file"), got, near); diff != "" {
				t.Error(diff)
			}
		})
	}
	close(gate)
	wg.Wait()
	if _, err := c.Queries(t.Context(), []string{"open a file", ""}); err != nil {
		t.Error(err)
	}
	if got := len(s.Requests()); got != 1 {
		t.Errorf("%d requests, want 1", got)
	}
}

// A server that failed is not asked by each search again, until it has had time
// or an index run has found it back.
func TestSearchesDontWaitForADeadServer(t *testing.T) {
	s := openaitest.New(t, dims)
	s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
		openaitest.Refuse(w, http.StatusBadGateway, "away")
		return true
	})
	c := client(s, nil)
	for _, q := range []string{"one", "two", "three"} {
		if _, err := c.Queries(t.Context(), []string{q}); fault.CodeOf(err) != fault.EmbedderUnavailable {
			t.Errorf("%s: %v", q, err)
		}
	}
	if got := len(s.Requests()); got != 2 {
		t.Errorf("%d requests for three searches, want the first and its second try", got)
	}
	s.Fail(nil)
	c.Ping(t.Context())
	if err := c.Away(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Queries(t.Context(), []string{"two"}); err != nil {
		t.Errorf("after it came back: %v", err)
	}
}
