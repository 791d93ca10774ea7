package syntax

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// deepest is how deep expressions are followed.
const deepest = 60

// expr is the expression of a node, remembered. A node that depends on itself
// is not known.
func (b *builder) expr(n at) facts.Expr {
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
	e := b.value(n)
	b.depth--
	b.memo[n] = e
	if b.cycles.cut != before {
		b.cycles.add(n)
	}
	return e
}

// typeOf is the expression of a type, not remembered.
func (b *builder) typeOf(n at) facts.Expr {
	if n < 0 || b.depth > deepest {
		return facts.Unknown
	}
	b.depth++
	e := b.typed(n)
	b.depth--
	return e
}

// maxUnion is how many alternatives are kept.
const maxUnion = 4

// union is one of several sources.
func (b *builder) union(from []source) facts.Expr {
	all := make([]facts.Expr, len(from))
	for i, s := range from {
		all[i] = b.eval(s)
	}
	return unionOf(all...)
}

// unionOf is one of several values. What is not known, or of no interest, is
// left out if there is something else.
func unionOf(exprs ...facts.Expr) facts.Expr {
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
		kept[i] = asType(e)
	}
	return facts.Union(kept...).Value()
}

// asType is the type of a value.
func asType(e facts.Expr) facts.Expr {
	if !e.Known() || e.IsExternal() {
		return e
	}
	if t, ok := e.OfValue(); ok {
		return t
	}
	return facts.TypeOf(e)
}

// valueOf is a value of a type.
func valueOf(t facts.Expr) facts.Expr {
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

// What is done to something outside of the repository gives something outside.

func inside(e facts.Expr, do func(facts.Expr) facts.Expr) facts.Expr {
	if e.IsExternal() {
		return facts.External
	}
	return do(e)
}

func call(e facts.Expr) facts.Expr {
	return inside(e, func(e facts.Expr) facts.Expr { return e.Call(0) })
}

func member(e facts.Expr, name string) facts.Expr {
	return inside(e, func(e facts.Expr) facts.Expr { return e.Member(name) })
}

func taken(e facts.Expr, n int) facts.Expr {
	return inside(e, func(e facts.Expr) facts.Expr { return e.Taken(n) })
}

func param(e facts.Expr, n int) facts.Expr {
	return inside(e, func(e facts.Expr) facts.Expr { return e.Param(n) })
}

func key(e facts.Expr) facts.Expr { return inside(e, facts.Expr.Key) }

// superOf is an object of a class seen from the bases of that.
func superOf(class facts.Expr) facts.Expr {
	return inside(class, func(e facts.Expr) facts.Expr { return e.Super().Value() })
}

// elem is an element of something; of a list that is written out, what it is a
// list of.
func elem(e facts.Expr) facts.Expr {
	if t, ok := e.OfValue(); ok && e.Root() == facts.OpList {
		if n := t.Node(); n.Op == facts.OpList {
			return valueOf(n.Part())
		}
	}
	return inside(e, facts.Expr.Elem)
}

// list is a list of values with the given expressions.
func list(values ...facts.Expr) facts.Expr {
	t := asType(unionOf(values...))
	if !t.Known() {
		return facts.External
	}
	return facts.List(t).Value()
}

// A meaning is what a bare name stands for.
type meaning struct {
	expr facts.Expr
	of   facts.Expr // of a reference to it
	name string     // by which it is declared; "" if it is local and has none
	bare bool       // looked up from the file
	is   *symbol    // a symbol of this file that is not looked up
}

// resolve finds what a name stands for from a node.
func (b *builder) resolve(n at, name string, bodies bool) meaning {
	from := b.scopeOf(n)
	switch p := b.walker.(type) {
	case *python:
		from = p.lookFrom(n, name, from)
	case *rust:
		from = p.lookFrom(n, name, from)
	}
	v, sc := from.find(name, bodies)
	switch {
	case v == nil || sc == b.top:
		return meaning{expr: facts.Name(name), name: name, bare: true}
	case v.symbol != nil:
		s := v.meant(int(b.Nodes[n].Start), from.function() == sc.function())
		return meaning{expr: s.expr(), name: s.Name, is: s}
	case v.imported > 0 && len(v.sources) == 0:
		e := facts.ModuleAt(v.imported - 1)
		if v.taken == "" {
			return meaning{expr: e}
		}
		return meaning{expr: e.Member(v.taken), of: e, name: v.taken}
	}
	b.noteUse(v, n, name)
	return meaning{expr: b.variable(v)}
}

// bare is the expression of a name used at a node.
func (b *builder) bare(n at, bodies bool) facts.Expr { return b.resolve(n, b.text(n), bodies).expr }

// useName adds a reference for a bare name, unless it is local.
func (b *builder) useName(n at, kind facts.Kind, bodies bool) {
	b.refMeaning(int(b.Nodes[n].Start), kind, b.resolve(n, b.text(n), bodies))
}

func (b *builder) refMeaning(offset int, kind facts.Kind, m meaning) {
	b.refAtOffset(offset, m.name, kind, m.of, m.bare)
	if m.is != nil && len(b.refs) > 0 && b.refAt[offset] {
		if r := &b.refs[len(b.refs)-1]; r.Name == m.name && r.Of == facts.Nothing && !r.Bare {
			r.Is = m.is.index + 1
		}
	}
}
