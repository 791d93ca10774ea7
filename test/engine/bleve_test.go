package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestBleveScores tells what of a real server's scores differs from the
// embedded store's.
func TestBleveScores(t *testing.T) {
	scores := func(e *Engine, query string) []float64 {
		return search(t, e, `{"query":`+query+`}`, 0).scores()
	}
	e := zoo(t, today)
	plain := scores(e, `{"match":"walrus","field":"terms"}`)
	if len(plain) != 2 || plain[0] <= plain[1] || plain[1] <= 0 {
		t.Fatalf("scores of a match: %v", plain)
	}
	tests := []struct {
		name, query string
		want        []float64
	}{
		{"the boost of one clause has no effect", `{"match":"walrus","field":"terms","boost":3}`, plain},
		{"nor has that of ids", `{"ids":["a","c"],"boost":0}`, []float64{1, 1}},
		{
			"nor has that of a conjunction, which multiplies nothing",
			`{"conjuncts":[{"ids":["a","c"]},{"match_all":{}}],"boost":0}`,
			scores(e, `{"conjuncts":[{"ids":["a","c"]},{"match_all":{}}]}`),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, scores(e, tt.query), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
				t.Errorf("scores (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("the scoring model is that of the definition", func(t *testing.T) {
		tfidf := scores(zoo(t, today, `, "scoring_model": "bm25"`, ``), `{"match":"walrus","field":"terms"}`)
		old := scores(zoo(t, Options{}), `{"match":"walrus","field":"terms"}`)
		if cmp.Equal(plain, tfidf) || !cmp.Equal(old, tfidf) {
			t.Errorf("scores %v by bm25, %v by default, %v on an old server", plain, tfidf, old)
		}
	})
}

// TestBleveHasNoScoreForFiltersAlone: where all of several clauses have the
// boost 0 bleve divides by zero, and the server cannot write the reply.
func TestBleveHasNoScoreForFiltersAlone(t *testing.T) {
	e := zoo(t, today)
	body := `{"query":{"conjuncts":[{"term":"file","field":"type","boost":0},{"term":"o/r","field":"repo_id","boost":0}]}}`
	if status, reply := e.Query(bucket, scope, name, []byte(body), 0); status != 500 ||
		!strings.Contains(errorOf(t, reply), "NaN") {
		t.Errorf("%d %s, want 500 because of a score that is no number", status, reply)
	}
}

func TestBleveUnion(t *testing.T) {
	e := circle(t, today)
	text := search(t, e, `{"query":{"match":"walrus","field":"terms"}}`, 0).Hits[0].Score
	r := search(t, e, `{"sort":["-_score","_id"],"query":{"match":"walrus","field":"terms"},"knn":[`+
		knnClause(0.7, 2, `,"boost":7,"filter":{"match":"sea walrus","field":"terms"}`)+`]}`, 0)
	if diff := cmp.Diff([]string{"v2", "v3", "v0", "v4"}, r.ids()); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	square := func(angle float64) float64 { return 2 - 2*math.Cos(angle) }
	want := []float64{text + 7/square(0.1), 7 / square(0.2), text, text}
	if diff := cmp.Diff(want, r.scores(), cmpopts.EquateApprox(1e-5, 0)); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	two := search(t, e, knnRequest(matchNone, knnClause(0.7, 1, ""), knnClause(0.8, 1, `,"boost":3`)), 0)
	if want := []float64{3 / math.Sqrt2 / square(0.1), 1 / math.Sqrt2 / square(0.1)}; cmp.Diff(want, two.scores(),
		cmpopts.EquateApprox(1e-4, 0)) != "" {
		t.Errorf("scores of two clauses %v, want %v", two.scores(), want)
	}
}

func TestBleveEqualVectors(t *testing.T) {
	r := search(t, circle(t, today), `{"knn":[{"field":"embedding","vector":[1,0],"k":2}]}`, 0)
	if got := r.Hits[0].Score; got != math.MaxFloat32 {
		t.Errorf("score of an equal vector %v, want %v", got, math.MaxFloat32)
	}
}

func TestBleveFollowsChanges(t *testing.T) {
	e := zoo(t, today)
	for i := range 1200 {
		put(t, e, collection, fmt.Sprint("k", i%600), fmt.Appendf(nil, `{"type":"x%d"}`, i%7))
	}
	for i := range 600 {
		if i%2 == 0 {
			remove(t, e, fmt.Sprint("k", i))
		}
	}
	if r := search(t, e, `{"query":{"regexp":"x.","field":"type"},"size":0}`, 0); r.TotalHits != 300 {
		t.Errorf("%d hits, want 300", r.TotalHits)
	}
	put(t, e, collection, "a", []byte(`{"type":"y"}`))
	wantIDs(t, e, `{"term":"y","field":"type"}`, "a")
	wantIDs(t, e, `{"term":"file","field":"type"}`, "b")
	if n, _ := e.Count(bucket, scope, name); n != 304 {
		t.Errorf("Count = %d, want 304", n)
	}
}
