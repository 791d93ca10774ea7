package nav

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Neighbourhood is what stands next to a symbol in the graph.
type Neighbourhood struct {
	Users []models.Definition // what uses it, tests last
	Total int                 // of them
	Used  []models.Definition // what it uses in this repository
}

// usesOf is what the graph of a repository knows of uses; nil when there is none.
func usesOf(ctx context.Context, s *gateway.Opener, id models.RepoID) *graph.Counter {
	tree, _, err := s.Tree(ctx, id)
	if err != nil {
		return nil
	}
	defer func() { _ = tree.Close() }()
	if s.Later == nil { // one request: the rest of a graph is not read
		uses, err := ondisk.LoadCounter(tree.Root())
		if err != nil {
			return nil
		}
		return uses
	}
	st, err := s.Kept.Stored(tree)
	if err != nil {
		return nil
	}
	return st.Graph.Counter()
}

// sure is how likely an edge must be what it says, to be told without its doubt.
const sure = 0.9

// maxLive is how many changed files are laid over a graph for a neighbourhood.
const maxLive = 10
