package syntax

import "github.com/ragnav/ragnav/internal/nav/facts"

// mappedFrom is the type whose members a mapped type has, with types that are
// those of its members or made of them: T of {[K in keyof T]?: T[K]}. It is none
// of any other type, as of one that gives its members other names. alias is the name of the type that is declared by
// it.
func (p *script) mappedFrom(n at, alias string) at {
	clause := p.mappedClause(n)
	if clause < 0 {
		return none
	}
	m := mapping{p, p.text(p.child(clause, "name")), alias, none}
	if t := p.child(p.first(n, "index_signature"), "type"); m.keeps(p.nth(t, 0)) {
		return m.of
	}
	return none
}

// mappedClause is the clause of a mapped type that keeps the names of members.
func (p *script) mappedClause(n at) at {
	clause := p.first(p.first(n, "index_signature"), "mapped_type_clause")
	if p.kind(n) != "object_type" || p.child(clause, "alias") >= 0 {
		return none
	}
	return clause
}

// keyOf is the expression of a mapped type whose members have the names of
// those of another one: of {[K in keyof T]: () => T[K]} functions that return
// these, of another one than T[K] anything.
func (p *script) keyOf(n at) (expr facts.Expr, ok bool) {
	clause := p.mappedClause(n)
	keys := p.child(clause, "type")
	if p.kind(keys) != "index_type_query" {
		return facts.Nothing, false
	}
	of := p.typeOf(p.nth(keys, 0))
	if !of.Known() {
		return facts.Nothing, false
	}
	m := mapping{p, p.text(p.child(clause, "name")), "", none}
	switch t := p.nth(p.child(p.first(n, "index_signature"), "type"), 0); {
	case m.keeps(t):
		return of, true
	case p.kind(t) == "function_type" && m.keeps(p.child(t, "return_type")):
		return facts.MappedFunc(of), true
	}
	return facts.Mapped(of), true
}

// isKeyed reports whether a type is mapped over the members of another one.
func (p *script) isKeyed(n at) bool {
	return p.kind(p.child(p.mappedClause(n), "type")) == "index_type_query"
}

// A mapping is a mapped type that is looked at.
type mapping struct {
	*script

	key   string // the name of its key
	alias string // the type that is declared by it
	of    at     // the type whose members it has, as far as it is known
}

// keeps reports whether a type is the member of a type by the key of the
// mapping, or made of it.
func (m *mapping) keeps(n at) bool {
	switch m.kind(n) {
	case "lookup_type":
		t := m.nth(n, 0)
		if m.text(m.nth(n, 1)) != m.key || m.kind(t) != "type_identifier" || m.of >= 0 && m.text(m.of) != m.text(t) {
			return false
		}
		m.of = t
		return true
	case "parenthesized_type", "readonly_type":
		return m.keeps(m.last(n))
	case "union_type":
		return m.either(m.nth(n, 0), m.nth(n, 1))
	case "conditional_type":
		return m.either(m.child(n, "consequence"), m.child(n, "alternative"))
	case "generic_type":
		return m.text(m.child(n, "name")) == m.alias && m.keeps(m.nth(m.child(n, "type_arguments"), 0))
	}
	return false
}

// either reports whether one of two types is made of the member, and the other
// one too or without members: undefined, null or never.
func (m *mapping) either(a, b at) bool {
	switch {
	case m.empty(a):
		return m.keeps(b)
	case m.empty(b):
		return m.keeps(a)
	}
	return m.keeps(a) && m.keeps(b)
}

func (m *mapping) empty(n at) bool {
	switch m.text(n) {
	case "undefined", "null", "never":
		return true
	}
	return false
}
