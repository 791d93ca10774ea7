package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestWindow(t *testing.T) {
	e := zoo(t, today)
	for i := range 20 {
		put(t, e, collection, fmt.Sprintf("k%02d", i), []byte(`{}`))
	}
	all := search(t, e, `{"query":{"match_all":{}},"size":100,"sort":["_id"]}`, 0).ids()
	tests := []struct {
		name, window string
		from, to     int
	}{
		{"ten by default", ``, 0, 10},
		{"size", `,"size":3`, 0, 3},
		{"from", `,"size":3,"from":2`, 2, 5},
		{"past the end", `,"size":3,"from":100`, 24, 24},
		{"size 0 counts only", `,"size":0`, 0, 0},
		{"negative is default", `,"size":-1,"from":-1`, 0, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := search(t, e, `{"query":{"match_all":{}}`+tt.window+`,"sort":["_id"]}`, 0)
			if diff := cmp.Diff(all[tt.from:tt.to], r.ids(), cmpopts.EquateEmpty()); diff != "" || r.TotalHits != 24 {
				t.Errorf("total_hits %d, hits (-want +got):\n%s", r.TotalHits, diff)
			}
		})
	}
}

func TestRequestRefused(t *testing.T) {
	knn := func(rest string) string {
		return `{"query":{"match_none":{}},"knn":[{"field":"embedding","vector":[1,0],"k":1` + rest + `}]}`
	}
	tests := []struct{ name, body, want string }{
		{"not JSON", `{`, "unexpected end of JSON"},
		{"no object", `[]`, "cannot unmarshal array"},
		{"two values", `{} {}`, "after top-level value"},
		{"unknown key", `{"query":{},"sizes":1}`, `knows no "sizes" in a request`},
		{"window", `{"size":9000,"from":1001}`, "bleveMaxResultWindow exceeded, from: 1001, size: 9000"},
		{"window that overflows", `{"size":1,"from":9223372036854775807}`, "bleveMaxResultWindow exceeded"},
		{"unknown query", `{"query":{"fancy":1}}`, "unknown query type"},
		{"unknown query inside", `{"query":{"conjuncts":[{"disjuncts":[{"fancy":1}]}]}}`, "unknown query type"},
		{"query no object", `{"query":"x"}`, "cannot unmarshal string"},
		{
			"range without bounds", `{"query":{"field":"created","inclusive_min":true,"inclusive_max":false}}`,
			"unknown query type",
		},
		{
			"range with empty bounds", `{"query":{"field":"created","min":"","max":""}}`,
			"term range query must specify min or max",
		},
		{"match operator", `{"query":{"match":"x","field":"terms","operator":"xor"}}`, "match operator"},
		{
			"min of more than there are", `{"query":{"disjuncts":[{"match_all":{}}],"min":2}}`,
			"fewer than the minimum number of clauses",
		},
		{"bad regexp", `{"query":{"regexp":"(","field":"tags"}}`, "missing closing )"},
		{
			"unknown analyser", `{"query":{"match":"x","field":"terms","analyzer":"klingon"}}`,
			"no analyzer named 'klingon' registered",
		},
		{"knn_operator", `{"knn_operator":"xor"}`, "knn_operator must be either 'and' / 'or'"},
		{"filter of knn", knn(`,"filter":{"fancy":1}`), "unknown query type"},
		{"vector of strings", `{"knn":[{"field":"embedding","vector":["1"],"k":1}]}`, "cannot unmarshal string"},
		{"vector in bad base64", `{"knn":[{"field":"embedding","vector_base64":"%","k":1}]}`, "illegal base64"},
	}
	e := zoo(t, today)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, body := e.Query(bucket, scope, name, []byte(tt.body), 0)
			if status != 400 {
				t.Fatalf("%d %s, want 400", status, body)
			}
			message := errorOf(t, body)
			if !strings.Contains(message, "indexName: ragnav.code.code_vector_index, err: ") ||
				!strings.Contains(message, tt.want) {
				t.Errorf("error %q, want %q in it", message, tt.want)
			}
		})
	}
}

func TestRequestTaken(t *testing.T) {
	e := zoo(t, today)
	for _, body := range []string{
		`{}`,
		`{"query":null,"knn":null,"sort":null,"fields":null}`,
		`{"showrequest":false,"explain":false,"highlight":null,"facets":null,"includeLocations":false,"score":"",` +
			`"search_after":null,"params":{}}`,
		`{"ctl":{"timeout":75000,"consistency":{"level":"at_plus","vectors":{"code_vector_index":{"1/2":3}}}}}`,
		`{"query":{"term":"x","field":"type","boost":null}}`,
	} {
		search(t, e, body, 0)
	}
}

func TestTooManyClauses(t *testing.T) {
	for partitions, want := range map[int]int{1: 400, 2: 200} {
		e := defined(t, Options{Partitions: partitions})
		for i := range 3000 {
			put(t, e, collection, fmt.Sprint("k", i), fmt.Appendf(nil, `{"tags":"x%04d","created":"%04d"}`, i, i))
		}
		wantIDs(t, e, `{"max":"0001","field":"created"}`, "k0")
		for _, query := range []string{`{"regexp":".*","field":"tags"}`, `{"min":"0000","field":"created"}`} {
			status, body := e.Query(bucket, scope, name, []byte(`{"query":`+query+`}`), 0)
			if status != want || !strings.Contains(string(body), "maxClauseCount, which is set to 1024") {
				t.Errorf("%d partitions: %d %.300s", partitions, status, body)
			}
		}
	}
}
