// Package across opens repositories together: which modules each provides, asks for and so takes
// of which others, at which checkout, and what a name or a place of one means in them.
package across

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"weak"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An Opener opens repositories for questions, one or several.
type Opener struct {
	*gateway.Opener

	kept *kept
}

// New returns an Opener.
func New(c gateway.Config) *Opener {
	s := &Opener{gateway.New(c), newKept()}
	s.OnForgotten(s.kept.forget)
	return s
}

// A Union is the repositories that a filter means, opened, with what their
// manifests say of each other. Symbols of one that others import are the same
// symbols there. Close it.
type Union struct {
	service  *Opener
	Members  []*Member // in order of their ids
	warnings []models.Warning

	wiring *wiring
}

// A Member is a repository of a union.
type Member struct {
	*gateway.Gateway

	Modules *gateway.Modules
	Direct  []*Member         // whose modules its manifests ask for
	Uses    []*Member         // whose modules it takes, directly or through others, in order of their ids
	scopes  map[string]*Scope // by folder; there is that of the root
	tagged  *tagged           // nil: not asked for
}

// Unite opens the repositories that a filter means for questions about a name. What
// cannot be opened is left out, with a warning.
func Unite(ctx context.Context, s *Opener, filter models.RepoID, name string) (*Union, error) {
	return OpenAll(ctx, s, filter, func(g *gateway.Gateway) (err error) {
		var all gateway.Symbols
		if all.View, all.Notes, all.Partial, err = g.Answering(ctx, name); err == nil {
			g.Answer = &all
		}
		return err
	})
}

// OpenAll opens the repositories that a filter means and reads their manifests.
func OpenAll(
	ctx context.Context, s *Opener, filter models.RepoID, more func(g *gateway.Gateway) error,
) (*Union, error) {
	meant, err := MeantBy(ctx, s.Match, string(filter))
	if err != nil {
		return nil, err
	}
	u := &Union{service: s, Members: make([]*Member, len(meant))}
	problems := make([]error, len(meant))
	group, gctx := parallel.NewGroup(ctx)
	group.SetLimit(MaxOpen)
	for i, known := range meant {
		group.Go(func() error {
			u.Members[i], problems[i] = join(gctx, s, known, more)
			return gctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		u.Close()
		return nil, err
	}
	for i, err := range problems {
		if err != nil {
			u.warnings = append(u.warnings, models.Warning{
				Code:    "PARTIAL_RESULTS",
				Message: fmt.Sprintf("%s was not looked into: %s", meant[i].RepoID, gateway.Words(err)),
			})
		}
	}
	u.Members = slices.DeleteFunc(u.Members, func(m *Member) bool { return m == nil })
	if len(u.Members) == 0 {
		return nil, fault.New(fault.IndexNotReady, "none of %d repositories can answer; %s", len(meant),
			u.warnings[0].Message)
	}
	if err := connect(ctx, u); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// MaxOpen is how many repositories are opened at once.
const MaxOpen = 8

// join opens a repository for a union.
func join(
	ctx context.Context, s *Opener, known models.Repository, more func(g *gateway.Gateway) error,
) (*Member, error) {
	g, err := s.OpenKnown(ctx, known)
	if err != nil {
		return nil, err
	}
	m := &Member{Gateway: g}
	if err = more(g); err == nil {
		m.Modules, err = gateway.ModulesOf(ctx, g)
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	return m, nil
}

// Close closes the repositories.
func (u *Union) Close() {
	if u == nil {
		return
	}
	for _, m := range u.Members {
		if m != nil {
			m.Close()
		}
	}
}

// A jointKey is the part of a repository that a joint is of.
type jointKey struct{ root, scope string }

// A jointed is the joint of a part of a repository with those that it takes modules of,
// as long as none of them changes.
type jointed struct {
	views []*overlay.View
	joint func() *joint.Joint // made when it is first asked for
}

// A joiner lays views beside one.
type joiner func(home *overlay.View, others []*overlay.View, resolver func(resolve.World) graph.Resolver) *joint.Joint

// A viewPair is a view that includes headers of another one.
type viewPair struct{ of, from weak.Pointer[overlay.View] }

// maxPairs is of how many pairs of views it is remembered what they include.
const maxPairs = 10_000

// Head makes the head of a reply about the members, which counts what is of
// each of them.
func (u *Union) Head(counts map[models.RepoID]int, meta *models.Meta) []models.RepoMatches {
	all := make([]Found, len(u.Members))
	for i, m := range u.Members {
		all[i] = Found{ID: m.ID, Live: !m.Verdict.Graph}
		m.Head(&all[i].Head)
		for _, n := range m.Answer.Notes {
			all[i].Head.Warnings = append(all[i].Head.Warnings, models.Warning{Code: "PARTIAL_GRAPH", Message: n})
		}
	}
	repositories := Head(all, u.warnings, meta)
	for i := range repositories {
		repositories[i].Matches = counts[repositories[i].RepoID]
	}
	return repositories
}

// A Home is a member with definitions that are asked about.
type Home struct {
	*Member

	Found gateway.Symbols
}

// SayMany says of a name with several definitions how to pick one, all homes together.
func SayMany(homes []Home, meta *models.Meta) {
	all := make([]gateway.Of, len(homes))
	for i, h := range homes {
		all[i] = gateway.Of{Symbols: h.Found, ID: h.ID}
	}
	gateway.SayMany(all, meta)
}

// Find finds the definitions that are asked for, in all members.
func (u *Union) Find(ctx context.Context, a gateway.Asked) (homes []Home, err error) {
	if a.Name == "" {
		homes, err = u.standing(ctx, a)
	} else {
		homes, err = u.named(ctx, a)
	}
	for _, h := range homes {
		for _, m := range u.Members { // which are asked for uses of all
			m.Concerns(h.Found.Defs)
		}
	}
	return homes, err
}

func (u *Union) named(ctx context.Context, a gateway.Asked) (homes []Home, err error) {
	var first error
	var lacking *gateway.Missing // of the last member, if first is not set
	for _, m := range u.Members {
		here := a
		if rest, ok := strings.CutPrefix(a.Name, string(m.ID)+":"); ok {
			if here.Name = rest; rest == "" {
				return nil, gateway.OnlyRepository(a.Name)
			}
		} else if u.names(a.Name) {
			continue
		}
		if rest, ok := strings.CutPrefix(a.File, string(m.ID)+":"); ok {
			here.File = rest
		} else if u.names(a.File) {
			continue
		}
		found, none, err := gateway.FindNamed(ctx, m.Gateway, here)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && none == nil:
			homes = append(homes, Home{m, found})
		case first != nil || lacking != nil && lacking.Code() != fault.SymbolNotFound:
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
		return nil, lacking.Fault(ctx)
	}
	return nil, first
}

// names reports whether a name or a path begins with the id of a member.
func (u *Union) names(name string) bool {
	return slices.ContainsFunc(u.Members, func(m *Member) bool { return strings.HasPrefix(name, string(m.ID)+":") })
}

// standing finds what stands at a place: of the repository that has the file, or
// of another one that it takes modules of.
func (u *Union) standing(ctx context.Context, a gateway.Asked) ([]Home, error) {
	m, file, err := u.Having(ctx, a.File)
	if err != nil {
		return nil, err
	}
	a.File = file
	spot, err := gateway.AtOf(ctx, m.Gateway, a.File, *a.Line, *a.Column)
	if err != nil {
		return nil, err
	}
	at := Place{Spot: spot}
	if at.Foreign(m); len(at.Abroad) == 0 {
		found, err := gateway.Find(ctx, m.Gateway, a)
		return []Home{{m, found}}, err
	}
	var homes []Home
	for _, f := range at.Abroad {
		to := at.neighbours()[f.Other]
		if n := len(homes); n > 0 && homes[n-1].Member == to {
			homes[n-1].Found.Defs = append(homes[n-1].Found.Defs, f.Def)
			continue
		}
		homes = append(homes, Home{
			to,
			gateway.Symbols{
				View: to.Answer.View, Defs: []overlay.Def{f.Def}, Notes: to.Answer.Notes, Partial: to.Answer.Partial,
				Place: &at.Spot,
			},
		})
	}
	return homes, nil
}

// Having is the one member that has a file, whose path may be behind its id and a
// colon.
func (u *Union) Having(ctx context.Context, file string) (*Member, string, error) {
	var all []*Member
	path := file
	for _, m := range u.Members {
		if rest, ok := strings.CutPrefix(file, string(m.ID)+":"); ok {
			return m, rest, nil
		}
		if _, err := m.Read(ctx, path); err == nil || errors.Is(err, context.Canceled) {
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
		file, len(all), all[0].ID, file)
}
