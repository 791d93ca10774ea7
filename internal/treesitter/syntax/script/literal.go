package script

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// literal is an object literal: what it declares itself, else what it is to be, or what it
// takes the members of.
func literal(p *walker, n binder.At) facts.Expr {
	s := p.owned[n]
	if s != nil && !s.Local {
		return facts.TypeAt(s.Index).Value()
	}
	if c, ok := p.ctx[n]; ok {
		if e := p.Eval(c); e.Known() {
			return e
		}
	}
	if s != nil {
		return facts.TypeAt(s.Index).Value()
	}
	spread := []facts.Expr{facts.External}
	for c := range p.Named(n) {
		if p.Kind(c) == "spread_element" {
			spread = append(spread, p.Expr(c))
		}
	}
	return binder.UnionOf(spread...)
}

// thisObject is this in a method of an object literal, of which sc is the scope: the object
// that is a symbol, else what it is to be by what is around it, or not known where that is
// of something outside of the repository.
func thisObject(p *walker, n binder.At, sc *binder.Scope) facts.Expr {
	for p.Scopes[n] != sc {
		n = p.Parent(n)
	}
	key := p.Kind(n) == "method_definition" // which may be no symbol: that of the scope is one around then
	if s := sc.Symbol; s != nil && s.Enclosing != nil && (!key || p.BySpot[int(p.Nodes[p.Child(n, "name")].Start)] == s) {
		return facts.TypeAt(s.Enclosing.Index).Value()
	}
	from, ok := p.ctx[p.Parent(n)]
	if !ok {
		return facts.Unknown
	}
	if e := p.Eval(from); e.Known() && !e.IsExternal() {
		return facts.Union(binder.AsType(e), facts.Unknown).Value()
	}
	return facts.Unknown
}

// literalAt is the object literal without a symbol that an expression stands for: that of a
// local variable, or of a key in one. It is none of what is of another type by what is around.
func literalAt(p *walker, n binder.At) binder.At {
	switch n = inner(p.Tree, n); p.Kind(n) {
	case "identifier":
		v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
		if v == nil || v.Symbol != nil || len(v.Sources) != 1 || !v.Sources[0].IsPlain() {
			return binder.None
		}
		n = inner(p.Tree, v.Sources[0].Node)
	case "member_expression":
		n = keyOfLiteral(p, n)
	}
	if s := p.owned[n]; p.Kind(n) != "object" || s != nil && !s.Local {
		return binder.None
	}
	if _, ok := p.ctx[n]; ok {
		return binder.None
	}
	return n
}

// keyOfLiteral is what a key of an object literal is given of which an expression takes the
// member, or None.
func keyOfLiteral(p *walker, member binder.At) binder.At {
	return givenFor(p, literalAt(p, p.Child(member, "object")), p.TextAt(p.Child(member, "property")))
}

// givenFor is what a key of an object literal is given: a value, or the method.
func givenFor(p *walker, object binder.At, name string) binder.At {
	for c := range p.Named(object) {
		switch p.Kind(c) {
		case "pair":
			if p.Plain(p.Child(c, "key")) == name {
				return inner(p.Tree, p.Child(c, "value"))
			}
		case "method_definition":
			if p.Plain(p.Child(c, "name")) == name {
				return c
			}
		case "shorthand_property_identifier":
			if p.TextAt(c) == name {
				return c
			}
		}
	}
	return binder.None
}
