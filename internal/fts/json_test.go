package fts_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestRequestJSON(t *testing.T) {
	filter := fts.Conjunction{Conjuncts: []fts.Query{
		fts.Filter(fts.FieldType, string(models.TypeSymbol)), fts.Filter(fts.FieldRepo, "org/repo"),
	}}
	tests := map[string]fts.Request{
		"vector_leg": {
			Query:       filter,
			KNN:         []fts.KNN{{Field: fts.FieldEmbedding, Vector: []float32{0.5, -0.25}, K: 10, Filter: filter}},
			KNNOperator: "and", Size: 10,
		},
		"lexical_leg": {
			Query: fts.Conjunction{Conjuncts: []fts.Query{filter, fts.Match{
				Field: fts.TextField(models.TypeSymbol), Match: "parse <time>", Operator: "and", Boost: new(2.0),
			}}},
			Size: 50, From: 20,
		},
		"every_query": {
			Query: fts.Disjunction{Min: 2, Disjuncts: []fts.Query{
				fts.Regexp{Field: fts.FieldPath, Regexp: `a/.*\.go`},
				fts.TermRange{Field: fts.FieldCreated, Min: "2026-01-01T00:00:00Z"},
				fts.TermRange{Field: fts.FieldCreated, Max: "2026-02-01T00:00:00Z", Boost: fts.Zero()},
				fts.IDs{IDs: []string{"file:r:a.go"}, Boost: fts.Zero()},
				fts.Not{Query: fts.Filter(fts.FieldTags, "x")},
				fts.MatchAll{},
				fts.MatchNone{},
			}},
		},
		"empty_lists": {
			Query: fts.Disjunction{Disjuncts: []fts.Query{fts.Conjunction{}, fts.IDs{}, fts.Disjunction{}}},
		},
	}
	for name, req := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := json.MarshalIndent(req, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden.File(t, filepath.Join("testdata", name+".json"), string(got)+"\n")
		})
	}
}
