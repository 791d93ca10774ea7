package gateway

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"weak"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// An opening is what was found when a repository was opened last and its files were as
// its graph has them. While watchers tell that nothing happened since, that is found
// again without a look at the files, in a folder that is open.
type opening struct {
	mu      sync.Mutex
	held    *disk.Held // nil: nothing is known
	built   [2]fresh.Version
	route   artifact.Route
	verdict artifact.Verdict
	over    bool
}

// builtAt are the files that tell of a graph and that it may be used, as they are now.
func builtAt(root string) (built [2]fresh.Version) {
	for i, name := range []string{ondisk.JSONName, artifact.StatusFile} {
		built[i] = fresh.VersionAt(filepath.Join(root, artifact.Dir, name))
	}
	return built
}

// Glance is what is looked at for one question about several repositories. It is not
// for concurrent use.
type Glance struct {
	opener *Opener
	looks  fresh.Looks
	above  disk.Above
}

// NewGlance looks at repositories of an Opener.
func NewGlance(o *Opener) *Glance { return &Glance{opener: o, above: disk.Above{}} }

// Unchanged is the gateway of a repository that stands to its graph as it did before;
// nil where that is not known. Close it.
func (l *Glance) Unchanged(ctx context.Context, known models.Repository) *Gateway {
	root := filepath.Clean(known.Root)
	stored := l.opener.Kept.known(root)
	if stored == nil {
		return nil
	}
	g, held, built := stored.opening.recall()
	if g == nil {
		return nil
	}
	if held.Current(l.above) && builtAt(root) == built {
		if delta, same := stored.Manifest.Unchanged(ctx, g.Tree, l.opener.Options(), &l.looks); same {
			g.Opener, g.ID, g.Stored, g.Delta = l.opener, known.RepoID, stored, &delta
			return g
		}
	}
	g.Close()
	return nil
}

// A State is of what text the files of a repository are: what has the same is the same.
type State struct {
	stored  weak.Pointer[Stored]
	changes string
}

// StateOf is false where a file may be another one and look the same, and without a graph.
func StateOf(g *Gateway) (State, bool) {
	if !g.Verdict.Graph {
		return State{}, false
	}
	var changes strings.Builder
	for _, p := range g.Verdict.Live {
		v, known := g.Delta.Versions[p]
		if !known || !v.Settled() {
			return State{}, false
		}
		fmt.Fprintf(&changes, "%s\x00%v\x00", p, v)
	}
	for _, p := range g.Delta.Deleted {
		changes.WriteString(p + "\x01")
	}
	return State{weak.Make(g.Stored), changes.String()}, true
}

// recall is a gateway with what is known, nil without.
func (o *opening) recall() (g *Gateway, held *disk.Held, built [2]fresh.Version) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held == nil {
		return nil, nil, built
	}
	return &Gateway{Tree: o.held.Retain(), Route: o.route, Verdict: o.verdict, whole: true}, o.held, o.built
}

// learn takes note of a repository that was opened just now, if its files are as its
// graph has them and that may be found again.
func learn(g *Gateway, known models.Repository, built [2]fresh.Version) {
	if g.Opener.Watchers == nil || !g.Verdict.Graph || !g.Delta.Clean() || g.Tree.Root() != filepath.Clean(known.Root) ||
		!built[0].Settled() || !built[1].Settled() {
		return
	}
	o := &g.Stored.opening
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop()
	if !o.over {
		o.held, o.built, o.route, o.verdict = disk.Hold(g.Tree.Retain()), built, g.Route, g.Verdict
	}
}

// end closes the folder: nobody will ask again.
func (o *opening) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop()
	o.over = true
}

func (o *opening) drop() {
	if o.held != nil {
		_ = o.held.Close() // was read only
		o.held = nil
	}
}
