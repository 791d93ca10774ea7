package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// circle has vectors on the unit circle: v0 to v5 at 0, 0.3, … 1.5.
func circle(t testing.TB, o Options, replacements ...string) *Engine {
	t.Helper()
	e := defined(t, o, replacements...)
	for i := range 6 {
		doc := map[string]any{"type": "odd", "terms": "sea", "embedding": direction(0.3 * float64(i))}
		if i%2 == 0 {
			doc["type"], doc["terms"] = "even", "walrus"
		}
		putJSON(t, e, fmt.Sprint("v", i), doc)
	}
	return e
}

func putJSON(t testing.TB, e *Engine, key string, doc map[string]any) {
	t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	put(t, e, collection, key, data)
}

func direction(angle float64) []float64 { return []float64{math.Cos(angle), math.Sin(angle)} }

// knnRequest asks for the k nearest to an angle; rest is appended to the clause.
func knnClause(angle float64, k int, rest string) string {
	d := direction(angle)
	return fmt.Sprintf(`{"field":"embedding","vector":[%v,%v],"k":%d%s}`, d[0], d[1], k, rest)
}

func knnRequest(query string, clauses ...string) string {
	return `{"sort":["-_score","_id"],"query":` + query + `,"knn":[` + strings.Join(clauses, ",") + `]}`
}

const (
	matchNone = `{"match_none":{}}`
	evenOnly  = `{"term":"even","field":"type"}`
)

func TestKNN(t *testing.T) {
	const near = 0.31 // nearest are v1, v2, v0, v3, v4, v5
	filter := `,"filter":` + evenOnly
	tests := []struct {
		name, body string
		want       []string
	}{
		{"nearest first", knnRequest(matchNone, knnClause(near, 3, "")), []string{"v1", "v2", "v0"}},
		{"filter before the nearest are taken", knnRequest(matchNone, knnClause(near, 2, filter)), []string{"v2", "v0"}},
		{"filter that finds fewer", knnRequest(matchNone, knnClause(near, 9, filter)), []string{"v2", "v0", "v4"}},
		{"filter that finds none", knnRequest(matchNone, knnClause(near, 9, `,"filter":{"term":"x","field":"nope"}`)), nil},
		{"filter of null", knnRequest(matchNone, knnClause(near, 1, `,"filter":null`)), []string{"v1"}},
		{
			"union of query and knn", knnRequest(`{"match":"walrus","field":"terms"}`, knnClause(near, 1, "")),
			[]string{"v1", "v0", "v2", "v4"},
		},
		{
			"and does not join query and knn",
			strings.Replace(knnRequest(`{"match":"walrus","field":"terms"}`, knnClause(near, 1, "")), "{",
				`{"knn_operator":"and",`, 1),
			[]string{"v1", "v0", "v2", "v4"},
		},
		{
			"the filter does not touch the query", knnRequest(`{"ids":["v5"],"boost":0}`, knnClause(near, 1, filter)),
			[]string{"v2", "v5"},
		},
		{"several, either", knnRequest(matchNone, knnClause(near, 1, ""), knnClause(1.5, 1, "")), []string{"v5", "v1"}},
		{"several, both", strings.Replace(knnRequest(matchNone, knnClause(near, 3, ""), knnClause(0.595, 2, "")), "{",
			`{"knn_operator":"and",`, 1), []string{"v2", "v1"}},
		{"no query is none", `{"knn":[` + knnClause(near, 1, "") + `]}`, []string{"v1"}},
		{"wrong length finds nothing", `{"knn":[{"field":"embedding","vector":[1,0,0],"k":5}]}`, nil},
		{"unknown field finds nothing", `{"knn":[{"field":"nope","vector":[1,0],"k":5}]}`, nil},
		{"no vector field finds nothing", `{"knn":[{"field":"terms","vector":[1,0],"k":5}]}`, nil},
		{
			"vector in base64", `{"knn":[{"field":"embedding","vector_base64":"` + encoded(1, 0) + `","k":2}]}`,
			[]string{"v0", "v1"},
		},
	}
	e := circle(t, today)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := search(t, e, tt.body, 0)
			if diff := cmp.Diff(tt.want, r.ids(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.body, diff)
			}
			if r.Status.Failed != 0 || r.TotalHits != len(tt.want) {
				t.Errorf("status %+v, total_hits %d, want %d", r.Status, r.TotalHits, len(tt.want))
			}
		})
	}
}

func TestOldServersIgnoreTheFilter(t *testing.T) {
	e := circle(t, Options{})
	for _, filter := range []string{evenOnly, `{"fancy":1}`, `7`} {
		r := search(t, e, knnRequest(matchNone, knnClause(0.31, 2, `,"filter":`+filter)), 0)
		if diff := cmp.Diff([]string{"v1", "v2"}, r.ids()); diff != "" {
			t.Errorf("filter %s (-want +got):\n%s", filter, diff)
		}
	}
}

func encoded(vector ...float32) string {
	var data []byte
	for _, x := range vector {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(data)
}

func TestSimilarities(t *testing.T) {
	docs := map[string]any{
		"same": []float64{3, 4}, "ahead": []float64{6, 8}, "aside": []float64{4, -3},
		"behind": []float64{-3, -4},
	}
	tests := []struct {
		similarity string
		want       map[string]float64 // for the query 3, 4
	}{
		{"l2_norm", map[string]float64{"same": math.MaxFloat32, "ahead": 1.0 / 25, "aside": 1.0 / 50, "behind": 1.0 / 100}},
		{"dot_product", map[string]float64{"same": 25, "ahead": 50, "aside": 0, "behind": -25}},
		{"cosine", map[string]float64{"same": 1, "ahead": 1, "aside": 0, "behind": -1}},
	}
	for _, tt := range tests {
		t.Run(tt.similarity, func(t *testing.T) {
			e := defined(t, today, `"l2_norm"`, fmt.Sprintf("%q", tt.similarity))
			for key, vector := range docs {
				putJSON(t, e, key, map[string]any{"type": "x", "embedding": vector})
			}
			got := map[string]float64{}
			for _, h := range search(t, e, `{"knn":[{"field":"embedding","vector":[3,4],"k":4}]}`, 0).Hits {
				got[h.ID] = h.Score
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
				t.Errorf("scores (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMaxScoreIsNeverNegative(t *testing.T) {
	e := defined(t, today, `"l2_norm"`, `"dot_product"`)
	putJSON(t, e, "a", map[string]any{"embedding": []float64{-1, 0}})
	r := search(t, e, `{"knn":[{"field":"embedding","vector":[1,0],"k":1}]}`, 0)
	if r.MaxScore != 0 || r.Hits[0].Score != -1 {
		t.Errorf("max_score %v of the score %v, want 0", r.MaxScore, r.Hits[0].Score)
	}
}

func TestVectorsThatAreDroppedInSilence(t *testing.T) {
	for kind, vectors := range map[string]map[string]any{
		"vector": {
			"good": []float64{1, 0}, "short": []float64{1}, "long": []float64{1, 0, 0}, "empty": []float64{},
			"strings": []string{"1", "0"},
			"base64":  encoded(1, 0), "null": nil, "object": map[string]any{"x": 1},
		},
		"vector_base64": {
			"good": encoded(1, 0), "short": encoded(1), "long": encoded(1, 0, 0), "empty": "", "odd": "AAA=", "not base64": "%",
			"array":        []float64{1, 0},
			"not a number": encoded(1, float32(math.NaN())),
		},
	} {
		t.Run(kind, func(t *testing.T) {
			e := defined(t, today, `"type": "vector"`, fmt.Sprintf(`"type": %q`, kind))
			for key, vector := range vectors {
				putJSON(t, e, key, map[string]any{"type": "x", "embedding": vector})
			}
			r := search(t, e, `{"knn":[{"field":"embedding","vector":[1,0],"k":100}]}`, 0)
			if diff := cmp.Diff([]string{"good"}, r.ids()); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
			if r := search(t, e, `{"query":{"term":"x","field":"type"}}`, 0); r.TotalHits != len(vectors) {
				t.Errorf("%d documents found by words, want %d", r.TotalHits, len(vectors))
			}
		})
	}
}

func TestVectorsFollowChanges(t *testing.T) {
	e := circle(t, today)
	putJSON(t, e, "v1", map[string]any{"embedding": direction(3)})
	putJSON(t, e, "v2", map[string]any{"type": "even"})
	remove(t, e, "v0")
	r := search(t, e, knnRequest(matchNone, knnClause(0, 9, "")), 0)
	if diff := cmp.Diff([]string{"v3", "v4", "v5", "v1"}, r.ids()); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

func TestBadK(t *testing.T) {
	e := circle(t, Options{Partitions: 3})
	for body, want := range map[string]string{
		`{"query":{"match_all":{}},"knn":[{"field":"embedding","vector":[1,0],"k":0}]}`:     "k must be greater than 0",
		`{"query":{"match_all":{}},"knn":[{"field":"embedding","vector":[1,0]}]}`:           "k must be greater than 0",
		`{"query":{"match_all":{}},"knn":[{"field":"embedding","vector":[],"k":1}]}`:        "vector must be non-empty",
		`{"query":{"match_all":{}},"knn":[{"field":"embedding","vector":[1,0],"k":10001}]}`: "k must be less than 10000",
	} {
		if status, reply := e.Query(bucket, scope, name, []byte(body), 0); status != 400 ||
			!strings.Contains(errorOf(t, reply), want) {
			t.Errorf("%s: %d %s, want %q", body, status, reply, want)
		}
	}
	search(t, e, knnRequest(matchNone, knnClause(0, 10_000, "")), 0)
}
