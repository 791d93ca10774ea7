package nav

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// modules are what the manifests of a repository say of modules.
type modules struct {
	provides []depend.Module
	needs    []depend.Need // without those that it provides itself
}

// need is what is asked for by a name.
func (m *modules) need(name depend.Name) (depend.Need, bool) {
	if i := slices.IndexFunc(m.needs, func(n depend.Need) bool { return n.Name == name }); i >= 0 {
		return m.needs[i], true
	}
	return depend.Need{}, false
}

// A manifestMemory remembers what manifests say, by their paths.
type manifestMemory struct {
	files func() []string // that the graph was built from, in order
	paths func() []string // the manifests among them

	mu     sync.Mutex
	read   map[string]depend.Manifest // of files that are still so
	all    *modules                   // what they say together, while all of them are
	locked map[lockedName]string      // likewise
}

// A lockedName is a module that a lock file is asked for.
type lockedName struct{ path, name string }

func newManifestMemory(s *stored) *manifestMemory {
	files := sync.OnceValue(func() (paths []string) {
		for p := range s.manifest.Files() {
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
	return &manifestMemory{files: files, paths: paths, read: map[string]depend.Manifest{}, locked: map[lockedName]string{}}
}

func isManifest(p string) bool { return depend.Knows(p) && !filekind.Of(p, nil).Vendored }

// modulesOf is what the manifests of the repository say as they are now. The
// modules of one that none of them changed in are those of the last question.
func modulesOf(ctx context.Context, g *gateway) (modules, error) {
	changed := slices.Concat(g.delta.Changed, g.delta.Added, g.delta.Deleted)
	if !g.verdict.Graph || slices.ContainsFunc(changed, isManifest) {
		return readModules(ctx, g)
	}
	memory := g.stored.manifests
	memory.mu.Lock()
	all := memory.all
	memory.mu.Unlock()
	if all != nil {
		return *all, nil
	}
	read, err := readModules(ctx, g)
	if err == nil {
		memory.mu.Lock()
		memory.all = &read
		memory.mu.Unlock()
	}
	return read, err
}

func readModules(ctx context.Context, g *gateway) (modules, error) {
	paths, err := manifestPaths(ctx, g)
	if err != nil {
		return modules{}, err
	}
	read := map[string]depend.Manifest{}
	for _, p := range paths {
		if read[p], err = manifestOf(ctx, g, p); err != nil {
			return modules{}, err
		}
	}
	var out modules
	out.provides, out.needs = depend.Combine(read)
	out.provides = slices.DeleteFunc(out.provides, func(m depend.Module) bool {
		return filekind.IsTest(path.Join(m.Dir, "x")) // what a test declares for itself is for nobody else
	})
	out.needs = slices.DeleteFunc(out.needs, func(n depend.Need) bool {
		return slices.ContainsFunc(out.provides, func(m depend.Module) bool { return m.Name == n.Name })
	})
	return out, nil
}

func manifestPaths(ctx context.Context, g *gateway) (paths []string, err error) {
	if !g.verdict.Graph {
		listing, err := listing.List(ctx, g.tree, g.listed)
		for _, e := range listing.Files {
			if isManifest(e.Path) {
				paths = append(paths, e.Path)
			}
		}
		return paths, err
	}
	for _, p := range g.stored.manifests.paths() {
		if !slices.Contains(g.delta.Deleted, p) {
			paths = append(paths, p)
		}
	}
	for _, p := range g.delta.Added {
		if isManifest(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// lasts reports whether a file is as it was when the graph was built.
func (g *gateway) lasts(p string) bool {
	if !g.verdict.Graph || slices.Contains(g.delta.Changed, p) || slices.Contains(g.delta.Added, p) ||
		slices.Contains(g.delta.Deleted, p) {
		return false
	}
	_, known := slices.BinarySearch(g.stored.manifests.files(), p)
	return known
}

// manifestOf is what a manifest says; nothing if it is gone.
func manifestOf(ctx context.Context, g *gateway, p string) (depend.Manifest, error) {
	lasts := g.lasts(p)
	if lasts {
		g.stored.manifests.mu.Lock()
		defer g.stored.manifests.mu.Unlock()
		if m, ok := g.stored.manifests.read[p]; ok {
			return m, nil
		}
	}
	text, err := textOf(ctx, g, p)
	if err != nil || text == nil {
		return depend.Manifest{}, ctx.Err() // what cannot be read says nothing
	}
	m := depend.Read(p, *text)
	if lasts {
		g.stored.manifests.read[p] = m
	}
	return m, nil
}

// provider is the member that a need is of: the one in the folder that it names,
// or of several that provide the module the one that fits best.
func provider(ctx context.Context, members []*member, asking *member, n depend.Need) (*member, error) {
	var all []provided
	for _, m := range members {
		for _, x := range m.modules.provides {
			if n.From != "" && filepath.Join(m.tree.Root(), filepath.FromSlash(x.Dir)) == folderNamed(asking, n) {
				return m, nil
			}
			if x.Name == n.Name {
				all = append(all, provided{m, versionOf(m, x)})
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	locked := ""
	if slices.ContainsFunc(all, func(p provided) bool { return p.version != all[0].version }) {
		var err error
		if locked, err = lockedOf(ctx, asking.gateway, n.Dir, n); err != nil {
			return nil, err
		}
	}
	return slices.MinFunc(all, func(a, b provided) int { return -a.compare(b, n, locked) }).member, nil
}

// A provided is a module of a member.
type provided struct {
	*member

	version string
}

// compare orders those that provide what is asked for: that which the lock file has
// is more than that which is asked for, then comes what the range allows, then what
// is newer.
func (p provided) compare(o provided, n depend.Need, locked string) int {
	return cmp.Or(
		yes(locked != "" && p.version == locked)-yes(locked != "" && o.version == locked),
		depend.Fits(n.Ecosystem, n.Version, p.version)-depend.Fits(n.Ecosystem, n.Version, o.version),
		depend.Compare(p.version, o.version),
	)
}

// folderNamed is the folder that a need names.
func folderNamed(m *member, n depend.Need) string {
	if path.IsAbs(n.From) {
		return filepath.FromSlash(path.Clean(n.From))
	}
	return filepath.Join(m.tree.Root(), filepath.FromSlash(n.Dir), filepath.FromSlash(n.From))
}

// versionOf is that of a module: as its manifest says, or the folder that it was
// unpacked to.
func versionOf(m *member, x depend.Module) string {
	if x.Version != "" {
		return x.Version
	}
	_, version, _ := strings.Cut(filepath.Base(m.tree.Root()), "@")
	return version
}

// included are the members that have headers which files of one include and its
// repository does not have: of several those that have most of what it includes.
func included(members []*member, service *Service, m *member) []*member {
	if m.answer == nil || len(m.answer.view.Headers().Missing()) == 0 {
		return nil
	}
	has := map[*member][]string{}
	for _, o := range members {
		if o != m && o.answer != nil {
			has[o] = service.kept.includedFrom(m.answer.view, o.answer.view)
		}
	}
	best := map[string]*member{}
	for _, o := range members {
		for _, p := range has[o] {
			if best[p] == nil || len(has[o]) > len(has[best[p]]) {
				best[p] = o
			}
		}
	}
	taken := map[*member]bool{}
	for _, o := range best {
		taken[o] = true
	}
	return sortedMembers(taken)
}
