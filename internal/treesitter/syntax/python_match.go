package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// capture binds the name that a pattern captures, if it is one.
func (p *python) capture(n at) {
	if p.kind(n) == "dotted_name" && !strings.Contains(p.text(n), ".") && p.text(n) != "_" {
		p.bindIn(p.scopeAround(n), p.nth(n, 0), unknownSource)
	}
}

// dotted is the expression of a dotted name in a pattern.
func (p *python) dotted(n at) facts.Expr {
	e, i := facts.Nothing, 0
	for c := range p.named(n) {
		if i == 0 {
			e = p.bare(c, false)
		} else {
			e = member(e, p.text(c))
		}
		i++
	}
	return e
}

// useDotted adds the references of a dotted name in a pattern.
func (p *python) useDotted(n at) {
	e, i := facts.Nothing, 0
	for c := range p.named(n) {
		if i == 0 {
			p.useName(c, facts.Read, false)
			e = p.bare(c, false)
		} else {
			p.ref(c, p.text(c), facts.Read, e, false)
			e = member(e, p.text(c))
		}
		i++
	}
}

// useKeywordPattern adds the reference to the attribute that a pattern of a
// class compares, and those in what it is compared with.
func (p *python) useKeywordPattern(n at) {
	class := p.up(n, "class_pattern", "case_clause")
	if name := p.nth(n, 0); p.kind(class) == "class_pattern" {
		if e := valueOf(p.expr(p.nth(class, 0))); e.Known() && e != facts.External {
			p.ref(name, p.text(name), facts.Read, e, false)
		}
	}
	for i := 1; p.nth(n, i) >= 0; i++ {
		p.useNode(p.nth(n, i))
	}
}
