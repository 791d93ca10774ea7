package gateway

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// Modules are what the manifests of a repository say of modules.
type Modules struct {
	Provides []depend.Module
	Needs    []depend.Need // without those that it provides itself
	unread   bool          // a manifest could not be read: it may be another time
}

// A manifestMemory remembers what manifests say, by their paths.
type manifestMemory struct {
	files func() []string // that the graph was built from, in order
	paths func() []string // the manifests among them

	mu     sync.Mutex
	read   map[string]depend.Manifest   // of files that are still so
	all    *Modules                     // what they say together, while all of them are
	locked map[lockedName]depend.Chosen // likewise
}

// A lockedName is a module that a lock file is asked for.
type lockedName struct {
	path, dir string // of the file; of the project, from there
	name      depend.Name
	asked     string // by the manifest
}

func newManifestMemory(s *Stored) *manifestMemory {
	files := sync.OnceValue(func() (paths []string) {
		for p := range s.Manifest.Files() {
			paths = append(paths, p)
		}
		slices.Sort(paths)
		return paths
	})
	paths := sync.OnceValue(func() (paths []string) {
		for _, p := range files() {
			if isManifest(p) {
				paths = append(paths, p)
			}
		}
		return paths
	})
	return &manifestMemory{
		files: files, paths: paths, read: map[string]depend.Manifest{}, locked: map[lockedName]depend.Chosen{},
	}
}

func isManifest(p string) bool { return depend.Knows(p) && !filekind.Of(p, nil).Vendored }

// ModulesOf is what the manifests of the repository say as they are now. The
// modules of one that none of them changed in are those of the last question.
func ModulesOf(ctx context.Context, g *Gateway) (*Modules, error) {
	if !g.Verdict.Graph { // then there need not be a delta
		return readModules(ctx, g)
	}
	changed := slices.Concat(g.Delta.Changed, g.Delta.Added, g.Delta.Deleted)
	if slices.ContainsFunc(changed, isManifest) {
		return readModules(ctx, g)
	}
	memory := g.Stored.manifests
	memory.mu.Lock()
	all := memory.all
	memory.mu.Unlock()
	if all != nil {
		return all, nil
	}
	read, err := readModules(ctx, g)
	if err == nil && !read.unread {
		memory.mu.Lock()
		memory.all = read
		memory.mu.Unlock()
	}
	return read, err
}

func readModules(ctx context.Context, g *Gateway) (*Modules, error) {
	paths, err := manifestPaths(ctx, g)
	if err != nil {
		return nil, err
	}
	read, out := map[string]depend.Manifest{}, &Modules{}
	for _, p := range paths {
		var ok bool
		if read[p], ok, err = manifestOf(ctx, g, p); err != nil {
			return nil, err
		}
		out.unread = out.unread || !ok
	}
	out.Provides, out.Needs = depend.Combine(read)
	out.Provides = slices.DeleteFunc(out.Provides, func(m depend.Module) bool {
		// What a test declares for itself is for nobody else, nor is what tools keep in a hidden folder.
		return filekind.IsTest(path.Join(m.Dir, "x")) || strings.HasPrefix(m.Dir, ".") || strings.Contains(m.Dir, "/.")
	})
	out.Needs = slices.DeleteFunc(out.Needs, func(n depend.Need) bool {
		return slices.ContainsFunc(out.Provides, func(m depend.Module) bool { return m.Name == n.Name })
	})
	return out, nil
}

func manifestPaths(ctx context.Context, g *Gateway) (paths []string, err error) {
	if !g.Verdict.Graph {
		listing, err := listing.List(ctx, g.Tree, g.Opener.Listed)
		for _, e := range listing.Files {
			if isManifest(e.Path) {
				paths = append(paths, e.Path)
			}
		}
		return paths, err
	}
	for _, p := range g.Stored.manifests.paths() {
		if !slices.Contains(g.Delta.Deleted, p) {
			paths = append(paths, p)
		}
	}
	for _, p := range g.Delta.Added {
		if isManifest(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// lasts reports whether a file is as it was when the graph was built.
func (g *Gateway) lasts(p string) bool {
	if !g.Verdict.Graph || slices.Contains(g.Delta.Changed, p) || slices.Contains(g.Delta.Added, p) ||
		slices.Contains(g.Delta.Deleted, p) {
		return false
	}
	_, known := slices.BinarySearch(g.Stored.manifests.files(), p)
	return known
}

// manifestOf is what a manifest says; nothing if it is no text, or can't be read, which it may
// be another time: then it is not ok.
func manifestOf(ctx context.Context, g *Gateway, p string) (m depend.Manifest, ok bool, err error) {
	lasts := g.lasts(p)
	if lasts {
		g.Stored.manifests.mu.Lock()
		defer g.Stored.manifests.mu.Unlock()
		if m, ok := g.Stored.manifests.read[p]; ok {
			return m, true, nil
		}
	}
	content, err := g.Read(ctx, p)
	if err != nil {
		return m, false, ctx.Err()
	}
	if text := Decoded(content); text != nil {
		m = depend.Read(p, *text)
	}
	if lasts {
		g.Stored.manifests.read[p] = m
	}
	return m, true, nil
}

// managers are what SCIP calls ecosystems.
var managers = map[depend.Ecosystem]string{
	depend.Go: "gomod", depend.NPM: "npm", depend.PyPI: "python",
	depend.Cargo: "cargo", depend.Maven: "maven",
	depend.Composer: "composer", depend.NuGet: "nuget", depend.Gems: "gem",
}

// PackageOf is the module that a file is of, as SCIP has it.
func (m *Modules) PackageOf(p string) (pkg scip.Package) {
	if mod, ok := m.Of(p); ok {
		pkg = scip.Package{Manager: managers[mod.Ecosystem], Name: mod.Name.Name, Version: mod.Version}
	}
	return pkg
}

// Of is the module that a file is of: the one whose manifest is nearest.
func (m *Modules) Of(p string) (of depend.Module, ok bool) {
	near := -1
	for _, mod := range m.Provides {
		if len(mod.Dir) > near && (mod.Dir == "" || strings.HasPrefix(p, mod.Dir+"/")) {
			near, of, ok = len(mod.Dir), mod, true
		}
	}
	return of, ok
}

// Yes is 1 for true.
func Yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
