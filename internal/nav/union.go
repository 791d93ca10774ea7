package nav

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A union is the repositories that a filter means, opened, with what their
// manifests say of each other. Symbols of one that others import are the same
// symbols there. Close it.
type union struct {
	service  *Service
	members  []*member // in order of their ids
	warnings []models.Warning
}

// A member is a repository of a union.
type member struct {
	*gateway

	modules modules
	direct  []*member // whose modules its manifests ask for
	uses    []*member // whose modules it takes, directly or through others, in order of their ids
	joint   func() *joint.Joint
}

// unite opens the repositories that a filter means for questions about a name. What
// cannot be opened is left out, with a warning.
func unite(ctx context.Context, s *Service, filter models.RepoID, name string) (*union, error) {
	return openAll(ctx, s, filter, func(g *gateway) (err error) {
		var all symbols
		if all.view, all.notes, all.partial, err = g.answering(ctx, name); err == nil {
			g.answer = &all
		}
		return err
	})
}

// openAll opens the repositories that a filter means and reads their manifests.
func openAll(ctx context.Context, s *Service, filter models.RepoID, more func(g *gateway) error) (*union, error) {
	meant, err := matching(ctx, s.Match, string(filter))
	if err != nil {
		return nil, err
	}
	u := &union{service: s, members: make([]*member, len(meant))}
	problems := make([]error, len(meant))
	group, gctx := parallel.NewGroup(ctx)
	group.SetLimit(maxOpen)
	for i, id := range meant {
		group.Go(func() error {
			u.members[i], problems[i] = join(gctx, s, id, more)
			return gctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		u.Close()
		return nil, err
	}
	for i, err := range problems {
		if err != nil {
			u.warnings = append(u.warnings,
				models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf("%s was not looked into: %s", meant[i], words(err))})
		}
	}
	u.members = slices.DeleteFunc(u.members, func(m *member) bool { return m == nil })
	if len(u.members) == 0 {
		return nil, fault.New(fault.IndexNotReady, "none of %d repositories can answer; %s", len(meant),
			u.warnings[0].Message)
	}
	if err := u.connect(ctx); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// maxOpen is how many repositories are opened at once.
const maxOpen = 8

// join opens a repository for a union.
func join(ctx context.Context, s *Service, id models.RepoID, more func(g *gateway) error) (*member, error) {
	g, err := s.open(ctx, id)
	if err != nil {
		return nil, err
	}
	m := &member{gateway: g}
	if err = more(g); err == nil {
		m.modules, err = modulesOf(ctx, g)
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	return m, nil
}

// Close closes the repositories.
func (u *union) Close() {
	if u == nil {
		return
	}
	for _, m := range u.members {
		if m != nil {
			m.Close()
		}
	}
}

// connect finds out which members take modules of which others.
func (u *union) connect(ctx context.Context) error {
	for _, m := range u.members {
		taken := map[*member]bool{}
		for _, n := range m.modules.needs {
			to, err := provider(ctx, u.members, m, n)
			if err != nil {
				return err
			}
			if to != nil && to != m {
				taken[to] = true
			}
		}
		for _, to := range included(u.members, u.service, m) {
			taken[to] = true
		}
		m.direct = sortedMembers(taken)
	}
	for _, m := range u.members {
		taken := map[*member]bool{}
		for _, to := range m.direct {
			taken[to] = true
		}
		for _, to := range m.direct {
			if err := u.follow(ctx, m, to, taken); err != nil {
				return err
			}
		}
		delete(taken, m)
		m.uses = sortedMembers(taken)
		m.joint = sync.OnceValue(func() *joint.Joint { return u.service.kept.joint(m) })
	}
	return nil
}

func sortedMembers(set map[*member]bool) []*member {
	return slices.SortedFunc(maps.Keys(set), func(a, b *member) int { return strings.Compare(string(a.id), string(b.id)) })
}

// follow adds what the modules of a member need for root: what root asks for
// itself counts before what its modules ask for.
func (u *union) follow(ctx context.Context, root, m *member, taken map[*member]bool) error {
	for _, n := range m.modules.needs {
		if own, ok := root.modules.need(n.Name); ok {
			n = own
		}
		to, err := provider(ctx, u.members, root, n)
		if err != nil {
			return err
		}
		if err := u.take(ctx, root, to, taken); err != nil {
			return err
		}
	}
	for _, to := range included(u.members, u.service, m) {
		if err := u.take(ctx, root, to, taken); err != nil {
			return err
		}
	}
	return nil
}

// take adds a member, and what it needs.
func (u *union) take(ctx context.Context, root, to *member, taken map[*member]bool) error {
	if to == nil || to == root || taken[to] {
		return nil
	}
	taken[to] = true
	return u.follow(ctx, root, to, taken)
}

// A jointed is the joint of a repository with those that it takes modules of, as
// long as none of them changes.
type jointed struct {
	views []*overlay.View
	joint *joint.Joint
}

// A viewPair is a view that includes headers of another one.
type viewPair struct{ of, from weak.Pointer[overlay.View] }

// maxPairs is of how many pairs of views it is remembered what they include.
const maxPairs = 10_000

// across makes the head of a reply about the members, which counts what is of
// each of them.
func (u *union) across(counts map[models.RepoID]int, meta *models.Meta) []models.RepoMatches {
	all := make([]found, len(u.members))
	for i, m := range u.members {
		all[i] = found{id: m.id, live: !m.verdict.Graph}
		m.head(&all[i].head)
		for _, n := range m.answer.notes {
			all[i].head.Warnings = append(all[i].head.Warnings, models.Warning{Code: "PARTIAL_GRAPH", Message: n})
		}
	}
	repositories := across(all, u.warnings, meta)
	for i := range repositories {
		repositories[i].Matches = counts[repositories[i].RepoID]
	}
	return repositories
}

// A home is a member with definitions that are asked about.
type home struct {
	*member

	found symbols
}

// find finds the definitions that are asked for, in all members.
func (u *union) find(ctx context.Context, a asked) (homes []home, err error) {
	if a.name == "" {
		return u.standing(ctx, a)
	}
	var first error
	var lacking *missing // of the last member, if first is not set
	for _, m := range u.members {
		here := a
		if rest, ok := strings.CutPrefix(a.name, string(m.id)+":"); ok {
			here.name = rest
		} else if u.names(a.name) {
			continue
		}
		found, none, err := findNamed(ctx, m.gateway, here)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && none == nil:
			homes = append(homes, home{m, found})
		case first != nil || lacking != nil && lacking.code() != fault.SymbolNotFound:
		case none != nil:
			lacking = none
		default:
			first = err
		}
	}
	switch {
	case len(homes) > 0:
		return homes, nil
	case first == nil && lacking != nil:
		return nil, lacking.fault(ctx)
	}
	return nil, first
}

// names reports whether a name begins with the id of a member.
func (u *union) names(name string) bool {
	return slices.ContainsFunc(u.members, func(m *member) bool { return strings.HasPrefix(name, string(m.id)+":") })
}

// standing finds what stands at a place: of the repository that has the file, or
// of another one that it takes modules of.
func (u *union) standing(ctx context.Context, a asked) ([]home, error) {
	m, file, err := u.having(ctx, a.file)
	if err != nil {
		return nil, err
	}
	a.file = file
	at, err := atOf(ctx, m.gateway, a.file, *a.line, *a.column)
	if err != nil {
		return nil, err
	}
	if at.foreign(m); len(at.abroad) == 0 {
		found, err := find(ctx, m.gateway, a)
		return []home{{m, found}}, err
	}
	var homes []home
	for _, f := range at.abroad {
		to := m.uses[f.Other]
		if n := len(homes); n > 0 && homes[n-1].member == to {
			homes[n-1].found.defs = append(homes[n-1].found.defs, f.Def)
			continue
		}
		homes = append(homes, home{
			to,
			symbols{
				view: to.answer.view, defs: []overlay.Def{f.Def}, notes: to.answer.notes, partial: to.answer.partial,
				place: &at,
			},
		})
	}
	return homes, nil
}

// having is the one member that has a file, whose path may be behind its id and a
// colon.
func (u *union) having(ctx context.Context, file string) (*member, string, error) {
	var all []*member
	path := file
	for _, m := range u.members {
		if rest, ok := strings.CutPrefix(file, string(m.id)+":"); ok {
			return m, rest, nil
		}
		if _, err := m.read(ctx, path); err == nil || errors.Is(err, context.Canceled) {
			all = append(all, m)
		}
	}
	if len(all) == 1 {
		return all[0], path, nil
	}
	if len(all) == 0 {
		return nil, "", fault.New(fault.PathNotFound, "no repository of these has a file %s", file)
	}
	return nil, "", fault.New(fault.InvalidRequest, "%s is in %d repositories; write %s:%s for the one that is meant",
		file, len(all), all[0].id, file)
}
