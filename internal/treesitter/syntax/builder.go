package syntax

import (
	"cmp"
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

// A walker is one language. Both functions go over the whole tree. The first
// declares symbols, scopes and imports, the second adds references.
type walker interface {
	declare()
	use()
	// value is the expression of an expression, typed that of a type, both of package facts.
	value(n at) facts.Expr
	typed(n at) facts.Expr
}

// A builder makes facts of a tree.
type builder struct {
	*Tree
	walker

	path     string
	language string
	lines    parse.Offsets
	outlined map[int]*Declared // by NameStart
	top      *scope
	scopes   map[at]*scope
	symbols  []*symbol
	bySpot   map[int]*symbol // by offset of the name
	imports  []facts.Import
	refs     []facts.Ref
	refAt    map[int]bool // offsets with a reference
	pkg      string
	impls    []implemented
	memo     map[at]facts.Expr
	notes    *notes // nil where nobody asks for locals
	cycles   cycles
	depth    int
}

// A symbol is a facts.Symbol that is being made.
type symbol struct {
	facts.Symbol

	parent     *symbol
	index      int
	start, end int // of the declaration
	spot       int // of the name
	value      []source
	results    []source
	bases      []base
	bounds     []source
	owner      source     // the type that it is a member of, without being its child
	ownerName  facts.Expr // the same as it is written
	args       []source   // types of parameters; nil ones where nothing is said
	rest       bool       // the last parameter takes all that follow
	decorators []source   // of a function, outermost first; "()" is behind those with arguments
	indexed    *source    // what indexing gives, as a type
	selfType   bool       // its members are reached by it, as of a namespace
	shorthand  []at
	generator  bool // results are elements of what it returns
	expando    bool // members are assigned to it
	constructs bool // a function that is called with new
	members    map[string]*symbol
}

// implemented is a trait that is implemented for a type, by name.
type implemented struct {
	name string
	of   source
	in   *symbol // around the place that says so
}

type base struct {
	kind facts.Kind
	of   source
	args at // type arguments, or none
}

// A scope is a range of text in which names are bound.
type scope struct {
	kind   byte // 'f' function, 'c' class, 'b' block, 't' the file, 'n' namespace
	parent *scope
	symbol *symbol // innermost around
	names  map[string]*binding
	self   mark // what self or this is; none is that of the scope around
	closed bool // locals around are not seen in it
	// selfType is what Python annotates self with, mostly a type variable: as a
	// result it is the type of self.
	selfType string
}

// A binding is what a name stands for in a scope.
type binding struct {
	symbol   *symbol
	again    []*symbol // declarations of the same name behind it, in order
	imported int       // index + 1
	taken    string
	outer    bool // it is bound in a scope around
	sources  []source
	expr     facts.Expr
	state    byte // 1 being evaluated, 2 known
}

func newBuilder(path, language string, t *Tree, outline []Declared) *builder {
	b := &builder{
		Tree: t, path: path, language: language, lines: parse.LineOffsets(t.Text),
		outlined: make(map[int]*Declared, len(outline)),
		scopes:   make(map[at]*scope), bySpot: make(map[int]*symbol), refAt: make(map[int]bool),
		memo: make(map[at]facts.Expr),
	}
	for i := range outline {
		b.outlined[outline[i].NameStart] = &outline[i]
	}
	b.top = &scope{kind: 't', names: make(map[string]*binding)}
	if len(t.Nodes) > 0 {
		b.scopes[0] = b.top
	}
	return b
}

// open makes a node a scope.
func (b *builder) open(n at, kind byte, s *symbol) *scope {
	sc := &scope{kind: kind, parent: b.scopeAround(n), symbol: s, names: make(map[string]*binding)}
	if s == nil {
		sc.symbol = sc.parent.symbol
	}
	b.scopes[n] = sc
	return sc
}

// scopeAround is the scope that a node is in, not the one that it is.
func (b *builder) scopeAround(n at) *scope {
	for p := b.parent(n); p >= 0; p = b.parent(p) {
		if sc := b.scopes[p]; sc != nil {
			return sc
		}
	}
	return b.top
}

// scopeOf is the scope that the inside of a node is in.
func (b *builder) scopeOf(n at) *scope {
	if sc := b.scopes[n]; sc != nil {
		return sc
	}
	return b.scopeAround(n)
}

// function is the closest scope of a function, class or file.
func (s *scope) function() *scope {
	for s.kind == 'b' {
		s = s.parent
	}
	return s
}

// bind adds a source to a name of a scope.
func (s *scope) bind(name string, from ...source) *binding {
	v := s.names[name]
	if v == nil {
		v = &binding{}
		s.names[name] = v
	}
	v.sources = append(v.sources, from...)
	return v
}

// bindAt is bind for the name at a node.
func (b *builder) bindAt(sc *scope, id at, from ...source) *binding {
	v := sc.bind(b.text(id), from...)
	b.noteBound(v, id)
	return v
}

// find looks a name up from a scope outwards. Scopes of classes count only if
// bodies is true, or if they are where the search starts.
func (s *scope) find(name string, bodies bool) (*binding, *scope) {
	closed := false
	for at := s; at != nil; at = at.parent {
		if at.kind == 'c' && at != s && !bodies || closed && (at.kind == 'f' || at.kind == 'b') {
			continue
		}
		closed = closed || at.closed
		if v := at.names[name]; v != nil && !v.outer {
			return v, at
		}
	}
	return nil, nil
}

// classAround is the type that a node is in.
func (b *builder) classAround(n at) facts.Expr {
	for s := b.scopeAround(n).symbol; s != nil; s = s.parent {
		if types[s.Kind] || s.Kind == "module" {
			return s.expr()
		}
	}
	return facts.Unknown
}

// declareSymbol adds a symbol with the name at a node. It takes names, kind
// and lines from the outline where that has it.
func (b *builder) declareSymbol(name, decl at, kind string, parent *symbol) *symbol {
	if name < 0 { // what is broken may have none
		name = decl
	}
	spot := int(b.Nodes[name].Start)
	if s := b.bySpot[spot]; s != nil {
		return s
	}
	s := &symbol{parent: parent, spot: spot, start: int(b.Nodes[decl].Start), end: int(b.Nodes[decl].End)}
	s.Name, s.Kind = b.plain(name), kind
	if out := b.outlined[spot]; out != nil {
		s.fromOutline(out)
		if kind == "property" || kind == "field" {
			s.Kind = kind
		}
	} else {
		s.Qualified = s.Name
		if parent != nil {
			s.Qualified = parent.Qualified + "." + s.Name
		}
		s.StartLine, s.EndLine = b.lines.LineAt(s.start), max(b.lines.LineAt(max(s.end-1, s.start)), b.lines.LineAt(s.start))
		s.Exported = !strings.HasPrefix(s.Name, "_") && (parent == nil || parent.Exported)
	}
	b.add(s)
	return s
}

func (s *symbol) fromOutline(out *Declared) {
	s.Name, s.Qualified, s.Kind = out.Name, out.Qualified, out.Kind
	s.StartLine, s.EndLine, s.Exported = out.StartLine, out.EndLine, out.Exported
}

func (b *builder) add(s *symbol) {
	s.Line, s.Column = b.position(s.spot)
	b.symbols = append(b.symbols, s)
	b.bySpot[s.spot] = s
	if s.parent != nil {
		if s.parent.members == nil {
			s.parent.members = make(map[string]*symbol)
		}
		if s.parent.members[s.Name] == nil {
			s.parent.members[s.Name] = s
		}
	}
}

// plain is the text of a name without quotes.
func (b *builder) plain(n at) string { return strings.Trim(b.text(n), "\"'`") }

func (b *builder) position(offset int) (line, column int) {
	line = b.lines.LineAt(offset)
	return line, offset - b.lines[line-1] + 1
}

// number puts the symbols in order, the outline's others among them.
func (b *builder) number() {
	for spot, out := range b.outlined {
		if b.bySpot[spot] != nil || spot >= len(b.Text) {
			continue
		}
		s := &symbol{spot: spot, start: spot, end: spot + len(out.Name)}
		if out.EndLine > 0 {
			s.start, s.end = b.lines[out.StartLine-1], b.lineEnd(out.EndLine)
		}
		s.fromOutline(out)
		s.parent = b.byQualified(out.Parent)
		b.add(s)
	}
	slices.SortFunc(b.symbols, func(x, y *symbol) int {
		return cmp.Or(x.start-y.start, y.end-x.end, x.spot-y.spot, strings.Compare(x.Qualified, y.Qualified))
	})
	b.parentsFirst()
	for i, s := range b.symbols {
		s.index = i
	}
}

// parentsFirst moves symbols behind the one that they are a member of, where
// that is declared later in the text.
func (b *builder) parentsFirst() {
	done := make(map[*symbol]bool, len(b.symbols))
	order := make([]*symbol, 0, len(b.symbols))
	var place func(s *symbol, depth int)
	place = func(s *symbol, depth int) {
		if done[s] {
			return
		}
		done[s] = true
		if s.parent != nil && depth < 100 {
			place(s.parent, depth+1)
		}
		order = append(order, s)
	}
	for _, s := range b.symbols {
		place(s, 0)
	}
	b.symbols = order
}

func (b *builder) lineEnd(line int) int {
	if line < len(b.lines) {
		return b.lines[line]
	}
	return len(b.Text)
}

// byQualified finds a symbol by its qualified name.
func (b *builder) byQualified(qualified string) *symbol {
	if qualified == "" {
		return nil
	}
	for _, s := range b.symbols {
		if s.Qualified == qualified && types[s.Kind] {
			return s
		}
	}
	return nil
}

// is makes a symbol what a binding stands for, one more if there is one.
func (v *binding) is(s *symbol) {
	switch {
	case v.symbol == nil:
		v.symbol = s
	case v.symbol != s:
		v.again = append(v.again, s)
	}
}

// meant is the symbol that a name at an offset means: from the same function
// the last one declared before, from others the last one.
func (v *binding) meant(offset int, same bool) *symbol {
	s := v.symbol
	for _, next := range v.again {
		if same && next.spot > offset {
			break
		}
		s = next
	}
	return s
}

// expr is what a symbol stands for.
func (s *symbol) expr() facts.Expr { return facts.SymbolAt(s.index) }
