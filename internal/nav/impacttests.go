package nav

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// findTests finds the tests that come to what changed. They mostly call what is
// around of it, so that they are looked for farther away than who is affected,
// from all changes at once.
func (i *impact) findTests(ctx context.Context) error {
	hops, helper := max(i.depth, i.testDepth), isTestDef
	if i.testDepth == 0 { // the request says how far
		helper = nil
	}
	maybe, err := alike(ctx, i.all.Now, i.changes, func(p string) bool { return i.isTest(p, overlay.Def{File: p}) })
	if err != nil {
		return err
	}
	maybe = append(maybe, i.naming...)
	crates := map[string]bool{}
	for _, c := range i.changes {
		beginsIn(c.def, crates)
	}
	reach := func(v *overlay.View, from lineage.Reach) error {
		from.Hops, from.Free, from.Beyond = hops, helper, i.about
		var helpers []lineage.Arrival
		more, err := lineage.Reaching(ctx, v, from, func(a lineage.Arrival) {
			if beginsIn(a.Def, crates); i.isTest(a.File, a.Def) && (v == i.now || !i.gone(a.Def)) && !i.tests.add(a) {
				helpers = append(helpers, a)
			}
		})
		for _, h := range helpers {
			for _, a := range setUp(ctx, v, h) {
				if v == i.now || !i.gone(a.Def) {
					i.tests.add(a)
				}
			}
		}
		i.tooFar = i.tooFar || more
		return err
	}
	for _, from := range []struct {
		*overlay.View
		lineage.Reach
	}{
		{i.now, lineage.Reach{Starts: i.reached}},
		{i.before, lineage.Reach{Starts: i.was}},
		{i.before, lineage.Reach{Starts: i.users, Away: 1}},
		{i.now, lineage.Reach{Starts: i.left, Away: 1}},
		{i.all.Now, lineage.Reach{Starts: maybe, Away: 1}},
	} {
		if err := reach(from.View, from.Reach); err != nil {
			return err
		}
	}
	if i.testDepth > 0 {
		if err := reach(i.all.Now, lineage.Reach{Starts: runners(i.all.Now, crates), Away: 1}); err != nil {
			return err
		}
		i.addNamesakes(hops)
	}
	if i.abroad != nil {
		return i.abroad.findTests(ctx, lineage.Reach{Away: 1, Hops: hops, Free: helper})
	}
	return nil
}

// setUp are what is run with something in a file of tests that is no test and that nothing uses,
// so that the runner calls it: setUp, @BeforeEach, a fixture with autouse. That is what is in its
// class and in those that extend it; of a function of Python what is in the file, of Go's
// TestMain what is in the folder.
func setUp(ctx context.Context, v *overlay.View, a lineage.Arrival) (all []lineage.Arrival) {
	w, ext := v.World(), path.Ext(a.File)
	main := ext == ".go" && a.Qualified == "TestMain"
	called := main || ext == ".py" || ext == ".java" || ext == ".kt"
	if !called || a.ID == "" || a.Kind != "func" && a.Kind != "method" || path.Base(a.File) == "conftest.py" ||
		len(lineage.Next(ctx, v, a.Def, lineage.Upstream, lineage.Options{})) > 0 {
		return nil
	}
	files, classes := []resolve.FileID{a.Symbol.File}, []resolve.SymbolID{{File: a.Symbol.File, Index: w.Parent(a.Symbol)}}
	switch class := classes[0]; {
	case main:
		files = w.Folder(strings.TrimPrefix(path.Dir("/"+a.File), "/"))
	case class.Index < 0 && ext != ".py":
		return nil
	case class.Index >= 0:
		for _, r := range lineage.Next(ctx, v, w.Def(class), lineage.Upstream, lineage.Options{}) {
			if r.Edge == string(facts.Extends) && r.Def.ID != "" {
				files, classes = append(files, r.Def.Symbol.File), append(classes, r.Def.Symbol)
			}
		}
	}
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		for n := range w.Symbols(f) {
			s := resolve.SymbolID{File: f, Index: int32(n)} //nolint:gosec // few
			if x := w.Symbol(s); main && path.Ext(w.Path(f)) == ext && !change.IsTest(a.File, x.Kind, x.Qualified) {
				continue // as most are
			}
			in := resolve.SymbolID{File: f, Index: w.Parent(s)}
			if classes[0].Index < 0 || slices.Contains(classes, in) {
				all = append(all, lineage.Arrival{Def: w.Def(s), Depth: a.Depth + 1, Tier: a.Tier})
			}
		}
	}
	return all
}

// beginsIn notes the folder of a crate of Rust in whose program a symbol is where it begins.
func beginsIn(d overlay.Def, crates map[string]bool) {
	if path.Ext(d.File) == ".rs" && d.Qualified == "main" {
		dir, below, ok := strings.Cut("/"+d.File, "/src/")
		if ok && (below == "main.rs" || strings.HasPrefix(below, "bin/")) {
			crates[strings.TrimPrefix(dir+"/", "/")] = true
		}
	}
}

// starting are names by which tests of crates start a program.
var starting = []string{"Command", "cargo_bin", "cargo_bin_cmd"}

// runners are those in the tests beside some crates' sources that start programs: it is not
// known which, mostly that of the crate.
func runners(v *overlay.View, crates map[string]bool) (all []lineage.Start) {
	for _, name := range starting {
		if len(crates) == 0 {
			return nil
		}
		for _, f := range v.FilesWith(name) {
			file := v.World().Path(f)
			dir, _, beside := strings.Cut("/"+file, "/tests/")
			if !beside || !crates[strings.TrimPrefix(dir+"/", "/")] {
				continue
			}
			for _, ref := range v.World().File(f).Refs {
				if ref.Name == name && ref.In >= 0 {
					d := v.World().Def(resolve.SymbolID{File: f, Index: int32(ref.In)})
					all = append(all, lineage.Start{Def: d, Tier: byName})
				}
			}
		}
	}
	return all
}

// Of what data is looked for by name, and in how many files that name it.
const (
	maxData   = 50
	maxNaming = 20
)

// ofData notes the code in whose text files without symbols are named, by the last part of their
// path, and by what is written before that.
func (i *impact) ofData(ctx context.Context, deleted []string) error {
	data, names := map[string][]string{}, []string{}
	isCode := func(p string) bool { return i.Opener.Extract.Revision(gateway.FactLanguage(p)) != "" }
	for _, p := range i.without {
		if base := path.Base(p); !depend.Knows(p) && !isCode(p) && len(base) >= minNamed && len(data) < maxData {
			names = append(names, regexp.QuoteMeta(base))
			data[base] = append(data[base], p)
		}
	}
	if len(data) == 0 {
		return nil
	}
	pattern := strings.Join(names, "|")
	m, err := match.Compile(match.Query{Pattern: pattern, Regexp: true, Case: match.Sensitive, Word: true})
	if err != nil {
		return err
	}
	found, err := gateway.SearchText(ctx, i.Gateway, m, scan.Options{Keep: isCode})
	if err != nil {
		return err
	}
	places, naming := map[string][]scan.Match{}, map[string]map[string]bool{}
	for _, at := range found.Matches {
		lines := i.tests.linesOf(at.Path)
		if at.Line > len(lines) || at.Column-1+at.Length > len(lines[at.Line-1]) {
			continue // it changed just now
		}
		line := lines[at.Line-1]
		for _, p := range data[line[at.Column-1:][:at.Length]] {
			if !change.MayName(line[:at.Column-1], p) {
				continue
			}
			if naming[p] == nil {
				naming[p] = map[string]bool{}
			}
			places[p], naming[p][at.Path] = append(places[p], at), true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(places)) {
		if len(naming[p]) <= maxNaming {
			i.without = slices.DeleteFunc(i.without, func(other string) bool { return other == p })
			_, err := i.Read(ctx, p)
			i.named(p, fault.CodeOf(err) == fault.PathNotFound || slices.Contains(deleted, p), places[p])
		}
	}
	return ctx.Err()
}

// minNamed is how long the name of a file is at least that means it.
const minNamed = 5

// named notes those that name a file.
func (i *impact) named(p string, gone bool, places []scan.Match) {
	item := models.ImpactItem{
		Change: string(change.Body), Kind: "file", FilePath: p, Line: 1, Affected: []models.Affected{},
	}
	if gone {
		item.Change = string(change.Removed)
	}
	seen := map[string]bool{}
	for _, at := range places {
		d := around(i.all.Now.World(), at)
		if seen[cmp.Or(d.ID, d.File)] {
			continue
		}
		seen[cmp.Or(d.ID, d.File)] = true
		add(&item, models.Affected{
			RepoID: i.ID, FilePath: at.Path, Line: at.Line, Symbol: d.Qualified, Depth: 1, Edge: "names",
			Test: i.isTest(at.Path, d),
		})
		if d.ID != "" {
			i.naming = append(i.naming, lineage.Start{Def: d, Tier: byName})
		} else if i.isTest(at.Path, d) {
			i.tests.add(lineage.Arrival{Def: d, Depth: 1, Tier: byName})
		}
	}
	i.items = append(i.items, item)
}

// around is the innermost symbol around a line, or the top of the file.
func around(w *overlay.World, at scan.Match) overlay.Def {
	found := overlay.Def{File: at.Path}
	id, _ := w.ByPath(at.Path)
	for n := range w.Symbols(id) {
		d, ok := w.DefAt(at.Path, n)
		if ok && w.Start(d.Symbol) <= at.Line && at.Line <= d.EndLine && (found.ID == "" || d.Line >= found.Line) {
			found = d
		}
	}
	return found
}

// addNamesakes adds tests that are named like what changed: what joins both may be
// a name in a string, or another process. They are as far as tests are looked for.
func (i *impact) addNamesakes(hops int) {
	var symbols []string
	languages := map[string]bool{}
	for _, c := range i.changes {
		if c.Kind != change.Added && len(symbols) < maxAlike && !i.isTest(c.path, c.def) {
			symbols = append(symbols, c.def.Qualified)
			languages[gateway.FactLanguage(c.path)] = true
		}
	}
	if len(symbols) == 0 {
		return
	}
	w, all, inTests := i.all.Now.World(), 0, gateway.InTests(i.Gateway, i.all.Now)
	for f := range resolve.FileID(w.Len()) {
		if inTests(f) {
			all += w.Symbols(f)
		}
	}
	spoken := map[resolve.FileID]bool{} // of the files of tests, whether they are in one of the languages
	named := func(name string) (tests []resolve.SymbolID) {
		for _, s := range w.Defs(name) {
			if !inTests(s.File) {
				continue
			}
			speaks, known := spoken[s.File]
			if !known {
				speaks = languages[gateway.FactLanguage(w.Path(s.File))]
				spoken[s.File] = speaks
			}
			if x := w.Symbol(s); speaks && change.IsTest(w.Path(s.File), x.Kind, x.Qualified) {
				tests = append(tests, s)
			}
		}
		return tests
	}
	names := func(words map[string]bool) iter.Seq[string] {
		return gateway.NamesInTests(i.Gateway, i.all.Now, words, change.EachWord)
	}
	found := change.Namesakes(symbols, all, names, func(name string) int { return len(named(name)) })
	for _, name := range found {
		for _, s := range named(name) {
			if d := w.Def(s); !i.gone(d) {
				i.tests.add(lineage.Arrival{Def: d, Depth: hops, Tier: byName})
			}
		}
	}
}

// about reports whether a symbol is a test, or in one, that is named for a file that
// differs: of the users of what half of all uses, those are to be run.
func (i *impact) about(d overlay.Def) bool { return i.isTest(d.File, d) && i.tests.about(d.File) }

// isTest reports whether a symbol is a test or in one, or its use in a file of tests.
func (i *impact) isTest(file string, d overlay.Def) bool {
	test, known := i.testFiles[file]
	if !known {
		if i.testFiles == nil {
			i.testFiles = map[string]bool{}
		}
		test = filekind.IsTest(file)
		i.testFiles[file] = test
	}
	return test || filekind.InTest(d.File, d.Kind, d.Qualified) || d.File != file && i.isTest(d.File, d)
}

// A testList gathers the tests of a repository that come to what an edit changes.
type testList struct {
	scripts    scripts
	attributes change.Attributes
	subjects   change.Subjects     // of the files that differ
	named      map[string]bool     // which files of tests are named for one of those, as about has said
	lines      map[string][]string // of files whose texts were read
	all        map[change.Test]change.Way
}

// newTestList gathers tests of files of a repository that read reads, for an edit of some paths.
func newTestList(g *gateway.Gateway, v *overlay.View, paths []string, read func(file string) *string) *testList {
	return &testList{
		scripts: scripts{v: v}, attributes: change.Attributes{Read: read, Known: gateway.TestsSaid(g, paths)},
		subjects: change.SubjectsOf(paths), named: map[string]bool{},
		lines: map[string][]string{}, all: map[change.Test]change.Way{},
	}
}

// add notes a test to run, or one more way from it to what changed; false if it is none.
func (l *testList) add(a lineage.Arrival) bool {
	t := change.Test{File: a.File, Name: change.Around(a.File, a.Qualified)}
	if t.Name != a.Qualified {
		a.Kind = "func"
	}
	known, again := l.all[t]
	switch {
	case again && cmp.Or(known.Depth-a.Depth, int(known.Tier)-int(a.Tier)) <= 0:
	case again, l.runs(t, a.Kind):
		l.all[t] = change.Way{
			Test: t, Depth: a.Depth, Tier: byte(a.Tier), About: l.about(t.File), Line: a.Line, EndLine: a.EndLine,
		}
	default:
		return false
	}
	return true
}

// addExamples notes those in the documentation of a file that differs.
func (l *testList) addExamples(file string) {
	t := change.Test{File: file}
	l.all[t] = change.Way{Test: t, Depth: 1, Tier: byte(byName)}
}

// runs reports whether a symbol of a file with tests is one that can be run.
func (l *testList) runs(t change.Test, kind string) bool {
	return change.IsTest(t.File, kind, t.Name) && l.scripts.runs(t.File) && l.attributes.Test(t.File, t.Name)
}

// ways are the tests, in any order.
func (l *testList) ways(id models.RepoID) []change.Way {
	all := slices.Collect(maps.Values(l.all))
	for i := range all {
		all[i].Repo = string(id)
	}
	return all
}

// about reports whether a file of tests is named for a file that differs.
func (l *testList) about(file string) bool {
	named, known := l.named[file]
	if !known {
		named = l.subjects.Of(file)
		l.named[file] = named
	}
	return named
}

// byName is behind all tiers: it is not known what is meant by a name.
const byName = resolve.TierF + 1

// text is what a test says, with what is written right above of it.
func (l *testList) text(w change.Way) string {
	lines := l.linesOf(w.File)
	end := min(w.EndLine, len(lines))
	if w.Line == 0 {
		end = len(lines)
	}
	begin := min(w.Line, end)
	for begin > 0 && w.Line-begin < maxAbove && strings.TrimSpace(lines[begin-1]) != "" {
		begin--
	}
	said := strings.Join(lines[begin:end], "\n")
	return said[:min(len(said), maxTestText)]
}

// linesOf are the lines of a file, none where there is none.
func (l *testList) linesOf(file string) []string {
	lines, known := l.lines[file]
	if !known {
		if text := l.attributes.Read(file); text != nil {
			lines = strings.Split(*text, "\n")
		}
		l.lines[file] = lines
	}
	return lines
}

// What is read of a test: so many bytes, and so many lines above of its name.
const (
	maxTestText = 1 << 14
	maxAbove    = 100
)

// toldTests puts tests in order, and in a reply as many as are asked for, which it gives.
func toldTests(
	req ImpactRequest, ways []change.Way, items []models.ImpactItem, text func(change.Way) string, res *ImpactResponse,
) []change.Way {
	var names []string
	for _, item := range items {
		if item.Change != string(change.Added) {
			names = append(names, item.Symbol)
		}
	}
	change.Order(ways, names, text)
	total := len(ways)
	ways = ways[:min(total, cmp.Or(deref(req.MaxTests), total))]
	res.Tests, res.TestsTotal, res.Commands = toRun(ways), total, []string{}
	if req.MaxTokens != nil { // half of the room for tests and their commands, which are about as long
		for len(res.Tests) > 1 && 4*models.Size(res.Tests) > *req.MaxTokens*models.BytesPerToken {
			res.Tests = res.Tests[:len(res.Tests)*2/3]
		}
	}
	if n := len(res.Tests); n < total {
		gateway.AddMessage(&res.Meta,
			fmt.Sprintf("%d tests reach what changed, the first %d are named (max_tests)", total, n))
	}
	return ways[:len(res.Tests)]
}

// toRun is how a reply names tests.
func toRun(ways []change.Way) []models.TestToRun {
	tests := make([]models.TestToRun, len(ways))
	for i, w := range ways {
		tests[i] = models.TestToRun{RepoID: models.RepoID(w.Repo), FilePath: w.File, Symbol: w.Name, Depth: w.Depth}
		switch tier := resolve.Tier(w.Tier); {
		case tier == byName:
			tests[i].Tier = "name"
		case w.Depth > 0:
			tests[i].Tier = tier.String()
		}
	}
	return tests
}
