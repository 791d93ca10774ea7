package script

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// mappedFrom is the type whose members a mapped type has, with types that are
// those of its members or made of them: T of {[K in keyof T]?: T[K]}. It is none
// of any other type, as of one that gives its members other names. alias is the name of the type that is declared by
// it.
func mappedFrom(p *walker, n binder.At, alias string) binder.At {
	clause := mappedClause(p, n)
	if clause < 0 {
		return binder.None
	}
	m := mapping{p, p.TextAt(p.Child(clause, "name")), alias, binder.None}
	if t := p.Child(p.First(n, "index_signature"), "type"); m.keeps(p.Nth(t, 0)) {
		return m.of
	}
	return binder.None
}

// mappedClause is the clause of a mapped type that keeps the names of members.
func mappedClause(p *walker, n binder.At) binder.At {
	clause := p.First(p.First(n, "index_signature"), "mapped_type_clause")
	if p.Kind(n) != "object_type" || p.Child(clause, "alias") >= 0 {
		return binder.None
	}
	return clause
}

// keyOf is the expression of a mapped type whose members have the names of
// those of another one: of {[K in keyof T]: () => T[K]} functions that return
// these, of another one than T[K] anything.
func keyOf(p *walker, n binder.At) (expr facts.Expr, ok bool) {
	clause := mappedClause(p, n)
	keys := p.Child(clause, "type")
	if p.Kind(keys) != "index_type_query" {
		return facts.Nothing, false
	}
	of := p.TypeOf(p.Nth(keys, 0))
	if !of.Known() {
		return facts.Nothing, false
	}
	m := mapping{p, p.TextAt(p.Child(clause, "name")), "", binder.None}
	switch t := p.Nth(p.Child(p.First(n, "index_signature"), "type"), 0); {
	case m.keeps(t):
		return of, true
	case p.Kind(t) == "function_type" && m.keeps(p.Child(t, "return_type")):
		return facts.MappedFunc(of), true
	}
	return facts.Mapped(of), true
}

// isKeyed reports whether a type is mapped over the members of another one.
func isKeyed(p *walker, n binder.At) bool {
	return p.Kind(p.Child(mappedClause(p, n), "type")) == "index_type_query"
}

// A mapping is a mapped type that is looked at.
type mapping struct {
	*walker

	key   string    // the name of its key
	alias string    // the type that is declared by it
	of    binder.At // the type whose members it has, as far as it is known
}

// keeps reports whether a type is the member of a type by the key of the
// mapping, or made of it.
func (m *mapping) keeps(n binder.At) bool {
	switch m.Kind(n) {
	case "lookup_type":
		t := m.Nth(n, 0)
		if m.TextAt(m.Nth(n, 1)) != m.key || m.Kind(t) != "type_identifier" || m.of >= 0 && m.TextAt(m.of) != m.TextAt(t) {
			return false
		}
		m.of = t
		return true
	case "parenthesized_type", "readonly_type":
		return m.keeps(m.Last(n))
	case "union_type":
		return m.either(m.Nth(n, 0), m.Nth(n, 1))
	case "conditional_type":
		return m.either(m.Child(n, "consequence"), m.Child(n, "alternative"))
	case "generic_type":
		return m.TextAt(m.Child(n, "name")) == m.alias && m.keeps(m.Nth(m.Child(n, "type_arguments"), 0))
	}
	return false
}

// either reports whether one of two types is made of the member, and the other
// one too or without members: undefined, null or never.
func (m *mapping) either(a, b binder.At) bool {
	switch {
	case m.empty(a):
		return m.keeps(b)
	case m.empty(b):
		return m.keeps(a)
	}
	return m.keeps(a) && m.keeps(b)
}

func (m *mapping) empty(n binder.At) bool {
	switch m.TextAt(n) {
	case "undefined", "null", "never":
		return true
	}
	return false
}
