package syntax

import (
	"slices"
	"strings"
)

// plainDecorators leave a function what it is, or are dealt with where it is
// declared.
var plainDecorators = []string{
	"property", "staticmethod", "classmethod", "overload", "abstractmethod", "wraps", "fixture", "contextmanager", "asynccontextmanager", "setter", "getter",
	"deleter", "cached_property", "abstractproperty", "lru_cache", "cache", "override", "final", "parametrize", "skipif", "skip",
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
		d, suffix := p.nth(c, 0), ""
		if p.kind(d) == "call" {
			d, suffix = p.child(d, "function"), "()"
		}
		if !slices.Contains(plainDecorators, lastPart(p.text(d))) {
			all = append(all, source{node: d, suffix: suffix})
		}
	}
	return all
}

// decorated is what resolve makes the value of a decorated function from.
func (b *builder) decorated(s *symbol) string {
	var all []string
	for _, d := range s.decorators {
		e := b.expr(d.node)
		if e == unknown || strings.HasPrefix(e, "~") {
			break // what it makes is not known, whatever those below make
		}
		all = append(all, e+d.suffix)
	}
	if t := "~args<" + strings.Join(all, ";") + ">"; len(all) > 0 && bounded(t) != unknown {
		return t
	}
	return ""
}
