package python

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// capture binds the name that a pattern captures, if it is one.
func capture(p *walker, n binder.At) {
	if p.Kind(n) == "dotted_name" && !strings.Contains(p.TextAt(n), ".") && p.TextAt(n) != "_" {
		p.bindIn(p.ScopeAround(n), p.Nth(n, 0), binder.UnknownSource)
	}
}

// dotted is the expression of a dotted name in a pattern.
func dotted(p *walker, n binder.At) facts.Expr {
	e, i := facts.Nothing, 0
	for c := range p.Named(n) {
		if i == 0 {
			e = p.Bare(c, false)
		} else {
			e = binder.Member(e, p.TextAt(c))
		}
		i++
	}
	return e
}

// useDotted adds the references of a dotted name in a pattern.
func useDotted(p *walker, n binder.At) {
	e, i := facts.Nothing, 0
	for c := range p.Named(n) {
		if i == 0 {
			p.UseName(c, facts.Read, false)
			e = p.Bare(c, false)
		} else {
			p.Ref(c, p.TextAt(c), facts.Read, e, false)
			e = binder.Member(e, p.TextAt(c))
		}
		i++
	}
}

// useKeywordPattern adds the reference to the attribute that a pattern of a
// class compares, and those in what it is compared with.
func useKeywordPattern(p *walker, n binder.At) {
	class := p.Up(n, "class_pattern", "case_clause")
	if name := p.Nth(n, 0); p.Kind(class) == "class_pattern" {
		if e := binder.ValueOf(p.Expr(p.Nth(class, 0))); e.Known() && e != facts.External {
			p.Ref(name, p.TextAt(name), facts.Read, e, false)
		}
	}
	for i := 1; p.Nth(n, i) >= 0; i++ {
		useNode(p, p.Nth(n, i))
	}
}

// asPattern binds the name of "with x as y", "except X as y", "case x as y".
func asPattern(p *walker, n binder.At) {
	from, target := p.Nth(n, 0), p.Last(n)
	src := binder.Source{Node: from}.Member("__enter__").Call()
	around := p.Up(n, "except_clause", "except_group_clause", "with_clause", "case_clause")
	switch {
	case around < 0:
	case p.Kind(around) == "with_clause":
		src = binder.Source{Node: from}.Entered(entering(p, around))
	default:
		src = binder.Source{Node: from}.Call()
		if p.Kind(from) == "tuple" {
			src = binder.Source{Node: from}.Elem().Call()
		}
	}
	p.targets(target, src)
	p.body(n)
}

// entering is the method that a with statement calls.
func entering(p *walker, clause binder.At) string {
	for c := range p.All(p.Parent(clause)) {
		if p.Kind(c) == "async" {
			return "__aenter__"
		}
	}
	return "__enter__"
}
