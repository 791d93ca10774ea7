package java

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// useLabel adds references for the constants of a case.
func useLabel(p *walker, n binder.At) {
	of := p.Expr(switched(p, n))
	if promoted[given(p, switched(p, n))] > 0 {
		of = facts.External
	}
	for c := range p.Named(n) {
		if p.Kind(c) == "identifier" {
			useConstant(p, c, of)
		} else {
			p.useNode(c)
		}
	}
}

// switched is what a case is compared with.
func switched(p *walker, n binder.At) binder.At {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		if k := p.Kind(up); k == "switch_expression" || k == "switch_statement" {
			return p.Child(up, "condition")
		}
	}
	return binder.None
}

// useConstant adds the reference for a bare name in a case: a constant of the
// enumeration that is switched over, or one that can be named here without it.
func useConstant(p *walker, n binder.At, of facts.Expr) {
	name := p.TextAt(n)
	imported := slices.ContainsFunc(p.Imports, func(i facts.Import) bool { return i.System && i.Name == name })
	if imported || !of.Known() || of.IsExternal() || !p.Resolve(n, name, true).Bare {
		p.UseName(n, facts.Read, true)
		return
	}
	values := []facts.Expr{of}
	for s := p.ScopeAround(n).Symbol; s != nil; s = s.Enclosing {
		if binder.Types[s.Kind] {
			values = append(values, s.Expr().Value())
		}
	}
	p.Ref(n, name, facts.Read, binder.UnionOf(values...), false)
}
