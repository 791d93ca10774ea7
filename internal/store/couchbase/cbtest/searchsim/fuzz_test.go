package searchsim_test

import (
	"encoding/json"
	"testing"
)

// FuzzQuery: whatever is asked, the engine answers with JSON that the server
// could have written, and 500 is for scores that are no numbers only.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"query":{"match_all":{}},"size":3,"from":1,"fields":["*"],"sort":["-_score","_id"]}`,
		`{"query":{"conjuncts":[{"term":"file","field":"type","boost":0},{"disjuncts":[{"match":"walrus ` +
			`seal","field":"terms"},{"ids":["a"]}],"min":1}]}}`,
		`{"query":{"regexp":"(a|w.*)+","field":"tags"},` +
			`"knn":[{"field":"embedding","vector":[1,0],"k":2,"filter":{"min":"a","field":"tags"},` +
			`"boost":-1}],"knn_operator":"and"}`,
		`{"knn":[{"field":"embedding","vector_base64":"AACAPwAAAAA=","k":10000}],"ctl":{"timeout":1000}}`,
		`{"query":{"disjuncts":[{}],"min":1e300}}`, `{"query":{"term":"x","field":"type","boost":1e308}}`,
	} {
		f.Add([]byte(seed))
	}
	reference, bleve := zoo(f, today), zoo(f, server)
	putJSON(f, reference, "v", map[string]any{"embedding": []float64{1, 0}})
	f.Fuzz(func(t *testing.T, body []byte) {
		status, reply := reference.Query(bucket, scope, name, body, 0)
		if !json.Valid(reply) || status != 200 && status != 400 && status != 500 {
			t.Errorf("%s: %d %s", body, status, reply)
		}
		if other, reply := bleve.Query(bucket, scope, name, body, 0); !json.Valid(reply) ||
			(other == 400) != (status == 400) {
			t.Errorf("%s: %d, with the scores of bleve %d %s", body, status, other, reply)
		}
	})
}
