package search_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
)

// A burstingIndex panics when it looks for neighbours.
type burstingIndex struct{ store.Store }

func (b burstingIndex) Search(ctx context.Context, req fts.Request) (fts.Result, error) {
	if req.KNN != nil {
		panic("index out of range")
	}
	return b.Store.Search(ctx, req)
}

// A panic in a leg is the search's error, and the next search is answered.
func TestPanicInALeg(t *testing.T) {
	_, st := newService(t)
	svc := search.New(burstingIndex{st}, repositories{{RepoID: "o/a", State: models.StateFresh}}, embedtest.New(dims))
	_, err := svc.Search(t.Context(), search.Request{Query: "frames", RepoFilter: "o/a"})
	if _, ok := errors.AsType[*fault.Panic](err); !ok || fault.CodeOf(err) != fault.Internal {
		t.Errorf("got %v", err)
	}
	res, err := svc.Search(t.Context(), search.Request{Query: "frames", RepoFilter: "o/a", Mode: search.ModeLexical})
	if err != nil || len(res.Items) == 0 {
		t.Errorf("afterwards %d hits, %v", len(res.Items), err)
	}
}
