package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// counted is an index whose hits differ by the request, and which counts them.
type counted struct {
	search.Index

	asked int
}

// Search implements search.Index.
func (c *counted) Search(_ context.Context, req fts.Request) (fts.Result, error) {
	c.asked++
	h := fts.Hit{Header: models.Header{ID: "file:r:a.go"}, Score: float64(c.asked)}
	if req.Near != nil {
		h.Near = 2
	}
	return fts.Result{Hits: []fts.Hit{h}, Total: 1}, nil
}

// TestReplay gives again what the store brought, for each request that brings
// something else, and after it was saved.
func TestReplay(t *testing.T) {
	words := fts.Match{Field: "content", Match: "retry"}
	one, other := fts.Filter(fts.FieldRepo, "one"), fts.Filter(fts.FieldRepo, "other")
	requests := []fts.Request{
		{Query: words, Size: 10},
		{Query: words, Size: 10, Near: []float32{1, 0}},
		{Query: words, Size: 10, Near: []float32{0, 1}},
		{Query: words, Size: 10, Statistics: one},
		{Query: words, Size: 10, Statistics: other},
	}
	store, file := &counted{}, filepath.Join(t.TempDir(), "replay")
	for range 2 {
		r, err := newReplay(store, file)
		if err != nil {
			t.Fatal(err)
		}
		for i, req := range requests {
			res, err := r.Search(t.Context(), req)
			if err != nil || len(res.Hits) != 1 {
				t.Fatalf("request %d brings %v, %v", i, res, err)
			}
			near := 0.0
			if req.Near != nil {
				near = 2
			}
			if h := res.Hits[0]; h.Score != float64(i+1) || h.Near != near {
				t.Errorf("request %d brings %g, near %g; want %d, %g", i, h.Score, h.Near, i+1, near)
			}
		}
		if err := r.save(file); err != nil {
			t.Fatal(err)
		}
	}
	if store.asked != len(requests) {
		t.Errorf("the store was asked %d times, want %d", store.asked, len(requests))
	}
}

// TestAnsweredByRepository: level auto brings repositories, which have no path, and no
// answer is one.
func TestAnsweredByRepository(t *testing.T) {
	q := question{Repo: "one", Relevant: []judgment{{Path: "a.go", Grade: 3}}}
	for _, tt := range []struct {
		hit  models.SearchResult
		want answer
	}{
		{models.SearchResult{RepoID: "one"}, answer{}},
		{models.SearchResult{RepoID: "other"}, answer{path: "other:"}},
		{
			models.SearchResult{RepoID: "one", FilePath: new("a.go"), StartLine: new(1), EndLine: new(9)},
			answer{"a.go", "", 1, 9},
		},
		{models.SearchResult{RepoID: "other", FilePath: new("a.go")}, answer{path: "other:a.go"}},
	} {
		got := answered(q, tt.hit)
		if got != tt.want {
			t.Errorf("answered %+v, want %+v", got, tt.want)
		}
		if _, ok := q.judged(got); ok != (tt.want.path == "a.go") {
			t.Errorf("judged %+v: %t", got, ok)
		}
	}
}
