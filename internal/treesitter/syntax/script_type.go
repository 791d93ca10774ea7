package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// typeParameters binds the type parameters of a declaration.
func (p *script) typeParameters(n at, sc *scope, s *symbol) {
	for c := range p.named(p.child(n, "type_parameters")) {
		id := p.child(c, "name")
		name := p.text(id)
		if s == nil {
			from := externalSource
			if k := p.child(c, "constraint"); k >= 0 {
				from = typeAt(p.nth(k, 0))
			}
			p.bindAt(sc, id, from)
			continue
		}
		p.bindAt(sc, id, known(facts.Name(name)))
		s.Params = append(s.Params, name)
		bound := externalSource
		if k := p.child(c, "constraint"); k >= 0 {
			bound = typeAt(p.nth(k, 0))
			p.ownParts(p.nth(k, 0), s)
		} else if d := p.child(c, "value"); d >= 0 { // inside, what has no constraint has no members
			bound = typeAt(p.nth(d, 0))
		}
		s.bounds = append(s.bounds, bound)
	}
}

func (p *script) class(n at) {
	sc := p.scopeAround(n)
	name := p.child(n, "name")
	var s *symbol
	switch {
	case name >= 0 && p.kind(n) == "class":
		s = p.declareSymbol(name, n, "class", sc.symbol)
	case name >= 0:
		s = p.topSymbol(name, n, "class", sc)
	default:
		if out := p.outlined[int(p.Nodes[n].Start)]; out != nil {
			s = p.declareSymbol(n, n, "class", sc.symbol)
			s.Exported = true
		}
	}
	if s == nil { // of no name: what is in it is no member of anything
		p.heritage(n, &symbol{})
		if body := p.child(n, "body"); body >= 0 {
			p.open(body, 'b', nil).self = markUnknown
			p.members(body, nil)
		}
		return
	}
	p.classBody(n, s)
}

// classBody declares the members of a class.
func (p *script) classBody(n at, s *symbol) {
	sc := p.open(n, 'b', s)
	if name := p.child(n, "name"); name >= 0 {
		p.bindAt(sc, name).is(s)
	}
	p.typeParameters(n, sc, s)
	p.heritage(n, s)
	body := p.child(n, "body")
	for c := range p.named(n) {
		if c == body {
			in := p.open(body, 'c', s)
			in.self = markSelf
			p.members(body, s)
		} else if f := p.field(c); f != "name" && f != "type_parameters" {
			p.declareNode(c)
		}
	}
}

// heritage finds the bases of a class or interface.
func (p *script) heritage(n at, s *symbol) {
	for c := range p.named(n) {
		switch p.kind(c) {
		case "class_heritage":
			p.heritage(c, s)
			if p.language != "TypeScript" && p.language != "TSX" && p.first(c, "extends_clause") < 0 {
				s.bases = append(s.bases, base{facts.Extends, source{node: p.nth(c, 0)}, none})
			}
		case "extends_clause":
			var of at
			for x := range p.named(c) {
				switch p.field(x) {
				case "value":
					of = x
					s.bases = append(s.bases, base{facts.Extends, source{node: of}, none})
				case "type_arguments":
					if len(s.bases) > 0 {
						s.bases[len(s.bases)-1].args = x
					}
				}
			}
		case "implements_clause", "extends_type_clause":
			kind := facts.Implements
			if p.kind(c) == "extends_type_clause" {
				kind = facts.Extends
			}
			for x := range p.named(c) {
				p.ownParts(x, s)
				s.bases = append(s.bases, base{kind, typeAt(x), none})
			}
		}
	}
}

// members declares the members of a class, interface or object type. Without
// a symbol it only looks into them.
func (p *script) members(n at, s *symbol) {
	for c := range p.named(n) {
		switch p.kind(c) {
		case "method_definition", "method_signature", "abstract_method_signature":
			p.method(c, s)
		case "public_field_definition", "field_definition", "property_signature":
			p.fieldMember(c, s)
		case "call_signature", "construct_signature":
			p.callSignature(c, s)
		case "index_signature":
			if t := p.child(c, "type"); t >= 0 && s != nil && s.indexed == nil {
				indexed := typeAt(t)
				s.indexed = &indexed
			}
			sc := p.open(c, 'b', nil)
			p.bindAt(sc, p.child(c, "name"), externalSource)
			p.inside(c)
		default:
			p.declareNode(c)
		}
	}
}

// callSignature declares what calling a value gives as a method named "()".
func (p *script) callSignature(n at, parent *symbol) {
	if parent == nil {
		p.declareNode(n)
		return
	}
	s := p.declareSymbol(n, n, "method", parent)
	s.Name, s.Qualified = "()", parent.Qualified+".()"
	p.closure(n, s)
	if t := p.child(n, "type"); t >= 0 && len(s.results) == 0 { // of what is constructed
		s.results = []source{valueOfType(t)}
	}
}

func (p *script) method(n at, parent *symbol) {
	name := p.child(n, "name")
	if p.kind(name) == "computed_property_name" {
		p.declareIfAny(name)
		var s *symbol
		if parent != nil && !p.has(n, "get") && !p.has(n, "set") {
			s = p.keyed(name, n, "method", parent)
		}
		if s != nil {
			s.Static, s.Exported = p.has(n, "static"), parent.Exported
		}
		p.closure(n, s)
		return
	}
	if parent == nil {
		p.declareIfAny(name)
		p.closure(n, nil)
		return
	}
	kind := "method"
	accessor := p.has(n, "get") || p.has(n, "set")
	if accessor {
		kind = "property"
	}
	s := p.declareSymbol(name, n, kind, parent)
	if !accessor && s.Kind != "method" {
		s.Kind = "method"
	}
	s.Static = p.has(n, "static")
	s.Exported = parent.Exported
	if accessor {
		p.open(n, 'f', s)
		if r := p.child(n, "return_type"); r >= 0 {
			s.value = []source{valueOfType(r)}
		}
	}
	p.closure(n, s)
	if accessor {
		s.results = nil
	}
}

// fieldMember declares a field of a class or object type.
func (p *script) fieldMember(n at, parent *symbol) {
	name, typ, val := p.child(n, "name"), p.child(n, "type"), p.child(n, "value")
	if name < 0 {
		name = p.child(n, "property") // JavaScript
	}
	if parent == nil || p.kind(name) == "computed_property_name" {
		if s := p.keyedField(n, name, typ, parent); s != nil {
			s.Static, s.Exported = p.has(n, "static"), parent.Exported
		}
		p.inside(n)
		return
	}
	s := p.declareSymbol(name, n, "field", parent)
	s.Static, s.Exported = p.has(n, "static"), parent.Exported
	switch {
	case typ >= 0:
		s.value = append(s.value, valueOfType(typ))
		p.expect(val, s.value[0])
		p.own(p.nth(typ, 0), s)
		if f := p.nth(typ, 0); p.kind(f) == "function_type" && s.Kind == "field" {
			s.Kind = "field"
		}
	case isFunctionNode(p.kind(val)):
		if s.Kind != "method" {
			s.Kind = "method"
		}
		for c := range p.named(n) {
			if c == val {
				p.closure(val, s)
			}
		}
		return
	case val >= 0:
		s.value = append(s.value, source{node: val})
		p.own(val, s)
	}
	for c := range p.named(n) {
		if c != name {
			p.declareNode(c)
		}
	}
}

func (p *script) iface(n at) {
	s := p.topSymbol(p.child(n, "name"), n, "interface", p.scopeAround(n))
	sc := p.open(n, 'b', s)
	p.typeParameters(n, sc, s)
	p.heritage(n, s)
	for c := range p.named(n) {
		switch p.field(c) {
		case "body":
			in := p.open(c, 'c', s)
			in.self = markSelf
			p.members(c, s)
		case "name", "type_parameters":
		default:
			p.declareNode(c)
		}
	}
}

func (p *script) alias(n at) {
	s := p.topSymbol(p.child(n, "name"), n, "type", p.scopeAround(n))
	sc := p.open(n, 'b', s)
	p.typeParameters(n, sc, s)
	val := p.child(n, "value")
	of := p.mappedFrom(val, s.Name)
	switch {
	case of >= 0:
		s.value = []source{typeAt(of)}
	case p.kind(val) != "object_type" || p.isKeyed(val):
		s.value = []source{typeAt(val)}
	}
	if of < 0 && !p.isKeyed(val) {
		p.ownParts(val, s)
	}
	p.declareIfAny(val)
	p.inside(p.child(n, "type_parameters"))
}

// ownParts makes object types that a type is put together from its own.
func (p *script) ownParts(n at, s *symbol) {
	switch p.kind(n) {
	case "object_type":
		p.owned[n] = s
	case "intersection_type", "union_type", "parenthesized_type", "readonly_type", "array_type":
		for c := range p.named(n) {
			p.ownParts(c, s)
		}
	case "conditional_type":
		p.ownParts(p.child(n, "consequence"), s)
		p.ownParts(p.child(n, "alternative"), s)
	case "generic_type":
		for c := range p.named(p.child(n, "type_arguments")) {
			p.ownParts(c, s)
		}
	}
}

func (p *script) enum(n at) {
	s := p.topSymbol(p.child(n, "name"), n, "enum", p.scopeAround(n))
	sc := p.open(n, 'b', s)
	for c := range p.named(p.child(n, "body")) {
		name := c
		if p.kind(c) == "enum_assignment" {
			name = p.child(c, "name")
		}
		m := p.declareSymbol(name, c, "const", s)
		m.Static, m.Exported = true, s.Exported
		m.value = []source{externalSource}
		sc.bind(p.plain(name)).is(m)
	}
	p.inside(p.child(n, "body"))
}

func (p *script) namespace(n at) {
	name := p.child(n, "name")
	sc := p.scopeAround(n)
	if p.kind(name) == "string" || name < 0 {
		in := p.open(n, 'b', nil)
		in.kind = 'n'
		p.inside(n)
		return
	}
	s := p.topSymbol(name, n, "namespace", sc)
	s.selfType = true
	p.open(n, 'n', s)
	p.inside(p.child(n, "body"))
}

// object declares the members of an object literal.
func (p *script) object(n at, s *symbol) {
	for c := range p.named(n) {
		switch p.kind(c) {
		case "pair":
			p.pair(c, s)
		case "method_definition":
			if from, ok := p.ctx[n]; ok && p.kind(p.child(c, "name")) == "property_identifier" {
				from = from.member(p.text(p.child(c, "name")))
				p.fns[c] = from
			}
			if s != nil {
				if b := s.members[p.plain(p.child(c, "name"))]; b != nil && p.kind(p.child(c, "name")) != "property_identifier" {
					p.method(c, nil)
					continue
				}
			}
			p.method(c, s)
		case "shorthand_property_identifier":
			if s != nil {
				s.shorthand = append(s.shorthand, c)
			}
		case "spread_element":
			if s != nil {
				s.bases = append(s.bases, base{facts.Embeds, source{node: p.nth(c, 0)}, none})
			}
			p.inside(c)
		default:
			p.declareNode(c)
		}
	}
}

func (p *script) pair(n at, parent *symbol) {
	key, val := p.child(n, "key"), p.child(n, "value")
	if c, ok := p.ctx[p.parent(n)]; ok && p.kind(key) == "property_identifier" {
		c = c.member(p.text(key))
		p.expect(val, c)
	}
	if parent == nil || p.kind(key) != "property_identifier" && p.kind(key) != "string" ||
		strings.Contains(p.text(key), ".") {
		p.inside(n)
		return
	}
	s := p.declareSymbol(key, n, "field", parent)
	s.Exported = parent.Exported
	if isFunctionNode(p.kind(val)) {
		s.Kind = "method"
		p.closure(val, s)
		return
	}
	if s.Kind == "method" {
		s.Kind = "field"
	}
	s.value = append(s.value, source{node: val})
	p.own(val, s)
	p.inside(n)
}

// keyedField declares a field whose key is the value of a name, and which has a
// type; nil if it does not.
func (p *script) keyedField(n, name, typ at, parent *symbol) *symbol {
	if parent == nil || typ < 0 {
		return nil
	}
	s := p.keyed(name, n, "field", parent)
	if s != nil {
		s.value = append(s.value, valueOfType(typ))
		p.own(p.nth(typ, 0), s)
	}
	return s
}
