package app

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
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
