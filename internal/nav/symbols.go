package nav

import (
	"context"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// symbols are the definitions that a name may mean.
type symbols struct {
	view  *overlay.View
	defs  []overlay.Def
	notes []string             // what weakens the answer
	heirs []lookup.Inheritance // when the name is that of an heir: how it comes to defs
	// partial: there was no time for some of the files.
	partial bool
	place   *spot // where they were asked for by a place
}

// An asked is what a request names: a symbol, or a place.
type asked struct {
	name, file   string
	line, column *int
}

// check refuses what is neither.
func (a asked) check() error {
	switch {
	case a.name == "" && (a.file == "" || a.line == nil || a.column == nil):
		return fault.New(fault.InvalidRequest, "symbol is missing; or name a place by file, line and column")
	case a.name != "" && a.column != nil:
		return fault.New(fault.InvalidRequest,
			"symbol and column are given; column names what stands there, without a symbol")
	}
	return nil
}

// find finds the definitions that are asked for, in the graph or live.
func find(ctx context.Context, g *gateway, a asked) (symbols, error) {
	if a.name == "" {
		return standing(ctx, g, a)
	}
	found, missing, err := findNamed(ctx, g, a)
	if missing != nil {
		err = missing.fault(ctx)
	}
	return found, err
}

// A missing is a name that has no definition.
type missing struct {
	*gateway

	view    *overlay.View
	name    string
	heirs   []lookup.Inheritance // types that may have it from outside
	notes   []string
	partial bool // it may be where nobody looked
}

// code is that of what fault returns.
func (m *missing) code() fault.Code {
	if m.partial {
		return fault.IndexNotReady
	}
	return fault.SymbolNotFound
}

// fault says what is known of the name. It looks at all names that there are,
// which takes longer than to find one.
func (m *missing) fault(ctx context.Context) error {
	notes := m.notes
	if text := unspokenIn(ctx, m.gateway); text != "" {
		notes = append(notes, text)
	}
	return fault.New(m.code(), "%s", words(notFound(m.view, m.name, m.heirs, notes)))
}

// findNamed finds the definitions of a name; without any it says what is missing.
func findNamed(ctx context.Context, g *gateway, a asked) (symbols, *missing, error) {
	name, file, line := a.name, a.file, a.line
	pick := lookup.Pick{}
	if file != "" {
		p, err := relpath.Clean(file)
		if err != nil {
			return symbols{}, nil, err
		}
		pick.File = p
	}
	if line != nil {
		pick.Line = *line
	}
	view, notes, partial, err := g.answering(ctx, name)
	if err != nil {
		return symbols{}, nil, err
	}
	if defs := lookup.Find(view, name, pick); len(defs) > 0 {
		return symbols{view: view, defs: defs, notes: notes, partial: partial}, nil, nil
	}
	heirs := lookup.Inherited(view, name, pick)
	if len(heirs) > 0 && len(heirs[0].Defs) > 0 {
		return symbols{view: view, defs: membersOf(heirs), notes: notes, heirs: heirs, partial: partial}, nil, nil
	}
	return symbols{}, &missing{g, view, name, heirs, notes, partial}, nil
}

// standing finds the definitions of what stands at a place.
func standing(ctx context.Context, g *gateway, a asked) (symbols, error) {
	at, err := atOf(ctx, g, a.file, *a.line, *a.column)
	if err != nil {
		return symbols{}, err
	}
	if len(at.defs) == 0 && at.local == nil {
		var meta models.Meta
		at.say(&meta)
		return symbols{}, fault.New(fault.SymbolNotFound, "%s", *meta.Message)
	}
	sym := at.symbols
	sym.place = &at
	return sym, nil
}

// membersOf are the members that types inherit, each once.
func membersOf(heirs []lookup.Inheritance) []overlay.Def {
	var all []overlay.Def
	seen := map[string]bool{}
	for _, h := range heirs {
		for _, d := range h.Defs {
			if !seen[d.ID] {
				seen[d.ID] = true
				all = append(all, d)
			}
		}
	}
	return all
}

// notFound says what is known of a name without a definition.
func notFound(view *overlay.View, name string, outside []lookup.Inheritance, notes []string) error {
	if all := lookup.Find(view, name, lookup.Pick{}); len(all) > 0 {
		return fault.New(fault.SymbolNotFound, "%q is not defined there; it is in %s", name, placesOf(all))
	}
	text := fmt.Sprintf("no definition of %q was found", name)
	all := lookup.Find(view, last(name), lookup.Pick{})
	switch {
	case len(outside) > 0:
		t := outside[0].Type
		text += fmt.Sprintf("; %s (%s:%d) does not declare %s, and it may come from a base that is outside of the "+
			"repository or not known", t.Qualified, t.File, t.Line, last(name))
	case len(all) > 0 && last(name) != name:
		text += fmt.Sprintf("; %s is defined in %s (%s)", last(name), placesOf(all), all[0].Qualified)
	default:
		if near := nearNames(view, last(name)); len(near) > 0 {
			text += "; names like it are " + strings.Join(near, ", ")
		}
		text += "; `nav search` finds text of any kind"
	}
	if len(notes) > 0 {
		text += "; " + strings.Join(notes, "; ")
	}
	return fault.New(fault.SymbolNotFound, "%s", text)
}

// nearNames are the symbols' names that someone who wrote name may have meant.
func nearNames(view *overlay.View, name string) []string {
	if len(name) < shortName {
		return nil
	}
	return filter.Nearest(name, lookup.Names(view, func(s string) bool {
		return len(s)-len(name) <= farLetters && len(name)-len(s) <= farLetters && len(s) >= shortName
	}))
}

const (
	namedPlaces = 3
	shortName   = 4 // bytes; shorter names are like too many
	farLetters  = 3 // by which names that are alike differ in length
)

func placesOf(defs []overlay.Def) string {
	var named []string
	for _, d := range defs[:min(len(defs), namedPlaces)] {
		named = append(named, fmt.Sprintf("%s:%d", d.File, d.Line))
	}
	text := strings.Join(named, ", ")
	if more := len(defs) - namedPlaces; more > 0 {
		text += fmt.Sprintf(" and %d more places", more)
	}
	return text
}

// say adds what there is to say about the name to the head of a reply.
func (s symbols) say(meta *models.Meta) {
	for _, n := range s.notes {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "PARTIAL_GRAPH", Message: n})
	}
	for _, h := range s.heirs[:min(len(s.heirs), namedPlaces)] {
		d := h.Defs[0]
		addMessage(meta, fmt.Sprintf("%s (%s:%d) inherits %s: it is %s, declared in %s:%d", h.Type.Qualified, h.Type.File,
			h.Type.Line, h.Name, d.Qualified, d.File, d.Line))
	}
	if n := len(s.defs); n > 1 {
		addMessage(meta, fmt.Sprintf("the name has %d definitions (%s); pick one by file and line, or by its id", n,
			placesOf(s.defs)))
	}
}

// called is what was asked about: a name as it was given, or what stands at a place.
func (s symbols) called(name string) string {
	if s.place != nil {
		return s.place.name
	}
	return name
}

// describe tells signatures and doc comments where a place was asked about.
func (s symbols) describe(ctx context.Context, g *gateway, all []models.Definition) error {
	if s.place == nil {
		return nil
	}
	d := newDescriber(g)
	for i := range min(len(s.defs), len(all)) {
		var err error
		if all[i].Signature, all[i].Doc, err = d.describe(ctx, s.defs[i]); err != nil {
			return err
		}
	}
	return nil
}

// hierarchy lists the kin of each definition.
func (s symbols) hierarchy(ctx context.Context, direction string, res *ImplementationsResponse) ([]models.NavItem,
	error,
) {
	var items []models.NavItem
	seen := map[string]bool{}
	for _, d := range s.defs {
		res.Definitions = append(res.Definitions, definition(d))
		all, err := lineage.Hierarchy(ctx, s.view, d, direction != down)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			if key := fmt.Sprint(r.ID, "\x00", d.Qualified); !seen[key] {
				seen[key] = true
				items = append(items, related(d, r))
			}
		}
	}
	return items, nil
}

// noLineage says that what stands at a place is in one file only.
func (s symbols) noLineage() error {
	return fault.New(fault.InvalidRequest,
		"%s is a %s, and only symbols of the graph have a lineage; where-used lists its uses", s.place.name,
		s.place.local.Kind)
}

// follow follows each definition until there are enough items.
func (s symbols) follow(ctx context.Context, dir lineage.Direction, o lineage.Options, p page,
	res *LineageResponse,
) ([]models.NavItem, error) {
	most, total, hubs, ended := o.MaxResults, 0, 0, false
	items := []models.NavItem{}
	for _, d := range s.defs {
		res.Definitions = append(res.Definitions, definition(d))
		o.MaxResults = max(most-len(items), 1)
		l, err := lineage.Follow(ctx, s.view, d, dir, o)
		if err != nil {
			return nil, err
		}
		total += l.Total
		hubs += len(l.Hubs)
		ended = ended || l.Cut
		isHub := map[string]bool{}
		for _, h := range l.Hubs {
			isHub[h.ID] = true
		}
		for _, r := range l.Items[:min(len(l.Items), most-len(items))] {
			items = append(items, reached(d, r, isHub[r.Def.ID]))
		}
	}
	items = cut(p, items, total, ended || hubs > 0 || s.partial, &res.Meta)
	if p.end() >= total { // what is behind hubs has no page
		res.Meta.NextCursor = ""
	}
	sayReached(&res.Meta, dir, o, reachedCount{total, hubs, ended})
	return items, nil
}
