package syntax

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// useLabel adds references for the constants of a case.
func (p *java) useLabel(n at) {
	of := p.expr(p.switched(n))
	for c := range p.named(n) {
		if p.kind(c) == "identifier" {
			p.useConstant(c, of)
		} else {
			p.useNode(c)
		}
	}
}

// switched is what a case is compared with.
func (p *java) switched(n at) at {
	for up := p.parent(n); up >= 0; up = p.parent(up) {
		if k := p.kind(up); k == "switch_expression" || k == "switch_statement" {
			return p.child(up, "condition")
		}
	}
	return none
}

// useConstant adds the reference for a bare name in a case: a constant of the
// enumeration that is switched over, or one that can be named here without it.
func (p *java) useConstant(n at, of facts.Expr) {
	name := p.text(n)
	imported := slices.ContainsFunc(p.imports, func(i facts.Import) bool { return i.System && i.Name == name })
	if imported || !of.Known() || of.IsExternal() || !p.resolve(n, name, true).bare {
		p.useName(n, facts.Read, true)
		return
	}
	values := []facts.Expr{of}
	for s := p.scopeAround(n).symbol; s != nil; s = s.parent {
		if types[s.Kind] {
			values = append(values, s.expr().Value())
		}
	}
	p.ref(n, name, facts.Read, unionOf(values...), false)
}
