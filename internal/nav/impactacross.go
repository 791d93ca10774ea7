package nav

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// impactAcross is Impact of the edits of all repositories that a filter means, on
// all of them.
func impactAcross(ctx context.Context, s *across.Opener, req ImpactRequest, p page) (ImpactResponse, error) {
	e, err := editOf(req)
	if err != nil {
		return ImpactResponse{}, err
	}
	u, err := across.Unite(ctx, s, req.RepoID, "")
	if err != nil {
		return ImpactResponse{}, err
	}
	defer u.Close()
	a := acrossImpact{Union: u, req: req, edit: e, counts: map[models.RepoID]int{}, tests: map[*across.Member]*testList{}}
	if err := a.each(ctx); err != nil {
		return ImpactResponse{}, err
	}
	if len(a.without) == len(u.Members) {
		return ImpactResponse{}, a.without[0].err
	}
	var res ImpactResponse
	var tests []change.Way
	lists := map[string]*testList{}
	for m, list := range a.tests {
		tests, lists[string(m.ID)] = append(tests, list.ways(m.ID)...), list
	}
	res.Repositories = u.Head(a.counts, &res.Meta)
	toldTests(req, tests, a.items, func(w change.Way) string { return lists[w.Repo].text(w) }, &res)
	if req.Diff == "" { // a diff is of one of them
		sayLacking(a.without, len(u.Members), &res.Meta)
	}
	res.Items = cut(p, a.items, len(a.items), false, &res.Meta)
	if len(a.say) == 0 {
		gateway.AddMessage(&res.Meta, "nothing differs")
	}
	if len(a.say) == 1 {
		a.say[0](&res.Meta, res.TestsTotal)
	}
	return res, u.Checkouts(ctx, a.homes, u.Users(affected(a.items)), &res.Meta)
}

// An acrossImpact gathers what edits of the members of a union do.
type acrossImpact struct {
	*across.Union

	req     ImpactRequest
	edit    edit
	items   []models.ImpactItem
	counts  map[models.RepoID]int
	tests   map[*across.Member]*testList
	homes   []across.Home
	say     []func(meta *models.Meta, tests int)
	without []lacking
}

// each adds what the edits of all members do, which git is asked for side by side.
func (a *acrossImpact) each(ctx context.Context) error {
	files, others := make([][]change.File, len(a.Members)), make([][]string, len(a.Members))
	wrong := make([]error, len(a.Members))
	group, gctx := parallel.NewGroup(ctx)
	group.SetLimit(across.MaxOpen)
	for n, m := range a.Members {
		group.Go(func() error {
			files[n], others[n], wrong[n] = a.edit.files(gctx, m.Gateway)
			return gctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for n, m := range a.Members {
		if wrong[n] != nil { // as a commit that only another one has
			a.without = append(a.without, lacking{m.ID, wrong[n]})
			continue
		}
		if len(files[n])+len(others[n]) == 0 || a.req.Diff != "" && !hasAny(ctx, m, files[n]) {
			continue
		}
		if err := a.of(ctx, m, files[n], others[n]); err != nil {
			return err
		}
	}
	return nil
}

// of adds what the edit of one member does.
func (a *acrossImpact) of(ctx context.Context, m *across.Member, files []change.File, others []string) error {
	i := impact{
		Gateway: m.Gateway, without: others,
		abroad: &abroadImpact{Union: a.Union, home: m, tests: a.tests, users: map[*across.Member][]lineage.Start{}},
	}
	i.follows(a.req.Depth)
	if err := i.compare(ctx, files); err != nil {
		return err
	}
	if err := i.follow(ctx); err != nil {
		return err
	}
	for n := range i.items {
		i.items[n].RepoID = m.ID
	}
	a.counts[m.ID] = len(i.items)
	a.homes = append(a.homes, homeOf(m, i.changes))
	a.items = append(a.items, i.items...)
	a.say = append(a.say, func(meta *models.Meta, tests int) { i.say(meta, len(files)+len(others), tests) })
	return nil
}

// homeOf is a repository with what changed in it.
func homeOf(m *across.Member, changes []changed) across.Home {
	h := across.Home{Member: m}
	for _, c := range changes {
		h.Found.Defs = append(h.Found.Defs, c.def)
	}
	return h
}

// affected are the places of those that are affected.
func affected(items []models.ImpactItem) iter.Seq2[models.RepoID, string] {
	return func(yield func(models.RepoID, string) bool) {
		for i := range items {
			for _, a := range items[i].Affected {
				if !yield(a.RepoID, a.FilePath) {
					return
				}
			}
		}
	}
}

// A lacking is a repository without the commit that is asked about, and why.
type lacking struct {
	id  models.RepoID
	err error
}

// maxLacking is how many of those are named.
const maxLacking = 3

// sayLacking says of which repositories it is not known what they changed.
func sayLacking(without []lacking, of int, meta *models.Meta) {
	if len(without) == 0 {
		return
	}
	var why []string
	for _, l := range without[:min(maxLacking, len(without))] {
		why = append(why, fmt.Sprintf("%s: %s", l.id, gateway.Words(l.err)))
	}
	if more := len(without) - maxLacking; more > 0 {
		why = append(why, fmt.Sprintf("and %d more", more))
	}
	meta.Warnings = append(meta.Warnings, models.Warning{
		Code: "PARTIAL_RESULTS",
		Message: fmt.Sprintf("what %d of %d repositories changed is not known: %s", len(without), of,
			strings.Join(why, "; ")),
	})
}

// hasAny reports whether a repository has one of the files of a diff, or had it when its
// graph was built: one that was taken away may have been of any.
func hasAny(ctx context.Context, m *across.Member, files []change.File) bool {
	return slices.ContainsFunc(files, func(f change.File) bool {
		_, err := m.Read(ctx, f.Path)
		return err == nil || fault.CodeOf(err) != fault.PathNotFound ||
			m.Delta != nil && slices.Contains(m.Delta.Deleted, f.Path)
	})
}

// An abroadImpact follows changes of one member into others.
type abroadImpact struct {
	*across.Union

	home   *across.Member
	joints map[homeKey]*joint.Joint           // over the home as it is not
	users  map[*across.Member][]lineage.Start // that use what changed
	tests  map[*across.Member]*testList
}

// A homeKey is a scope with a view of the home.
type homeKey struct {
	*across.Scope
	home *overlay.View
}

// joint is that of a scope with some view of the home: what uses something that is
// gone is found by what it was.
func (a *abroadImpact) joint(m *across.Member, s *across.Scope, home *overlay.View) *joint.Joint {
	if home == a.home.Answer.View {
		return s.Joint()
	}
	key := homeKey{s, home}
	if a.joints == nil {
		a.joints = map[homeKey]*joint.Joint{}
	}
	if a.joints[key] == nil {
		views := make([]*overlay.View, len(s.Uses))
		for i, o := range s.Uses {
			if views[i] = o.Answer.View; o == a.home {
				views[i] = home
			}
		}
		a.joints[key] = joint.Join(m.Answer.View, views, gateway.Resolver)
	}
	return a.joints[key]
}

// reach adds those of other repositories that a changed symbol affects.
func (a *abroadImpact) reach(ctx context.Context, i *impact, c changed, item *models.ImpactItem) error {
	home, def := i.start(&c)
	for _, m := range a.Members {
		seen := map[string]bool{}
		for _, use := range a.uses(ctx, m, home, def) {
			if id := cmp.Or(use.In.ID, use.File); !seen[id] {
				seen[id] = true
				add(item, models.Affected{
					RepoID: m.ID, FilePath: use.File, Line: use.Line, Symbol: use.In.Qualified, Depth: 1,
					Edge: use.Edge, Test: filekind.IsTest(use.File),
				})
			}
			if use.In.ID == "" {
				a.addTest(ctx, m, lineage.Arrival{Def: overlay.Def{File: use.File}, Depth: 1, Tier: tierOf(use)})
				continue
			}
			if a.users[m] = append(a.users[m], lineage.Start{Def: use.In, Tier: tierOf(use)}); i.depth < 2 {
				continue
			}
			l, err := lineage.Follow(ctx, m.Answer.View, use.In, lineage.Upstream,
				lineage.Options{Depth: i.depth - 1, MaxResults: maxReached})
			if err != nil {
				return err
			}
			for _, r := range l.Items {
				if id := cmp.Or(r.Def.ID, r.File); !seen[id] {
					seen[id] = true
					add(item, models.Affected{
						RepoID: m.ID, FilePath: r.File, Line: r.Line, Symbol: r.Def.Qualified,
						Depth: r.Depth + 1, Edge: r.Edge, Test: reachedTest(r),
					})
				}
			}
		}
	}
	return nil
}

// uses are those of a symbol of the home in another member.
func (a *abroadImpact) uses(
	ctx context.Context, m *across.Member, home *overlay.View, d overlay.Def,
) (all []usage.Use) {
	for _, s := range m.Scopes() {
		if n := slices.Index(s.Uses, a.home); n >= 0 {
			for _, use := range a.joint(m, s, home).Uses(ctx, n, d) {
				if m.ScopeOf(use.File) == s {
					all = append(all, use)
				}
			}
		}
	}
	return all
}

func add(item *models.ImpactItem, x models.Affected) {
	if item.Total++; len(item.Affected) < maxAffected {
		item.Affected = append(item.Affected, x)
	}
}

// findTests finds the tests of other repositories that come to what changed, as
// far away as those of its own.
func (a *abroadImpact) findTests(ctx context.Context, from lineage.Reach) error {
	for m, users := range a.users {
		from.Starts = users
		_, err := lineage.Reaching(ctx, m.Answer.View, from, func(d lineage.Arrival) { a.addTest(ctx, m, d) })
		if err != nil {
			return err
		}
	}
	return nil
}

// tierOf is the tier of a use.
func tierOf(u usage.Use) resolve.Tier {
	if t := resolve.Tier(u.Tier[0]); t.String() == u.Tier {
		return t
	}
	return resolve.TierPrecise
}

// goesOn has a list of the tests of the home take over what is known of them already.
func (a *abroadImpact) goesOn(home *testList) {
	if known := a.tests[a.home]; known != nil {
		home.all = known.all
	}
	a.tests[a.home] = home
}

// addTest notes a test of another repository.
func (a *abroadImpact) addTest(ctx context.Context, m *across.Member, d lineage.Arrival) {
	if isTestDef(d.Def) {
		if a.tests[m] == nil {
			a.tests[m] = newTestList(m.Gateway, m.Answer.View, nil, texts(ctx, m.Gateway))
		}
		a.tests[m].add(d)
	}
}
