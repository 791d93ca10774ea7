package across

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A provided is a module of a member.
type provided struct {
	at     int // of the member
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
	*provided // nil: none

	need   wanted
	locked depend.Chosen
	fit    int
	named  bool // by its folder
}

// choose finds the module that a need is of: the one in the folder that it names, or
// of several the one at the commit or of the version that the lock file or else the
// manifest has, then the newest one in the range, then the nearest.
func (c *connector) choose(ctx context.Context, asking int, n wanted) (choice, error) {
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
func (c *connector) find(ctx context.Context, asking int, n wanted) (choice, error) {
	to := choice{need: n}
	if c.inFolder(&to, n.folder) {
		return to, nil
	}
	all := c.providers[n.Name]
	if n.As != "" && n.Ecosystem == depend.Go && len(all) == 0 {
		all = c.forks(c.providers[depend.Name{Ecosystem: depend.Go, Name: n.As}], n.Name.Name)
	}
	if len(all) < 2 {
		if len(all) == 1 {
			to.provided = all[0]
		}
		return to, nil
	}
	var err error
	m := c.Members[asking]
	if to.locked, err = gateway.LockedOf(ctx, m.Gateway, n.Dir, n.Need); err != nil {
		return to, err
	}
	if c.inFolder(&to, ownNeed(m, depend.Need{From: to.locked.From}).folder) {
		return to, nil
	}
	var best released
	for _, p := range all {
		r, known := c.known[p]
		if !known {
			if r, err = c.released(ctx, p); err != nil {
				return to, err
			}
			c.known[p] = r
		}
		fit := r.fits(n.Need, to.locked)
		if to.provided == nil || cmp.Or(fit-to.fit, r.nearer(best, n.Need, to.locked, fit)) > 0 {
			to.provided, to.fit, best = p, fit, r
		}
	}
	return to, nil
}

// released is the version of a module.
func (u *Union) released(ctx context.Context, p *provided) (released, error) {
	return u.service.kept.released(ctx, u.Members[p.at], p.module)
}

// inFolder takes the member that is in a folder that was named, if there is one.
func (c *connector) inFolder(to *choice, folder string) bool {
	at, ok := c.folders[folder]
	if ok {
		to.provided, to.fit, to.named = &provided{at: at}, fitFolder, true
	}
	return ok
}

// forks are those that a module of Go is replaced by: they call themselves as it, and
// only the repository is called otherwise.
func (c *connector) forks(all []*provided, name string) (of []*provided) {
	for _, p := range all {
		if strings.HasSuffix(name, "/"+string(c.Members[p.at].ID)) {
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
			of, ok := h.Modules.Of(d.File)
			all := u.wiring.providers[of.Name]
			if !ok || said[of.Name] || len(all) < 2 {
				continue
			}
			said[of.Name] = true
			told, err := u.told(ctx, all)
			if err != nil {
				return err
			}
			gateway.AddMessage(meta, fmt.Sprintf("%s is in %d repositories: %s; each use is of the one that a manifest or "+
				"lock file asks for", of.Name.Name, len(all), told))
			for _, s := range users {
				u.warn(s, of.Name, meta)
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
func (u *Union) told(ctx context.Context, of []*provided) (string, error) {
	var all []string
	for _, p := range of {
		r, err := u.released(ctx, p)
		if err != nil {
			return "", err
		}
		all = append(all, strings.TrimSpace(string(u.Members[p.at].ID)+" "+r.String()))
	}
	if more := len(all) - gateway.NamedPlaces; more > 0 {
		all = append(all[:gateway.NamedPlaces], fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", "), nil
}

// warn warns if a module is not the one that was asked for.
func (u *Union) warn(s *Scope, name depend.Name, meta *models.Meta) {
	to, ok := s.choices[name]
	if ok && to.fit == fitNot && to.asked() != "" && len(meta.Warnings) < maxOtherVersions {
		meta.Warnings = append(meta.Warnings, models.Warning{
			Code: "OTHER_VERSION",
			Message: fmt.Sprintf("%s asks for %s %s, which none of the checkouts is; %s is taken",
				path.Join(string(s.of.ID), to.need.Dir), name.Name, to.asked(), u.Members[to.at].ID),
		})
	}
}

// maxOtherVersions is after how many warnings no more are given of versions.
const maxOtherVersions = 5
