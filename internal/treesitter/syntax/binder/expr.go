package binder

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// deepest is how deep expressions are followed.
const deepest = 60

// Expr is the expression of a node, remembered. A node that depends on itself
// is not known.
func (b *Builder) Expr(n At) facts.Expr {
	if n < 0 {
		return facts.Unknown
	}
	if e, ok := b.memo[n]; ok {
		b.cycles.met(n)
		return e
	}
	if b.depth > deepest {
		return facts.Unknown
	}
	b.memo[n] = facts.Unknown
	b.depth++
	before := b.cycles.cut
	e := b.Value(n)
	b.depth--
	b.memo[n] = e
	if b.cycles.cut != before {
		b.cycles.add(n)
	}
	return e
}

// TypeOf is the expression of a type, not remembered.
func (b *Builder) TypeOf(n At) facts.Expr {
	if n < 0 || b.depth > deepest {
		return facts.Unknown
	}
	b.depth++
	e := b.Typed(n)
	b.depth--
	return e
}

// maxUnion is how many alternatives are kept.
const maxUnion = 4

// PartType is the type at a node as a part of another one: what is not known stands there too.
func PartType(b *Builder, n At) facts.Expr {
	if e := b.TypeOf(n); e.Known() {
		return e
	}
	return facts.External
}

// TupleType is the type of the types in a node, side by side; one alone is itself.
func TupleType(b *Builder, n At) facts.Expr {
	var all []facts.Expr
	for c := range b.Named(n) {
		all = append(all, PartType(b, c))
	}
	switch len(all) {
	case 0:
		return facts.External
	case 1:
		return all[0]
	}
	return facts.Tuple(all...)
}

// SymbolAt is the symbol whose name is at a node.
func SymbolAt(b *Builder, name At) facts.Expr {
	if name >= 0 {
		if s := b.BySpot[int(b.Nodes[name].Start)]; s != nil {
			return s.Expr()
		}
	}
	return facts.Unknown
}

// union is one of several sources.
func union(b *Builder, from []Source) facts.Expr {
	all := make([]facts.Expr, len(from))
	for i, s := range from {
		all[i] = b.Eval(s)
	}
	return UnionOf(all...)
}

// UnionOf is one of several values. What is not known, or of no interest, is
// left out if there is something else.
func UnionOf(exprs ...facts.Expr) facts.Expr {
	var kept []facts.Expr
	none := facts.Unknown
	for _, e := range exprs {
		switch {
		case e.IsExternal():
			none = facts.External
		case e == facts.TooLong && none == facts.Unknown:
			none = e
		case e.Known() && !slices.Contains(kept, e):
			kept = append(kept, e)
		}
	}
	switch {
	case len(kept) == 1:
		return kept[0]
	case len(kept) > maxUnion:
		return facts.Unknown
	case len(kept) == 0:
		return none
	}
	for i, e := range kept {
		kept[i] = AsType(e)
	}
	return facts.Union(kept...).Value()
}

// AsType is the type of a value.
func AsType(e facts.Expr) facts.Expr {
	if !e.Known() || e.IsExternal() {
		return e
	}
	if t, ok := e.OfValue(); ok {
		return t
	}
	return facts.TypeOf(e)
}

// ValueOf is a value of a type.
func ValueOf(t facts.Expr) facts.Expr {
	switch {
	case t == facts.Nothing:
		return facts.Unknown
	case t.IsExternal():
		return facts.External
	}
	if v, ok := t.OfType(); ok {
		return v
	}
	return t.Value()
}

// Inside does something to an expression. What is done to something outside of
// the repository gives something outside.
func Inside(e facts.Expr, do func(facts.Expr) facts.Expr) facts.Expr {
	if e.IsExternal() {
		return facts.External
	}
	return do(e)
}

// Call is what calling gives.
func Call(e facts.Expr) facts.Expr {
	return Inside(e, func(e facts.Expr) facts.Expr { return e.Call(0) })
}

// Member is a member by its name.
func Member(e facts.Expr, name string) facts.Expr {
	return Inside(e, func(e facts.Expr) facts.Expr { return e.Member(name) })
}

// Taken is the n-th of what is taken apart.
func Taken(e facts.Expr, n int) facts.Expr {
	return Inside(e, func(e facts.Expr) facts.Expr { return e.Taken(n) })
}

// Param is what the n-th parameter is.
func Param(e facts.Expr, n int) facts.Expr {
	return Inside(e, func(e facts.Expr) facts.Expr { return e.Param(n) })
}

// Key is a key of what is indexed.
func Key(e facts.Expr) facts.Expr { return Inside(e, facts.Expr.Key) }

// SuperOf is an object of a class seen from the bases of that.
func SuperOf(class facts.Expr) facts.Expr {
	return Inside(class, func(e facts.Expr) facts.Expr { return e.Super().Value() })
}

// Elem is an element of something; of a list that is written out, what it is a
// list of.
func Elem(e facts.Expr) facts.Expr {
	if t, ok := e.OfValue(); ok && e.Root() == facts.OpList {
		if n := t.Node(); n.Op == facts.OpList {
			return ValueOf(n.Part())
		}
	}
	return Inside(e, facts.Expr.Elem)
}

// List is a list of values with the given expressions.
func List(values ...facts.Expr) facts.Expr {
	t := AsType(UnionOf(values...))
	if !t.Known() {
		return facts.External
	}
	return facts.List(t).Value()
}

// A Meaning is what a bare name stands for.
type Meaning struct {
	Expr facts.Expr
	Of   facts.Expr // of a reference to it
	Name string     // by which it is declared; "" if it is local and has none
	Bare bool       // looked up from the file
	Is   *Symbol    // a symbol of this file that is not looked up
}

// Resolve finds what a name stands for from a node.
func (b *Builder) Resolve(n At, name string, bodies bool) Meaning {
	from := b.ScopeOf(n)
	if p, ok := b.Walker.(looker); ok {
		from = p.LookFrom(n, name, from)
	}
	v, sc := from.Find(name, bodies)
	switch {
	case v == nil || sc == b.Top:
		return Meaning{Expr: facts.Name(name), Name: name, Bare: true}
	case v.Symbol != nil:
		s := v.meant(int(b.Nodes[n].Start), from.Function() == sc.Function())
		if p, ok := b.Walker.(chooser); ok && len(v.Again) > 0 {
			s = p.Choose(n, s, append([]*Symbol{v.Symbol}, v.Again...))
		}
		return Meaning{Expr: s.Expr(), Name: s.Name, Is: s}
	case v.Imported > 0 && len(v.Sources) == 0:
		e := facts.ModuleAt(v.Imported - 1)
		if v.Taken == "" {
			return Meaning{Expr: e}
		}
		return Meaning{Expr: e.Member(v.Taken), Of: e, Name: v.Taken}
	}
	noteUse(b, v, n, name)
	return Meaning{Expr: variable(b, v)}
}

// Bare is the expression of a name used at a node.
func (b *Builder) Bare(n At, bodies bool) facts.Expr { return b.Resolve(n, b.TextAt(n), bodies).Expr }

// UseName adds a reference for a bare name, unless it is local.
func (b *Builder) UseName(n At, kind facts.Kind, bodies bool) {
	b.RefMeaning(int(b.Nodes[n].Start), kind, b.Resolve(n, b.TextAt(n), bodies))
}

// RefMeaning adds a reference at an offset to what a name means.
func (b *Builder) RefMeaning(offset int, kind facts.Kind, m Meaning) {
	b.RefAtOffset(offset, m.Name, kind, m.Of, m.Bare)
	if m.Is != nil && len(b.Refs) > 0 && b.RefAt[offset] {
		if r := &b.Refs[len(b.Refs)-1]; r.Name == m.Name && r.Of == facts.Nothing && !r.Bare {
			r.Is = m.Is.Index + 1
		}
	}
}

// Eval is the expression of what a source gives.
func (b *Builder) Eval(s Source) facts.Expr {
	e := after(origin(b, s), s.then)
	switch {
	case e == facts.Nothing:
		return facts.Unknown
	case e.IsExternal():
		return facts.External
	}
	return e
}

// Called notes what the reference at a name, the last one, is called with;
// given says it of one argument. Comments are no arguments.
func (b *Builder) Called(name, args At, given func(At) string) {
	if name < 0 || args < 0 || len(b.Refs) == 0 {
		return
	}
	ref := &b.Refs[len(b.Refs)-1]
	if line, column := b.Position(int(b.Nodes[name].Start)); ref.Line != line || ref.Column != column {
		return
	}
	var list []string
	for c := range b.Named(args) {
		switch b.Kind(c) {
		case "parameter_pack_expansion", "ERROR": // any number
			return
		}
		list = append(list, given(c))
	}
	ref.Args = len(list) + 1
	text := strings.Join(list, ",")
	if len(text) > longestSignature {
		text = facts.WithoutExpressions(text)
	}
	if strings.Trim(text, ",") != "" && len(text) <= longestSignature {
		ref.Arguments = text
	}
}

// HasErrors reports whether what stands at a node is broken.
func (b *Builder) HasErrors(n At) bool { return b.Has(n, "ERROR") || b.Has(n, "MISSING") }
