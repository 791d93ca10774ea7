// Package binder is what the walkers of all languages share: a flat syntax tree,
// scopes and what is bound in them, where values come from, and a file's facts
// made of that. It knows no language.
package binder

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// A Declared is a symbol of the file's outline with the offset of its name.
type Declared struct {
	parse.Symbol

	NameStart int
}

// A Walker is one language. Both functions go over the whole tree. The first
// declares symbols, scopes and imports, the second adds references.
type Walker interface {
	Declare()
	Use()
	// Value is the expression of an expression, typed that of a type, both of package facts.
	Value(n At) facts.Expr
	Typed(n At) facts.Expr
}

// A chooser is a walker of a language in which several declarations of one name are
// one thing, or things of several kinds: of those the usual one is that which a node means.
type chooser interface {
	Choose(n At, usual *Symbol, all []*Symbol) *Symbol
}

// A looker is a walker that looks some names up elsewhere than where they stand:
// LookFrom is the scope from which the name at a node is looked up.
type looker interface {
	LookFrom(n At, name string, from *Scope) *Scope
}

// A selfTyper is a walker of which sources have markSelfType: SelfAt is the type
// that Self means at a node.
type selfTyper interface {
	SelfAt(n At) facts.Expr
}

// A typed is a walker whose calls and bases have type arguments: Callee is what
// is called or constructed at a node, with its own; Bound is what a type parameter
// must be.
type typed interface {
	Bound(n At) facts.Expr
	TypeArguments(n At) []facts.Expr
}

// A giver is a walker of which sources have MarkArgument: Argument is what the parameter is
// that an argument is given for.
type giver interface {
	Argument(n At) facts.Expr
}

// A Builder makes facts of a tree.
type Builder struct {
	*Tree
	Walker

	Path     string
	Language string
	lines    parse.Offsets
	Outlined map[int]*Declared // by NameStart
	Top      *Scope
	Scopes   map[At]*Scope
	Symbols  []*Symbol
	BySpot   map[int]*Symbol // by offset of the name
	Imports  []facts.Import
	Refs     []facts.Ref
	RefAt    map[int]bool // offsets with a reference
	Pkg      string
	Impls    []Implemented
	memo     map[At]facts.Expr
	Notes    *Notes // nil where nobody asks for locals
	cycles   cycles
	depth    int
}

// A Symbol is a facts.Symbol that is being made.
type Symbol struct {
	facts.Symbol

	Enclosing     *Symbol
	Index         int
	start, End    int // of the declaration
	Spot          int // of the name
	Values        []Source
	ResultSources []Source
	BaseSources   []Base
	BoundSources  []Source
	OwnerSource   Source     // the type that it is a member of, without being its child
	OwnerName     facts.Expr // the same as it is written
	ArgSources    []Source   // types of parameters; nil ones where nothing is said
	Rest          bool       // the last parameter takes all that follow
	Decorators    []Source   // of a function, outermost first; "()" is behind those with arguments
	Indexed       *Source    // what indexing gives, as a type
	Only          *Symbol    // of an interface that functions are given for, its method
	Extended      Source     // of a method of another type, what it is called of
	Parts         []Source   // types of fields without names, in their order
	SelfType      bool       // its members are reached by it, as of a namespace
	Generator     bool       // results are elements of what it returns
	Expando       bool       // members are assigned to it
	Constructs    bool       // a function that is called with new
	Local         bool       // an object or type without a name, which is of interest to locals only
	Members       map[string]*Symbol
}

// Implemented is a trait that is implemented for a type, by name.
type Implemented struct {
	Name    string
	Of      Source
	In      *Symbol   // around the place that says so
	Methods []*Symbol // those that say how
}

// A Base is what a type is made from.
type Base struct {
	Kind facts.Kind
	Of   Source
	Args At // type arguments, or none
}

// A Scope is a range of text in which names are bound.
type Scope struct {
	Kind   byte // 'f' function, 'c' class, 'b' block, 't' the file, 'n' namespace
	Parent *Scope
	Symbol *Symbol // innermost around
	Names  map[string]*Binding
	Self   Mark // what self or this is; none is that of the scope around
	Closed bool // locals around are not seen in it
	// SelfType is what Python annotates self with, mostly a type variable: as a
	// result it is the type of self.
	SelfType string

	from int32 // the offset that it begins at, within the scope around
	own  Node  // where its names are bound, before that
}

// A Binding is what a name stands for in a scope.
type Binding struct {
	Symbol   *Symbol
	Again    []*Symbol // declarations of the same name behind it, in order
	Imported int       // index + 1
	Taken    string
	Outer    bool // it is bound in a scope around
	Sources  []Source
	expr     facts.Expr
	state    byte // 1 being evaluated, 2 known
}

// NewBuilder returns the builder of a file, which has no walker yet.
func NewBuilder(path, language string, t *Tree, outline []Declared) *Builder {
	b := &Builder{
		Tree: t, Path: path, Language: language, lines: parse.LineOffsets(t.Text),
		Outlined: make(map[int]*Declared, len(outline)),
		Scopes:   make(map[At]*Scope), BySpot: make(map[int]*Symbol), RefAt: make(map[int]bool),
		memo: make(map[At]facts.Expr),
	}
	for i := range outline {
		b.Outlined[outline[i].NameStart] = &outline[i]
	}
	b.Top = &Scope{Kind: 't', Names: make(map[string]*Binding)}
	if len(t.Nodes) > 0 {
		b.Scopes[0] = b.Top
	}
	return b
}

// Open makes a node a scope.
func (b *Builder) Open(n At, kind byte, s *Symbol) *Scope {
	sc := &Scope{Kind: kind, Parent: b.ScopeAround(n), Symbol: s, Names: make(map[string]*Binding)}
	if s == nil {
		sc.Symbol = sc.Parent.Symbol
	}
	b.Scopes[n] = sc
	return sc
}

// ScopeAround is the scope that a node is in, not the one that it is.
func (b *Builder) ScopeAround(n At) *Scope {
	for p := b.Parent(n); p >= 0; p = b.Parent(p) {
		if sc := b.Scopes[p]; sc != nil {
			return sc.at(b.Nodes[n].Start)
		}
	}
	return b.Top
}

// at is the scope, or that around it if it begins behind an offset.
func (s *Scope) at(offset int32) *Scope {
	for s.from > offset && (offset < s.own.Start || offset >= s.own.End) {
		s = s.Parent
	}
	return s
}

// Behind opens a scope for the names of a pattern that are known from the end of a node on to
// the end of the scope around, and hide others of their names. It is the scope of that part
// from then on, so what is in the node must have been walked.
func (b *Builder) Behind(n, pattern At) *Scope {
	for p := b.Parent(n); p > 0; p = b.Parent(p) {
		if around := b.Scopes[p]; around != nil {
			if around.Kind != 'b' && around.Kind != 'f' {
				return around
			}
			sc := &Scope{Kind: 'b', Parent: around, Symbol: around.Symbol, Names: make(map[string]*Binding)}
			sc.from, sc.own = b.Nodes[n].End, b.Nodes[pattern]
			b.Scopes[p] = sc
			return sc
		}
	}
	return b.Top
}

// ScopeOf is the scope that the inside of a node is in.
func (b *Builder) ScopeOf(n At) *Scope {
	if sc := b.Scopes[n]; sc != nil {
		return sc.at(b.Nodes[n].Start)
	}
	return b.ScopeAround(n)
}

// Function is the closest scope of a function, class or file.
func (s *Scope) Function() *Scope {
	for s.Kind == 'b' {
		s = s.Parent
	}
	return s
}

// Bind adds a source to a name of a scope.
func (s *Scope) Bind(name string, from ...Source) *Binding {
	v := s.Names[name]
	if v == nil {
		v = &Binding{}
		s.Names[name] = v
	}
	v.Sources = append(v.Sources, from...)
	return v
}

// BindAt is bind for the name at a node.
func (b *Builder) BindAt(sc *Scope, id At, from ...Source) *Binding {
	v := sc.Bind(b.TextAt(id), from...)
	noteBound(b, v, id)
	return v
}

// Find looks a name up from a scope outwards. Scopes of classes count only if
// bodies is true, or if they are where the search starts.
func (s *Scope) Find(name string, bodies bool) (*Binding, *Scope) {
	closed := false
	for at := s; at != nil; at = at.Parent {
		if at.Kind == 'c' && at != s && !bodies || closed && (at.Kind == 'f' || at.Kind == 'b') {
			continue
		}
		closed = closed || at.Closed
		if v := at.Names[name]; v != nil && !v.Outer {
			return v, at
		}
	}
	return nil, nil
}

// ClassAround is the type that a node is in.
func (b *Builder) ClassAround(n At) facts.Expr {
	for s := b.ScopeAround(n).Symbol; s != nil; s = s.Enclosing {
		if Types[s.Kind] || s.Kind == "module" {
			return s.Expr()
		}
	}
	return facts.Unknown
}

// DeclareSymbol adds a symbol with the name at a node. It takes names, kind
// and lines from the outline where that has it.
func (b *Builder) DeclareSymbol(name, decl At, kind string, parent *Symbol) *Symbol {
	if name < 0 { // what is broken may have none
		name = decl
	}
	return b.DeclareAt(int(b.Nodes[name].Start), b.Plain(name), decl, kind, parent)
}

// DeclareAt is DeclareSymbol for a name at an offset.
func (b *Builder) DeclareAt(spot int, name string, decl At, kind string, parent *Symbol) *Symbol {
	return b.DeclareFrom(int(b.Nodes[decl].Start), int(b.Nodes[decl].End), spot,
		&Symbol{Enclosing: parent, Symbol: facts.Symbol{Name: name, Kind: kind}})
}

// DeclareFrom is DeclareSymbol for a declaration that is no node, by offsets; s has its name,
// its kind and what is around it.
func (b *Builder) DeclareFrom(start, end, spot int, s *Symbol) *Symbol {
	if s := b.BySpot[spot]; s != nil {
		return s
	}
	kind, parent := s.Kind, s.Enclosing
	s.Spot, s.start, s.End = spot, start, end
	if out := b.Outlined[spot]; out != nil {
		s.fromOutline(out)
		if kind == "property" || kind == "field" {
			s.Kind = kind
		}
	} else {
		s.Qualified = s.Name
		if parent != nil {
			s.Qualified = parent.Qualified + "." + s.Name
		}
		s.StartLine, s.EndLine = b.lines.LineAt(s.start), max(b.lines.LineAt(max(s.End-1, s.start)), b.lines.LineAt(s.start))
		s.Exported = !strings.HasPrefix(s.Name, "_") && (parent == nil || parent.Exported)
	}
	add(b, s)
	return s
}

// DeclareWhole adds the symbol that the outline has for the file as a whole, if
// it has one.
func (b *Builder) DeclareWhole() {
	if out := b.Outlined[0]; out != nil && b.BySpot[0] == nil {
		s := &Symbol{End: len(b.Text)}
		s.fromOutline(out)
		add(b, s)
	}
}

func (s *Symbol) fromOutline(out *Declared) {
	s.Name, s.Qualified, s.Kind = out.Name, out.Qualified, out.Kind
	s.StartLine, s.EndLine, s.Exported = out.StartLine, out.EndLine, out.Exported
}

func add(b *Builder, s *Symbol) {
	s.Line, s.Column = b.Position(s.Spot)
	b.Symbols = append(b.Symbols, s)
	b.BySpot[s.Spot] = s
	if s.Enclosing != nil {
		if s.Enclosing.Members == nil {
			s.Enclosing.Members = make(map[string]*Symbol)
		}
		if s.Enclosing.Members[s.Name] == nil {
			s.Enclosing.Members[s.Name] = s
		}
	}
}

// Plain is the text of a name without quotes.
func (b *Builder) Plain(n At) string { return strings.Trim(b.TextAt(n), "\"'`") }

// Position is the line and column of an offset, both from 1.
func (b *Builder) Position(offset int) (line, column int) {
	line = b.lines.LineAt(offset)
	return line, offset - b.lines[line-1] + 1
}

// number puts the symbols in order, the outline's others among them.
func number(b *Builder) {
	for _, spot := range slices.Sorted(maps.Keys(b.Outlined)) { // what others are in comes before them
		out := b.Outlined[spot]
		if b.BySpot[spot] != nil || spot >= len(b.Text) {
			continue
		}
		s := &Symbol{Spot: spot, start: spot, End: spot + len(out.Name)}
		if out.EndLine > 0 {
			s.start, s.End = b.lines[out.StartLine-1], lineEndOf(b.lines, b.Text, out.EndLine)
		}
		s.fromOutline(out)
		s.Enclosing = byQualified(b.Symbols, out.Parent)
		add(b, s)
	}
	slices.SortFunc(b.Symbols, func(x, y *Symbol) int {
		return cmp.Or(x.start-y.start, y.End-x.End, x.Spot-y.Spot, strings.Compare(x.Qualified, y.Qualified))
	})
	parentsFirst(b)
	for i, s := range b.Symbols {
		s.Index = i
	}
}

// parentsFirst moves symbols behind the one that they are a member of, where
// that is declared later in the text.
func parentsFirst(b *Builder) {
	done := make(map[*Symbol]bool, len(b.Symbols))
	order := make([]*Symbol, 0, len(b.Symbols))
	var place func(s *Symbol, depth int)
	place = func(s *Symbol, depth int) {
		if done[s] {
			return
		}
		done[s] = true
		if s.Enclosing != nil && depth < 100 {
			place(s.Enclosing, depth+1)
		}
		order = append(order, s)
	}
	for _, s := range b.Symbols {
		place(s, 0)
	}
	b.Symbols = order
}

func lineEndOf(lines parse.Offsets, text string, line int) int {
	if line < len(lines) {
		return lines[line]
	}
	return len(text)
}

// byQualified finds a symbol by its qualified name.
func byQualified(symbols []*Symbol, qualified string) *Symbol {
	if qualified == "" {
		return nil
	}
	for _, s := range symbols {
		if s.Qualified == qualified && Types[s.Kind] {
			return s
		}
	}
	return nil
}

// Is makes a symbol what a binding stands for, one more if there is one.
func (v *Binding) Is(s *Symbol) {
	switch {
	case v.Symbol == nil:
		v.Symbol = s
	case v.Symbol != s:
		v.Again = append(v.Again, s)
	}
}

// meant is the symbol that a name at an offset means: from the same function
// the last one declared before, from others the last one.
func (v *Binding) meant(offset int, same bool) *Symbol {
	s := v.Symbol
	for _, next := range v.Again {
		if same && next.Spot > offset {
			break
		}
		s = next
	}
	return s
}

// Expr is what a symbol stands for.
func (s *Symbol) Expr() facts.Expr { return facts.SymbolAt(s.Index) }
