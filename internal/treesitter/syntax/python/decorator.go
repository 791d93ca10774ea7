package python

import (
	"slices"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
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
func decoratorsThatMatter(p *walker, n binder.At, marks []string) []binder.Source {
	if len(marks) == 0 {
		return nil
	}
	var all []binder.Source
	for c := range p.Named(p.Parent(n)) {
		if p.Kind(c) != "decorator" {
			continue
		}
		d := binder.Source{Node: p.Nth(c, 0)}
		if p.Kind(d.Node) == "call" {
			d = binder.Source{Node: p.Child(d.Node, "function")}.Call()
		}
		if !slices.Contains(plainDecorators, lastPart(p.TextAt(d.Node))) {
			all = append(all, d)
		}
	}
	return all
}
