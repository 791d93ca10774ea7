package storetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// symbol is a symbol document of a Go function; its words are its name and text.
func symbol(repo models.RepoID, path, name, text string) models.Document {
	return models.Document{
		Header: models.Header{
			ID: models.SymbolID(repo, path, name, 1), Type: models.TypeSymbol, RepoID: repo, FilePath: path,
			SymbolName: name, QualifiedName: "pkg." + name, Kind: "func", Language: "Go", StartLine: 3, EndLine: 9,
		},
		Signature: "func " + name + "()", Content: text, SummarySource: models.SummaryExtracted,
		ParentID: models.FileID(repo, path), SchemaVersion: models.SchemaVersion,
		Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Updated: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC),
		Text: name + " " + text,
	}
}

func file(repo models.RepoID, path, text string) models.Document {
	return models.Document{
		Header: models.Header{
			ID: models.FileID(repo, path), Type: models.TypeFile, RepoID: repo, FilePath: path,
			Language: "Go",
		},
		Content: text, SummarySource: models.SummaryExtracted, SchemaVersion: models.SchemaVersion, Text: text,
	}
}

// direction is the unit vector at that angle in the plane of the first two axes.
func direction(dims int, angle float64) []float32 {
	v := make([]float32, dims)
	v[0], v[1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	return v
}

func randomUnit(rng *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	var length float64
	for i := range v {
		x := rng.NormFloat64()
		v[i] = float32(x)
		length += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

// apply carries out b and waits until searches see it.
func apply(t *testing.T, s store.Store, b store.Batch) {
	t.Helper()
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatalf("Apply: %v", err)
	}
	if lagging, ok := s.(store.Settler); ok {
		if err := lagging.Settle(t.Context()); err != nil {
			t.Fatalf("Settle: %v", err)
		}
	}
}

func put(t *testing.T, s store.Store, docs ...models.Document) {
	t.Helper()
	apply(t, s, store.Batch{Put: docs})
}

func search(t *testing.T, s store.Store, req fts.Request) fts.Result {
	t.Helper()
	res, err := s.Search(t.Context(), req)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	if res.Failed != 0 {
		t.Fatalf("Search: %d of %d partitions failed", res.Failed, res.Partitions)
	}
	return res
}

// find is the ids of the first 100 hits.
func find(t *testing.T, s store.Store, q fts.Query) []models.DocumentID {
	t.Helper()
	return ids(search(t, s, fts.Request{Query: q, Size: 100}).Hits)
}

func ids(hits []fts.Hit) []models.DocumentID {
	out := []models.DocumentID{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func sorted(list []models.DocumentID) []models.DocumentID {
	return slices.Sorted(slices.Values(list))
}

func match(t models.DocType, words string) fts.Query {
	return fts.Match{Field: fts.TextField(t), Match: words}
}

func all(qs ...fts.Query) fts.Query { return fts.Conjunction{Conjuncts: qs} }

func knn(v []float32, k int, filter fts.Query) fts.KNN {
	return fts.KNN{Field: fts.FieldEmbedding, Vector: v, K: k, Filter: filter}
}

// wantCode fails the test when err is not a *fault.Error of that code.
func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != want || f.Message == "" {
		t.Errorf("error %v (%s), want a message with %s", err, codeName(err), want)
	}
}

func codeName(err error) string {
	if err == nil {
		return "no error"
	}
	return fmt.Sprint(fault.CodeOf(err))
}
