package searchsim_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest/searchsim"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/vector"
)

const dims = 8

// TestSameAsEmbedded compares both stores over a random corpus that changed a
// few times. Scores of words and filters are the same bits; vectors are kept
// with fewer bits by the embedded store.
func TestSameAsEmbedded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	st, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	e := open(t, today)
	define(t, e, ragnavDefinition(t))
	known := map[models.DocumentID]bool{}
	for range 4 {
		var b store.Batch
		for _, id := range slices.Sorted(maps.Keys(known)) {
			if rng.IntN(10) == 0 {
				b.Delete = append(b.Delete, id)
				delete(known, id)
				e.Delete(collection, string(id))
			}
		}
		for range 150 {
			d := randomDocument(rng)
			known[d.ID] = true
			b.Put = append(b.Put, d)
			e.Put(collection, string(d.ID), documentJSON(t, d))
		}
		if err := st.Apply(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range queries() {
		compare(t, st, e, fts.Request{Query: q, Size: 1000})
		compare(t, st, e, fts.Request{
			Query: q, Size: 1000,
			KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: randomUnit(rng), K: 1000, Filter: q, Boost: new(0.1)}},
		})
	}
}

// queries are those of package fts, in all ways of joining them.
func queries() []fts.Query {
	words := func(typ models.DocType, words string, boost *float64) fts.Query {
		return fts.Match{Field: fts.TextField(typ), Match: words, Boost: boost}
	}
	file := fts.Filter(fts.FieldType, string(models.TypeFile))
	return []fts.Query{
		words(models.TypeFile, "aa", nil),
		words(models.TypeFile, "ab bc cd", nil),
		words(models.TypeSymbol, "parseFile the of aa aa", nil),
		words(models.TypeSymbol, "ea ea unheardof", new(2.5)),
		fts.Match{Field: fts.TextField(models.TypeFile), Match: "aa ab", Operator: "and"},
		fts.Conjunction{Conjuncts: []fts.Query{
			file, fts.Filter(fts.FieldAncestor, "d1"),
			words(models.TypeFile, "ab ba", nil),
		}},
		fts.Conjunction{
			Conjuncts: []fts.Query{words(models.TypeFile, "aa", nil), words(models.TypeFile, "ab", new(0.3))},
			Boost:     new(7.0),
		},
		fts.Disjunction{Disjuncts: []fts.Query{
			words(models.TypeFile, "aa", nil), words(models.TypeSymbol, "aa bb", nil),
			file,
		}},
		fts.Disjunction{
			Min: 2,
			Disjuncts: []fts.Query{
				words(models.TypeFile, "ab", nil), words(models.TypeFile, "aa", nil),
				words(models.TypeFile, "ba", new(0.1)),
			},
		},
		fts.Regexp{Field: fts.FieldPath, Regexp: `d1/.*[02468]\.go`},
		fts.TermRange{Field: fts.FieldPath, Min: "d1/f2", Max: "d1/f7", Boost: new(0.5)},
		fts.TermRange{Field: fts.FieldPath, Min: "d2"},
		fts.IDs{IDs: []string{"file:o/r:d1/f10.go", "nope"}},
		fts.Term{Field: fts.FieldTest, Term: "true"},
		fts.MatchAll{},
		fts.MatchNone{},
	}
}

// closeScores is how far, as a share, scores of vectors may be apart. Hits
// that are nearer to each other may come in either order.
const closeScores = 1e-3

// compare wants the same hits. Without vectors, scores are the same bits and the
// order is the same.
func compare(t *testing.T, st *embedded.Store, e *searchsim.Engine, req fts.Request) {
	t.Helper()
	want, err := st.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(asSent(req))
	if err != nil {
		t.Fatal(err)
	}
	got := search(t, e, string(body), 0)
	if got.TotalHits != want.Total || len(got.Hits) != len(want.Hits) {
		t.Fatalf("%s: %d hits of %d, embedded has %d of %d", body, len(got.Hits), got.TotalHits, len(want.Hits), want.Total)
	}
	ids, scores := make([]string, len(want.Hits)), map[string]float64{}
	for i, h := range want.Hits {
		ids[i], scores[string(h.ID)] = string(h.ID), h.Score
	}
	tolerance := 0.0
	if len(req.KNN) > 0 {
		tolerance = closeScores
	} else if diff := cmp.Diff(ids, got.ids()); diff != "" {
		t.Errorf("%s (-embedded +got):\n%s", body, diff)
	}
	for i, h := range got.Hits {
		if score, ok := scores[h.ID]; !ok || math.Abs(h.Score-score) > tolerance*score ||
			math.Abs(h.Score-scores[ids[i]]) > tolerance*h.Score {
			t.Errorf("%s: hit %d is %s with the score %v; embedded has the score %v, and %s with %v there", body, i, h.ID,
				h.Score, score, ids[i], scores[ids[i]])
		}
	}
}

// asSent analyses the words of a request, as the adapter does.
func asSent(req fts.Request) fts.Request {
	req.Query = analysed(req.Query)
	for i := range req.KNN {
		req.KNN[i].Filter = analysed(req.KNN[i].Filter)
	}
	return req
}

func analysed(q fts.Query) fts.Query {
	switch q := q.(type) {
	case fts.Match:
		q.Match = strings.Join(fts.Analyze(q.Match), " ")
		return q
	case fts.Conjunction:
		q.Conjuncts = analysedAll(q.Conjuncts)
		return q
	case fts.Disjunction:
		q.Disjuncts = analysedAll(q.Disjuncts)
		return q
	}
	return q
}

func analysedAll(qs []fts.Query) []fts.Query {
	out := make([]fts.Query, len(qs))
	for i, q := range qs {
		out[i] = analysed(q)
	}
	return out
}

func randomUnit(rng *rand.Rand) []float32 {
	v := make([]float32, dims)
	length := 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		length += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

func randomDocument(rng *rand.Rand) models.Document {
	var words []string
	for range rng.IntN(40) {
		words = append(words, string(rune('a'+min(rng.IntN(6), rng.IntN(6))))+string(rune('a'+rng.IntN(4))))
	}
	if rng.IntN(5) == 0 {
		words = append(words, "parseFile")
	}
	path := fmt.Sprintf("d%d/f%d.go", rng.IntN(3), rng.IntN(100))
	d := models.Document{
		Header: models.Header{
			ID: models.FileID("o/r", path), Type: models.TypeFile, RepoID: "o/r", FilePath: path,
			Test: rng.IntN(4) == 0,
		},
		Text: strings.Join(words, " "), Embedding: vector.Rounded(randomUnit(rng)),
	}
	if rng.IntN(2) == 0 {
		d.ID, d.Type = models.SymbolID("o/r", path, "S", 1), models.TypeSymbol
	}
	return d
}

// documentJSON is a document as the adapter writes it.
func documentJSON(t testing.TB, d models.Document) []byte {
	t.Helper()
	doc := map[string]any{
		fts.TextField(d.Type): strings.Join(fts.Analyze(d.Text), " "),
		fts.FieldEmbedding:    encoded(d.Embedding...),
	}
	for field, terms := range fts.Keywords(&d) {
		doc[field] = terms
	}
	header, err := json.Marshal(d.Header)
	if err != nil {
		t.Fatal(err)
	}
	doc["header"] = string(header)
	d.Text, d.Embedding = "", nil
	doc["doc"] = d
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ragnavDefinition has the fields of package fts.
func ragnavDefinition(t testing.TB) []byte {
	t.Helper()
	properties := map[string]any{}
	add := func(name string, field map[string]any) {
		field["name"] = name
		properties[name] = map[string]any{"enabled": true, "dynamic": false, "fields": []any{field}}
	}
	for _, name := range fts.KeywordFields() {
		add(name, map[string]any{"type": "text", "analyzer": "keyword", "index": true})
	}
	for _, name := range fts.TextFields() {
		add(name, map[string]any{"type": "text", "analyzer": "ragnav_terms", "index": true})
	}
	add("header", map[string]any{"type": "text", "analyzer": "keyword", "store": true})
	add(fts.FieldEmbedding, map[string]any{"type": "vector_base64", "dims": dims, "similarity": "l2_norm", "index": true})
	data, err := json.Marshal(properties)
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(edited(t), &d); err != nil {
		t.Fatal(err)
	}
	types := d["params"].(map[string]any)["mapping"].(map[string]any)["types"].(map[string]any)
	types[collection].(map[string]any)["properties"] = json.RawMessage(data)
	if data, err = json.Marshal(d); err != nil {
		t.Fatal(err)
	}
	return data
}
