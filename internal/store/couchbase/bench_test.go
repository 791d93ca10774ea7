package couchbase_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocb/v2"
	"github.com/couchbase/gocb/v2/vector"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
	"github.com/ragnav/ragnav/test/cbtest"
)

const (
	benchDims  = 256
	benchDocs  = 1000
	benchLanes = 96 // operations under way at once, as in the store
)

// BenchmarkPut writes a batch through the store and, in turns, with the bare
// driver. "ratio" is the store's time over that of a driver that is given the
// values ready, while the store makes them by analysis, JSON and base64;
// "ratio-same-work" is over that of a driver whose caller makes them too.
func BenchmarkPut(b *testing.B) {
	node := cbtest.Start(b, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	s := clustertest.Open(b, node, benchConfig)
	bare := clustertest.Connect(b, node).Bucket(clustertest.Bucket).Scope(clustertest.Scope).Collection("documents")
	docs := benchCorpus()
	values := make([][]byte, len(docs))
	for i := range docs {
		values[i] = encoded(b, &docs[i])
	}
	var ready, made race
	for b.Loop() {
		ready.run(func() { applyAll(b, s, docs) },
			func() { upsertAll(b, bare, docs, func(i int) []byte { return values[i] }) })
		made.run(func() { applyAll(b, s, docs) },
			func() { upsertAll(b, bare, docs, func(i int) []byte { return encoded(b, &docs[i]) }) })
	}
	ready.report(b, benchDocs)
	b.ReportMetric(made.ratio(), "ratio-same-work")
}

// BenchmarkSearch runs requests through the store and, in turns, the same ones
// with the bare driver, which reads the rows and decodes their headers.
func BenchmarkSearch(b *testing.B) {
	node := cbtest.Start(b, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	createQueryIndexes(b, node)
	createIndex(b, node, definition.Options{Dims: benchDims})
	s := clustertest.Open(b, node, benchConfig)
	docs := benchCorpus()
	applyAll(b, s, docs)
	if err := s.Settle(b.Context()); err != nil {
		b.Fatal(err)
	}
	scope := clustertest.Connect(b, node).Bucket(clustertest.Bucket).Scope(clustertest.Scope)
	filter := fts.Conjunction{Conjuncts: []fts.Query{
		fts.Filter(fts.FieldType, string(models.TypeSymbol)),
		fts.Filter(fts.FieldRepo, "o/r"),
	}, Boost: fts.Zero()}
	text := fts.TextField(models.TypeSymbol)
	for name, req := range map[string]fts.Request{
		"lexical": {Query: fts.Conjunction{Conjuncts: []fts.Query{
			filter,
			fts.Match{Field: text, Match: "parseheader readtoken"},
		}}, Size: 400},
		"vector": {
			Query: filter, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: docs[7].Embedding, K: 200, Filter: filter}},
			KNNOperator: "and", Size: 200,
		},
	} {
		b.Run(name, func(b *testing.B) {
			var r race
			for b.Loop() {
				r.run(func() {
					if _, err := s.Search(b.Context(), req); err != nil {
						b.Fatal(err)
					}
				}, func() { bareSearch(b, scope, req) })
			}
			r.report(b, 1)
		})
	}
}

// A race takes turns, each beginning every other time.
type race struct {
	rounds      int
	store, bare time.Duration
}

func (r *race) run(store, bare func()) {
	timed := func(total *time.Duration, f func()) {
		start := time.Now()
		f()
		*total += time.Since(start)
	}
	if r.rounds++; r.rounds%2 == 0 {
		timed(&r.bare, bare)
		timed(&r.store, store)
		return
	}
	timed(&r.store, store)
	timed(&r.bare, bare)
}

func (r *race) report(b *testing.B, perRound int) {
	n := float64(r.rounds * perRound)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(n/r.store.Seconds(), "store/s")
	b.ReportMetric(n/r.bare.Seconds(), "bare/s")
	b.ReportMetric(r.ratio(), "ratio")
}

func (r *race) ratio() float64 { return r.store.Seconds() / r.bare.Seconds() }

func benchConfig(c *driver.Config) { c.Dims = benchDims }

// benchCorpus is symbols with about 100 words of text each.
func benchCorpus() []models.Document {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(
		"parse header request response client server read write open close buffer token value error context frame stream " +
			"index search")
	docs := make([]models.Document, benchDocs)
	for i := range docs {
		var text []string
		for range 100 {
			text = append(text, words[rng.IntN(len(words))]+words[rng.IntN(len(words))])
		}
		path := fmt.Sprintf("internal/pkg%d/file%d.go", i%37, i)
		docs[i] = models.Document{
			Header: models.Header{
				ID: models.SymbolID("o/r", path, "Do", 1), Type: models.TypeSymbol, RepoID: "o/r", FilePath: path,
				SymbolName: "Do", QualifiedName: "pkg.Do", Kind: "func", Language: "Go", StartLine: 3, EndLine: 40,
			},
			Signature: "func Do(ctx context.Context) error", Content: strings.Join(text[:40], " "),
			SummarySource: models.SummaryExtracted,
			ParentID:      models.FileID("o/r", path), Text: "Do " + strings.Join(text, " "),
			Embedding: unitVector(rng, benchDims),
		}
	}
	return docs
}

func unitVector(rng *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	var length float64
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		length += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

func applyAll(b *testing.B, s *couchbase.Store, docs []models.Document) {
	b.Helper()
	if err := s.Apply(b.Context(), store.Batch{Put: docs}); err != nil {
		b.Fatal(err)
	}
}

func encoded(b *testing.B, d *models.Document) []byte {
	b.Helper()
	value, err := couchbase.EncodeDocument(d)
	if err != nil {
		b.Error(err)
	}
	return value
}

func upsertAll(b *testing.B, c *gocb.Collection, docs []models.Document, value func(i int) []byte) {
	b.Helper()
	options := &gocb.UpsertOptions{
		Transcoder: gocb.NewRawJSONTranscoder(), DurabilityLevel: gocb.DurabilityLevelMajority,
		Context: b.Context(),
	}
	var lanes sync.WaitGroup
	for lane := range benchLanes {
		lanes.Go(func() {
			for i := lane; i < len(docs); i += benchLanes {
				if _, err := c.Upsert(wire.DocumentKey(docs[i].ID), value(i), options); err != nil {
					b.Error(err)
				}
			}
		})
	}
	lanes.Wait()
}

// analysed is a query with the terms of its words, as the store sends it.
func analysed(q fts.Query) fts.Query {
	c, ok := q.(fts.Conjunction)
	if !ok {
		return q
	}
	var out []fts.Query
	for _, q := range c.Conjuncts {
		if m, ok := q.(fts.Match); ok {
			m.Match = strings.Join(fts.Analyze(m.Match), " ")
			q = m
		}
		out = append(out, q)
	}
	return fts.Conjunction{Conjuncts: out, Boost: c.Boost}
}

func bareSearch(b *testing.B, scope *gocb.Scope, req fts.Request) {
	b.Helper()
	request := gocb.SearchRequest{SearchQuery: analysed(req.Query)}
	for _, k := range req.KNN {
		near := vector.NewQuery(k.Field, k.Vector).NumCandidates(uint32(k.K)).Prefilter(k.Filter)
		request.VectorSearch = vector.NewSearch([]*vector.Query{near},
			&vector.SearchOptions{VectorQueryCombination: vector.VectorQueryCombinationAnd})
	}
	res, err := scope.Search("code_vector_index", request, &gocb.SearchOptions{
		Limit: uint32(req.Size), Fields: []string{"header"}, Raw: map[string]any{"sort": []string{"-_score", "_id"}},
		Context: b.Context(),
	})
	if err != nil {
		b.Fatal(err)
	}
	var headers []models.Header
	for res.Next() {
		var fields struct {
			Header string `json:"header"`
		}
		var header models.Header
		row := res.Row()
		if err := row.Fields(&fields); err != nil {
			b.Fatal(err)
		}
		if err := json.Unmarshal([]byte(fields.Header), &header); err != nil {
			b.Fatal(err)
		}
		headers = append(headers, header)
	}
	if err := res.Err(); err != nil {
		b.Fatal(err)
	}
	if _, err := res.MetaData(); err != nil || len(headers) == 0 {
		b.Fatal(err, "no hits")
	}
}
