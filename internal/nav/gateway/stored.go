package gateway

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A manifest is written before its graph and named after it, so that whatever
// happens to a build, a graph has its own.
const (
	manifestPrefix = "rag_manifest-"
	manifestSuffix = ".bin"
	maxManifest    = 1 << 30 // bytes
)

func manifestName(id graph.ID) string { return manifestPrefix + id.String()[:16] + manifestSuffix }

// A Stored graph is one that was loaded, with the files that it was built from.
type Stored struct {
	ID       graph.ID
	Graph    *graph.Graph
	Manifest *fresh.Manifest
	Fast     func() *accelerator // opened when it is asked for; nil without trigrams
	Paths    func() []string     // of the manifest, in order; made when they are asked for
	// PathLines are the paths, one a line; nil if one of them has the end of a line.
	PathLines func() []byte
	Failed    []string // paths of files whose facts could not be read
	Blank     []string // those of graph.Graph
	tests     func() *tested

	opening   opening
	manifests *manifestMemory
	lacking   wordMemory
	bytes     int64 // of its sidecar

	exact sync.Once
	table *scip.Table // of a graph with edges of SCIP indexes; nil until something changed

	mu   sync.Mutex
	last *overlaid           // the view of the last delta
	said map[string][]string // which functions of files say that they are tests
}

// An overlaid is a view over a stored graph and some changed files.
type overlaid struct {
	key  string
	view *overlay.View
}

// A cache keeps the graphs of repositories that were read.
type cache struct {
	losses atomic.Int64 // graphs that turned out to be damaged while they were used

	mu     sync.Mutex
	graphs map[string]*Stored // by root
	due    int64              // how much graphs have decoded when trim is to do something, 0: not said yet
	broken map[string]bool    // by root: a graph of it was damaged, so the next one is read through when it is loaded

	forgotten func(root string) // is told of roots whose graph is not kept any more, "" for more than one; may be nil
}

// Stored loads the graph of a tree, or takes the one from last time if it is
// still that. Without a graph that can be used the error is IndexNotReady.
func (c *cache) Stored(tree *disk.Folder) (*Stored, error) {
	id, err := ondisk.Stored(tree.Root())
	if err != nil {
		c.forget(tree.Root())
		return nil, err
	}
	c.mu.Lock()
	known, broken := c.graphs[tree.Root()], c.broken[tree.Root()]
	c.mu.Unlock()
	if known != nil && known.ID == id {
		return known, nil
	}
	g, err := ondisk.Load(tree.Root())
	if err != nil {
		return nil, err
	}
	if broken {
		if err := g.Verify(); err != nil {
			return nil, err
		}
	}
	g.OnDamage(func() { c.losses.Add(1) })
	m, err := loadManifest(tree, g.ID())
	if err != nil {
		return nil, err
	}
	loaded := NewStored(tree, g, m)
	c.Remember(tree.Root(), loaded)
	return loaded, nil
}

// NewStored is a graph with the files that it was built from.
func NewStored(tree *disk.Folder, g *graph.Graph, m *fresh.Manifest) *Stored {
	s := &Stored{ID: g.ID(), Graph: g, Manifest: m, Failed: g.Failed(), Blank: g.Blank()}
	s.tests = sync.OnceValue(func() *tested { return testsIn(g) })
	s.Fast = sync.OnceValue(func() *accelerator { return Accelerate(tree, m) })
	s.Paths = sync.OnceValue(s.paths)
	s.PathLines = sync.OnceValue(func() []byte {
		if slices.ContainsFunc(s.Paths(), func(p string) bool { return strings.ContainsAny(p, "\r\n") }) {
			return nil
		}
		return []byte(strings.Join(s.Paths(), "\n"))
	})
	s.manifests = newManifestMemory(s)
	if info, err := os.Lstat(filepath.Join(tree.Root(), artifact.Dir, ondisk.SidecarName)); err == nil {
		s.bytes = info.Size()
	}
	return s
}

func (s *Stored) paths() (all []string) {
	if fast := s.Fast(); fast != nil && len(fast.Changed) == 0 {
		return fast.trigrams.Paths()
	}
	for p := range s.Manifest.Files() {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

// hash is that of the text of a file that the graph was built from; zero without.
func (s *Stored) hash(p string) graph.Hash {
	id, ok := s.Graph.Tree.ByPath(p)
	if !ok {
		return graph.Hash{}
	}
	return s.Graph.Tree.Hash(id)
}

// resolver finds what references of changed files stand for, as that of the
// graph's edges did.
func (s *Stored) resolver(tree *disk.Folder) func(resolve.World) graph.Resolver {
	_, revision, exact := strings.Cut(s.Graph.Resolver(), ScipMark)
	if !exact {
		return Resolver
	}
	s.exact.Do(func() {
		if t := scip.Load(tree); t != nil && t.Revision() == revision {
			s.table = t
		}
	})
	return s.table.Over(Resolver)
}

// How many graphs are kept in memory, and of how many bytes on disk; the one that
// was asked for last is kept whatever its size.
const (
	maxGraphs     = 64
	maxGraphBytes = 1 << 30
	maxKept       = 384 << 20 // bytes of what all graphs together have decoded
)

// trim lets go of what graphs have decoded: each time that a quarter of what they may keep has
// come, of what was not asked for meanwhile, and if more than three quarters are left, of all. It is asked after each
// question.
func (c *cache) trim() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.decoded() <= cmp.Or(c.due, maxKept/2) {
		return
	}
	for _, g := range c.graphs {
		g.Graph.Age()
	}
	if c.decoded() > maxKept*3/4 {
		for _, g := range c.graphs {
			g.Graph.Forget()
		}
	}
	c.due = max(maxKept/2, c.decoded()+maxKept/4)
}

// decoded is how many bytes graphs have decoded.
func (c *cache) decoded() (kept int64) {
	for _, g := range c.graphs {
		kept += g.Graph.Kept()
	}
	return kept
}

func (c *cache) Remember(root string, g *Stored) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(root)
	bytes := g.bytes
	for _, other := range c.graphs {
		bytes += other.bytes
	}
	for other, it := range c.graphs { // any one: it is loaded again when asked for
		if len(c.graphs) < maxGraphs && bytes <= maxGraphBytes {
			break
		}
		bytes -= it.bytes
		c.drop(other)
		c.tell("")
	}
	c.graphs[root] = g
}

func (c *cache) drop(root string) {
	if g := c.graphs[root]; g != nil {
		g.Manifest.Release()
		g.opening.end()
		delete(c.graphs, root)
		c.tell(root)
	}
}

func (c *cache) tell(root string) {
	if c.forgotten != nil {
		c.forgotten(root)
	}
}

// known is the graph of a folder that was loaded last; nil without.
func (c *cache) known(root string) *Stored {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.graphs[root]
}

func (c *cache) forget(root string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(root)
}

func loadManifest(tree *disk.Folder, id graph.ID) (*fresh.Manifest, error) {
	data, err := artifact.ReadArtifact(tree, manifestName(id), maxManifest)
	if err != nil {
		return nil, fault.Wrap(fault.IndexNotReady, err,
			"the graph of %s has no list of its files; build it again with `ragnav nav build-graph`", tree.Root())
	}
	return fresh.Decode(data)
}

// SaveManifest writes the list of the files of a graph.
func SaveManifest(tree *disk.Folder, id graph.ID, m *fresh.Manifest) error {
	return artifact.WriteArtifact(tree, manifestName(id), func(w io.Writer) error {
		_, err := w.Write(m.Encode())
		return err
	})
}

// DropManifests removes the manifests of older graphs. What can't be removed
// costs space and nothing else.
func DropManifests(ctx context.Context, tree *disk.Folder, keep graph.ID) {
	dir, err := OpenArtifacts(tree)
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, manifestPrefix) && strings.HasSuffix(name, manifestSuffix) && name != manifestName(keep) &&
			ctx.Err() == nil {
			_ = dir.Remove(name)
		}
	}
}

// DropDamaged forgets graphs that can't be read, and what was made of them.
func (c *cache) DropDamaged() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for root, g := range c.graphs {
		if g.Graph.Damaged() {
			c.broken[root] = true
			c.drop(root)
		}
	}
	c.tell("")
}

// These are in the revision of the edges of a precise graph, and of one with
// edges of SCIP indexes.
const (
	PreciseMark = "+precise."
	ScipMark    = "+scip."
)
