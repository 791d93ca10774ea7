package gateway

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Symbols are the definitions that a name may mean.
type Symbols struct {
	View  *overlay.View
	Defs  []overlay.Def
	Notes []string             // what weakens the answer
	heirs []lookup.Inheritance // when the name is that of an heir: how it comes to defs
	// partial: there was no time for some of the files.
	Partial bool
	Place   *Spot // where they were asked for by a place
}

// An Asked is what a request names: a symbol, or a place.
type Asked struct {
	Name, File   string
	Line, Column *int
}

// Check refuses what is neither.
func (a Asked) Check() error {
	switch {
	case a.Name == "" && a.File != "" && a.Line != nil && a.Column == nil:
		return fault.New(fault.InvalidRequest, "column is missing, which says what of line %d is meant; or name a symbol",
			*a.Line)
	case a.Name == "" && (a.File == "" || a.Line == nil || a.Column == nil):
		return fault.New(fault.InvalidRequest, "symbol is missing; or name a place by file, line and column")
	case a.Name != "" && a.Column != nil:
		return fault.New(fault.InvalidRequest,
			"symbol and column are given; column names what stands there, without a symbol")
	}
	return nil
}

// Find finds the definitions that are asked for, in the graph or live. As in a question
// to several repositories names and files may be behind the id and a colon.
func Find(ctx context.Context, g *Gateway, a Asked) (Symbols, error) {
	here := string(g.ID) + ":"
	if a.Name == here {
		return Symbols{}, OnlyRepository(a.Name)
	}
	if a.Name = strings.TrimPrefix(a.Name, here); a.Name == "" {
		found, err := standing(ctx, g, a)
		g.Concerns(found.Defs)
		return found, err
	}
	found, missing, err := FindNamed(ctx, g, a)
	if missing != nil {
		err = missing.Fault(ctx)
	}
	g.Concerns(found.Defs)
	return found, err
}

// OnlyRepository is the fault of a name that is only the id of a repository.
func OnlyRepository(name string) error {
	return fault.New(fault.InvalidRequest, "%q is a repository; name the symbol behind the colon", name)
}

// A Missing is a name that has no definition.
type Missing struct {
	*Gateway

	view    *overlay.View
	name    string
	heirs   []lookup.Inheritance // types that may have it from outside
	notes   []string
	partial bool // it may be where nobody looked
}

// Code is that of what Fault returns.
func (m *Missing) Code() fault.Code {
	if m.partial {
		return fault.IndexNotReady
	}
	return fault.SymbolNotFound
}

// Fault says what is known of the name. It looks at all names that there are,
// which takes longer than to find one.
func (m *Missing) Fault(ctx context.Context) error {
	if p, err := relpath.Clean(m.name); err == nil && strings.Contains(p, ".") {
		if _, err := m.Tree.Stat(ctx, p); err == nil {
			return fault.New(m.Code(), "%q is a file, and uses are of symbols: `ragnav outline` lists what it has, "+
				"`nav search` for %q finds who imports it", p, strings.TrimSuffix(path.Base(p), path.Ext(p)))
		}
	}
	notes := m.notes
	if text := unspokenIn(ctx, m.Gateway); text != "" {
		notes = append(notes, text)
	}
	if text := unfollowed(ctx, m.Gateway, Last(m.name)); text != "" {
		notes = append(notes, text)
	}
	return fault.New(m.Code(), "%s", Words(notFound(ctx, m.view, m.name, m.heirs, notes)))
}

// FindNamed finds the definitions of a name; without any it says what is missing.
func FindNamed(ctx context.Context, g *Gateway, a Asked) (Symbols, *Missing, error) {
	name, file, line := a.Name, a.File, a.Line
	pick := lookup.Pick{}
	if file != "" {
		p, err := relpath.Clean(file)
		if err != nil {
			return Symbols{}, nil, err
		}
		pick.File = p
	}
	if line != nil {
		pick.Line = *line
	}
	view, notes, partial, err := g.Answering(ctx, name)
	if err != nil {
		return Symbols{}, nil, err
	}
	if defs := lookup.Find(ctx, view, name, pick); len(defs) > 0 {
		return Symbols{View: view, Defs: defs, Notes: notes, Partial: partial}, nil, nil
	}
	heirs := lookup.Inherited(ctx, view, name, pick)
	if len(heirs) > 0 && len(heirs[0].Defs) > 0 {
		return Symbols{View: view, Defs: membersOf(heirs), Notes: notes, heirs: heirs, Partial: partial}, nil, nil
	}
	return Symbols{View: view, Notes: notes, Partial: partial}, &Missing{g, view, name, heirs, notes, partial}, nil
}

// standing finds the definitions of what stands at a place.
func standing(ctx context.Context, g *Gateway, a Asked) (Symbols, error) {
	at, err := AtOf(ctx, g, a.File, *a.Line, *a.Column)
	if err != nil {
		return Symbols{}, err
	}
	if at.Local != nil && at.Local.Kind == "property" {
		return Symbols{}, fault.New(fault.SymbolNotFound,
			"%s is a key of a literal, and of no type with a name; who reads it is not known", at.Name)
	}
	if len(at.Defs) == 0 && at.Local == nil {
		var meta models.Meta
		if at.Say(&meta); meta.Message == nil { // it is told by the files that an import makes known
			AddMessage(&meta, fmt.Sprintf("%s is made of %s; only symbols have uses, ask for one of its own", at.Name,
				CountedFiles(len(at.imported))))
		}
		sym := Symbols{View: at.View, Notes: at.Notes, Partial: at.Partial, Place: &at}
		if at.External {
			return sym, fault.New(fault.SymbolNotFound, "%s; `nav search` finds its name", *meta.Message)
		}
		return sym, fault.New(fault.SymbolNotFound, "%s", *meta.Message)
	}
	sym := at.Symbols
	sym.Place = &at
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
func notFound(
	ctx context.Context, view *overlay.View, name string, outside []lookup.Inheritance, notes []string,
) error {
	if all := lookup.Find(ctx, view, name, lookup.Pick{}); len(all) > 0 {
		return fault.New(fault.SymbolNotFound, "%q is not defined there; it is in %s", name, placesOf(all))
	}
	text := fmt.Sprintf("no definition of %q was found", name)
	all := lookup.Find(ctx, view, Last(name), lookup.Pick{})
	switch {
	case len(outside) > 0:
		t := outside[0].Type
		text += fmt.Sprintf("; %s (%s:%d) does not declare %s, and it may come from a base that is outside of the "+
			"repository or not known", t.Qualified, t.File, t.Line, Last(name))
	case len(all) > 0 && Last(name) != name:
		slices.SortStableFunc(all, func(a, b overlay.Def) int { return alike(b, name) - alike(a, name) })
		text += fmt.Sprintf("; %s is defined in %s (%s)", Last(name), placesOf(all), all[0].Qualified)
	default:
		if near := nearNames(view, Last(name)); len(near) > 0 {
			text += "; names like it are " + strings.Join(near, ", ")
		}
		text += "; `nav search` finds text of any kind"
	}
	if len(notes) > 0 {
		text += "; " + strings.Join(notes, "; ")
	}
	return fault.New(fault.SymbolNotFound, "%s", text)
}

// alike is how many of the words before the last of a name stand in the path of a
// definition: what is exported elsewhere, as tokio::spawn is of tokio/src/task, is
// often declared below that.
func alike(d overlay.Def, name string) (n int) {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".:#/\\", r) })
	}
	path := words(d.File)
	for _, word := range words(strings.TrimSuffix(name, Last(name))) {
		if slices.Contains(path, word) {
			n++
		}
	}
	return n
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

// NamedPlaces is how many places a message names.
const NamedPlaces = 3

const (
	shortName  = 4 // bytes; shorter names are like too many
	farLetters = 3 // by which names that are alike differ in length
)

func placesOf(defs []overlay.Def) string {
	var named []string
	for _, d := range defs[:min(len(defs), NamedPlaces)] {
		named = append(named, fmt.Sprintf("%s:%d", d.File, d.Line))
	}
	return andMore(named, len(defs))
}

// andMore are the first of n places, in words.
func andMore(first []string, n int) string {
	text := strings.Join(first, ", ")
	if more := n - len(first); more > 0 {
		text += " and " + models.Counted(more, "more place")
	}
	return text
}

// Say adds what there is to say about the name to the head of a reply.
func (s Symbols) Say(meta *models.Meta) {
	for _, n := range s.Notes {
		meta.Warnings = append(meta.Warnings, models.Warning{Code: "PARTIAL_GRAPH", Message: n})
	}
	s.SayInherited(meta)
	SayMany([]Of{{Symbols: s}}, meta)
}

// SayInherited says which type has what another one was asked for.
func (s Symbols) SayInherited(meta *models.Meta) {
	for _, h := range s.heirs[:min(len(s.heirs), NamedPlaces)] {
		d := h.Defs[0]
		AddMessage(meta, fmt.Sprintf("%s (%s:%d) inherits %s: it is %s, declared in %s:%d", h.Type.Qualified, h.Type.File,
			h.Type.Line, h.Name, d.Qualified, d.File, d.Line))
	}
}

// An Of is the definitions of a name in one repository.
type Of struct {
	Symbols

	ID models.RepoID
}

// SayMany says of a name with several definitions how to pick one, all repositories together.
func SayMany(homes []Of, meta *models.Meta) {
	n, in := 0, 0
	var places []string
	for _, h := range homes {
		all := h.Functions()
		n += len(all)
		in += Yes(len(all) > 0)
		for _, d := range all[:min(len(all), NamedPlaces-len(places))] {
			at := fmt.Sprintf("%s:%d", d.File, d.Line)
			if len(homes) > 1 {
				at = string(h.ID) + ":" + at
			}
			places = append(places, at)
		}
	}
	if n < 2 {
		return
	}
	repositories, pick := "", "pick one by its file and line"
	if in > 1 {
		repositories = fmt.Sprintf(" in %d repositories", in)
		pick = "pick one by its file, behind the repository as here, and line"
	}
	AddMessage(meta, fmt.Sprintf("the name has %d definitions%s (%s); %s", n, repositories, andMore(places, n), pick))
}

// Functions are the definitions without prototypes that another one of them defines.
func (s Symbols) Functions() []overlay.Def {
	return slices.DeleteFunc(slices.Clone(s.Defs), s.IsPrototype)
}

// IsPrototype reports whether another definition defines what one declares.
func (s Symbols) IsPrototype(d overlay.Def) bool {
	return s.View.Declares(d.Symbol) && // which few are, of thousands
		slices.ContainsFunc(s.Defs, func(b overlay.Def) bool { return s.View.Prototype(d.Symbol, b.Symbol) })
}

// Prototypes are those of a definition, which uses may lead to in its place. One in a
// file that has a definition itself is of that alone.
func (s Symbols) Prototypes(of overlay.Def) (all []resolve.SymbolID) {
	if s.Place != nil { // of which only the one is found
		for _, id := range s.View.World().Defs(of.Name) {
			if id.File == of.Symbol.File && s.View.Prototype(id, of.Symbol) {
				all = append(all, id)
			}
		}
		return all
	}
	for _, d := range s.Defs {
		if !s.View.Declares(d.Symbol) {
			continue
		}
		elsewhere := d.File != of.File && slices.ContainsFunc(s.Defs, func(e overlay.Def) bool {
			return e.File == d.File && s.View.Prototype(d.Symbol, e.Symbol)
		})
		if !elsewhere && s.View.Prototype(d.Symbol, of.Symbol) {
			all = append(all, d.Symbol)
		}
	}
	return all
}

// Called is what was asked about: a name as it was given, or what stands at a place.
func (s Symbols) Called(name string) string {
	if s.Place != nil {
		return s.Place.Name
	}
	return name
}

// Describe tells signatures and doc comments where a place was asked about.
func (s Symbols) Describe(ctx context.Context, g *Gateway, all []models.Definition) error {
	if s.Place == nil {
		return nil
	}
	d := NewDescriber(g)
	for i := range min(len(s.Defs), len(all)) {
		var err error
		if all[i].Signature, all[i].Doc, err = d.Describe(ctx, s.Defs[i]); err != nil {
			return err
		}
	}
	return nil
}

// NoLineage says that what stands at a place is in one file only.
func (s Symbols) NoLineage() error {
	return fault.New(fault.InvalidRequest,
		"%s is a %s, and only symbols of the graph have a lineage; where-used lists its uses", s.Place.Name,
		s.Place.Local.Kind)
}
