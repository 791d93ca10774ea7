package gateway

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

// A connector finds out which members of a union take modules of which others.
type connector struct {
	*Union

	folders map[string]*Member         // that provide a module, by their paths
	names   map[depend.Name][]provided // the modules that there are
	headers map[*Member][]*Member      // whose headers a member includes, as far as they were asked for
	kin     map[[2]*Member]bool        // whether two are checkouts of one repository, likewise
	known   map[provided]released      // versions, likewise
	chosen  map[asked]choice           // likewise
}

// An asked is what is asked for by or for a member.
type asked struct {
	*Member
	wanted
}

// connect tells the members of a union which others they use.
func connect(ctx context.Context, u *Union) error {
	c := &connector{
		Union: u, folders: map[string]*Member{}, names: map[depend.Name][]provided{}, headers: map[*Member][]*Member{},
		kin: map[[2]*Member]bool{}, known: map[provided]released{}, chosen: map[asked]choice{},
	}
	u.connected = c
	for _, m := range u.Members {
		for _, x := range m.Modules.Provides {
			if dir := filepath.Join(m.Tree.Root(), filepath.FromSlash(x.Dir)); c.folders[dir] == nil {
				c.folders[dir] = m
			}
			if all := c.names[x.Name]; len(all) == 0 || all[len(all)-1].Member != m {
				c.names[x.Name] = append(all, provided{m, x})
			}
		}
	}
	for _, m := range u.Members {
		if err := c.split(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// split finds the scopes of a member: most have one.
func (c *connector) split(ctx context.Context, m *Member) error {
	several := map[depend.Name][]depend.Need{} // what is asked for and provided more than once
	dirs := map[string]bool{"": true}
	for _, n := range m.Modules.needs {
		if len(c.names[n.Name]) > 1 {
			several[n.Name] = append(several[n.Name], n)
			dirs[n.Dir] = true
		}
	}
	m.scopes = map[string]*Scope{}
	known, direct, uses := map[string]*Scope{}, map[*Member]bool{}, map[*Member]bool{}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		key := strings.Builder{}
		for _, name := range sortedNames(several) {
			to, err := c.choose(ctx, m, ownNeed(m, nearest(several[name], dir)))
			if err != nil {
				return err
			}
			key.WriteString(string(to.ID) + "\x00")
		}
		if m.scopes[dir] = known[key.String()]; m.scopes[dir] != nil {
			continue
		}
		s := &Scope{of: m, key: key.String()}
		if err := c.fill(ctx, s, dir, several); err != nil {
			return err
		}
		m.scopes[dir], known[s.key] = s, s
		for _, to := range s.direct {
			direct[to] = true
		}
		for _, to := range s.Uses {
			uses[to] = true
		}
	}
	m.Direct, m.Uses = sortedMembers(direct), sortedMembers(uses)
	return nil
}

func sortedNames(of map[depend.Name][]depend.Need) []depend.Name {
	names := make([]depend.Name, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b depend.Name) int { return strings.Compare(a.Name, b.Name) })
	return names
}

// nearest is what counts in a folder of what manifests ask for: that of the closest
// manifest above, else the first; of one manifest the first with a version.
func nearest(needs []depend.Need, dir string) depend.Need {
	best, at := needs[0], -1
	for _, n := range needs {
		above := n.Dir == "" || n.Dir == dir || strings.HasPrefix(dir, n.Dir+"/")
		if above && (len(n.Dir) > at || len(n.Dir) == at && best.Version == "" && n.Version != "") {
			best, at = n, len(n.Dir)
		}
	}
	return best
}

// fill finds what is used in a scope: what the member asks for itself counts before what
// its modules ask for, and what is surer before what is less. Never are there two
// checkouts of one repository, as a name would then be of either.
func (c *connector) fill(ctx context.Context, s *Scope, dir string, several map[depend.Name][]depend.Need) error {
	own := map[depend.Name]depend.Need{}
	var wants []choice
	for _, n := range s.of.Modules.needs {
		if _, known := own[n.Name]; known && n.Name.Name != "" {
			continue
		}
		if len(several[n.Name]) > 0 {
			n = nearest(several[n.Name], dir)
		}
		own[n.Name] = n
		to, err := c.choose(ctx, s.of, ownNeed(s.of, n))
		if err != nil {
			return err
		}
		wants = append(wants, to)
	}
	slices.SortStableFunc(wants, func(a, b choice) int { return b.fit - a.fit })
	taken := []*Member{s.of}
	for _, w := range wants {
		taken = c.take(s, taken, w)
	}
	for _, to := range c.included(s.of) {
		taken = c.add(taken, to)
	}
	s.direct = slices.Clone(taken[1:])
	for i := 1; i < len(taken); i++ {
		for _, n := range taken[i].Modules.needs {
			w := ownNeed(taken[i], n)
			w.Dir = dir // of the lock file that counts
			if x, ok := own[n.Name]; ok && n.Name.Name != "" {
				w = ownNeed(s.of, x)
			}
			to, err := c.choose(ctx, s.of, w)
			if err != nil {
				return err
			}
			taken = c.take(s, taken, to)
		}
		for _, to := range c.included(taken[i]) {
			taken = c.add(taken, to)
		}
	}
	s.Uses = slices.SortedFunc(slices.Values(taken[1:]), byID)
	s.Joint = jointOf(c.service, s)
	return nil
}

// take adds what was chosen, or of those that provide the module one that is there.
func (c *connector) take(s *Scope, taken []*Member, w choice) []*Member {
	if w.Member == nil {
		return taken
	}
	if !w.named {
		for _, p := range c.names[w.need.Name] {
			if slices.Contains(taken, p.Member) {
				w.provided = p
			}
		}
	}
	if taken = c.add(taken, w.Member); len(c.names[w.need.Name]) > 1 && slices.Contains(taken, w.Member) {
		s.note(w)
	}
	return taken
}

// add adds a member, unless it or another checkout of it is there.
func (c *connector) add(taken []*Member, to *Member) []*Member {
	if slices.ContainsFunc(taken, func(m *Member) bool { return m == to || c.related(m, to) }) {
		return taken
	}
	return append(taken, to)
}

// related reports whether two members are checkouts of one repository: most of what
// one provides the other one does, too.
func (c *connector) related(a, b *Member) bool {
	if a.ID > b.ID {
		a, b = b, a
	}
	is, known := c.kin[[2]*Member{a, b}]
	if !known {
		common := 0
		for _, x := range a.Modules.Provides {
			common += Yes(slices.ContainsFunc(c.names[x.Name], func(p provided) bool { return p.Member == b }))
		}
		is = 2*common > min(len(a.Modules.Provides), len(b.Modules.Provides))
		c.kin[[2]*Member{a, b}] = is
	}
	return is
}

// A wanted is a need, and the folder that it names.
type wanted struct {
	depend.Need

	folder string // "" if it names none
}

// ownNeed is what a manifest of a member asks for.
func ownNeed(m *Member, n depend.Need) wanted {
	switch {
	case n.From == "":
		return wanted{Need: n}
	case path.IsAbs(n.From):
		return wanted{n, filepath.FromSlash(path.Clean(n.From))}
	}
	return wanted{n, filepath.Join(m.Tree.Root(), filepath.FromSlash(n.Dir), filepath.FromSlash(n.From))}
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

// A Scope is the part of a member whose manifests choose the same checkouts of the
// modules that they ask for.
type Scope struct {
	of  *Member
	key string // what tells it from others of the member

	direct  []*Member // whose modules its manifests ask for
	Uses    []*Member // whose modules it takes, directly or through others, in order of their ids
	Joint   func() *joint.Joint
	choices map[depend.Name]choice // of modules that several provide
}

func jointOf(o *Opener, s *Scope) func() *joint.Joint {
	return sync.OnceValue(func() *joint.Joint { return o.Kept.joint(s) })
}

// note notes which of several was chosen.
func (s *Scope) note(to choice) {
	if _, known := s.choices[to.need.Name]; !known {
		if s.choices == nil {
			s.choices = map[depend.Name]choice{}
		}
		s.choices[to.need.Name] = to
	}
}

// ScopeOf is the scope that a file is in.
func (m *Member) ScopeOf(file string) *Scope {
	for dir := file; ; {
		if dir = overlay.FolderOf(dir); m.scopes[dir] != nil || dir == "" {
			return m.scopes[dir]
		}
	}
}

// Scopes are the parts of a member, that of the root first.
func (m *Member) Scopes() []*Scope {
	all := []*Scope{m.scopes[""]}
	for _, s := range m.scopes {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all[1:], func(a, b *Scope) int { return strings.Compare(a.key, b.key) })
	return all
}

// Taking is what files of a member have to do with a symbol of another one, as ask tells
// for a joint and the index of the other one there; at is the file of an answer.
func Taking[T any](m, from *Member, ask func(j *joint.Joint, other int) []T, at func(T) string) (all []T) {
	if !slices.Contains(m.Uses, from) {
		return nil
	}
	for _, s := range m.Scopes() {
		if i := slices.Index(s.Uses, from); i >= 0 {
			for _, x := range ask(s.Joint(), i) {
				if len(m.scopes) == 1 || m.ScopeOf(at(x)) == s {
					all = append(all, x)
				}
			}
		}
	}
	return all
}
