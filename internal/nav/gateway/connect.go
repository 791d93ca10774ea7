package gateway

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
)

// A connector finds out which members of a union take modules of which others.
type connector struct {
	*Union

	folders map[string]*Member         // that provide a module, by their paths
	names   map[depend.Name][]provided // the modules that there are
	headers map[*Member][]*Member      // whose headers a member includes, as far as they were asked for
}

// connect tells the members of a union which others they use.
func connect(ctx context.Context, u *Union) error {
	c := connector{
		Union: u, folders: map[string]*Member{}, names: map[depend.Name][]provided{}, headers: map[*Member][]*Member{},
	}
	for _, m := range u.Members {
		for _, x := range m.Modules.Provides {
			if dir := filepath.Join(m.Tree.Root(), filepath.FromSlash(x.Dir)); c.folders[dir] == nil {
				c.folders[dir] = m
			}
			c.names[x.Name] = append(c.names[x.Name], provided{m, versionOf(m, x)})
		}
	}
	for _, m := range u.Members {
		taken := map[*Member]bool{}
		for _, n := range m.Modules.needs {
			to, err := c.provider(ctx, m, n)
			if err != nil {
				return err
			}
			if to != nil && to != m {
				taken[to] = true
			}
		}
		for _, to := range c.included(m) {
			taken[to] = true
		}
		m.Direct = sortedMembers(taken)
	}
	for _, m := range u.Members {
		taken := map[*Member]bool{}
		for _, to := range m.Direct {
			taken[to] = true
		}
		for _, to := range m.Direct {
			if err := c.follow(ctx, m, to, taken); err != nil {
				return err
			}
		}
		delete(taken, m)
		m.Uses = sortedMembers(taken)
		m.Joint = sync.OnceValue(func() *joint.Joint { return u.service.Kept.joint(m) })
	}
	return nil
}

// follow adds what the modules of a member need for root: what root asks for
// itself counts before what its modules ask for.
func (c *connector) follow(ctx context.Context, root, m *Member, taken map[*Member]bool) error {
	for _, n := range m.Modules.needs {
		if own, ok := root.Modules.need[n.Name]; ok {
			n = own
		}
		to, err := c.provider(ctx, root, n)
		if err != nil {
			return err
		}
		if err := c.take(ctx, root, to, taken); err != nil {
			return err
		}
	}
	for _, to := range c.included(m) {
		if err := c.take(ctx, root, to, taken); err != nil {
			return err
		}
	}
	return nil
}

// take adds a member, and what it needs.
func (c *connector) take(ctx context.Context, root, to *Member, taken map[*Member]bool) error {
	if to == nil || to == root || taken[to] {
		return nil
	}
	taken[to] = true
	return c.follow(ctx, root, to, taken)
}

// provider is the member that a need is of: the one in the folder that it names,
// or of several that provide the module the one that fits best.
func (c *connector) provider(ctx context.Context, asking *Member, n depend.Need) (*Member, error) {
	if n.From != "" {
		if m := c.folders[folderNamed(asking, n)]; m != nil {
			return m, nil
		}
	}
	all := c.names[n.Name]
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

// included are the members whose headers files of one include.
func (c *connector) included(m *Member) []*Member {
	all, known := c.headers[m]
	if !known {
		all = included(c.Members, c.service, m)
		c.headers[m] = all
	}
	return all
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
