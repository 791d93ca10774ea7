package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestScored(t *testing.T) {
	word := func(boost *float64) fts.Query {
		return fts.Match{Field: fts.TextField(models.TypeSymbol), Match: "walrus", Boost: boost}
	}
	filter := fts.Filter(fts.FieldKind, "func")
	and := func(boost *float64, qs ...fts.Query) fts.Query { return fts.Conjunction{Conjuncts: qs, Boost: boost} }
	or := func(boost *float64, qs ...fts.Query) fts.Query { return fts.Disjunction{Disjuncts: qs, Boost: boost} }
	tests := []struct {
		name      string
		give, get fts.Query
	}{
		{"a word has a weight", word(nil), word(nil)},
		{"a filter has none", filter, or(nil, filter, nothing)},
		{"words in a filter", and(nil, filter, word(nil)), and(nil, filter, word(nil))},
		{
			"the boost of a list goes to its parts", or(new(2.0), word(nil), word(new(1.5))),
			or(nil, word(new(2.0)), word(new(3.0))),
		},
		{"a list of boost 0 has none", and(fts.Zero(), word(nil)), or(nil, and(nil, word(fts.Zero())), nothing)},
		{"a boost that comes to 1", and(new(0.5), word(new(2.0))), and(nil, word(nil))},
		{"all has a weight", fts.MatchAll{}, fts.MatchAll{}},
		{
			"an expression may fit no term",
			fts.Regexp{Field: fts.FieldPath, Regexp: "x.*"},
			or(nil, fts.Regexp{Field: fts.FieldPath, Regexp: "x.*"}, nothing),
		},
		{
			"a range may have no term", or(nil, filter, fts.TermRange{Field: fts.FieldPath, Min: "x"}),
			or(nil, or(nil, filter, fts.TermRange{Field: fts.FieldPath, Min: "x"}), nothing),
		},
		{"nothing needs none", fts.MatchNone{}, fts.MatchNone{}},
		{"no words", fts.Match{Field: fts.TextField(models.TypeSymbol), Match: "the of"}, fts.MatchNone{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.get, Scored(tt.give)); diff != "" {
				t.Errorf("scored (-want +got):\n%s", diff)
			}
		})
	}
}
