package nav

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/history"
)

// sinceCommit are the files that differ from a commit, or between two. Others are those in no
// language with symbols.
func sinceCommit(
	ctx context.Context, g *gateway.Gateway, base, commits string,
) (files []change.File, others []string, err error) {
	from, to, err := revisions(ctx, g.Tree, base, commits)
	if err != nil {
		return nil, nil, err
	}
	paths, err := history.Differing(ctx, g.Tree, from, to)
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(p string) bool {
		other := g.Opener.Extract.Revision(gateway.FactLanguage(p)) == ""
		if other {
			others = append(others, p)
		}
		return other
	})
	old, err := history.Blobs(ctx, g.Tree, from, paths)
	if err != nil {
		return nil, nil, err
	}
	var now map[string]string
	if to != "" {
		if now, err = history.Blobs(ctx, g.Tree, to, paths); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range paths {
		f := change.File{Path: p, Old: blob(old, p), New: blob(now, p)}
		if to == "" {
			if f.New, err = gateway.TextOf(ctx, g, p); err != nil {
				return nil, nil, err
			}
		}
		touched := f.Old != nil && f.New != nil && *f.Old == *f.New
		if !touched && (f.Old != nil || f.New != nil) {
			files = append(files, f)
		}
	}
	return files, others, nil
}

func blob(all map[string]string, p string) *string {
	text, ok := all[p]
	if !ok {
		return nil
	}
	return gateway.Decoded([]byte(text))
}

// revisions are the commits to compare; the second is "" for the files as they
// are. Of a range with three dots the first is what both have in common.
func revisions(ctx context.Context, tree *disk.Folder, base, commits string) (from, to history.Revision, err error) {
	if commits == "" {
		if from, err = history.FindRevision(ctx, tree, base); err != nil && strings.Contains(base, "..") {
			err = fault.New(fault.InvalidRequest, "base is one commit; two are a range, and %.100q is for that", base)
		}
		return from, "", err
	}
	before, after, ok := strings.Cut(commits, "..")
	after, common := strings.CutPrefix(after, ".")
	if !ok || before == "" || after == "" {
		return "", "", fault.New(fault.InvalidRequest,
			"range %.100q is none; write two commits with dots between them, as v1..v2 or main...topic", commits)
	}
	if from, err = history.FindRevision(ctx, tree, before); err != nil {
		return "", "", err
	}
	if to, err = history.FindRevision(ctx, tree, after); err == nil && common {
		from, err = history.MergeBase(ctx, tree, from, to)
	}
	return from, to, err
}

// outlinedFirst is of how many files signatures are read together with the facts; of
// more than these they may not be needed.
const outlinedFirst = 100

// A reading is one side of an edited file, before or after the edit.
type reading struct {
	file, side int
	change.Side
	lacks error // why there are no facts
}

// sides reads both sides of the files.
func (i *impact) sides(ctx context.Context, files []change.File) ([][2]change.Side, error) {
	var all []*reading
	for n, f := range files {
		for side, text := range []*string{f.Old, f.New} {
			if text != nil {
				all = append(all, &reading{file: n, side: side, Side: change.Side{Text: *text}})
			}
		}
	}
	err := parallel.Each(ctx, parallel.Processors(), all, func(ctx context.Context, r *reading) error {
		f := files[r.file]
		if f.Old != nil && f.New != nil {
			r.Remarks = patterns.Remarks(gateway.FactLanguage(f.Path), r.Text)
		}
		return i.read(ctx, r, f.Path, r.file < outlinedFirst && f.Old != nil && f.New != nil)
	})
	sides := make([][2]change.Side, len(files))
	for _, r := range all {
		if sides[r.file][r.side] = r.Side; r.lacks != nil {
			i.Lacks(files[r.file].Path, r.lacks)
		}
	}
	return sides, err
}

// read reads the facts of a side, and its signatures if they are compared: one parse
// finds both.
func (i *impact) read(ctx context.Context, r *reading, p string, outlined bool) (err error) {
	if r.Facts = i.all.Known(i.Opener.Extract, p, r.Text); r.Facts != nil {
		if outlined {
			r.Signatures = i.signatures(ctx, p, r.Side)
		}
		return ctx.Err()
	}
	content := []byte(r.Text)
	var outline *gateway.Described
	if outlined {
		want := parse.WantFacts
		if i.Opener.Facts.Has(p, content) {
			want = parse.WantSymbols
		}
		outline = gateway.Describe(ctx, i.Opener.Outline, p, r.Text, want)
	}
	if r.Facts, _, r.lacks = i.Opener.Facts.Get(ctx, i.Opener.Extract, p, content); outline != nil {
		r.Signatures = signaturesOf(r.Facts, outline)
	}
	return ctx.Err()
}

// signatures are those of the symbols of a side.
func (i *impact) signatures(ctx context.Context, p string, s change.Side) []string {
	if s.Facts == nil || len(s.Facts.Symbols) == 0 {
		return nil
	}
	return signaturesOf(s.Facts, gateway.Describe(ctx, i.Opener.Outline, p, s.Text, parse.WantSymbols))
}

// signaturesOf are those that an outline has of the symbols of a file.
func signaturesOf(f *facts.File, outline *gateway.Described) []string {
	all := make([]string, len(f.Symbols))
	for n := range all {
		x := &f.Symbols[n]
		if known := outline.Symbol(overlay.Def{Name: x.Name, Line: x.Line}); known != nil && known.Kind != "const" &&
			known.Kind != "var" {
			all[n] = known.Signature
		}
	}
	return all
}

// followGone is a lineage of what is gone from files as they are: who used it is found by
// what it was, and who uses those by what is there now.
func (i *impact) followGone(ctx context.Context, c changed, o lineage.Options) (lineage.Result, error) {
	near := o
	near.Depth = 1
	all, err := lineage.Follow(ctx, i.before, c.old, lineage.Upstream, near)
	if err != nil {
		return all, err
	}
	var users []overlay.Def
	o.Away = 1
	adapted := i.adapted(c, all.Items)
	for _, r := range all.Items {
		if d, ok := i.stays(r.Def); ok && !adapted[r.Path[1].ID+r.Path[1].File] {
			users = append(users, d)
			o.Also = append(o.Also, d.Symbol)
		}
	}
	if len(users) == 0 {
		return all, nil
	}
	more, err := lineage.Follow(ctx, i.now, users[0], lineage.Upstream, o)
	for _, r := range more.Items {
		r.Path = append([]overlay.Def{c.old}, r.Path...)
		all.Items = append(all.Items, r)
	}
	all.Total, all.Hubs, all.Cut = all.Total+more.Total, append(all.Hubs, more.Hubs...), all.Cut || more.Cut
	return all, err
}

// gone reports whether a symbol of the view before is not in the one behind the edit.
func (i *impact) gone(d overlay.Def) bool {
	if _, edited := i.after[d.File]; !edited || d.ID == "" {
		return false
	}
	_, stays := i.stays(d)
	return !stays
}

// stays is a symbol of the view before in the one behind the edit.
func (i *impact) stays(d overlay.Def) (overlay.Def, bool) {
	index := int(d.Symbol.Index)
	if f, edited := i.after[d.File]; edited && f != nil {
		index = slices.IndexFunc(f.Symbols, func(s facts.Symbol) bool { return s.Qualified == d.Qualified })
	}
	if d.ID == "" || index < 0 {
		return overlay.Def{}, false
	}
	return i.now.World().DefAt(d.File, index)
}

// use notes what used something that is gone.
func (i *impact) use(r lineage.Reached) {
	if i.before == i.all.Now {
		i.users = append(i.users, lineage.Start{Def: r.Def, Tier: r.Tier})
	} else if now, ok := i.stays(r.Def); ok {
		i.left = append(i.left, lineage.Start{Def: now, Tier: r.Tier})
	}
}

// adapted are those that used a symbol before the edit, which makes them do without.
func (i *impact) adapted(c changed, reached []lineage.Reached) map[string]bool {
	all := map[string]bool{}
	view, _ := i.start(&c)
	for _, r := range reached {
		linked := r.Edge == "implements" || r.Edge == "extends" // which need not be said where it is
		if view == i.before && r.Depth == 1 && (c.Kind == change.Removed || !linked) && !i.stillUses(r, c.old) {
			all[r.Path[1].ID+r.Path[1].File] = true
		}
	}
	return all
}

// besideRenamed are the numbers of files in order, one with the text of another one that is gone
// behind that: so that if only some are looked at, these are.
func besideRenamed(files []change.File) []int {
	gone, after := map[string]string{}, make([]string, len(files))
	for _, f := range files {
		if f.New == nil {
			gone[*f.Old] = f.Path
		}
	}
	order := make([]int, len(files))
	for n, f := range files {
		if order[n], after[n] = n, f.Path; f.Old == nil && gone[*f.New] != "" {
			after[n] = gone[*f.New] + "\x00"
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(after[a], after[b]) })
	return order
}

// pair finds for what is gone what came by its name in another file, of several the one with
// its text.
func (i *impact) pair() {
	type key struct{ name, kind, language string }
	of := func(c *changed) key { return key{c.def.Qualified, c.def.Kind, gateway.FactLanguage(c.path)} }
	gone, came := map[key][]*changed{}, map[key][]*changed{}
	for n := range i.changes {
		switch c := &i.changes[n]; c.Kind {
		case change.Removed:
			gone[of(c)] = append(gone[of(c)], c)
		case change.Added:
			came[of(c)] = append(came[of(c)], c)
		}
	}
	for k, left := range gone {
		now := came[k]
		for _, c := range left {
			n := slices.IndexFunc(now, func(x *changed) bool { return x.path != c.path && x.Text == c.Text })
			if n < 0 && len(left) == 1 && len(now) == 1 && now[0].path != c.path {
				n = 0
			}
			if n >= 0 {
				c.twin = now[n]
				now = slices.Delete(now, n, n+1)
			}
		}
	}
}

// findTwin notes those that used what is gone and use now what came in its place, without
// being edited.
func (i *impact) findTwin(ctx context.Context, c changed, adapted map[string]bool) error {
	if c.twin == nil {
		return nil
	}
	near := lineage.Options{Depth: 1, MaxResults: maxReached}
	now, err := lineage.Follow(ctx, i.now, c.twin.def, lineage.Upstream, near)
	for _, r := range now.Items {
		adapted[r.Path[1].ID+r.Path[1].File] = true
	}
	i.reached = append(i.reached, lineage.Start{Def: c.twin.def})
	return err
}

// leaveMoved takes what is only in another file now from the items, as far as nobody misses it.
func (i *impact) leaveMoved() {
	left := map[int]bool{}
	for n := range i.changes {
		if c := &i.changes[n]; c.twin != nil && c.Text == c.twin.Text && i.items[c.item].Total == 0 {
			i.moved = append(i.moved, c)
			left[c.item], left[c.twin.item] = true, true
		}
	}
	kept := i.items[:0]
	for n, item := range i.items {
		if !left[n] {
			kept = append(kept, item)
		}
	}
	i.items = kept
}

// stillUses reports whether what used a symbol has a name like it
// still: in a file that the edit leaves alone it does.
func (i *impact) stillUses(r lineage.Reached, gone overlay.Def) bool {
	f, edited := i.after[r.File]
	if !edited {
		return true
	}
	if f == nil {
		return false
	}
	for n := range f.Refs {
		ref := &f.Refs[n]
		if ref.Name == gone.Name &&
			(ref.In < 0 && r.Def.ID == "" || ref.In >= 0 && f.Symbols[ref.In].Qualified == r.Def.Qualified) {
			return true
		}
	}
	return false
}

// moduleKind is the kind of what a file has outside of its symbols.
const moduleKind = "module"

// ofModule notes what an edit does to the code of a file that is in no symbol: what imports
// the file runs it. Of a file that goes it is who imports it still.
func (i *impact) ofModule(ctx context.Context, f change.File, sides [2]change.Side) error {
	if sides[0].Facts == nil || f.New != nil && sides[1].Facts == nil {
		return nil
	}
	item := models.ImpactItem{
		Change: string(change.Body), Kind: moduleKind, FilePath: f.Path, Line: 1, Affected: []models.Affected{},
	}
	view, runs := i.now, false
	rebound, line := change.Rebound(sides[0], sides[1])
	if item.Line, runs = change.TopLevel(sides[0], sides[1]); line > 0 && !runs {
		item.Line = line
	}
	if f.New == nil {
		view, runs, item.Line, item.Change = i.before, true, 1, string(change.Removed)
	}
	for _, n := range rebound {
		if d, ok := i.now.World().DefAt(f.Path, n); ok {
			begin(i, d, sides[0])
			test := i.isTest(f.Path, d)
			add(&item, models.Affected{
				RepoID: i.ID, FilePath: f.Path, Line: d.Line, Symbol: d.Qualified, Depth: 1, Edge: string(facts.Read),
				Test: test,
			})
			if test {
				i.tests.add(lineage.Arrival{Def: d, Depth: 1, Tier: resolve.TierB})
			}
		}
	}
	if runs {
		if err := i.importers(ctx, view, f, &item); err != nil {
			return err
		}
	}
	if item.Total > 0 || runs && f.New != nil {
		i.items = append(i.items, item)
	}
	return nil
}

// begin has tests looked for that come to a symbol of a file which stays, in the files as they
// are, be that before the edit or behind it, as changed symbols are followed.
func begin(i *impact, d overlay.Def, before change.Side) {
	is := func(s facts.Symbol) bool { return s.Qualified == d.Qualified }
	if n := slices.IndexFunc(before.Facts.Symbols, is); n >= 0 && i.before == i.all.Now {
		if old, ok := i.before.World().DefAt(d.File, n); ok {
			i.was = append(i.was, lineage.Start{Def: old})
			return
		}
	}
	i.reached = append(i.reached, lineage.Start{Def: d})
}

// maxImporters is of how many files with the name of a module it is looked whether they import it.
const maxImporters = 500

// importers notes the files that import one, and their tests. They have its name in their text.
func (i *impact) importers(ctx context.Context, v *overlay.View, f change.File, item *models.ImpactItem) error {
	id, known := v.World().ByPath(f.Path)
	r, name := v.Resolver(), change.ModuleName(f.Path)
	if !known || r == nil || name == "" {
		return nil
	}
	m, err := match.Compile(match.Query{Pattern: name, Case: match.Sensitive, Word: true})
	if err != nil {
		return err
	}
	speaks, seen := languages.All(), map[string]bool{f.Path: true}
	own := speaks[gateway.FactLanguage(f.Path)]
	found, err := gateway.SearchText(ctx, i.Gateway, m, scan.Options{Keep: func(p string) bool {
		return own != nil && speaks[gateway.FactLanguage(p)] == own
	}})
	if err != nil {
		return err
	}
	for _, line := range found.Matches {
		file, ok := v.World().ByPath(line.Path)
		if seen[line.Path] || !ok || len(seen) > maxImporters {
			continue
		}
		seen[line.Path] = true
		for n, x := range v.World().Declared(file).Imports {
			if f.New == nil && !i.imports(line.Path, x) || !slices.Contains(r.Import(file, n), id) {
				continue
			}
			test := i.isTest(line.Path, overlay.Def{File: line.Path})
			add(item, models.Affected{
				RepoID: i.ID, FilePath: line.Path, Line: x.Line, Depth: 1, Edge: string(facts.Imported), Test: test,
			})
			if test {
				i.testsOf(v, line.Path)
			}
			break
		}
	}
	return ctx.Err()
}

// imports reports whether a file behind the edit imports something still that is not there any
// more: of a package that has other files it is.
func (i *impact) imports(file string, x facts.Import) bool {
	id, known := i.now.World().ByPath(file)
	if !known {
		return false
	}
	n := slices.IndexFunc(i.now.World().File(id).Imports, func(y facts.Import) bool { return x.Path == y.Path })
	r := i.now.Resolver()
	return n >= 0 && (r == nil || len(r.Import(id, n)) == 0)
}

// testsOf notes the tests of a file that imports what changed.
func (i *impact) testsOf(v *overlay.View, file string) {
	i.tests.add(lineage.Arrival{Def: overlay.Def{File: file}, Depth: 1, Tier: resolve.TierB})
	id, _ := v.World().ByPath(file)
	for n := range v.World().Symbols(id) {
		if d, ok := v.World().DefAt(file, n); ok && !i.gone(d) {
			i.tests.add(lineage.Arrival{Def: d, Depth: 2, Tier: resolve.TierB})
		}
	}
}
