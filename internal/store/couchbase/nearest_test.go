package couchbase_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest"
)

// The query of a request for neighbours is left out while that changes no hit.
func TestQueryThatRepeatsTheFilter(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	setUp(t, n, couchbase.SetupOptions{})
	s := openStore(t, n)
	b := store.Batch{Put: []models.Document{
		symbolDoc("o/r", "A"), symbolDoc("o/r", "Bb"), symbolDoc("o/r", "Ccc"),
		symbolDoc("o/r", "Dddd"),
	}}
	b.Put[3].Embedding = nil
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	hits := func(size int) (names []string, sent []string) {
		n.ResetCalls()
		req := byVector()
		req.Size, req.KNN[0].K = size, size
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
	few, sent := hits(2)
	if len(sent) != 1 || !strings.Contains(sent[0], `"match_none"`) {
		t.Errorf("sent %q, want one request without the query", sent)
	}
	all, sent := hits(4)
	if len(sent) != 2 || strings.Contains(sent[1], `"match_none"`) {
		t.Errorf("sent %q, want another one with the query: few have a vector", sent)
	}
	if len(all) != 4 || all[3] != "Dddd" {
		t.Errorf("hits %q, want the one without a vector last", all)
	}
	if diff := cmp.Diff(all[:2], few); diff != "" {
		t.Errorf("the best two with and without the query (-with +without):\n%s", diff)
	}
}
