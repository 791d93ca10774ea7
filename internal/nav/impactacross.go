package nav

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// impactAcross is Impact of the edits of all repositories that a filter means, on
// all of them.
func impactAcross(ctx context.Context, s *gateway.Opener, req ImpactRequest, p page) (ImpactResponse, error) {
	u, err := gateway.Unite(ctx, s, req.RepoID, "")
	if err != nil {
		return ImpactResponse{}, err
	}
	defer u.Close()
	res := ImpactResponse{Tests: []models.TestToRun{}, Commands: []string{}}
	var items []models.ImpactItem
	var say []func(meta *models.Meta)
	counts, tests := map[models.RepoID]int{}, map[models.TestToRun]bool{}
	var without []lacking
	for _, m := range u.Members {
		files, err := edited(ctx, m.Gateway, req)
		if ctx.Err() != nil {
			return ImpactResponse{}, ctx.Err()
		}
		if err != nil { // as a commit that only another one has
			without = append(without, lacking{m.ID, err})
			continue
		}
		if len(files) == 0 || !hasAll(ctx, m, files) {
			continue
		}
		i := impact{
			Gateway: m.Gateway, tests: map[change.Test]bool{},
			abroad: &abroadImpact{Union: u, home: m, tests: tests, users: map[*gateway.Member][]overlay.Def{}},
		}
		i.follows(req.Depth)
		if err = i.compare(ctx, files); err == nil {
			err = i.follow(ctx)
		}
		if err != nil {
			return ImpactResponse{}, err
		}
		for n := range i.items {
			i.items[n].RepoID = m.ID
		}
		for _, t := range i.toRun() {
			tests[models.TestToRun{RepoID: m.ID, FilePath: t.FilePath, Symbol: t.Symbol}] = true
		}
		counts[m.ID] = len(i.items)
		items = append(items, i.items...)
		say = append(say, func(meta *models.Meta) { i.say(meta, len(files)) })
	}
	if len(without) == len(u.Members) {
		return ImpactResponse{}, without[0].err
	}
	res.Tests = slices.AppendSeq(res.Tests, maps.Keys(tests))
	slices.SortFunc(res.Tests, byPlace)
	res.Repositories = u.Across(counts, &res.Meta)
	if req.Diff == "" { // a diff is of one of them
		sayLacking(without, len(u.Members), &res.Meta)
	}
	res.Items = cut(p, items, len(items), false, &res.Meta)
	if len(say) == 0 {
		gateway.AddMessage(&res.Meta, "nothing differs")
	}
	if len(say) == 1 {
		say[0](&res.Meta)
	}
	return res, nil
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

// hasAll reports whether a repository has one of the files, now or before.
func hasAll(ctx context.Context, m *gateway.Member, files []change.File) bool {
	return slices.ContainsFunc(files, func(f change.File) bool {
		if f.Old != nil && f.New == nil {
			return true
		}
		_, err := m.Read(ctx, f.Path)
		return err == nil || fault.CodeOf(err) != fault.PathNotFound
	})
}

// An abroadImpact follows changes of one member into others.
type abroadImpact struct {
	*gateway.Union

	home   *gateway.Member
	joints map[*gateway.Member]*joint.Joint  // over the home as it was
	users  map[*gateway.Member][]overlay.Def // that use what changed
	tests  map[models.TestToRun]bool
}

// joint is that of a member with the home as it was before the edit: what uses
// something that is gone is found by what it was.
func (a *abroadImpact) joint(m *gateway.Member, before *overlay.View) *joint.Joint {
	if a.joints == nil {
		a.joints = map[*gateway.Member]*joint.Joint{}
	}
	if a.joints[m] == nil {
		views := make([]*overlay.View, len(m.Uses))
		for i, o := range m.Uses {
			if views[i] = o.Answer.View; o == a.home {
				views[i] = before
			}
		}
		a.joints[m] = joint.Join(m.Answer.View, views, gateway.Resolver)
	}
	return a.joints[m]
}

// reach adds those of other repositories that a changed symbol affects.
func (a *abroadImpact) reach(ctx context.Context, i *impact, c changed, item *models.ImpactItem) error {
	for _, m := range a.Members {
		n := slices.Index(m.Uses, a.home)
		if n < 0 {
			continue
		}
		seen := map[string]bool{}
		for _, use := range a.joint(m, i.before).Uses(n, c.old) {
			if id := cmp.Or(use.In.ID, use.File); !seen[id] {
				seen[id] = true
				add(item, models.Affected{
					RepoID: m.ID, FilePath: use.File, Line: use.Line, Symbol: use.In.Qualified, Depth: 1,
					Edge: use.Edge, Test: gateway.IsTest(use.File),
				})
			}
			if use.In.ID == "" {
				continue
			}
			if a.users[m] = append(a.users[m], use.In); i.depth < 2 {
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

func add(item *models.ImpactItem, x models.Affected) {
	if item.Total++; len(item.Affected) < maxAffected {
		item.Affected = append(item.Affected, x)
	}
}

// findTests finds the tests of other repositories that come to what changed, as
// far away as those of its own.
func (a *abroadImpact) findTests(ctx context.Context, hops int) error {
	for m, users := range a.users {
		from := lineage.Reach{Starts: users, Away: 1, Hops: hops}
		_, err := lineage.Reaching(ctx, m.Answer.View, from, func(d overlay.Def) {
			if isTestDef(d) && change.IsTest(d.File, d.Kind, d.Qualified) {
				a.tests[models.TestToRun{RepoID: m.ID, FilePath: d.File, Symbol: d.Qualified}] = true
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func byPlace(a, b models.TestToRun) int {
	return cmp.Or(cmp.Compare(a.RepoID, b.RepoID), cmp.Compare(a.FilePath, b.FilePath), cmp.Compare(a.Symbol, b.Symbol))
}
