package embedded_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// How many documents of a filter have words is what it is, though it is remembered:
// by the words, by whether all are asked for, and until documents change.
func TestTotalsOfWords(t *testing.T) {
	s := open(t, t.TempDir())
	put := func(id, text string, typ models.DocType) {
		t.Helper()
		d := models.Document{Header: models.Header{ID: models.DocumentID(id), Type: typ, RepoID: "a/b"}, Text: text}
		must(t, s.Apply(t.Context(), store.Batch{Put: []models.Document{d}}))
	}
	type asked struct {
		words, operator string
		filter          models.DocType
		want            int
	}
	want := func(all ...asked) {
		t.Helper()
		for range 2 {
			for _, a := range all {
				filter := fts.Conjunction{Conjuncts: []fts.Query{fts.Filter(fts.FieldType, string(a.filter))}, Boost: fts.Zero()}
				words := fts.Match{
					Field: fts.TextField(models.TypeFile), Match: a.words, Operator: a.operator, Boost: fts.Zero(),
				}
				got := find(t, s, fts.Request{Query: fts.Conjunction{Conjuncts: []fts.Query{words, filter}}}).Total
				if got != a.want {
					t.Errorf("%q %s of %s: %d, want %d", a.words, a.operator, a.filter, got, a.want)
				}
			}
		}
	}
	put("1", "red green", models.TypeFile)
	put("2", "red blue", models.TypeFile)
	put("3", "red", models.TypeSymbol)
	want(
		asked{"red", "", models.TypeFile, 2}, asked{"green blue", "", models.TypeFile, 2},
		asked{"green blue", "and", models.TypeFile, 0}, asked{"red", "", models.TypeSymbol, 0},
	)
	put("4", "green blue", models.TypeFile)
	want(
		asked{"red", "", models.TypeFile, 2}, asked{"green blue", "", models.TypeFile, 3},
		asked{"green blue", "and", models.TypeFile, 1}, asked{"blue", "", models.TypeFile, 2},
	)
}
