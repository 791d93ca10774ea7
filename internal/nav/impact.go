package nav

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

func impactOnce(ctx context.Context, s *across.Opener, req ImpactRequest) (ImpactResponse, error) {
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, defaultWhereUsedLimit, list)
	if err != nil {
		return ImpactResponse{}, err
	}
	if across.IsFilter(req.RepoID) {
		return impactAcross(ctx, s, req, p)
	}
	g, err := s.Open(ctx, req.RepoID)
	if err != nil {
		return ImpactResponse{}, err
	}
	defer g.Close()
	e, err := editOf(req)
	if err != nil {
		return ImpactResponse{}, err
	}
	files, others, err := e.files(ctx, g)
	if err != nil {
		return ImpactResponse{}, err
	}
	i := impact{Gateway: g, without: others}
	i.follows(req.Depth)
	if err := i.compare(ctx, files); err != nil {
		return ImpactResponse{}, err
	}
	if err := i.follow(ctx); err != nil {
		return ImpactResponse{}, err
	}
	var res ImpactResponse
	g.Head(&res.Meta)
	tests := toldTests(req, i.tests.ways(""), i.items, i.tests.text, &res)
	res.Commands = append(res.Commands, change.Commands(tests, texts(ctx, g))...)
	res.Items = cut(p, i.items, len(i.items), false, &res.Meta)
	i.say(&res.Meta, len(files)+len(others), res.TestsTotal)
	return res, sayOutside(ctx, g, &res.Meta)
}

// texts reads files of the repository, each once; what can't be read is as if it were not there.
func texts(ctx context.Context, g *gateway.Gateway) func(file string) *string {
	known := map[string]*string{}
	return func(file string) *string {
		text, ok := known[file]
		if !ok {
			if _, err := g.Tree.Lstat(file); !errors.Is(err, fs.ErrNotExist) { // a call of the system tells, most are not there
				text, _ = gateway.TextOf(ctx, g, file)
			}
			known[file] = text
		}
		return text
	}
}

// follows sets how far uses are followed.
func (i *impact) follows(depth *int) {
	if i.depth = deref(depth); i.depth == 0 {
		i.depth, i.testDepth = defaultLineageDepth, defaultTestDepth
	}
}

func deref(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// An impact is what an edit does to the symbols of a repository.
type impact struct {
	*gateway.Gateway

	depth       int
	testDepth   int // for tests
	all         gateway.Whole
	before, now *overlay.View
	changes     []changed
	without     []string // files without symbols
	after       map[string]*facts.File
	items       []models.ImpactItem
	tests       *testList
	testFiles   map[string]bool // what isTest has said
	reached     []lineage.Start // that changed; tests that come to them are to be run
	was         []lineage.Start // likewise, in the view before
	users       []lineage.Start // of what is gone, in the view before
	naming      []lineage.Start // files without symbols that differ
	left        []lineage.Start // likewise, in the view behind the edit
	hubs        int
	moved       []*changed // that are gone, unchanged in another file, where what used them finds them
	tooMany     bool
	tooFar      bool          // there is more around than tests were looked for in
	abroad      *abroadImpact // nil where one repository is asked about
}

// A changed symbol, as it is or was.
type changed struct {
	change.Change

	path     string
	old      overlay.Def // as it was; zero of what is added
	def      overlay.Def
	exported bool
	reached  lineage.Result // who uses it, until that was noted
	twin     *changed       // of what is gone: what is new by the same name, in another file
	item     int            // its number among the items
}

// start is the symbol that is followed, and in which of the views: in the files as they
// are, be that before the edit or behind it, as far as it is there. What they say is in
// the graph or was found for other questions.
func (i *impact) start(c *changed) (*overlay.View, overlay.Def) {
	if c.Kind == change.Removed || c.Kind != change.Added && c.old.ID != "" && i.before == i.all.Now {
		return i.before, c.old
	}
	return i.now, c.def
}

// maxChanged is how many symbols of an edit are followed.
const maxChanged = 1000

// compare finds the symbols that the edit changes.
func (i *impact) compare(ctx context.Context, files []change.File) error {
	var err error
	if i.all, err = gateway.WholeOf(ctx, i.Gateway); err != nil {
		return err
	}
	var old, now []*facts.File
	var created, deleted []string
	i.after = map[string]*facts.File{}
	sides, err := i.sides(ctx, files)
	if err != nil {
		return err
	}
	var paths []string
	for n, f := range files {
		paths = append(paths, f.Path)
		if f.Old != nil {
			old = append(old, sides[n][0].Facts)
		} else {
			created = append(created, f.Path)
		}
		if f.New != nil {
			now = append(now, sides[n][1].Facts)
		} else {
			deleted = append(deleted, f.Path)
		}
		i.after[f.Path] = sides[n][1].Facts
	}
	read := texts(ctx, i.Gateway)
	i.tests = newTestList(i.Gateway, i.all.Now, paths, func(file string) *string {
		for _, f := range files {
			if f.Path == file && f.New != nil {
				return f.New
			}
		}
		return read(file)
	})
	if i.abroad != nil {
		i.abroad.goesOn(i.tests)
	}
	i.before, i.now = i.all.Before(old, created), i.all.With(now, deleted)
	for _, n := range besideRenamed(files) {
		f := files[n]
		if top := (overlay.Def{File: f.Path}); f.New != nil && i.isTest(f.Path, top) {
			i.tests.add(lineage.Arrival{Def: top})
		} else if f.New != nil && change.DocTests(f.Path, *f.New, i.tests.attributes.Read) {
			i.tests.addExamples(f.Path)
		}
		if err := i.ofModule(ctx, f, sides[n]); err != nil {
			return err
		}
		if err := i.ofFile(ctx, f.Path, sides[n]); err != nil {
			return err
		}
	}
	return i.ofData(ctx, deleted)
}

// ofFile notes the changes of one file. What is beyond those that are followed is
// not outlined.
func (i *impact) ofFile(ctx context.Context, p string, sides [2]change.Side) error {
	symbols := 0
	for _, s := range sides {
		if s.Facts != nil {
			symbols += len(s.Facts.Symbols)
		}
	}
	if n := len(i.items); symbols == 0 && (n == 0 || i.items[n-1].FilePath != p) {
		i.without = append(i.without, p)
	}
	if symbols == 0 || i.tooMany {
		return nil
	}
	if sides[0].Facts != nil && sides[1].Facts != nil { // else no signature is compared
		for n := range sides {
			if sides[n].Signatures == nil {
				sides[n].Signatures = i.signatures(ctx, p, sides[n])
			}
		}
	}
	for _, c := range change.Compare(sides[0], sides[1]) {
		if len(i.changes) >= maxChanged {
			i.tooMany = true
			return nil
		}
		x := changed{Change: c, path: p}
		view, side, index := i.now, sides[1], c.New
		if c.Kind == change.Removed {
			view, side, index = i.before, sides[0], c.Old
		}
		x.exported = side.Facts.Symbols[index].Exported
		if c.Kind != change.Added {
			x.old, _ = i.before.World().DefAt(p, c.Old)
		}
		if def, ok := view.World().DefAt(p, index); ok {
			x.def = def
			i.changes = append(i.changes, x)
		}
	}
	return ctx.Err()
}

// follow finds who is affected by each change.
func (i *impact) follow(ctx context.Context) error {
	i.pair()
	for n, c := range i.changes {
		if at := n % followedAtOnce; at == 0 {
			if err := i.followSome(ctx, i.changes[n:min(n+followedAtOnce, len(i.changes))]); err != nil {
				return err
			}
		}
		item := models.ImpactItem{
			Change: string(c.Kind), Symbol: c.def.Qualified, Kind: c.def.Kind, FilePath: c.path, Line: c.def.Line,
			Exported: c.exported, Affected: []models.Affected{},
		}
		if a := (lineage.Arrival{Def: c.def}); i.isTest(c.path, c.def) && c.Kind != change.Removed && !i.tests.add(a) {
			for _, with := range setUp(ctx, i.now, a) {
				i.tests.add(with)
			}
		}
		if c.Kind != change.Added {
			if err := i.reach(ctx, &i.changes[n], &item); err != nil {
				return err
			}
		}
		i.changes[n].item = len(i.items)
		i.items = append(i.items, item)
	}
	i.leaveMoved()
	if err := i.findTests(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(i.items, func(a, b models.ImpactItem) int {
		return cmp.Or(
			gateway.Yes(filekind.IsTest(a.FilePath))-gateway.Yes(filekind.IsTest(b.FilePath)), // they break nobody
			change.Kind(a.Change).Rank()-change.Kind(b.Change).Rank(), gateway.Yes(b.Exported)-gateway.Yes(a.Exported),
			b.Total-a.Total, strings.Compare(a.FilePath, b.FilePath), a.Line-b.Line,
		)
	})
	return nil
}

// What is listed of one change, and what is looked at for tests.
const (
	maxAffected = 50
	maxReached  = 2000
)

// followedAtOnce is how many changes are followed before what reaches them is told.
const followedAtOnce = 16

// followSome follows the uses of changed symbols upstream to who is affected. Of
// what is gone all are needed, to see which of them the edit made do without.
func (i *impact) followSome(ctx context.Context, some []changed) error {
	all := make([]*changed, len(some))
	for n := range some {
		all[n] = &some[n]
	}
	return parallel.Each(ctx, parallel.Processors(), all, func(ctx context.Context, c *changed) (err error) {
		if c.Kind == change.Added {
			return nil
		}
		o := lineage.Options{Depth: i.depth, MaxResults: maxAffected}
		if c.Kind == change.Removed {
			o.MaxResults = maxReached
		}
		view, def := i.start(c)
		if o.Depth > 1 && view != i.all.Now && view == i.before {
			c.reached, err = i.followGone(ctx, *c, o)
			return err
		}
		c.reached, err = lineage.Follow(ctx, view, def, lineage.Upstream, o)
		return err
	})
}

// reach notes who is affected by a changed symbol, and from where tests are looked
// for.
func (i *impact) reach(ctx context.Context, c *changed, item *models.ImpactItem) error {
	l := c.reached
	c.reached = lineage.Result{}
	i.hubs += len(l.Hubs)
	adapted := i.adapted(*c, l.Items)
	if err := i.findTwin(ctx, *c, adapted); err != nil {
		return err
	}
	view, _ := i.start(c)
	for _, r := range l.Items {
		switch {
		case adapted[r.Path[1].ID+r.Path[1].File], view == i.before && i.gone(r.Def):
			l.Total--
		case len(item.Affected) < maxAffected:
			item.Affected = append(item.Affected, models.Affected{
				RepoID: i.ID, FilePath: r.File, Line: r.Line, Symbol: r.Def.Qualified, Depth: r.Depth, Edge: r.Edge,
				Test: i.isTest(r.File, r.Def),
			})
		}
		switch {
		case c.Kind != change.Removed || r.Depth > 1 || adapted[r.Path[1].ID+r.Path[1].File]:
		case r.Def.ID != "":
			i.use(r)
		case i.isTest(r.File, r.Def):
			i.tests.add(lineage.Arrival{Def: r.Def, Depth: 1, Tier: r.Tier})
		}
	}
	item.Total = l.Total
	if c.Kind != change.Removed {
		if view, def := i.start(c); view == i.before {
			i.was = append(i.was, lineage.Start{Def: def})
		} else {
			i.reached = append(i.reached, lineage.Start{Def: def})
		}
	}
	if i.abroad != nil && c.old.ID != "" {
		return i.abroad.reach(ctx, i, *c, item)
	}
	return nil
}

func (i *impact) say(meta *models.Meta, files, tests int) {
	for _, n := range i.all.Notes {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "PARTIAL_GRAPH", Message: n})
	}
	switch {
	case files == 0:
		gateway.AddMessage(meta, "nothing differs")
	case len(i.items)+len(i.moved) == 0:
		gateway.AddMessage(meta, fmt.Sprintf("changes in %s, and in no symbol", gateway.CountedFiles(files)))
	case tests == 0:
		gateway.AddMessage(meta, "no test reaches what changed")
	}
	if n := len(i.moved); n > 0 {
		first := i.moved[0]
		gateway.AddMessage(meta, fmt.Sprintf(
			"%s moved unchanged, the first one %s from %s to %s: what used it finds it there", countedSymbols(n),
			first.def.Qualified, first.path, first.twin.path))
	}
	if n := len(i.without); n > 0 {
		gateway.AddMessage(meta, fmt.Sprintf("%s without symbols, the first one %s: what that affects is not known",
			gateway.CountedFiles(n), i.without[0]))
	}
	if n := slices.IndexFunc(i.without, depend.Knows); n >= 0 {
		gateway.AddMessage(meta, i.without[n]+" says what the code is built of, which any test may depend on")
	}
	if i.hubs > 0 {
		gateway.AddMessage(meta, fmt.Sprintf("%d symbols have more than %d neighbours each, which were not followed", i.hubs,
			lineage.DefaultHub))
	}
	if i.tooFar {
		gateway.AddMessage(meta, "more reaches what changed than was looked at for tests; those nearest to it are named")
	}
	if i.tooMany {
		meta.Truncated = true
		meta.Warnings = append(meta.Warnings,
			models.Warning{
				Code: "TRUNCATED",
				Message: fmt.Sprintf("more than %d symbols differ; the rest was not followed, ask for a smaller range",
					maxChanged),
			})
	}
}

func countedSymbols(n int) string {
	if n == 1 {
		return "1 symbol"
	}
	return fmt.Sprintf("%d symbols", n)
}

// An edit is what differs, as a request says.
type edit struct {
	diff          *change.Diff // nil: since a commit, or between two
	base, commits string
}

func editOf(req ImpactRequest) (edit, error) {
	given := gateway.Yes(req.Base != "") + gateway.Yes(req.Range != "") + gateway.Yes(req.Diff != "")
	if given > 1 {
		return edit{}, fault.New(fault.InvalidRequest, "base, range and diff are three ways to say what differs; give one")
	}
	if req.Diff == "" {
		return edit{base: cmp.Or(req.Base, "HEAD"), commits: req.Range}, nil
	}
	d, err := change.Parse(req.Diff)
	return edit{diff: &d}, err
}

// files are those of a repository that differ, and the paths of others that do, whose texts are
// not compared.
func (e edit) files(ctx context.Context, g *gateway.Gateway) (files []change.File, others []string, err error) {
	if e.diff == nil {
		return sinceCommit(ctx, g, e.base, e.commits)
	}
	files, err = e.diff.Files(func(p string) (*string, error) { return gateway.TextOf(ctx, g, p) })
	return files, e.diff.Binary, err
}
