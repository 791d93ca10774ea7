package app

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// What a server searches before it is asked is in folders that it has looked at, and
// costs nobody anything.
func TestWarmRequests(t *testing.T) {
	looked := []models.Repository{{RepoID: "o/small"}, {RepoID: "o/more"}}
	for name, c := range map[string]struct {
		looked      []models.Repository
		all, remote bool
		filter      string
		mode        string
		want        int
	}{
		"all":           {looked: looked, all: true, want: len(warmQueries)},
		"some":          {looked: looked, filter: "o/small", want: len(warmQueries)},
		"remote vector": {looked: looked, all: true, remote: true, mode: search.ModeLexical, want: len(warmQueries)},
		"none":          {},
	} {
		got := warmRequests(c.looked, c.all, c.remote)
		if len(got) != c.want {
			t.Errorf("%s: %d requests, want %d", name, len(got), c.want)
		}
		for _, req := range got {
			if req.RepoFilter != c.filter || req.Mode != c.mode || req.Query == "" {
				t.Errorf("%s: %+v; want in %q, mode %q", name, req, c.filter, c.mode)
			}
		}
	}
}

// What is done beside requests waits until nobody has asked for a while, or the process ends.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a App
		op.Bind(&a.Table, op.Plan, func(context.Context, plan.Request) (plan.Response, error) {
			time.Sleep(time.Minute)
			return plan.Response{}, nil
		})
		waited := func(ctx context.Context) (time.Duration, bool) {
			start := time.Now()
			free := a.idle.wait(ctx)
			return time.Since(start), free
		}
		if took, idle := waited(t.Context()); took != 0 || !idle {
			t.Errorf("before anybody asked: %v, %v", took, idle)
		}
		if _, err := a.Call(t.Context(), op.Plan, plan.Request{}); err != nil {
			t.Fatal(err)
		}
		if took, idle := waited(t.Context()); took != pause || !idle {
			t.Errorf("after somebody asked: %v, %v", took, idle)
		}
		if _, err := a.Call(t.Context(), op.Plan, plan.Request{}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), pause/2)
		defer cancel()
		if took, idle := waited(ctx); took != pause/2 || idle {
			t.Errorf("at the end: %v, %v", took, idle)
		}
	})
}
