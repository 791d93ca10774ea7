package gateway

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A provided is a module of a member.
type provided struct {
	*Member

	module depend.Module
}

// How sure it is that a module is the one that is asked for.
const (
	fitNot     = iota // it is another version, or it is not known
	fitRange          // a version in the range
	fitVersion        // the version that a manifest has
	fitLocked         // that which a lock file has
	fitCommit         // the commit
	fitFolder         // the folder
)

// A choice is which of those that provide a module is taken for one that is asked for.
type choice struct {
	provided

	need   wanted
	locked depend.Chosen
	fit    int
	named  bool // by its folder
}

// choose finds the module that a need is of: the one in the folder that it names, or
// of several the one at the commit or of the version that the lock file or else the
// manifest has, then the newest one in the range, then the nearest.
func (c *connector) choose(ctx context.Context, asking *Member, n wanted) (choice, error) {
	to, known := c.chosen[asked{asking, n}]
	if known {
		return to, nil
	}
	to, err := c.find(ctx, asking, n)
	if err == nil {
		c.chosen[asked{asking, n}] = to
	}
	return to, err
}

// find is choose, which remembers it.
func (c *connector) find(ctx context.Context, asking *Member, n wanted) (choice, error) {
	to := choice{need: n}
	if to.folder(c.folders[n.folder]) {
		return to, nil
	}
	all := c.names[n.Name]
	if n.As != "" && n.Ecosystem == depend.Go && len(all) == 0 {
		all = forks(c.names[depend.Name{Ecosystem: depend.Go, Name: n.As}], n.Name.Name)
	}
	if len(all) < 2 {
		if len(all) == 1 {
			to.provided = all[0]
		}
		return to, nil
	}
	var err error
	if to.locked, err = lockedOf(ctx, asking.Gateway, n.Dir, n.Need); err != nil {
		return to, err
	}
	if to.folder(c.folders[ownNeed(asking, depend.Need{From: to.locked.From}).folder]) {
		return to, nil
	}
	var at released
	for _, p := range all {
		r, err := c.released(ctx, p)
		if err != nil {
			return to, err
		}
		fit := r.fits(n.Need, to.locked)
		if to.Member == nil || cmp.Or(fit-to.fit, r.nearer(at, n.Need, to.locked, fit)) > 0 {
			to.provided, to.fit, at = p, fit, r
		}
	}
	return to, nil
}

// released is the version of a module, looked at once.
func (c *connector) released(ctx context.Context, p provided) (released, error) {
	r, known := c.known[p]
	if known {
		return r, nil
	}
	r, err := p.released(ctx, p.module)
	c.known[p] = r
	return r, err
}

// folder takes the member that is in a folder that was named, if there is one.
func (to *choice) folder(m *Member) bool {
	if m != nil {
		to.provided, to.fit, to.named = provided{m, depend.Module{}}, fitFolder, true
	}
	return m != nil
}

// forks are those that a module of Go is replaced by: they call themselves as it, and
// only the repository is called otherwise.
func forks(all []provided, name string) (of []provided) {
	for _, p := range all {
		if strings.HasSuffix(name, "/"+string(p.ID)) {
			of = append(of, p)
		}
	}
	return of
}

// fits tells how surely a module is what is asked for.
func (r released) fits(n depend.Need, locked depend.Chosen) int {
	for _, commit := range []string{locked.Commit, n.Ref, depend.Commit(n.Version)} {
		if len(commit) >= 7 && strings.HasPrefix(r.commit, commit) {
			return fitCommit
		}
	}
	if n.Ref != "" && slices.Contains(r.tags, n.Ref) {
		return fitCommit
	}
	if locked.Version != "" && slices.ContainsFunc(r.versions, func(v string) bool { return v == locked.Version }) {
		return fitLocked
	}
	best := fitNot
	for _, v := range r.versions {
		best = max(best, depend.Fits(n.Ecosystem, cmp.Or(n.Version, n.Near), v)) // 2: fitVersion, 1: fitRange
	}
	return best
}

// nearer compares two that fit as well: nearer to what was locked, or to what is asked
// for if they are not in the range; then newer.
func (r released) nearer(o released, n depend.Need, locked depend.Chosen, fit int) int {
	wanted := locked.Version
	if wanted == "" && fit == fitNot {
		wanted = cmp.Or(depend.Base(n.Version), depend.Base(n.Ref), n.Near)
	}
	a, b := r.closest(wanted), o.closest(wanted)
	return cmp.Or(depend.Nearer(wanted, a, b), depend.Compare(a, b))
}

// closest is the version of several that is nearest to one.
func (r released) closest(wanted string) string {
	if len(r.versions) == 0 {
		return ""
	}
	return slices.MaxFunc(r.versions, func(a, b string) int {
		return cmp.Or(depend.Nearer(wanted, a, b), depend.Compare(a, b))
	})
}

// asked is what was asked for, in words; "" if any version will do.
func (to choice) asked() string {
	ref := cmp.Or(to.locked.Commit, to.need.Ref)
	if len(ref) == 40 {
		ref = ref[:12]
	}
	return cmp.Or(ref, to.locked.Version, to.need.Version, to.need.Near)
}

// Checkouts says, of modules with definitions that several repositories provide, which
// those are, and warns of users that ask for none of them.
func (u *Union) Checkouts(ctx context.Context, homes []Home, users []*Scope, meta *models.Meta) error {
	said := map[depend.Name]bool{}
	for _, h := range homes {
		for _, d := range h.Found.Defs {
			of, ok := h.Modules.of(d.File)
			all := u.connected.names[of.Name]
			if !ok || said[of.Name] || len(all) < 2 {
				continue
			}
			said[of.Name] = true
			told, err := u.connected.told(ctx, all)
			if err != nil {
				return err
			}
			AddMessage(meta, fmt.Sprintf("%s is in %d repositories: %s; each use is of the one that a manifest or lock file "+
				"asks for", of.Name.Name, len(all), told))
			for _, s := range users {
				s.warn(of.Name, meta)
			}
		}
	}
	return nil
}

// Users are the parts of the members with these files, in their order.
func (u *Union) Users(files iter.Seq2[models.RepoID, string]) (all []*Scope) {
	is := map[*Scope]bool{}
	for id, file := range files {
		if i := slices.IndexFunc(u.Members, func(m *Member) bool { return m.ID == id }); i >= 0 {
			is[u.Members[i].ScopeOf(file)] = true
		}
	}
	for _, m := range u.Members {
		for _, s := range m.Scopes() {
			if is[s] {
				all = append(all, s)
			}
		}
	}
	return all
}

// Places are the repositories and files of items.
func Places(items []models.NavItem) iter.Seq2[models.RepoID, string] {
	return func(yield func(models.RepoID, string) bool) {
		for i := range items {
			if !yield(items[i].RepoID, items[i].FilePath) {
				return
			}
		}
	}
}

// told are those that provide a module, with their versions.
func (c *connector) told(ctx context.Context, of []provided) (string, error) {
	var all []string
	for _, p := range of {
		r, err := c.released(ctx, p)
		if err != nil {
			return "", err
		}
		all = append(all, strings.TrimSpace(string(p.ID)+" "+r.String()))
	}
	if more := len(all) - NamedPlaces; more > 0 {
		all = append(all[:NamedPlaces], fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", "), nil
}

// warn warns if a module is not the one that was asked for.
func (s *Scope) warn(name depend.Name, meta *models.Meta) {
	to, ok := s.choices[name]
	if ok && to.fit == fitNot && to.asked() != "" && len(meta.Warnings) < maxOtherVersions {
		meta.Warnings = append(meta.Warnings, models.Warning{
			Code: "OTHER_VERSION",
			Message: fmt.Sprintf("%s asks for %s %s, which none of the checkouts is; %s is taken",
				path.Join(string(s.of.ID), to.need.Dir), name.Name, to.asked(), to.ID),
		})
	}
}

// maxOtherVersions is after how many warnings no more are given of versions.
const maxOtherVersions = 5
