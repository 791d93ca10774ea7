package storetest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// refusals are requests that must be errors, never silent empty answers.
func refusals(t *testing.T, open opener, dims int) {
	st := open(t)
	v := direction(dims, 0)
	put(t, st, file("o/r", "a.go", "walrus"))
	requests := map[string]fts.Request{
		"no query":             {Size: 1},
		"unknown field":        {Query: fts.Term{Field: "nope", Term: "x"}, Size: 1},
		"unknown filter field": {Query: fts.MatchNone{}, KNN: []fts.KNN{knn(v, 1, fts.Filter("nope", "x"))}, Size: 1},
		"wrong dims":           {Query: fts.MatchNone{}, KNN: []fts.KNN{knn(v[1:], 1, nil)}, Size: 1},
		"not a number": {
			Query: fts.MatchNone{},
			KNN:   []fts.KNN{knn(append([]float32{float32(math.NaN())}, v[1:]...), 1, nil)}, Size: 1,
		},
		"k 0":                 {Query: fts.MatchNone{}, KNN: []fts.KNN{knn(v, 0, nil)}, Size: 1},
		"k over the limit":    {Query: fts.MatchNone{}, KNN: []fts.KNN{knn(v, fts.MaxK+1, nil)}, Size: 1},
		"size over the limit": {Query: fts.MatchAll{}, Size: fts.MaxK + 1},
		"negative from":       {Query: fts.MatchAll{}, Size: 1, From: -1},
		"bad regexp":          {Query: fts.Regexp{Field: fts.FieldPath, Regexp: "("}, Size: 1},
		"large regexp":        {Query: fts.Regexp{Field: fts.FieldPath, Regexp: "(a{100}){10}(b{100}){100}"}, Size: 1},
	}
	for name, req := range requests {
		t.Run(name, func(t *testing.T) {
			_, err := st.Search(t.Context(), req)
			wantCode(t, err, fault.InvalidRequest)
		})
	}
	bad := file("o/r", "b.go", "walrus")
	noType, noID, noDims := bad, bad, bad
	noType.Type, noID.ID, noDims.Embedding = "nope", "", v[1:]
	batches := map[string]store.Batch{
		"unknown type":         {Put: []models.Document{noType}},
		"no id":                {Put: []models.Document{noID}},
		"vector of wrong dims": {Put: []models.Document{noDims}},
		"no collection":        {PutRecords: []store.Record{{Key: "k", Value: 1}}},
		"no key":               {PutRecords: []store.Record{{Collection: "c", Value: 1}}},
	}
	for name, b := range batches {
		t.Run(name, func(t *testing.T) {
			b.Put = append(b.Put, file("o/r", "c.go", "walrus"))
			wantCode(t, st.Apply(t.Context(), b), fault.InvalidRequest)
			if got := find(t, st, fts.MatchAll{}); len(got) != 1 {
				t.Errorf("a part of the batch was applied: %q", got)
			}
		})
	}
}

func cancelled(t *testing.T, open opener) {
	st := open(t)
	put(t, st, file("o/r", "a.go", "walrus"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, searchErr := st.Search(ctx, fts.Request{Query: fts.MatchAll{}, Size: 1})
	_, documentsErr := st.Documents(ctx, []models.DocumentID{"x"})
	_, recordErr := st.Record(ctx, "c", "k", nil)
	for name, err := range map[string]error{
		"Search": searchErr, "Documents": documentsErr, "Record": recordErr,
		"Records": st.Records(ctx, "c", nil),
		"Apply":   st.Apply(ctx, store.Batch{Put: []models.Document{file("o/r", "b.go", "x")}}),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s = %v, want context.Canceled", name, err)
		}
	}
	if got := find(t, st, fts.MatchAll{}); len(got) != 1 {
		t.Errorf("documents after a cancelled Apply: %q", got)
	}
}
