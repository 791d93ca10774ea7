package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

type searchReply struct {
	Status struct {
		Total, Failed, Successful int
		Errors                    map[string]string
	}
	Hits []struct {
		Index, ID string
		Score     float64
		Fields    map[string]any
	}
	TotalHits int     `json:"total_hits"`
	MaxScore  float64 `json:"max_score"`
	Took      int64
}

func (r searchReply) ids() []string {
	ids := []string{}
	for _, h := range r.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func (r searchReply) scores() []float64 {
	scores := []float64{}
	for _, h := range r.Hits {
		scores = append(scores, h.Score)
	}
	return scores
}

// search runs a request that the engine takes.
func search(t testing.TB, e *Engine, body string, failPartitions int) searchReply {
	t.Helper()
	status, data := e.Query(bucket, scope, name, []byte(body), failPartitions)
	if status != 200 {
		t.Fatalf("%s: %d %s", body, status, data)
	}
	var r searchReply
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return r
}

func put(t testing.TB, e *Engine, collection, key string, doc []byte) {
	t.Helper()
	if err := e.Put(collection, key, doc); err != nil {
		t.Error(err)
	}
}

func remove(t testing.TB, e *Engine, key string) {
	t.Helper()
	if err := e.Delete(collection, key); err != nil {
		t.Error(err)
	}
}

// wantIDs checks the hits of a query, in order.
func wantIDs(t testing.TB, e *Engine, query string, want ...string) {
	t.Helper()
	r := search(t, e, `{"query":`+query+`,"sort":["-_score","_id"]}`, 0)
	if diff := cmp.Diff(want, r.ids(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", query, diff)
	}
	if r.TotalHits != len(want) {
		t.Errorf("%s: total_hits %d, want %d", query, r.TotalHits, len(want))
	}
}

// zoo is a small corpus.
func zoo(t testing.TB, o Options, replacements ...string) *Engine {
	t.Helper()
	e := defined(t, o, replacements...)
	for key, doc := range map[string]string{
		"a": `{"type":"file","repo_id":"o/r","tags":["wet","big"],"created":"2026-01-01","terms":"walrus walrus ` +
			`seal","content":"The Walrus","header":"{\"n\":1}","lines":7,"open":true,"at":"2026-01-02T03:04:05Z",` +
			`"place":{"path":"x/y.go"},"other":"walrus"}`,
		"b": `{"type":"file","repo_id":"o/r","tags":["wet"],"created":"2026-01-15","terms":"seal","content":"a ` +
			`seal","place":{"path":"x/z.go"}}`,
		"c": `{"type":"symbol","repo_id":"o/s","tags":"dry","created":"2026-02-01","terms":"walrus camel camel ` +
			`camel","content":"WALRUS and camel"}`,
		"d": `{"type":"symbol","repo_id":"o/s","created":"2026-03-01","terms":""}`,
	} {
		put(t, e, collection, key, []byte(doc))
	}
	return e
}

func TestQueryKinds(t *testing.T) {
	tests := []struct {
		name, query string
		want        []string
	}{
		{"term", `{"term":"file","field":"type"}`, []string{"a", "b"}},
		{"a term is not analysed", `{"term":"File","field":"type"}`, nil},
		{"a term of several", `{"term":"big","field":"tags"}`, []string{"a"}},
		{"nested field", `{"term":"x/y.go","field":"place.path"}`, []string{"a"}},
		{"a field that is not indexed", `{"term":"walrus","field":"other"}`, nil},
		{"a field that is stored only", `{"match":"{\"n\":1}","field":"header"}`, nil},
		{"a field that nobody knows", `{"regexp":".*","field":"nope"}`, nil},
		{"match goes through the analyser of the field", `{"match":"walrus","field":"content"}`, []string{"a", "c"}},
		{"match any", `{"match":"seal camel","field":"terms"}`, []string{"c", "b", "a"}},
		{"match all", `{"match":"walrus seal","field":"terms","operator":"and"}`, []string{"a"}},
		{"match none of the words", `{"match":"unheardof","field":"terms"}`, nil},
		{"match of no words", `{"match":" ","field":"terms"}`, nil},
		{"match with another analyser", `{"match":"WALRUS","field":"terms","analyzer":"simple"}`, []string{"a", "c"}},
		{"regexp matches whole terms", `{"regexp":"w.t","field":"tags"}`, []string{"a", "b"}},
		{"regexp that matches a part", `{"regexp":"w","field":"tags"}`, nil},
		{"regexp with groups", `{"regexp":"x/(y|q)\\.go","field":"place.path"}`, []string{"a"}},
		{
			"range", `{"min":"2026-01-15","max":"2026-02-01","field":"created","inclusive_min":true,"inclusive_max":false}`,
			[]string{"b"},
		},
		{"range by default", `{"min":"2026-01-15","max":"2026-02-01","field":"created"}`, []string{"b"}},
		{
			"range with its end", `{"min":"2026-01-15","max":"2026-02-01","field":"created","inclusive_max":true}`,
			[]string{"b", "c"},
		},
		{"range without its start", `{"min":"2026-01-15","field":"created","inclusive_min":false}`, []string{"c", "d"}},
		{"range with an end only", `{"max":"2026-01-15","field":"created"}`, []string{"a"}},
		{"range that is empty", `{"min":"2026-02","max":"2026-01","field":"created"}`, nil},
		{"ids", `{"ids":["d","a","nope"]}`, []string{"a", "d"}},
		{"no ids", `{"ids":[]}`, nil},
		{"all of", `{"conjuncts":[{"term":"file","field":"type"},{"term":"big","field":"tags"}]}`, []string{"a"}},
		{"all of nothing", `{"conjuncts":[]}`, nil},
		{"any of", `{"disjuncts":[{"term":"big","field":"tags"},{"term":"dry","field":"tags"}]}`, []string{"a", "c"}},
		{"any of nothing", `{"disjuncts":[]}`, nil},
		{"two of three", `{"disjuncts":[{"term":"file","field":"type"},{"term":"wet","field":"tags"},` +
			`{"term":"big","field":"tags"}],"min":2}`, []string{"a", "b"}},
		{"match_all", `{"match_all":{}}`, []string{"a", "b", "c", "d"}},
		{"match_none", `{"match_none":{}}`, nil},
		{"match_none as gocb writes it", `{"match_none":null}`, nil},
		{"empty query", `{}`, nil},
		{"null", `null`, nil},
	}
	e := zoo(t, today)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := slices.Sorted(slices.Values(search(t, e, `{"query":`+tt.query+`}`, 0).ids()))
			if diff := cmp.Diff(slices.Sorted(slices.Values(tt.want)), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.query, diff)
			}
		})
	}
}

func TestScoresFollowChanges(t *testing.T) {
	e := zoo(t, today)
	want := search(t, e, `{"query":{"match":"walrus camel","field":"terms"}}`, 0)
	for i := range 3000 { // enough to make the engine forget numbers of deleted documents
		key := fmt.Sprint("k", i%100)
		put(t, e, collection, key, fmt.Appendf(nil, `{"terms":"walrus x%d","embedding":[1,%d]}`, i, i))
	}
	for i := range 100 {
		remove(t, e, fmt.Sprint("k", i))
	}
	if diff := cmp.Diff(want.Hits, search(t, e, `{"query":{"match":"walrus camel","field":"terms"}}`, 0).Hits); diff !=
		"" {
		t.Errorf("hits (-before +after):\n%s", diff)
	}
	wantIDs(t, e, `{"regexp":"x.*","field":"terms"}`)
}

func TestFields(t *testing.T) {
	e := zoo(t, today)
	tests := []struct {
		name, fields string
		want         map[string]any
	}{
		{"none", `[]`, nil},
		{"one", `["header"]`, map[string]any{"header": `{"n":1}`}},
		{"not stored, not there", `["repo_id","content","nope"]`, nil},
		{"all", `["*"]`, map[string]any{
			"type": "file", "header": `{"n":1}`, "tags": []any{"wet", "big"}, "lines": 7.0,
			"open": true, "at": "2026-01-02T03:04:05Z", "place.path": "x/y.go",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := search(t, e, `{"query":{"ids":["a"]},"fields":`+tt.fields+`}`, 0)
			if diff := cmp.Diff(tt.want, r.Hits[0].Fields, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDynamicMapping(t *testing.T) {
	e := zoo(t, today, `"code.documents": { "enabled": true, "dynamic": false`,
		`"code.documents": { "enabled": true, "dynamic": true`, `"index_dynamic": false`, `"index_dynamic": true`)
	wantIDs(t, e, `{"match":"walrus","field":"other"}`, "a")
}
