package nav

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/semver"

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
	paths func() []string // of those that the graph was built from

	mu   sync.Mutex
	read map[string]depend.Manifest // of files that are still so
}

func newManifestMemory(s *stored) *manifestMemory {
	return &manifestMemory{read: map[string]depend.Manifest{}, paths: sync.OnceValue(func() (paths []string) {
		for p := range s.manifest.Files() {
			if isManifest(p) {
				paths = append(paths, p)
			}
		}
		slices.Sort(paths)
		return paths
	})}
}

func isManifest(p string) bool { return depend.Knows(p) && !filekind.Of(p, nil).Vendored }

// modules reads the manifests of the repository as they are now.
func (g *gateway) modules(ctx context.Context) (modules, error) {
	paths, err := g.manifestPaths(ctx)
	if err != nil {
		return modules{}, err
	}
	var out modules
	for _, p := range paths {
		m, err := g.manifestOf(ctx, p)
		if err != nil {
			return modules{}, err
		}
		if !filekind.Of(p, nil).Test { // what a test declares for itself is for nobody else
			out.provides = append(out.provides, m.Provides...)
		}
		out.needs = append(out.needs, m.Needs...)
	}
	out.needs = slices.DeleteFunc(out.needs, func(n depend.Need) bool {
		return slices.ContainsFunc(out.provides, func(m depend.Module) bool { return m.Name == n.Name })
	})
	return out, nil
}

func (g *gateway) manifestPaths(ctx context.Context) (paths []string, err error) {
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

// manifestOf is what a manifest says; nothing if it is gone.
func (g *gateway) manifestOf(ctx context.Context, p string) (depend.Manifest, error) {
	lasts := g.verdict.Graph && !slices.Contains(g.delta.Changed, p) && !slices.Contains(g.delta.Added, p)
	if lasts {
		g.stored.manifests.mu.Lock()
		defer g.stored.manifests.mu.Unlock()
		if m, ok := g.stored.manifests.read[p]; ok {
			return m, nil
		}
	}
	text, err := g.textOf(ctx, p)
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
// or of several that provide the module the one of that version, or else of the
// newest.
func (u *union) provider(asking *member, n depend.Need) *member {
	var best *member
	version := ""
	for _, m := range u.members {
		for _, x := range m.modules.provides {
			at := filepath.Join(m.tree.Root(), filepath.FromSlash(x.Dir))
			if n.From != "" && at == folderNamed(asking, n) {
				return m
			}
			if x.Name != n.Name {
				continue
			}
			has := versionOf(m, x)
			if best == nil || fits(has, version, n.Version) {
				best, version = m, has
			}
		}
	}
	return best
}

// folderNamed is the folder that a need names.
func folderNamed(m *member, n depend.Need) string {
	if path.IsAbs(n.From) {
		return filepath.FromSlash(path.Clean(n.From))
	}
	return filepath.Join(m.tree.Root(), filepath.FromSlash(n.Dir), filepath.FromSlash(n.From))
}

// fits reports whether a version fits what is asked for better than another one.
func fits(version, than, asked string) bool {
	want := bare(asked)
	if is, was := bare(version) == want, bare(than) == want; is != was {
		return is
	}
	return semver.Compare("v"+bare(version), "v"+bare(than)) > 0
}

// bare is a version without what is before its digits.
func bare(version string) string {
	version, _, _ = strings.Cut(strings.TrimLeft(version, "v^~>=< "), ",")
	return strings.TrimSpace(version)
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
