package syntax

// mappedFrom is the type whose members a mapped type has, with types that are
// those of its members or made of them: T of {[K in keyof T]?: T[K]}. It is none
// of any other type, as of one that gives its members other names. alias is the name of the type that is declared by it.
func (p *script) mappedFrom(n at, alias string) at {
	clause := p.first(p.first(n, "index_signature"), "mapped_type_clause")
	if p.kind(n) != "object_type" || clause < 0 || p.child(clause, "alias") >= 0 {
		return none
	}
	m := mapping{p, p.text(p.child(clause, "name")), alias, none}
	if t := p.child(p.first(n, "index_signature"), "type"); m.keeps(p.nth(t, 0)) {
		return m.of
	}
	return none
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
