package embedded_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

var benchDocs = flag.Int("docs", 100_000, "documents in the index of BenchmarkStore")

const (
	benchBatch = 2_000
	benchDims  = 256
	vocabulary = 60_000
)

// A generator makes documents whose words are distributed as those of code
// are: by Zipf's law, two in three of the rarer ones identifiers of several words.
type generator struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newGenerator() *generator {
	rng := rand.New(rand.NewPCG(1, 2))
	g := &generator{rng: rng, zipf: rand.NewZipf(rng, 1.1, 8, vocabulary-1)}
	syllables := []string{
		"ta", "re", "con", "der", "si", "mo", "pre", "ver", "lo", "cha", "ne", "qu", "fi", "ob", "ject",
		"str",
	}
	for i := range vocabulary {
		word := ""
		for n := i + 17; n > 0; n /= len(syllables) {
			word += syllables[n%len(syllables)]
		}
		if i > 500 && i%3 > 0 {
			for range i % 3 {
				next := g.words[rng.IntN(i/10)]
				word += strings.ToUpper(next[:1]) + next[1:]
			}
		}
		g.words = append(g.words, word)
	}
	return g
}

func (g *generator) word() string { return g.words[g.zipf.Uint64()] }

func (g *generator) text(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(g.word())
		b.WriteString([]string{" ", ".", "(", ") ", "\n\t"}[g.rng.IntN(5)])
	}
	return b.String()
}

// document is symbol i: 1.5 KB of text on average, 10 symbols a file, 10 files
// a folder, 20 repositories.
func (g *generator) document(i int) models.Document {
	repo := models.RepoID(fmt.Sprintf("owner/repo%d", i%20))
	file := fmt.Sprintf("internal/%s%d/%s_%d.go", g.words[i/100%500], i/100, g.words[i/10%900], i/10)
	name := fmt.Sprintf("%s%d", g.word(), i)
	v := make([]float32, benchDims)
	var length float32
	for j := range v {
		v[j] = g.rng.Float32() - 0.5
		length += v[j] * v[j]
	}
	scale := float32(1 / math.Sqrt(float64(length)))
	for j := range v {
		v[j] *= scale
	}
	return models.Document{
		Header: models.Header{
			ID: models.SymbolID(repo, file, name, 1), Type: models.TypeSymbol, RepoID: repo, FilePath: file, SymbolName: name,
			QualifiedName: name, Kind: []string{"func", "method", "type"}[i%3],
			Language:  []string{"Go", "Python", "Rust"}[i/100%3],
			StartLine: i % 900, EndLine: i%900 + 20, Test: i%7 == 0,
		},
		Signature: "func " + name + "(ctx context.Context) error", Content: g.text(150),
		SummarySource: models.SummaryDocstring,
		ParentID:      models.FileID(repo, file), ContentHash: fmt.Sprintf("%064d", i), SchemaVersion: 1,
		Created: time.Unix(1, 0), Updated: time.Unix(2, 0),
		Text: strings.Repeat(name+" ", 3) + g.text(500+g.rng.IntN(2000)), Embedding: v,
	}
}

func (g *generator) batch(from, to int) store.Batch {
	var b store.Batch
	for i := from; i < to; i++ {
		b.Put = append(b.Put, g.document(i))
	}
	return b
}

// BenchmarkApply writes batches of new documents; it reports documents a
// second without the time that making them takes.
func BenchmarkApply(b *testing.B) {
	s := openBench(b, b.TempDir())
	g := newGenerator()
	docs := 0
	for b.Loop() {
		b.StopTimer()
		batch := g.batch(docs, docs+benchBatch)
		b.StartTimer()
		must(b, s.Apply(b.Context(), batch))
		docs += benchBatch
	}
	b.ReportMetric(float64(docs)/b.Elapsed().Seconds(), "docs/s")
}

// BenchmarkStore builds an index of -docs documents and searches it.
func BenchmarkStore(b *testing.B) {
	dir := b.TempDir()
	g := newGenerator()
	s := openBench(b, dir)
	var writing time.Duration
	n := int64(*benchDocs)
	for i := 0; i < *benchDocs; i += benchBatch {
		batch := g.batch(i, i+benchBatch)
		start := time.Now()
		must(b, s.Apply(b.Context(), batch))
		writing += time.Since(start)
	}
	b.Logf("Apply: %.0f docs/s; %d bytes a document on disk after the last batch", float64(n)/writing.Seconds(),
		diskBytes(b, dir)/n)
	must(b, s.Close())
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			s := openBench(b, dir)
			must(b, s.Close())
		}
	})
	s = openBench(b, dir)
	defer s.Close()
	start := time.Now()
	_, err := s.Search(b.Context(), fts.Request{Query: fts.MatchAll{}})
	must(b, err)
	b.Logf("first search: %v; %d bytes a document on disk", time.Since(start), diskBytes(b, dir)/n)
	benchSearches(b, s, g)
	benchWrites(b, s, g)
	b.Logf("%d bytes a document on disk in the end", diskBytes(b, dir)/n)
}

func benchSearches(b *testing.B, s *embedded.Store, g *generator) {
	filter := fts.Conjunction{Conjuncts: []fts.Query{
		fts.Filter(fts.FieldType, string(models.TypeSymbol)), fts.Filter(fts.FieldRepo, "owner/repo3"),
		fts.Filter(fts.FieldLanguage, "go"),
	}}
	typeOnly := fts.Filter(fts.FieldType, string(models.TypeSymbol))
	words := func(q string) fts.Query { return fts.Match{Field: fts.TextField(models.TypeSymbol), Match: q} }
	common := words(strings.Join(g.words[20:23], " "))
	middle := words(strings.Join([]string{g.words[60], g.words[400], g.words[3000]}, " "))
	and := func(qs ...fts.Query) fts.Query { return fts.Conjunction{Conjuncts: qs} }
	near := func(filter fts.Query, k int) []fts.KNN {
		return []fts.KNN{{Field: fts.FieldEmbedding, Vector: g.document(7).Embedding, K: k, Filter: filter}}
	}
	for _, bm := range []struct {
		name string
		req  fts.Request
	}{
		{"words/common", fts.Request{Query: common, Size: 100}},
		{"words/middle", fts.Request{Query: middle, Size: 100}},
		{"words/common+type", fts.Request{Query: and(typeOnly, common), Size: 100}},
		{"words/common+filter", fts.Request{Query: and(filter, common), Size: 100}},
		{"words/middle+filter", fts.Request{Query: and(filter, middle), Size: 100}},
		{"words/middle+path", fts.Request{Query: and(fts.Regexp{
			Field: fts.FieldPath, Regexp: `internal/[^/]*/.*_77.*\.go`,
			Boost: fts.Zero(),
		}, middle), Size: 100}},
		{"vector/type", fts.Request{Query: typeOnly, KNN: near(typeOnly, 100), Size: 100}},
		{"vector/filter", fts.Request{Query: filter, KNN: near(filter, 100), Size: 100}},
		{"vector/type, query evaluated", fts.Request{Query: typeOnly, KNN: near(typeOnly, 99), Size: 100}},
		{"filter", fts.Request{Query: filter, Size: 10}},
		{"id", fts.Request{Query: fts.IDs{IDs: []string{string(g.document(5).ID)}}, Size: 1}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			res, err := s.Search(b.Context(), bm.req)
			must(b, err)
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.Search(b.Context(), bm.req)
				must(b, err)
			}
			b.ReportMetric(float64(res.Total), "found")
		})
	}
}

func benchWrites(b *testing.B, s *embedded.Store, g *generator) {
	b.Run("update one", func(b *testing.B) {
		doc := g.document(77)
		for b.Loop() {
			must(b, s.Apply(b.Context(), store.Batch{Put: []models.Document{doc}}))
			_, err := s.Search(b.Context(), fts.Request{Query: fts.IDs{IDs: []string{string(doc.ID)}}, Size: 1})
			must(b, err)
		}
	})
	var records []store.Record
	for i := range 10_000 {
		records = append(records,
			store.Record{Collection: "files:r", Key: fmt.Sprintf("dir/file%d", i), Value: models.FileRecord{
				Hash: fmt.Sprintf("%064d", i), Documents: []models.DocumentID{g.document(i).ID, g.document(i + 1).ID},
			}})
	}
	for chunk := range slices.Chunk(records, 1000) {
		must(b, s.Apply(b.Context(), store.Batch{PutRecords: chunk}))
	}
	b.Run("10,000 records", func(b *testing.B) {
		for b.Loop() {
			must(b, s.Records(b.Context(), "files:r", func(string, json.RawMessage) error { return nil }))
		}
	})
}

func openBench(b *testing.B, dir string) *embedded.Store {
	b.Helper()
	s, err := embedded.Open(b.Context(), dir, embedded.Options{Dims: benchDims})
	must(b, err)
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func diskBytes(b *testing.B, dir string) int64 {
	var sum int64
	must(b, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			sum += info.Size()
		}
		return nil
	}))
	return sum
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
