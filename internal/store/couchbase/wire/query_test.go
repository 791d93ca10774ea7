package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestWire(t *testing.T) {
	text := fts.TextField(models.TypeSymbol)
	none, yes := fts.MatchNone{}, fts.Filter(fts.FieldKind, "func")
	long := strings.Repeat("x", 300)
	tests := []struct {
		name      string
		give, get fts.Query
	}{
		{
			"words are analysed, repeats kept",
			fts.Match{Field: text, Match: "Parsing the parseTime", Boost: new(2.0)},
			fts.Match{Field: text, Match: "pars pars time parsetime", Boost: new(2.0)},
		},
		{"no words", fts.Match{Field: text, Match: "the of"}, none},
		{
			"every word",
			fts.Match{Field: text, Match: "http url", Operator: "and"},
			fts.Match{Field: text, Match: "http url", Operator: "and"},
		},
		{
			"ids are keys",
			fts.IDs{IDs: []string{"a", "", long}},
			fts.IDs{IDs: []string{"a", DocumentKey(models.DocumentID(long))}},
		},
		{"no ids", fts.IDs{IDs: []string{""}}, none},
		{
			"range",
			fts.TermRange{Field: fts.FieldCreated, Min: "a", Max: "b"},
			fts.TermRange{Field: fts.FieldCreated, Min: "a", Max: "b"},
		},
		{
			"range without bounds",
			fts.TermRange{Field: fts.FieldCreated, Boost: fts.Zero()},
			fts.Regexp{Field: fts.FieldCreated, Regexp: "(?s).*", Boost: fts.Zero()},
		},
		{"empty range", fts.TermRange{Field: fts.FieldCreated, Min: "b", Max: "b"}, none},
		{"and of nothing", fts.Conjunction{}, none},
		{"or of nothing", fts.Disjunction{}, none},
		{"more than there are", fts.Disjunction{Disjuncts: []fts.Query{yes}, Min: 2}, none},
		{
			"nested",
			fts.Conjunction{Conjuncts: []fts.Query{
				yes,
				fts.Disjunction{Disjuncts: []fts.Query{fts.Match{Field: text, Match: "URLs"}}, Min: 1},
			}},
			fts.Conjunction{Conjuncts: []fts.Query{
				yes,
				fts.Disjunction{Disjuncts: []fts.Query{fts.Match{Field: text, Match: "url"}}, Min: 1},
			}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.get, Query(tt.give)); diff != "" {
				t.Errorf("wire (-want +got):\n%s", diff)
			}
		})
	}
}
