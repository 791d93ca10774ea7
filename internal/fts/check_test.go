package fts_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestCheck(t *testing.T) {
	text := fts.TextField(models.TypeFile)
	knn := func(change func(*fts.KNN)) fts.Request {
		k := fts.KNN{Field: fts.FieldEmbedding, Vector: []float32{1, 0}, K: 1}
		change(&k)
		return fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{k}}
	}
	query := func(q fts.Query) fts.Request { return fts.Request{Query: q, Size: 10} }
	tests := []struct {
		name string
		req  fts.Request
		ok   bool
	}{
		{"match all", query(fts.MatchAll{}), true},
		{"no query", fts.Request{}, false},
		{"size 0", fts.Request{Query: fts.MatchAll{}}, true},
		{"size negative", fts.Request{Query: fts.MatchAll{}, Size: -1}, false},
		{"largest page", fts.Request{Query: fts.MatchAll{}, Size: 1, From: fts.MaxK - 1}, true},
		{"page too large", fts.Request{Query: fts.MatchAll{}, Size: 1, From: fts.MaxK}, false},
		{"page overflows", fts.Request{Query: fts.MatchAll{}, Size: math.MaxInt, From: math.MaxInt}, false},
		{"knn_operator", fts.Request{Query: fts.MatchAll{}, KNNOperator: "xor"}, false},
		{"knn", knn(func(*fts.KNN) {}), true},
		{"knn filter", knn(func(k *fts.KNN) { k.Filter = fts.Filter(fts.FieldType, "x") }), true},
		{"knn filter on unknown field", knn(func(k *fts.KNN) { k.Filter = fts.Filter("nope", "x") }), false},
		{"knn field", knn(func(k *fts.KNN) { k.Field = fts.FieldName }), false},
		{"k 0", knn(func(k *fts.KNN) { k.K = 0 }), false},
		{"k too large", knn(func(k *fts.KNN) { k.K = fts.MaxK + 1 }), false},
		{"dims", knn(func(k *fts.KNN) { k.Vector = []float32{1} }), false},
		{"not a number", knn(func(k *fts.KNN) { k.Vector[1] = float32(math.NaN()) }), false},
		{"knn boost", knn(func(k *fts.KNN) { k.Boost = new(-1.0) }), false},
		{"unknown field", query(fts.Term{Field: "nope", Term: "x"}), false},
		{"embedding is not a term field", query(fts.Term{Field: fts.FieldEmbedding, Term: "x"}), false},
		{"match", query(fts.Match{Field: text, Match: "x"}), true},
		{"match on keyword field", query(fts.Match{Field: fts.FieldName, Match: "x"}), false},
		{"match operator", query(fts.Match{Field: text, Match: "x", Operator: "xor"}), false},
		{"boost", query(fts.Term{Field: fts.FieldName, Boost: new(math.NaN())}), false},
		{"nested", query(fts.Conjunction{Conjuncts: []fts.Query{fts.Disjunction{Disjuncts: []fts.Query{fts.Filter("nope",
			"x")}}}}), false},
		{"nested nil", query(fts.Conjunction{Conjuncts: []fts.Query{nil}}), false},
		{"min", query(fts.Disjunction{Min: -1}), false},
		{"regexp", query(fts.Regexp{Field: fts.FieldPath, Regexp: `(a|b)/[^/]*\.go`}), true},
		{"regexp that is none", query(fts.Regexp{Field: fts.FieldPath, Regexp: `(`}), false},
		{"regexp with anchor", query(fts.Regexp{Field: fts.FieldPath, Regexp: `a$`}), false},
		{"regexp with boundary", query(fts.Regexp{Field: fts.FieldPath, Regexp: `(x\b)*`}), false},
		{"lazy regexp", query(fts.Regexp{Field: fts.FieldPath, Regexp: `a.*?b`}), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.req.Check(2)
			if ok := err == nil; ok != tt.ok {
				t.Errorf("Check = %v, want ok %v", err, tt.ok)
			}
			if err != nil && fault.CodeOf(err) != fault.InvalidRequest {
				t.Errorf("code %s, want %s", fault.CodeOf(err), fault.InvalidRequest)
			}
		})
	}
}

func TestKeywords(t *testing.T) {
	doc := models.Document{Header: models.Header{
		Type: models.TypeModule, RepoID: "o/r", FilePath: "a/b", Language: "Go", SymbolName: "B", Test: true,
	}}
	got := fts.Keywords(&doc)
	for field, want := range map[string]string{
		fts.FieldType: "module_summary", fts.FieldRepo: "o/r", fts.FieldLanguage: "go", fts.FieldName: "b",
		fts.FieldTest: "true",
	} {
		if len(got[field]) != 1 || got[field][0] != want {
			t.Errorf("%s = %q, want %q", field, got[field], want)
		}
	}
	if want := []string{"a", "a/b"}; len(got[fts.FieldAncestor]) != 2 || got[fts.FieldAncestor][1] != want[1] {
		t.Errorf("ancestors = %q, want %q", got[fts.FieldAncestor], want)
	}
	for field := range got {
		if (fts.Request{Query: fts.Filter(field, "x")}).Check(0) != nil {
			t.Errorf("field %s is not known", field)
		}
	}
}

// Names and tags count as composed, however their files have them.
func TestKeywordsCompose(t *testing.T) {
	doc := models.Document{
		Header: models.Header{Type: models.TypeDocument}, Title: "Cafe\u0301 X", Tags: []string{"CAFE\u0301"},
		Heading: "E\u0301", Wikilinks: []string{"Cafe\u0301/E\u0301#a"}, Aliases: []string{"u\u0308"},
	}
	got := fts.Keywords(&doc)
	for field, want := range map[string]string{
		fts.FieldTitle: "caf\u00e9 x \u00fc", fts.FieldTags: "caf\u00e9", fts.FieldHeading: "\u00e9",
		fts.FieldWikilinks: "caf\u00e9/\u00e9 \u00e9",
	} {
		if text := strings.Join(got[field], " "); text != want {
			t.Errorf("%s = %q, want %q", field, text, want)
		}
	}
}
