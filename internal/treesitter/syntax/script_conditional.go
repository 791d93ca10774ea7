package syntax

import "github.com/ragnav/ragnav/internal/nav/facts"

// conditional is a conditional type. What asks for the length of a list of
// types that is a type parameter is decided where that is known; of others, and
// where it is not known, it is one of both.
func (p *script) conditional(n at) facts.Expr {
	yes, no := p.typeOf(p.child(n, "consequence")), p.typeOf(p.child(n, "alternative"))
	if of, is := p.asked(p.child(n, "left"), p.child(n, "right")); of != facts.Nothing {
		if e := facts.Cond(of, is, yes, no); e.Known() {
			return e
		}
	}
	return oneOrBoth(yes, no)
}

// asked is the type parameter whose length a conditional type asks for, and
// what it is compared with, as facts.Cond takes them.
func (p *script) asked(left, right at) (of, is facts.Expr) {
	if p.kind(left) == "predefined_type" && p.text(left) == "number" && p.kind(right) == "lookup_type" &&
		p.asksLength(p.nth(right, 1)) {
		return p.typeParameter(p.nth(right, 0)), facts.List(facts.External)
	}
	if p.kind(right) != "tuple_type" {
		return facts.Nothing, facts.Nothing
	}
	for c := range p.named(right) {
		if k := p.kind(c); k != "rest_type" && k != "optional_type" {
			return p.typeParameter(left), facts.Tuple(facts.External)
		}
	}
	if p.nth(right, 0) >= 0 {
		return facts.Nothing, facts.Nothing
	}
	return p.typeParameter(left), facts.Tuple()
}

// asksLength reports whether a key is 'length', or that and a key of the type.
func (p *script) asksLength(key at) bool {
	if p.kind(key) == "intersection_type" {
		key = p.nth(key, 0)
	}
	return p.kind(key) == "literal_type" && p.kind(p.nth(key, 0)) == "string" && p.plain(p.nth(key, 0)) == "length"
}

// typeParameter is a type parameter; nothing of any other type.
func (p *script) typeParameter(n at) facts.Expr {
	if p.kind(n) != "type_identifier" || p.typeOf(n) != facts.Name(p.text(n)) {
		return facts.Nothing
	}
	v, sc := p.scopeOf(n).find(p.text(n), true)
	if v == nil || sc == p.top {
		return facts.Nothing
	}
	return facts.Name(p.text(n))
}
