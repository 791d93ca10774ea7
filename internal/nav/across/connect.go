package across

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A wiring is which members of a union take modules of which others, by their indices. It
// is kept for further questions about them, as long as what it was made of is the same.
type wiring struct {
	providers map[depend.Name][]*provided // of the modules that there are
	members   []wired
	made      []lookedAt // of each member
}

// A wired is what is known of one member.
type wired struct {
	scopes       map[string]*wire // by folder; there is that of the root
	direct, uses []int            // of all its scopes, in order
}

// A wire is a scope of a member, without the member.
type wire struct {
	key          string // what tells it from others of the member
	direct, uses []int
	choices      map[depend.Name]choice // of modules that several provide
}

// A connector makes a wiring.
type connector struct {
	*Union
	*wiring

	folders map[string]int         // that provide a module, by their paths
	headers map[int][]int          // whose headers a member includes, as far as they were asked for
	kin     map[[2]int]bool        // whether two are checkouts of one repository, likewise
	known   map[*provided]released // versions, likewise
	chosen  map[asked]choice       // likewise
}

// An asked is what is asked for by or for a member.
type asked struct {
	by int
	wanted
}

// connect tells the members of a union which others they use.
func connect(ctx context.Context, u *Union) error {
	w := u.service.kept.wired(ctx, u)
	if w == nil {
		var err error
		if w, err = wireUp(ctx, u); err != nil {
			return err
		}
		u.service.kept.keepWired(u, w)
	}
	u.wiring = w
	for i, m := range u.Members {
		m.Direct, m.Uses = u.at(w.members[i].direct), u.at(w.members[i].uses)
		m.scopes = make(map[string]*Scope, len(w.members[i].scopes))
		of := map[*wire]*Scope{}
		for dir, x := range w.members[i].scopes {
			if of[x] == nil {
				s := &Scope{wire: x, of: m, Uses: u.at(x.uses)}
				s.Joint = sync.OnceValue(func() *joint.Joint { return u.service.kept.joint(s) })
				of[x] = s
			}
			m.scopes[dir] = of[x]
		}
	}
	return nil
}

// A lookedAt is what of a member a wiring was made of.
type lookedAt struct {
	id      models.RepoID
	root    string
	modules *gateway.Modules
	view    weak.Pointer[overlay.View]
	tagged  *tagState // nil: not asked for
	locks   gateway.LockState
}

// maxWirings is how many wirings are kept.
const maxWirings = 16

// wired is a wiring of the same members that still holds; nil if there is none.
func (c *kept) wired(ctx context.Context, u *Union) *wiring {
	c.mu.Lock()
	kept := slices.Clone(c.wirings)
	c.mu.Unlock()
	for _, w := range slices.Backward(kept) {
		if slices.EqualFunc(w.made, u.Members, lookedAt.isOf) {
			for i, m := range u.Members {
				if !w.made[i].holds(ctx, c, m) {
					return nil
				}
			}
			return w
		}
	}
	return nil
}

func (l lookedAt) isOf(m *Member) bool {
	return l.id == m.ID && l.root == m.Tree.Root() && l.modules == m.Modules && l.view == m.viewed() && m.Verdict.Graph
}

// viewed is what the member is answered from.
func (m *Member) viewed() weak.Pointer[overlay.View] {
	if m.Answer == nil {
		return weak.Pointer[overlay.View]{}
	}
	return weak.Make(m.Answer.View)
}

// holds reports whether the tags and lock files of a member are as they were.
func (l lookedAt) holds(ctx context.Context, c *kept, m *Member) bool {
	if l.tagged != nil {
		now, err := c.tagged(ctx, m)
		if err != nil || now.tagState != *l.tagged {
			return false
		}
	}
	return l.locks.Holds(m.Gateway)
}

// keepWired keeps a wiring of a union for the next one, unless what it was made of could not
// be read, or may be another and look the same.
func (c *kept) keepWired(u *Union, w *wiring) {
	for _, m := range u.Members {
		l := lookedAt{id: m.ID, root: m.Tree.Root(), modules: m.Modules, view: m.viewed()}
		if m.tagged != nil {
			l.tagged = &m.tagged.tagState
		}
		var ok bool
		if l.locks, ok = gateway.LockStateOf(m.Gateway); !ok {
			return
		}
		if w.made = append(w.made, l); !m.Verdict.Graph {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wirings = append(c.wirings, w); len(c.wirings) > maxWirings {
		c.wirings = slices.Delete(c.wirings, 0, 1)
	}
}

// at are members by their indices.
func (u *Union) at(indices []int) []*Member {
	all := make([]*Member, len(indices))
	for i, n := range indices {
		all[i] = u.Members[n]
	}
	return all
}

// wireUp makes the wiring of a union.
func wireUp(ctx context.Context, u *Union) (*wiring, error) {
	c := &connector{
		Union: u, wiring: &wiring{providers: map[depend.Name][]*provided{}, members: make([]wired, len(u.Members))},
		folders: map[string]int{}, headers: map[int][]int{},
		kin: map[[2]int]bool{}, known: map[*provided]released{}, chosen: map[asked]choice{},
	}
	for i, m := range u.Members {
		for _, x := range m.Modules.Provides {
			dir := filepath.Join(m.Tree.Root(), filepath.FromSlash(x.Dir))
			if _, known := c.folders[dir]; !known {
				c.folders[dir] = i
			}
			if all := c.providers[x.Name]; len(all) == 0 || all[len(all)-1].at != i {
				c.providers[x.Name] = append(all, &provided{i, x})
			}
		}
	}
	for i := range u.Members {
		if err := c.split(ctx, i); err != nil {
			return nil, err
		}
	}
	return c.wiring, nil
}

// split finds the scopes of a member: most have one.
func (c *connector) split(ctx context.Context, at int) error {
	m := c.Members[at]
	several := map[depend.Name][]depend.Need{} // what is asked for and provided more than once
	dirs := map[string]bool{"": true}
	for _, n := range m.Modules.Needs {
		if len(c.providers[n.Name]) > 1 {
			several[n.Name] = append(several[n.Name], n)
			dirs[n.Dir] = true
		}
	}
	names := sortedNames(several)
	w := wired{scopes: map[string]*wire{}}
	known := map[string]*wire{}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		key := strings.Builder{}
		for _, name := range names {
			to, err := c.choose(ctx, at, ownNeed(m, nearest(several[name], dir)))
			if err != nil {
				return err
			}
			key.WriteString(string(c.Members[to.at].ID) + "\x00")
		}
		if w.scopes[dir] = known[key.String()]; w.scopes[dir] != nil {
			continue
		}
		s := &wire{key: key.String()}
		if err := c.fill(ctx, s, at, dir, several); err != nil {
			return err
		}
		w.scopes[dir], known[s.key] = s, s
		w.direct, w.uses = append(w.direct, s.direct...), append(w.uses, s.uses...)
	}
	slices.Sort(w.direct)
	slices.Sort(w.uses)
	w.direct, w.uses = slices.Compact(w.direct), slices.Compact(w.uses)
	c.members[at] = w
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
func (c *connector) fill(
	ctx context.Context, s *wire, at int, dir string, several map[depend.Name][]depend.Need,
) error {
	of := c.Members[at]
	own := map[depend.Name]depend.Need{}
	var wants []choice
	for _, n := range of.Modules.Needs {
		if _, known := own[n.Name]; known && n.Name.Name != "" {
			continue
		}
		if len(several[n.Name]) > 0 {
			n = nearest(several[n.Name], dir)
		}
		own[n.Name] = n
		to, err := c.choose(ctx, at, ownNeed(of, n))
		if err != nil {
			return err
		}
		wants = append(wants, to)
	}
	slices.SortStableFunc(wants, func(a, b choice) int { return b.fit - a.fit })
	taken := []int{at}
	for _, w := range wants {
		taken = c.take(s, taken, w)
	}
	for _, to := range c.included(at) {
		taken = c.add(taken, to)
	}
	s.direct = slices.Clone(taken[1:])
	for i := 1; i < len(taken); i++ {
		for _, n := range c.Members[taken[i]].Modules.Needs {
			w := ownNeed(c.Members[taken[i]], n)
			w.Dir = dir // of the lock file that counts
			if x, ok := own[n.Name]; ok && n.Name.Name != "" {
				w = ownNeed(of, x)
			}
			to, err := c.choose(ctx, at, w)
			if err != nil {
				return err
			}
			taken = c.take(s, taken, to)
		}
		for _, to := range c.included(taken[i]) {
			taken = c.add(taken, to)
		}
	}
	s.uses = slices.Sorted(slices.Values(taken[1:]))
	return nil
}

// take adds what was chosen, or of those that provide the module one that is there.
func (c *connector) take(s *wire, taken []int, w choice) []int {
	if w.provided == nil {
		return taken
	}
	if !w.named {
		for _, p := range c.providers[w.need.Name] {
			if slices.Contains(taken, p.at) {
				w.provided = p
			}
		}
	}
	if taken = c.add(taken, w.at); len(c.providers[w.need.Name]) > 1 && slices.Contains(taken, w.at) {
		s.note(w)
	}
	return taken
}

// add adds a member, unless it or another checkout of it is there.
func (c *connector) add(taken []int, to int) []int {
	if slices.ContainsFunc(taken, func(m int) bool { return m == to || c.related(m, to) }) {
		return taken
	}
	return append(taken, to)
}

// related reports whether two members are checkouts of one repository: most of what
// one provides the other one does, too.
func (c *connector) related(a, b int) bool {
	if a > b {
		a, b = b, a
	}
	is, known := c.kin[[2]int{a, b}]
	if !known {
		common := 0
		provides := c.Members[a].Modules.Provides
		for _, x := range provides {
			common += gateway.Yes(slices.ContainsFunc(c.providers[x.Name], func(p *provided) bool { return p.at == b }))
		}
		is = 2*common > min(len(provides), len(c.Members[b].Modules.Provides))
		c.kin[[2]int{a, b}] = is
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

// included are the members that have headers which files of one include and its
// repository does not have: of several those that have most of what it includes.
func (c *connector) included(at int) []int {
	all, known := c.headers[at]
	if known {
		return all
	}
	defer func() { c.headers[at] = all }()
	m := c.Members[at]
	if m.Answer == nil || len(m.Answer.View.Headers().Missing()) == 0 {
		return nil
	}
	has := map[int][]string{}
	for i, o := range c.Members {
		if o != m && o.Answer != nil {
			has[i] = c.service.kept.includedFrom(m.Answer.View, o.Answer.View)
		}
	}
	best := map[string]int{}
	for i := range c.Members {
		for _, p := range has[i] {
			if other, ok := best[p]; !ok || len(has[i]) > len(has[other]) {
				best[p] = i
			}
		}
	}
	all = slices.Compact(slices.Sorted(maps.Values(best)))
	return all
}

// A Scope is the part of a member whose manifests choose the same checkouts of the
// modules that they ask for.
type Scope struct {
	*wire

	of    *Member
	Uses  []*Member // whose modules it takes, directly or through others, in order of their ids
	Joint func() *joint.Joint
}

// note notes which of several was chosen.
func (s *wire) note(to choice) {
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
