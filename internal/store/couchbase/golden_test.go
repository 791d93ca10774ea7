package couchbase_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

// The bodies of requests as they reach the Search service, for the legs that
// package search sends (see its gather.go and scope.go).
func TestWireBodies(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node, func(c *driver.Config) { c.OpTimeout = 10 * time.Second })
	scope := fts.Conjunction{
		Conjuncts: []fts.Query{
			fts.Filter(fts.FieldType, string(models.TypeSymbol)),
			fts.Disjunction{
				Disjuncts: []fts.Query{fts.Filter(fts.FieldRepo, "go/std"), fts.Filter(fts.FieldRepo, "o/r")},
				Boost:     fts.Zero(),
			},
			fts.Filter(fts.FieldLanguage, "go"),
			fts.Disjunction{Disjuncts: []fts.Query{
				fts.Filter(fts.FieldAncestor, "net/http"),
				fts.Filter(fts.FieldPath, "net/http"),
			}, Boost: fts.Zero()},
		},
		Boost: fts.Zero(),
	}
	vector := []float32{0.5, -0.5, 0.5, -0.5, 0, 0.1, 0, 0}
	knn := func(filter fts.Query, k int) fts.Request {
		return fts.Request{
			Query: filter, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: vector, K: k, Filter: filter}}, KNNOperator: "and",
			Size: k,
		}
	}
	requests := map[string]fts.Request{
		"vector": knn(scope, 200),
		"lexical": {
			Query: fts.Conjunction{Conjuncts: []fts.Query{
				scope,
				fts.Match{Field: fts.TextField(models.TypeSymbol), Match: "how does http.Client follow redirects"},
			}},
			Size: 400,
		},
		"exact": {
			Query: fts.Conjunction{Conjuncts: []fts.Query{scope, fts.Disjunction{Disjuncts: []fts.Query{
				fts.Term{Field: fts.FieldName, Term: "do"}, fts.Term{Field: fts.FieldQualified, Term: "client.do"},
			}}}},
			Size: 100,
		},
		"fill":  knn(fts.IDs{IDs: []string{"symbol:go/std:net/http/client.go:Client.do"}, Boost: fts.Zero()}, 1),
		"count": {Query: fts.MatchAll{}},
		"page":  {Query: fts.Regexp{Field: fts.FieldPath, Regexp: `src/.*\.go`, Boost: fts.Zero()}, From: 20, Size: 10},
	}
	for name, req := range requests {
		t.Run(name, func(t *testing.T) {
			node.ResetCalls()
			if _, err := s.Search(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			golden.File(t, filepath.Join("testdata", name+".json"), string(lastBody(t, node)))
		})
	}
}

// lastBody is the body of the last search, indented, with the time left as 10 s.
// Where the nearest fill no page another went before, see nearestAlone.
func lastBody(t *testing.T, node *cbtest.Node) []byte {
	t.Helper()
	var bodies []string
	for _, c := range node.Calls() {
		if c.Service == "search" && strings.HasSuffix(c.Op, "/api/bucket/ragnav/scope/code/index/code_vector_index/query") {
			bodies = append(bodies, c.Body)
		}
	}
	if len(bodies) == 0 || len(bodies) > 2 {
		t.Fatalf("%d requests, want one or two", len(bodies))
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal([]byte(bodies[len(bodies)-1]), &body); err != nil {
		t.Fatal(err)
	}
	var ctl map[string]int
	if err := json.Unmarshal(body["ctl"], &ctl); err != nil || len(ctl) != 1 || ctl["timeout"] < 9000 ||
		ctl["timeout"] > 10000 {
		t.Errorf("ctl is %s, want only a timeout of at most 10 s", body["ctl"])
	}
	body["ctl"] = json.RawMessage(`{"timeout":10000}`)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	if err := e.Encode(body); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
