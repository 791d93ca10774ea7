package nav

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

func whereUsedOnce(ctx context.Context, s *across.Opener, req WhereUsedRequest) (WhereUsedResponse, error) {
	ask := gateway.Asked{Name: req.Symbol, File: req.File, Line: req.Line, Column: req.Column}
	if err := ask.Check(); err != nil {
		return WhereUsedResponse{}, err
	}
	f, err := gateway.NewFilter(req.PathFilter, "", req.Only)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, defaultWhereUsedLimit, list)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	if across.IsFilter(req.RepoID) {
		return usedAcross(ctx, s, req, wantedUses{ask, f, p})
	}
	g, err := s.Open(ctx, req.RepoID)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	defer g.Close()
	sym, err := gateway.Find(ctx, g, ask)
	if err != nil {
		g.Answer = &sym
		return usedOutside(ctx, g, req, wantedUses{ask, f, p}, err)
	}
	u := uses{Gateway: g, Symbols: sym, filter: f, edges: req.Edges, limit: p.end()}
	u.gather(ctx)
	u.around(ctx)
	if u.list(); req.IncludeText && len(u.Defs) > 0 {
		if err := u.text(ctx); err != nil {
			return WhereUsedResponse{}, err
		}
	}
	if err := sym.Describe(ctx, g, u.definitions); err != nil {
		return WhereUsedResponse{}, err
	}
	res := WhereUsedResponse{Symbol: sym.Called(req.Symbol), Definitions: u.definitions}
	g.Head(&res.Meta)
	if res.Items, err = gateway.Finish(ctx, g, cut(p, u.items, u.total, sym.Partial, &res.Meta), &res.Meta); err != nil {
		return WhereUsedResponse{}, err
	}
	sym.Say(&res.Meta)
	if u.Place == nil || u.Place.Local == nil {
		u.sayUnread(&res.Meta)
		if err := sayOutside(ctx, g, &res.Meta); err != nil {
			return WhereUsedResponse{}, err
		}
	}
	return res, u.say(ctx, &res.Meta)
}

func definition(d overlay.Def) models.Definition {
	return models.Definition{
		ID: d.ID, FilePath: d.File, Line: d.Line, EndLine: d.EndLine, Name: d.Name,
		Qualified: d.Qualified, Kind: d.Kind,
	}
}

// uses are the uses of all definitions, up to a limit.
type uses struct {
	*gateway.Gateway
	gateway.Symbols

	filter gateway.FileFilter
	edges  []string // kinds, nil: all
	limit  int

	definitions []models.Definition
	runs        []run // of each definition
	items       []models.NavItem
	total       int
	via         int           // uses of what the methods implement
	dispatched  []usage.Place // calls of types of other modules that may run the methods
	isVia       map[usage.Place]bool
	tests       map[string]bool // what isTest has said
}

// A run is uses of a definition in one repository, those in tests behind the others. Of most
// it is only counted that they are there.
type run struct {
	total, tests int
	item         func(i int) models.NavItem
	files        iter.Seq[string] // that they are in, some more than once
}

// isTest reports whether a file is one of tests, and finds that out once.
func (u *uses) isTest(file string) bool {
	test, known := u.tests[file]
	if !known {
		if u.tests == nil {
			u.tests = map[string]bool{}
		}
		test = filekind.IsTest(file)
		u.tests[file] = test
	}
	return test
}

// gather finds the uses. A place that may be a use of several of the definitions
// is listed once, under the first of them, and names the others.
func (u *uses) gather(ctx context.Context) {
	o := usage.Options{Edges: u.edges, Last: u.isTest}
	if !u.filter.All() {
		o.Keep = u.filter.Match
	}
	if u.Place != nil && u.Place.Local != nil {
		u.local(u.Place.Local)
		return
	}
	seen := map[overlay.UseKey]bool{}
	again := func(k overlay.UseKey) bool {
		if seen[k] {
			return true
		}
		seen[k] = true
		return false
	}
	for _, d := range u.Defs {
		found := usage.Find(ctx, u.Symbols.View, d, o)
		def := definition(d)
		def.Prototype, def.Uses, def.Tests = u.IsPrototype(d), new(found.Len()), found.Last
		if u.definitions = append(u.definitions, def); len(u.Defs) > 1 {
			found.Drop(again)
		}
		u.total += found.Len()
		item := func(i int) models.NavItem { return u.item(d, found.At(i)) }
		u.runs = append(u.runs, run{total: found.Len(), tests: found.Last, item: item, files: found.Files})
	}
}

// list makes the items that are wanted.
func (u *uses) list() {
	for _, r := range u.runs {
		for i := 0; i < r.total && len(u.items) < u.limit; i++ {
			u.items = append(u.items, r.item(i))
		}
	}
}

// around finds what may run the definitions and is no use of theirs.
func (u *uses) around(ctx context.Context) {
	for _, d := range u.Defs {
		_, uses := usage.Via(ctx, u.Symbols.View, d)
		u.via += uses
		u.viaOthers(ctx, d)
	}
}

// viaOthers adds the wanted places that may call a method through a type of another module.
func (u *uses) viaOthers(ctx context.Context, d overlay.Def) {
	if len(u.edges) > 0 && !slices.Contains(u.edges, string(facts.Call)) {
		return
	}
	if u.isVia == nil {
		u.isVia = map[usage.Place]bool{}
	}
	for _, p := range usage.Dispatched(ctx, u.Symbols.View, d) {
		if u.filter.Match(p.File) && !u.isVia[p] {
			u.isVia[p] = true
			u.dispatched = append(u.dispatched, p)
		}
	}
}

// local lists the uses of a local.
func (u *uses) local(l *facts.Local) {
	file := u.Place.LocalFile
	def := models.Definition{
		ID: fmt.Sprintf("%s:%d:%d", file, l.Line, l.Column), FilePath: file, Line: l.Line, EndLine: l.Line,
		Name: l.Name, Qualified: l.Name, Kind: l.Kind, Signature: l.Text, Uses: new(int),
	}
	var items []models.NavItem
	if u.filter.Match(file) {
		for _, use := range l.Uses {
			if len(u.edges) > 0 && !slices.Contains(u.edges, string(use.Kind)) {
				continue
			}
			items = append(items, models.NavItem{
				FilePath: file, Line: use.Line, Column: use.Column, Edge: string(use.Kind), Tier: "A", Confidence: 1,
				Definition: def.ID, Test: filekind.IsTest(file),
			})
		}
	}
	u.total, *def.Uses = len(items), len(items)
	u.definitions, u.runs = []models.Definition{def}, []run{runOf(items)}
}

// runOf are items that are there.
func runOf(items []models.NavItem) run {
	slices.SortStableFunc(items, func(a, b models.NavItem) int { return gateway.Yes(a.Test) - gateway.Yes(b.Test) })
	r := run{total: len(items), item: func(i int) models.NavItem { return items[i] }}
	r.files = func(yield func(string) bool) {
		for i := range items {
			if !yield(items[i].FilePath) {
				return
			}
		}
	}
	for i := range items {
		r.tests += gateway.Yes(items[i].Test)
	}
	return r
}

func (u *uses) item(d overlay.Def, use usage.Use) models.NavItem {
	return models.NavItem{
		FilePath: use.File, Line: use.Line, Column: use.Column, Symbol: use.In.Qualified, Kind: use.In.Kind,
		Edge: use.Edge, Tier: use.Tier, Confidence: gateway.Share(use.Confidence), Definition: d.ID,
		Candidates: use.Candidates, Test: u.isTest(use.File),
	}
}

// text adds the places of the name that are no reference: in comments, strings
// and files of other kinds.
func (u *uses) text(ctx context.Context) error {
	lines, _, err := u.otherLines(ctx, u.filter.Match)
	for _, match := range lines {
		if u.total++; len(u.items) < u.limit {
			u.items = append(u.items, models.NavItem{FilePath: match.Path, Line: match.Line, Column: match.Column, Edge: "text"})
		}
	}
	return err
}

func (u *uses) say(ctx context.Context, meta *models.Meta) error {
	switch {
	case u.Place != nil && u.Place.Local != nil:
		if u.total == 0 {
			gateway.AddMessage(meta, fmt.Sprintf("%s is not used", u.Place.Name))
		}
		return nil
	case u.total == 0 && len(u.dispatched) > 0:
		gateway.AddMessage(meta, "it is not used by its own name; "+u.throughOthers(""))
		u.sayUnknown(ctx, meta)
		return nil
	case u.total == 0 && u.via > 0:
		gateway.AddMessage(meta,
			fmt.Sprintf("it is not used by its own name; what it implements is used in %s", places(u.via)))
	case u.total == 0 && len(u.edges) > 0:
		gateway.AddMessage(meta, fmt.Sprintf("it is defined, and no use of it is one of %s", strings.Join(u.edges, ", ")))
	case u.total == 0 && !u.filter.All():
		return u.sayNoUse(ctx, meta, "it is defined, and not used in these files")
	case u.total == 0 && u.constructors():
		gateway.AddMessage(meta, fmt.Sprintf("where it constructs is a use of its class: ask for %s", classOf(u.Defs[0])))
	case u.total == 0:
		return u.sayNoUse(ctx, meta, "it is defined, and not used anywhere in the repository")
	case u.via > 0:
		gateway.AddMessage(meta, fmt.Sprintf("what it implements is used in %s more, which may run it", places(u.via)))
	}
	if len(u.dispatched) > 0 {
		gateway.AddMessage(meta, u.throughOthers(" more"))
	}
	if u.total > 0 {
		u.sayUnknown(ctx, meta)
	}
	return nil
}

// throughOthers tells of calls through types of other modules.
func (u *uses) throughOthers(more string) string {
	n, call, first := len(u.dispatched), "call", u.dispatched[0]
	if n == 1 {
		call = "calls"
	}
	return fmt.Sprintf("%s %s what it implements of another module, which may run it, the first one %s:%d "+
		"(lineage upstream lists them)", strings.Replace(places(n), " ", more+" ", 1), call, first.File, first.Line)
}

func (u *uses) sayNoUse(ctx context.Context, meta *models.Meta, otherwise string) error {
	text, err := u.noUse(ctx, otherwise)
	if err == nil {
		gateway.AddMessage(meta, text)
	}
	return err
}

// sayOutside warns of a part of the repository that git keeps out of the folder.
func sayOutside(ctx context.Context, g *gateway.Gateway, meta *models.Meta) error {
	sparse, err := g.Sparse(ctx)
	if sparse {
		unsearched(scan.Skipped{Sparse: 1}, meta)
	}
	return err
}

// sayUnread warns of languages that this build can't read.
func (u *uses) sayUnread(meta *models.Meta) {
	if unknown := u.withoutFacts(); len(unknown) > 0 {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "LANGUAGES_WITHOUT_FACTS", Message: unknown})
	}
}

// constructors reports whether all definitions are constructors: what calls
// them names the class.
func (u *uses) constructors() bool {
	return !slices.ContainsFunc(u.Defs, func(d overlay.Def) bool { return !constructs(d) })
}

// constructs reports whether a definition is called what its language calls
// constructors.
func constructs(d overlay.Def) bool {
	class := classOf(d)
	if class == "" {
		return false
	}
	switch language := gateway.FactLanguage(d.File); {
	case language == "Python":
		return d.Name == "__init__"
	case facts.Script(language):
		return d.Name == "constructor"
	case slices.Contains([]string{"Java", "C", "C++", "C#", "Dart", "Groovy"}, language):
		return (d.Kind == "method" || d.Kind == "constructor") && (class == d.Name || strings.HasSuffix(class, "."+d.Name))
	}
	return false
}

// classOf is the qualified name of what a definition is in.
func classOf(d overlay.Def) string {
	if n := len(d.Qualified) - len(d.Name) - 1; n > 0 && strings.HasSuffix(d.Qualified, "."+d.Name) {
		return d.Qualified[:n]
	}
	return ""
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// withoutFacts says which languages of the definitions this build can't read.
func (u *uses) withoutFacts() string {
	var names []string
	for _, d := range u.Defs {
		if lang := gateway.FactLanguage(d.File); u.Opener.Extract.Revision(lang) == "" {
			names = append(names, cmp.Or(lang, "plain text"))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("this build cannot read %v; see `ragnav doctor`", names)
}
