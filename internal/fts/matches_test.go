package fts_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestMatches(t *testing.T) {
	doc := models.Document{Header: models.Header{
		ID: "symbol:o/r:net/http/a.go:Do", Type: models.TypeSymbol, RepoID: "o/r", FilePath: "net/http/a.go",
		SymbolName: "Do", Language: "Go",
	}, CreatedDate: "2026-03-01T00:00:00Z"}
	keywords := fts.Keywords(&doc)
	yes, no := fts.Filter(fts.FieldLanguage, "go"), fts.Filter(fts.FieldLanguage, "rust")
	between := func(from, to string) fts.Query { return fts.TermRange{Field: fts.FieldCreated, Min: from, Max: to} }
	tests := []struct {
		name  string
		query fts.Query
		want  bool
	}{
		{"term", yes, true},
		{"other term", no, false},
		{"exact case", fts.Filter(fts.FieldLanguage, "Go"), false},
		{"one of several terms", fts.Filter(fts.FieldAncestor, "net"), true},
		{"field without terms", fts.Filter(fts.FieldTags, "x"), false},
		{"regexp", fts.Regexp{Field: fts.FieldPath, Regexp: `net/.*\.go|x`}, true},
		{"regexp of a part", fts.Regexp{Field: fts.FieldPath, Regexp: `http|net`}, false},
		{"range", between("2026-03-01", "2026-03-02"), true},
		{"range, its end is outside", between("2026-01-01", "2026-03-01T00:00:00Z"), false},
		{"range, open below", between("", "2026-04"), true},
		{"range, open above", between("2026-04", ""), false},
		{"range without bounds", between("", ""), true},
		{"range without terms", fts.TermRange{Field: fts.FieldModified}, false},
		{"ids", fts.IDs{IDs: []string{"x", string(doc.ID)}}, true},
		{"other ids", fts.IDs{IDs: []string{"x"}}, false},
		{"and", fts.Conjunction{Conjuncts: []fts.Query{yes, fts.MatchAll{}}}, true},
		{"and, one does not", fts.Conjunction{Conjuncts: []fts.Query{yes, no}}, false},
		{"and of nothing", fts.Conjunction{}, false},
		{"or", fts.Disjunction{Disjuncts: []fts.Query{no, yes}}, true},
		{"or of nothing", fts.Disjunction{}, false},
		{"two of three", fts.Disjunction{Disjuncts: []fts.Query{yes, no, yes}, Min: 2}, true},
		{"three of three", fts.Disjunction{Disjuncts: []fts.Query{yes, no, yes}, Min: 3}, false},
		{"not", fts.Not{Query: no}, true},
		{"not of what matches", fts.Not{Query: yes}, false},
		{"not, without the field", fts.Not{Query: fts.Filter(fts.FieldTags, "x")}, true},
		{"all", fts.MatchAll{}, true},
		{"none", fts.MatchNone{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fts.Matches(tt.query, string(doc.ID), keywords)
			if got != tt.want || err != nil {
				t.Errorf("Matches = %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestMatchesRefuses(t *testing.T) {
	for name, q := range map[string]fts.Query{
		"text": fts.Match{Field: fts.TextField(models.TypeFile), Match: "x"},
		"nested text": fts.Conjunction{Conjuncts: []fts.Query{
			fts.MatchAll{},
			fts.Match{Field: fts.TextField(models.TypeFile), Match: "x"},
		}},
		"bad regexp":  fts.Regexp{Field: fts.FieldPath, Regexp: "("},
		"not of text": fts.Not{Query: fts.Match{Field: fts.TextField(models.TypeFile), Match: "x"}},
		"missing":     nil,
	} {
		if got, err := fts.Matches(q, "id", map[string][]string{fts.FieldPath: {"a"}}); err == nil || got {
			t.Errorf("%s: Matches = %v, %v; want an error", name, got, err)
		}
	}
}
