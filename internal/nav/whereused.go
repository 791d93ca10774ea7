package nav

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func whereUsedOnce(ctx context.Context, s *Service, req WhereUsedRequest) (WhereUsedResponse, error) {
	ask := asked{req.Symbol, req.File, req.Line, req.Column}
	if err := ask.check(); err != nil {
		return WhereUsedResponse{}, err
	}
	f, err := newFilter(req.PathFilter, "", req.Only)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, DefaultWhereUsedLimit, list)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	if isFilter(req.RepoID) {
		return usedAcross(ctx, s, req, wantedUses{ask, f, p})
	}
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	defer g.Close()
	sym, err := find(ctx, g, ask)
	if err != nil {
		return WhereUsedResponse{}, excuse(g.unread, err)
	}
	u := uses{gateway: g, symbols: sym, filter: f, edges: req.Edges, limit: p.end()}
	if u.gather(); req.IncludeText && len(u.defs) > 0 {
		if err := u.text(ctx); err != nil {
			return WhereUsedResponse{}, err
		}
	}
	if err := sym.describe(ctx, g, u.definitions); err != nil {
		return WhereUsedResponse{}, err
	}
	res := WhereUsedResponse{Symbol: sym.called(req.Symbol), Definitions: u.definitions}
	g.head(&res.Meta)
	if res.Items, err = finish(ctx, g, cut(p, u.items, u.total, sym.partial, &res.Meta), &res.Meta); err != nil {
		return WhereUsedResponse{}, err
	}
	sym.say(&res.Meta)
	u.say(&res.Meta)
	return res, nil
}

func addMessage(meta *models.Meta, text string) {
	if meta.Message != nil {
		text = *meta.Message + "; " + text
	}
	meta.Message = &text
}

func definition(d overlay.Def) models.Definition {
	return models.Definition{
		ID: d.ID, FilePath: d.File, Line: d.Line, EndLine: d.EndLine, Name: d.Name,
		Qualified: d.Qualified, Kind: d.Kind,
	}
}

// uses are the uses of all definitions, up to a limit.
type uses struct {
	*gateway
	symbols

	filter fileFilter
	edges  []string // kinds, nil: all
	limit  int

	definitions []models.Definition
	items       []models.NavItem
	total       int
	via         int // uses of what the methods implement
}

// gather finds the uses. A place that may be a use of several of the definitions
// is listed once, under the first of them, and names the others.
func (u *uses) gather() {
	keep := usage.Options{Edges: u.edges, Last: isTest}
	if !u.filter.all() {
		keep.Keep = func(use usage.Use) bool { return u.filter.takes(use.File) }
	}
	if len(u.defs) == 1 {
		keep.Limit = max(u.limit, 1)
	}
	if u.place != nil && u.place.local != nil {
		u.local(u.place.local)
		return
	}
	seen := map[place]bool{}
	for _, d := range u.defs {
		found := usage.Of(u.symbols.view, d, keep)
		def := definition(d)
		def.Uses, def.Tests = new(found.Total), found.Last
		u.definitions = append(u.definitions, def)
		u.via += found.ViaUses
		u.total += found.Total
		for _, use := range found.Uses {
			at := place{use.File, use.Line, use.Column, use.Edge}
			if len(use.Candidates) > 1 && seen[at] {
				u.total--
				continue
			}
			if seen[at] = true; len(u.items) < u.limit {
				u.items = append(u.items, u.item(d, use))
			}
		}
	}
}

// local lists the uses of a local.
func (u *uses) local(l *facts.Local) {
	def := models.Definition{
		ID: fmt.Sprintf("%s:%d:%d", u.place.file, l.Line, l.Column), FilePath: u.place.file, Line: l.Line, EndLine: l.Line,
		Name: l.Name, Qualified: l.Name, Kind: l.Kind, Signature: l.Text, Uses: new(int),
	}
	if u.filter.takes(u.place.file) {
		for _, use := range l.Uses {
			if len(u.edges) > 0 && !slices.Contains(u.edges, string(use.Kind)) {
				continue
			}
			if u.total++; len(u.items) < u.limit {
				u.items = append(u.items, models.NavItem{
					FilePath: u.place.file, Line: use.Line, Column: use.Column, Edge: string(use.Kind), Tier: "A", Confidence: 1,
					Definition: def.ID, Test: isTest(u.place.file),
				})
			}
		}
	}
	*def.Uses = u.total
	u.definitions = []models.Definition{def}
}

type place struct {
	file         string
	line, column int
	edge         string
}

func (u *uses) item(d overlay.Def, use usage.Use) models.NavItem {
	return models.NavItem{
		FilePath: use.File, Line: use.Line, Column: use.Column, Symbol: use.In.Qualified, Kind: use.In.Kind,
		Edge: use.Edge, Tier: use.Tier, Confidence: share(use.Confidence), Definition: d.ID,
		Candidates: use.Candidates, Test: isTest(use.File),
	}
}

// text adds the places of the name that are no reference: in comments, strings
// and files of other kinds.
func (u *uses) text(ctx context.Context) error {
	name := u.defs[0].Name
	m, err := match.Compile(match.Query{Pattern: name, Case: match.Sensitive, Word: true})
	if err != nil {
		return err
	}
	found, err := search(ctx, u.gateway, m, scan.Options{Keep: u.filter.takes})
	if err != nil {
		return err
	}
	type line struct {
		file string
		line int
	}
	known := map[line]bool{}
	for _, p := range usage.Places(u.symbols.view, name) {
		known[line{p.File, p.Line}] = true
	}
	for _, match := range found.Matches {
		if known[line{match.Path, match.Line}] {
			continue
		}
		if u.total++; len(u.items) < u.limit {
			u.items = append(u.items, models.NavItem{FilePath: match.Path, Line: match.Line, Column: match.Column, Edge: "text"})
		}
	}
	return nil
}

func (u *uses) say(meta *models.Meta) {
	switch {
	case u.place != nil && u.place.local != nil:
		if u.total == 0 {
			addMessage(meta, fmt.Sprintf("%s is not used", u.place.name))
		}
		return
	case u.total == 0 && u.via > 0:
		addMessage(meta, fmt.Sprintf("it is not used by its own name; what it implements is used in %s", places(u.via)))
	case u.total == 0 && len(u.edges) > 0:
		addMessage(meta, fmt.Sprintf("it is defined, and no use of it is one of %s", strings.Join(u.edges, ", ")))
	case u.total == 0 && !u.filter.all():
		addMessage(meta, u.noUse("it is defined, and not used in these files"))
	case u.total == 0 && u.constructors():
		addMessage(meta, fmt.Sprintf("where it constructs is a use of its class: ask for %s", classOf(u.defs[0])))
	case u.total == 0:
		addMessage(meta, u.noUse("it is defined, and not used anywhere in the repository"))
	case u.via > 0:
		addMessage(meta, fmt.Sprintf("what it implements is used in %s more, which may run it", places(u.via)))
	}
	if unknown := u.withoutFacts(); len(unknown) > 0 {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "LANGUAGES_WITHOUT_FACTS", Message: unknown})
	}
}

// constructors reports whether all definitions are constructors: what calls
// them names the class.
func (u *uses) constructors() bool {
	return !slices.ContainsFunc(u.defs, func(d overlay.Def) bool { return !constructs(d) })
}

// constructs reports whether a definition is called what its language calls
// constructors.
func constructs(d overlay.Def) bool {
	class := classOf(d)
	if class == "" {
		return false
	}
	switch factLanguage(d.File) {
	case "Python":
		return d.Name == "__init__"
	case "JavaScript", "TypeScript", "TSX":
		return d.Name == "constructor"
	case "Java", "C", "C++", "C#":
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
	for _, d := range u.defs {
		if lang := factLanguage(d.File); u.Extract.Revision(lang) == "" {
			names = append(names, cmp.Or(lang, "plain text"))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("this build cannot read %v; see `ragnav doctor`", names)
}
