package syntax

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// plainDecorators leave a function what it is, or are dealt with where it is
// declared.
var plainDecorators = []string{
	"property", "staticmethod", "classmethod", "overload", "abstractmethod", "wraps", "fixture", "contextmanager",
	"asynccontextmanager", "setter", "getter",
	"deleter", "cached_property", "abstractproperty", "lru_cache", "cache", "override", "final", "parametrize", "skipif",
	"skip",
}

// decoratorsThatMatter are those which may make something else of a function.
func (p *python) decoratorsThatMatter(n at, marks []string) []source {
	if len(marks) == 0 {
		return nil
	}
	var all []source
	for c := range p.named(p.parent(n)) {
		if p.kind(c) != "decorator" {
			continue
		}
		d := source{node: p.nth(c, 0)}
		if p.kind(d.node) == "call" {
			d = source{node: p.child(d.node, "function")}.call()
		}
		if !slices.Contains(plainDecorators, lastPart(p.text(d.node))) {
			all = append(all, d)
		}
	}
	return all
}

// decorated is what resolve makes the value of a decorated function from.
func (b *builder) decorated(s *symbol) facts.Expr {
	var all []facts.Expr
	for _, d := range s.decorators {
		e := b.expr(d.node)
		if !e.Known() || e.Root() != facts.OpInvalid {
			break // what it makes is not known, whatever those below make
		}
		if d.ends(takeResult) {
			e = e.Call(0)
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return facts.Nothing
	}
	return facts.Args(all...)
}
