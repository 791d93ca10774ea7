package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestHeaderTells(t *testing.T) {
	yes, tags := fts.Filter(fts.FieldKind, "func"), fts.Filter(fts.FieldTags, "x")
	for _, tt := range []struct {
		query fts.Query
		want  bool
	}{
		{yes, true},
		{tags, false},
		{fts.TermRange{Field: fts.FieldCreated}, false},
		{fts.Regexp{Field: fts.FieldPath, Regexp: "x"}, true},
		{fts.Match{Field: fts.TextField(models.TypeFile), Match: "x"}, false},
		{fts.Conjunction{Conjuncts: []fts.Query{yes, fts.IDs{}}}, true},
		{fts.Disjunction{Disjuncts: []fts.Query{yes, tags}}, false},
	} {
		if got := HeaderTells(tt.query); got != tt.want {
			t.Errorf("headerTells(%+v) = %v, want %v", tt.query, got, tt.want)
		}
	}
}

func TestDropUnselected(t *testing.T) {
	hit := func(kind string) fts.Hit {
		return fts.Hit{Header: models.Header{ID: models.DocumentID(kind), Kind: kind}}
	}
	kind := func(k string) fts.Query { return fts.Filter(fts.FieldKind, k) }
	filtered := []fts.KNN{{Filter: kind("func")}}
	tests := []struct {
		name string
		req  fts.Request
		want []fts.Hit
	}{
		{"the filter does not select it", fts.Request{Query: fts.MatchNone{}, KNN: filtered}, []fts.Hit{hit("func")}},
		{"the query does", fts.Request{Query: kind("type"), KNN: filtered}, []fts.Hit{hit("func"), hit("type")}},
		{
			"another clause does",
			fts.Request{Query: fts.MatchNone{}, KNN: append(filtered, fts.KNN{Filter: kind("type")})},
			[]fts.Hit{hit("func"), hit("type")},
		},
		{
			"a clause without a filter",
			fts.Request{Query: fts.MatchNone{}, KNN: append(filtered, fts.KNN{})},
			[]fts.Hit{hit("func"), hit("type"), hit("var")},
		},
		{
			"a header does not tell",
			fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{{Filter: fts.Filter(fts.FieldTags, "x")}}},
			[]fts.Hit{hit("func"), hit("type"), hit("var")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := fts.Result{Hits: []fts.Hit{hit("func"), hit("type"), hit("var")}}
			DropUnselected(&res, tt.req)
			if diff := cmp.Diff(tt.want, res.Hits); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
			if res.Dropped != 3-len(tt.want) {
				t.Errorf("dropped %d, want %d", res.Dropped, 3-len(tt.want))
			}
		})
	}
}
