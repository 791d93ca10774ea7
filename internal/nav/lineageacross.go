package nav

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxReachedAcross bounds the symbols that a lineage across repositories looks at.
const maxReachedAcross = 5000

// lineageAcross is Lineage in all repositories that a filter means.
func lineageAcross(ctx context.Context, s *across.Opener, req LineageRequest, o lineage.Options,
	p page,
) (LineageResponse, error) {
	dir, err := lineage.ParseDirection(req.Direction)
	if err != nil {
		return LineageResponse{}, err
	}
	ask := gateway.Asked{Name: req.Symbol, File: req.File, Line: req.Line, Column: req.Column}
	u, err := across.Unite(ctx, s, req.RepoID, ask.Name)
	if err != nil {
		return LineageResponse{}, err
	}
	defer u.Close()
	homes, err := u.Find(ctx, ask)
	if err != nil {
		return LineageResponse{}, err
	}
	res := LineageResponse{Symbol: homes[0].Found.Called(req.Symbol), Direction: string(dir)}
	var items []models.NavItem
	counts, hubs, ended := map[models.RepoID]int{}, 0, false
	for _, h := range homes {
		if len(h.Found.Defs) == 0 {
			return LineageResponse{}, h.Found.NoLineage()
		}
		for _, d := range h.Found.Defs {
			def := definition(d)
			def.RepoID, def.ID, def.Prototype = h.ID, string(h.ID)+":"+d.ID, h.Found.IsPrototype(d)
			res.Definitions = append(res.Definitions, def)
		}
		for _, d := range h.Found.Functions() {
			a := acrossLineage{Union: u, dir: dir, o: o, seen: map[acrossKey]bool{}, hubs: map[acrossKey]bool{}}
			if err := a.follow(ctx, h, d); err != nil {
				return LineageResponse{}, err
			}
			for _, n := range a.found {
				items = append(items, n.item(string(h.ID)+":"+d.ID))
				counts[n.at.ID]++
			}
			hubs, ended = hubs+len(a.hubs), ended || a.cut
		}
	}
	res.Repositories = u.Head(counts, &res.Meta)
	partial := slices.ContainsFunc(u.Members, func(m *across.Member) bool { return m.Answer.Partial })
	page := cut(p, items, len(items), partial || ended || hubs > 0, &res.Meta)
	if p.end() >= len(items) { // what is behind hubs has no page
		res.Meta.NextCursor = ""
	}
	if res.Items, err = finishAmong(ctx, u.Members, page, &res.Meta); err != nil {
		return LineageResponse{}, err
	}
	if sayReached(&res.Meta, hubs, ended); len(items) == 0 {
		sayNone(&res.Meta, dir, req)
	}
	return res, u.Checkouts(ctx, homes, u.Users(across.Places(items)), &res.Meta)
}

// An acrossLineage follows uses from one symbol through the members of a union,
// breadth first, as graph.View.Lineage does in one repository.
type acrossLineage struct {
	*across.Union

	dir   lineage.Direction
	o     lineage.Options
	seen  map[acrossKey]bool
	hubs  map[acrossKey]bool // not followed
	found []acrossNode
	cut   bool
}

type acrossKey struct {
	*across.Member
	id string
}

// An acrossNode is a symbol of a member that was reached; at is the member that
// the place of the last step is in.
type acrossNode struct {
	*across.Member
	lineage.Reached

	at   *across.Member
	path []string
	hub  bool
}

func (n acrossNode) key() acrossKey { return acrossKey{n.Member, cmp.Or(n.Def.ID, n.Def.File)} }

func (n acrossNode) id() string { return string(n.ID) + ":" + n.key().id }

func (n acrossNode) item(definition string) models.NavItem {
	item := reached(overlay.Def{ID: definition}, n.Reached, n.hub)
	item.RepoID, item.Path = n.at.ID, n.path
	return item
}

func (a *acrossLineage) follow(ctx context.Context, h across.Home, d overlay.Def) error {
	root := acrossNode{Member: h.Member, Reached: lineage.Reached{Def: d, Confidence: 1}, at: h.Member}
	root.path = []string{root.id()}
	level := []acrossNode{root}
	for _, s := range h.Found.Prototypes(d) {
		root.Def = h.Found.View.World().Def(s)
		level = append(level, root)
	}
	for _, n := range level {
		a.seen[n.key()] = true
	}
	for depth := 1; depth <= a.o.Depth && len(level) > 0 && !a.cut; depth++ {
		var next []acrossNode
		for _, n := range level {
			if err := ctx.Err(); err != nil {
				return err
			}
			next = append(next, a.expand(ctx, n)...)
		}
		slices.SortStableFunc(next, func(x, y acrossNode) int {
			return cmp.Or(cmp.Compare(x.at.ID, y.at.ID), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line),
				cmp.Compare(x.Column, y.Column), cmp.Compare(x.id(), y.id()))
		})
		for _, n := range next {
			if a.o.Keep == nil || a.o.Keep(n.Reached) {
				a.found = append(a.found, n)
			}
		}
		level = next
	}
	for i := range a.found {
		a.found[i].hub = a.hubs[a.found[i].key()]
	}
	return nil
}

// expand are the symbols one hop from a node that were not reached before, and the
// start if it calls itself.
func (a *acrossLineage) expand(ctx context.Context, n acrossNode) []acrossNode {
	if len(n.path) > 1 && n.path[len(n.path)-2] == n.id() {
		return nil // it calls itself and was followed
	}
	hops := a.hops(ctx, n)
	if n.Depth > 0 && len(hops) > cmp.Or(a.o.Hub, lineage.DefaultHub) {
		a.hubs[n.key()] = true
		return nil
	}
	var next []acrossNode
	for _, h := range hops {
		if a.seen[h.key()] && h.key() != n.key() {
			continue
		}
		if len(a.seen) >= maxReachedAcross {
			a.cut = true
			break
		}
		a.seen[h.key()] = true
		h.Depth, h.Confidence, h.path = n.Depth+1, h.Confidence*n.Confidence, append(slices.Clone(n.path), h.id())
		next = append(next, h)
	}
	return next
}

// hops are the symbols one hop from a node, in its repository and in others, each
// by the first place that leads to it.
func (a *acrossLineage) hops(ctx context.Context, n acrossNode) []acrossNode {
	var all []acrossNode
	next := lineage.Options{Edges: a.o.Edges, Away: n.Depth, Outer: true}
	for _, r := range lineage.Next(ctx, n.Answer.View, n.Def, a.dir, next) {
		all = append(all, acrossNode{Member: n.Member, Reached: r, at: n.Member})
	}
	if n.Def.ID == "" {
		return all
	}
	var above []joint.ForeignReached // of those that it takes modules of
	s := n.ScopeOf(n.Def.File)
	if len(s.Uses) > 0 {
		if above = s.Joint().Overridden(n.Def); a.dir == lineage.Downstream {
			above = s.Joint().Downstream(n.Def, n.Depth == 0)
		}
	}
	for _, f := range above {
		all = a.hop(all, acrossNode{Member: s.Uses[f.Other], Reached: f.Reached, at: n.Member})
	}
	below := (*joint.Joint).Overriding
	if a.dir == lineage.Upstream {
		below = (*joint.Joint).Upstream
	}
	ask := func(j *joint.Joint, other int) []joint.ForeignReached { return below(j, ctx, other, n.Def) }
	file := func(f joint.ForeignReached) string { return f.File }
	for _, m := range a.Members {
		for _, f := range across.Taking(m, n.Member, ask, file) {
			all = a.hop(all, acrossNode{Member: m, Reached: f.Reached, at: m})
		}
	}
	return all
}

// hop adds a hop to another repository, if its kind is followed, or another place
// to the hop that leads to the same symbol.
func (a *acrossLineage) hop(all []acrossNode, h acrossNode) []acrossNode {
	if h.Edge == "imports" || a.o.Edges != nil && !slices.Contains(a.o.Edges, h.Edge) {
		return all
	}
	site := lineage.Site{File: h.File, Line: h.Line, Column: h.Column}
	i := slices.IndexFunc(all, func(o acrossNode) bool { return o.key() == h.key() })
	switch {
	case i < 0:
		h.Sites = []lineage.Site{site}
		return append(all, h)
	case all[i].at == h.at && !slices.Contains(all[i].Sites, site):
		all[i].Sites = append(all[i].Sites, site)
	}
	return all
}

// sayReached says what was not followed.
func sayReached(meta *models.Meta, hubs int, ended bool) {
	if hubs > 0 {
		gateway.AddMessage(meta, fmt.Sprintf(
			"%d of the symbols have more than %d neighbours each, which were not followed; ask for the lineage of one marked "+
				"as a hub", hubs, lineage.DefaultHub))
	}
	if ended {
		gateway.AddMessage(meta, "too much is reached to follow all of it; a smaller depth, or the lineage of one that was "+
			"reached, shows the rest")
	}
}

// sayNone says that nothing was found of what is asked for.
func sayNone(meta *models.Meta, dir lineage.Direction, req LineageRequest) {
	what := map[string]string{"": "nothing", "tests": "no test", "code": "nothing outside of tests"}[req.Only]
	how := map[lineage.Direction]string{lineage.Upstream: "that reaches it", lineage.Downstream: "that it reaches"}[dir]
	if len(req.Edges) > 0 {
		how += " by " + strings.Join(req.Edges, ", ")
	}
	if how += " was found"; len(req.Edges) > 0 && !slices.Contains(req.Edges, "implements") {
		how += "; with implements among the edges interfaces are followed"
	}
	gateway.AddMessage(meta, what+" "+how)
}
