package nav

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/graph"
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

// A stored graph is one that was loaded, with the files that it was built from.
type stored struct {
	id       graph.ID
	graph    *graph.Graph
	manifest *fresh.Manifest
	fast     func() *accelerator // opened when it is asked for; nil without trigrams
	failed   []string            // paths of files whose facts could not be read

	manifests *manifestMemory
	bytes     int64 // of its sidecar

	exact sync.Once
	table *scip.Table // of a graph with edges of SCIP indexes; nil until something changed

	mu   sync.Mutex
	last *overlaid // the view of the last delta
}

// An overlaid is a view over a stored graph and some changed files.
type overlaid struct {
	key  string
	view *graph.View
}

// stored loads the graph of a tree, or takes the one from last time if it is
// still that. Without a graph that can be used the error is IndexNotReady.
func (s *Service) stored(tree *disk.Folder) (*stored, error) {
	id, err := graph.Stored(tree.Root())
	if err != nil {
		s.forget(tree.Root())
		return nil, err
	}
	s.mu.Lock()
	known, broken := s.graphs[tree.Root()], s.broken[tree.Root()]
	s.mu.Unlock()
	if known != nil && known.id == id {
		return known, nil
	}
	g, err := graph.Load(tree.Root())
	if err != nil {
		return nil, err
	}
	if broken {
		if err := g.Verify(); err != nil {
			return nil, err
		}
	}
	g.OnDamage(func() { s.losses.Add(1) })
	m, err := loadManifest(tree, g.ID())
	if err != nil {
		return nil, err
	}
	loaded := newStored(tree, g, m)
	s.remember(tree.Root(), loaded)
	return loaded, nil
}

func newStored(tree *disk.Folder, g *graph.Graph, m *fresh.Manifest) *stored {
	s := &stored{id: g.ID(), graph: g, manifest: m, failed: g.Failed()}
	s.fast = sync.OnceValue(func() *accelerator { return accelerate(tree, m) })
	s.manifests = newManifestMemory(s)
	if info, err := os.Lstat(filepath.Join(tree.Root(), artifact.Dir, graph.SidecarName)); err == nil {
		s.bytes = info.Size()
	}
	return s
}

// resolver finds what references of changed files stand for, as that of the
// graph's edges did.
func (s *stored) resolver(tree *disk.Folder) func(resolve.World) graph.Resolver {
	_, revision, exact := strings.Cut(s.graph.Resolver(), scipMark)
	if !exact {
		return resolver
	}
	s.exact.Do(func() {
		if t := scip.Load(tree); t != nil && t.Revision() == revision {
			s.table = t
		}
	})
	return s.table.Over(resolver)
}

// How many graphs are kept in memory, and of how many bytes on disk; the one that
// was asked for last is kept whatever its size.
const (
	maxGraphs     = 64
	maxGraphBytes = 1 << 30
)

func (s *Service) remember(root string, g *stored) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(root)
	bytes := g.bytes
	for _, other := range s.graphs {
		bytes += other.bytes
	}
	for other, it := range s.graphs { // any one: it is loaded again when asked for
		if len(s.graphs) < maxGraphs && bytes <= maxGraphBytes {
			break
		}
		bytes -= it.bytes
		s.drop(other)
		clear(s.joints)
	}
	s.graphs[root] = g
}

func (s *Service) drop(root string) {
	if g := s.graphs[root]; g != nil {
		g.manifest.Release()
		delete(s.graphs, root)
		delete(s.joints, root)
	}
}

func (s *Service) forget(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(root)
}

func loadManifest(tree *disk.Folder, id graph.ID) (*fresh.Manifest, error) {
	data, err := artifact.ReadArtifact(tree, manifestName(id), maxManifest)
	if err != nil {
		return nil, fault.Wrap(fault.IndexNotReady, err,
			"the graph of %s has no list of its files; build it again with `ragnav nav build-graph`", tree.Root())
	}
	return fresh.Decode(data)
}

func saveManifest(tree *disk.Folder, id graph.ID, m *fresh.Manifest) error {
	return artifact.WriteArtifact(tree, manifestName(id), func(w io.Writer) error {
		_, err := w.Write(m.Encode())
		return err
	})
}

// dropManifests removes the manifests of older graphs. What can't be removed
// costs space and nothing else.
func dropManifests(ctx context.Context, tree *disk.Folder, keep graph.ID) {
	dir, err := openArtifacts(tree)
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
