package couchbase_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/setup"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/test/cbtest"
)

// The query of a request for neighbours is left out while that changes no hit.
func TestQueryThatRepeatsTheFilter(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	b := store.Batch{Put: []models.Document{
		clustertest.SymbolDoc("o/r", "A"), clustertest.SymbolDoc("o/r", "Bb"), clustertest.SymbolDoc("o/r", "Ccc"),
		clustertest.SymbolDoc("o/r", "Dddd"),
	}}
	b.Put[3].Embedding = nil
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := func(from, size, k int) (names []string, sent []string) {
		n.ResetCalls()
		req := clustertest.ByVector()
		req.From, req.Size, req.KNN[0].K = from, size, k
		res, err := s.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range res.Hits {
			names = append(names, h.SymbolName)
		}
		for _, c := range n.Calls() {
			if strings.HasSuffix(c.Op, "/query") {
				sent = append(sent, c.Body)
			}
		}
		return names, sent
	}
	few, sent := page(0, 2, 2)
	if len(sent) != 1 || !strings.Contains(sent[0], `"match_none"`) {
		t.Errorf("sent %q, want one request without the query", sent)
	}
	all, sent := page(0, 4, 4)
	if len(sent) != 2 || strings.Contains(sent[1], `"match_none"`) {
		t.Errorf("sent %q, want another one with the query: few have a vector", sent)
	}
	if len(all) != 4 || all[3] != "Dddd" {
		t.Errorf("hits %q, want the one without a vector last", all)
	}
	if diff := cmp.Diff(all[:2], few); diff != "" {
		t.Errorf("the best two with and without the query (-with +without):\n%s", diff)
	}
	// as many neighbours as a page has hits, but not behind those of the page before
	second, _ := page(1, 3, 4)
	if diff := cmp.Diff(all[1:], second); diff != "" {
		t.Errorf("from the second on (-want +got):\n%s", diff)
	}
	if none, _ := page(0, 0, 4); len(none) > 0 {
		t.Errorf("no hit was asked for: %q", none)
	}
}
