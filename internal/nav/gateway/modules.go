package gateway

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/scip"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// modules are what the manifests of a repository say of modules.
type modules struct {
	Provides []depend.Module
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
	return &manifestMemory{files: files, paths: paths, read: map[string]depend.Manifest{}, locked: map[lockedName]string{}}
}

func isManifest(p string) bool { return depend.Knows(p) && !filekind.Of(p, nil).Vendored }

// ModulesOf is what the manifests of the repository say as they are now. The
// modules of one that none of them changed in are those of the last question.
func ModulesOf(ctx context.Context, g *Gateway) (modules, error) {
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

func readModules(ctx context.Context, g *Gateway) (modules, error) {
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
	out.Provides, out.needs = depend.Combine(read)
	out.Provides = slices.DeleteFunc(out.Provides, func(m depend.Module) bool {
		return filekind.IsTest(path.Join(m.Dir, "x")) // what a test declares for itself is for nobody else
	})
	out.needs = slices.DeleteFunc(out.needs, func(n depend.Need) bool {
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

// manifestOf is what a manifest says; nothing if it is gone.
func manifestOf(ctx context.Context, g *Gateway, p string) (depend.Manifest, error) {
	lasts := g.lasts(p)
	if lasts {
		g.Stored.manifests.mu.Lock()
		defer g.Stored.manifests.mu.Unlock()
		if m, ok := g.Stored.manifests.read[p]; ok {
			return m, nil
		}
	}
	text, err := TextOf(ctx, g, p)
	if err != nil || text == nil {
		return depend.Manifest{}, ctx.Err() // what cannot be read says nothing
	}
	m := depend.Read(p, *text)
	if lasts {
		g.Stored.manifests.read[p] = m
	}
	return m, nil
}

// provider is the member that a need is of: the one in the folder that it names,
// or of several that provide the module the one that fits best.
func provider(ctx context.Context, members []*Member, asking *Member, n depend.Need) (*Member, error) {
	var all []provided
	for _, m := range members {
		for _, x := range m.Modules.Provides {
			if n.From != "" && filepath.Join(m.Tree.Root(), filepath.FromSlash(x.Dir)) == folderNamed(asking, n) {
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
		if locked, err = lockedOf(ctx, asking.Gateway, n.Dir, n); err != nil {
			return nil, err
		}
	}
	return slices.MinFunc(all, func(a, b provided) int { return -a.compare(b, n, locked) }).Member, nil
}

// A provided is a module of a member.
type provided struct {
	*Member

	version string
}

// compare orders those that provide what is asked for: that which the lock file has
// is more than that which is asked for, then comes what the range allows, then what
// is newer.
func (p provided) compare(o provided, n depend.Need, locked string) int {
	return cmp.Or(
		Yes(locked != "" && p.version == locked)-Yes(locked != "" && o.version == locked),
		depend.Fits(n.Ecosystem, n.Version, p.version)-depend.Fits(n.Ecosystem, n.Version, o.version),
		depend.Compare(p.version, o.version),
	)
}

// folderNamed is the folder that a need names.
func folderNamed(m *Member, n depend.Need) string {
	if path.IsAbs(n.From) {
		return filepath.FromSlash(path.Clean(n.From))
	}
	return filepath.Join(m.Tree.Root(), filepath.FromSlash(n.Dir), filepath.FromSlash(n.From))
}

// versionOf is that of a module: as its manifest says, or the folder that it was
// unpacked to.
func versionOf(m *Member, x depend.Module) string {
	if x.Version != "" {
		return x.Version
	}
	_, version, _ := strings.Cut(filepath.Base(m.Tree.Root()), "@")
	return version
}

// included are the members that have headers which files of one include and its
// repository does not have: of several those that have most of what it includes.
func included(members []*Member, service *Opener, m *Member) []*Member {
	if m.Answer == nil || len(m.Answer.View.Headers().Missing()) == 0 {
		return nil
	}
	has := map[*Member][]string{}
	for _, o := range members {
		if o != m && o.Answer != nil {
			has[o] = service.Kept.includedFrom(m.Answer.View, o.Answer.View)
		}
	}
	best := map[string]*Member{}
	for _, o := range members {
		for _, p := range has[o] {
			if best[p] == nil || len(has[o]) > len(has[best[p]]) {
				best[p] = o
			}
		}
	}
	taken := map[*Member]bool{}
	for _, o := range best {
		taken[o] = true
	}
	return sortedMembers(taken)
}

// managers are what SCIP calls ecosystems.
var managers = map[depend.Ecosystem]string{
	depend.Go: "gomod", depend.NPM: "npm", depend.PyPI: "python",
	depend.Cargo: "cargo", depend.Maven: "maven",
}

// PackageOf is the module that a file is of: the one whose manifest is nearest.
func (m *modules) PackageOf(p string) (pkg scip.Package) {
	near := -1
	for _, mod := range m.Provides {
		if len(mod.Dir) > near && (mod.Dir == "" || strings.HasPrefix(p, mod.Dir+"/")) {
			near, pkg = len(mod.Dir), scip.Package{Manager: managers[mod.Ecosystem], Name: mod.Name.Name, Version: mod.Version}
		}
	}
	return pkg
}

// Yes is 1 for true.
func Yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
