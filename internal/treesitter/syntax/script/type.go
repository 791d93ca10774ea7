package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// typeParameters binds the type parameters of a declaration.
func typeParameters(p *walker, n binder.At, sc *binder.Scope, s *binder.Symbol) {
	for c := range p.Named(p.Child(n, "type_parameters")) {
		if p.Kind(c) != "type_parameter" {
			continue
		}
		id := p.Child(c, "name")
		name := p.TextAt(id)
		if s == nil {
			from := binder.ExternalSource
			if k := p.Child(c, "constraint"); k >= 0 {
				from = binder.TypeAt(p.Nth(k, 0))
			}
			p.BindAt(sc, id, from)
			continue
		}
		p.BindAt(sc, id, binder.Known(facts.Name(name)))
		s.Params = append(s.Params, name)
		bound := binder.ExternalSource
		if k := p.Child(c, "constraint"); k >= 0 {
			bound = binder.TypeAt(p.Nth(k, 0))
			if d := p.Child(c, "value"); d >= 0 {
				bound = binder.Source{Node: c, Mark: binder.MarkBound}
				ownParts(p, p.Nth(d, 0), s)
			}
			ownParts(p, p.Nth(k, 0), s)
		} else if d := p.Child(c, "value"); d >= 0 { // inside, what has no constraint has no members
			bound = binder.TypeAt(p.Nth(d, 0))
		}
		s.BoundSources = append(s.BoundSources, bound)
	}
	if s != nil { // else who asks goes over them
		p.inside(p.Child(n, "type_parameters"))
	}
}

func class(p *walker, n binder.At) {
	sc := p.ScopeAround(n)
	name := p.Child(n, "name")
	var s *binder.Symbol
	switch {
	case name >= 0 && p.Kind(n) == "class":
		s = p.DeclareSymbol(name, n, "class", sc.Symbol)
	case name >= 0:
		s = p.topSymbol(name, n, "class", sc)
	case p.Outlined[int(p.Nodes[n].Start)] != nil:
		s = p.DeclareSymbol(n, n, "class", sc.Symbol)
		s.Exported = true
	case p.Kind(p.Parent(n)) != "assignment_expression":
		s = nameless(p, n, sc)
	}
	if s == nil { // the outline has what it is assigned to: what is in it is that one's
		heritage(p, n, &binder.Symbol{})
		if body := p.Child(n, "body"); body >= 0 {
			p.Open(body, 'b', nil).Self = binder.MarkUnknown
			members(p, body, nil)
		}
		return
	}
	classBody(p, n, s)
}

// nameless declares a class that has no name of its own and is the value of no variable: what
// a mixin gives, a key or an argument. The references in it are those of what is around,
// which is how it is used.
func nameless(p *walker, n binder.At, sc *binder.Scope) *binder.Symbol {
	const word = "class"
	start := int(p.Nodes[n].Start)
	s := p.DeclareFrom(start, start+len(word), start,
		&binder.Symbol{Enclosing: sc.Symbol, Symbol: facts.Symbol{Name: word, Kind: word}})
	s.Exported = sc.Symbol != nil && sc.Symbol.Exported
	return s
}

// classBody declares the members of a class.
func classBody(p *walker, n binder.At, s *binder.Symbol) {
	sc := p.Open(n, 'b', s)
	if name := p.Child(n, "name"); name >= 0 && p.Kind(n) == "class" { // else it is bound around, with what is merged
		p.BindAt(sc, name).Is(s)
	}
	typeParameters(p, n, sc, s)
	heritage(p, n, s)
	if d := docOf(p, n); d != nil {
		for _, e := range d.implements {
			s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Implements, Of: binder.Known(e), Args: binder.None})
		}
	}
	body := p.Child(n, "body")
	for c := range p.Named(n) {
		if c == body {
			in := p.Open(body, 'c', s)
			in.Self = binder.MarkSelf
			members(p, body, s)
		} else if f := p.Field(c); f != "name" && f != "type_parameters" {
			p.declareNode(c)
		}
	}
}

// heritage finds the bases of a class or interface.
func heritage(p *walker, n binder.At, s *binder.Symbol) {
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "class_heritage":
			heritage(p, c, s)
			if strings.HasPrefix(p.Language, "J") && p.First(c, "extends_clause") < 0 {
				of := binder.Source{Node: p.Nth(c, 0)}
				s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Extends, Of: of, Args: binder.None})
			}
		case "extends_clause":
			var of binder.At
			for x := range p.Named(c) {
				switch p.Field(x) {
				case "value":
					of = x
					s.BaseSources = append(s.BaseSources,
						binder.Base{Kind: facts.Extends, Of: binder.Source{Node: of}, Args: binder.None})
				case "type_arguments":
					if len(s.BaseSources) > 0 {
						s.BaseSources[len(s.BaseSources)-1].Args = x
					}
				}
			}
		case "implements_clause", "extends_type_clause":
			kind := facts.Implements
			if p.Kind(c) == "extends_type_clause" {
				kind = facts.Extends
			}
			for x := range p.Named(c) {
				ownParts(p, x, s)
				s.BaseSources = append(s.BaseSources, binder.Base{Kind: kind, Of: binder.TypeAt(x), Args: binder.None})
			}
		}
	}
}

// members declares the members of a class, interface or object type. Without
// a symbol it only looks into them.
func members(p *walker, n binder.At, s *binder.Symbol) {
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "method_definition", "method_signature", "abstract_method_signature":
			method(p, c, s)
		case "public_field_definition", "field_definition", "property_signature":
			fieldMember(p, c, s)
		case "call_signature", "construct_signature":
			callSignature(p, c, s)
		case "index_signature":
			if t := p.Child(c, "type"); t >= 0 && s != nil && s.Indexed == nil {
				indexed := binder.TypeAt(t)
				s.Indexed = &indexed
			}
			sc := p.Open(c, 'b', nil)
			p.BindAt(sc, p.Child(c, "name"), binder.ExternalSource)
			p.inside(c)
		default:
			p.declareNode(c)
		}
	}
}

// callSignature declares what calling a value gives as a method named "()".
func callSignature(p *walker, n binder.At, parent *binder.Symbol) {
	if parent == nil {
		p.declareNode(n)
		return
	}
	s := p.DeclareSymbol(n, n, "method", parent)
	s.Name, s.Qualified = "()", parent.Qualified+".()"
	p.closure(n, s)
	if t := p.Child(n, "type"); t >= 0 && len(s.ResultSources) == 0 { // of what is constructed
		s.ResultSources = []binder.Source{binder.ValueOfType(t)}
	}
}

func method(p *walker, n binder.At, parent *binder.Symbol) {
	name := p.Child(n, "name")
	if p.Kind(name) == "computed_property_name" {
		p.declareIfAny(name)
		var s *binder.Symbol
		if parent != nil && !p.Has(n, "get") && !p.Has(n, "set") {
			s = keyed(p, name, n, "method", parent)
		}
		if s != nil {
			s.Static, s.Exported = p.Has(n, "static"), parent.Exported
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
	accessor := p.Has(n, "get") || p.Has(n, "set")
	if accessor {
		kind = "property"
	}
	s := p.DeclareSymbol(name, n, kind, parent)
	if !accessor && s.Kind != "method" {
		s.Kind = "method"
	}
	s.Static = p.Has(n, "static")
	s.Exported = parent.Exported
	if accessor {
		p.Open(n, 'f', s)
		if r := p.Child(n, "return_type"); r >= 0 {
			s.Values = []binder.Source{binder.ValueOfType(r)}
		}
	}
	p.closure(n, s)
	if accessor {
		s.ResultSources = nil
	}
}

// fieldMember declares a field of a class or object type.
func fieldMember(p *walker, n binder.At, parent *binder.Symbol) {
	name, typ, val := p.Child(n, "name"), p.Child(n, "type"), p.Child(n, "value")
	if name < 0 {
		name = p.Child(n, "property") // JavaScript
	}
	if parent == nil || p.Kind(name) == "computed_property_name" {
		if s := keyedField(p, n, name, typ, parent); s != nil {
			s.Static, s.Exported = p.Has(n, "static"), parent.Exported
		}
		p.inside(n)
		return
	}
	s := p.DeclareSymbol(name, n, "field", parent)
	s.Static, s.Exported = p.Has(n, "static"), parent.Exported
	switch {
	case typ >= 0:
		if of := literalsOf(p, n, p.Nth(typ, 0)); of != facts.Nothing && len(s.Values) == 0 {
			s.Type = of
		} else if s.Type != facts.Nothing { // declared again, otherwise
			s.Type = facts.External
		}
		s.Values = append(s.Values, binder.ValueOfType(typ))
		p.expect(val, s.Values[0])
		ownParts(p, p.Nth(typ, 0), s)
		if f := p.Nth(typ, 0); p.Kind(f) == "function_type" && s.Kind == "field" {
			s.Kind = "field"
		}
	case isFunctionNode(p.Kind(val)):
		if s.Kind != "method" {
			s.Kind = "method"
		}
		for c := range p.Named(n) {
			if c == val {
				p.closure(val, s)
			}
		}
		return
	default:
		if from, ok := documented(p, n); ok {
			s.Values = append(s.Values, from)
			p.expect(val, from)
		} else if val >= 0 {
			s.Values = append(s.Values, binder.Source{Node: val})
			own(p, val, s)
		}
	}
	for c := range p.Named(n) {
		if c != name {
			p.declareNode(c)
		}
	}
}

func iface(p *walker, n binder.At) {
	s := p.topSymbol(p.Child(n, "name"), n, "interface", p.ScopeAround(n))
	sc := p.Open(n, 'b', s)
	typeParameters(p, n, sc, s)
	heritage(p, n, s)
	for c := range p.Named(n) {
		switch p.Field(c) {
		case "body":
			in := p.Open(c, 'c', s)
			in.Self = binder.MarkSelf
			members(p, c, s)
		case "name", "type_parameters":
		default:
			p.declareNode(c)
		}
	}
}

func alias(p *walker, n binder.At) {
	s := p.topSymbol(p.Child(n, "name"), n, "type", p.ScopeAround(n))
	sc := p.Open(n, 'b', s)
	typeParameters(p, n, sc, s)
	val := p.Child(n, "value")
	of := mappedFrom(p, val, s.Name)
	embed := func(c binder.At) {
		s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Embeds, Of: binder.TypeAt(c), Args: binder.None})
	}
	switch {
	case of >= 0:
		s.Values = []binder.Source{binder.TypeAt(of)}
	case isLong(p, val):
		parts(p, val, embed)
	case isLongConditional(p, val):
		branches(p, val, embed)
	case p.Kind(val) != "object_type" || isKeyed(p, val):
		s.Values = []binder.Source{binder.TypeAt(val)}
	}
	if of < 0 && !isKeyed(p, val) {
		ownParts(p, val, s)
	}
	p.declareIfAny(val)
}

// ownParts makes object types that a type is put together from its own.
func ownParts(p *walker, n binder.At, s *binder.Symbol) {
	switch p.Kind(n) {
	case "object_type":
		switch apart := s.Kind == "class" || s.Kind == "interface"; { // a bound, or an argument of a base
		case isKeyed(p, n):
		case apart && p.BySpot[int(p.Nodes[n].Start)] == nil:
			ownApart(p, n, s)
		case !apart:
			p.owned[n] = s
		}
	case "union_type", "intersection_type":
		if objects := objectsIn(p, n); (objects > 1 || s.Kind == "type") && objects <= mostAlternatives {
			ownAlternatives(p, n, s)
			return
		}
		fallthrough
	case "parenthesized_type", "readonly_type", "array_type":
		for c := range p.Named(n) {
			ownParts(p, c, s)
		}
	case "conditional_type":
		ownParts(p, p.Child(n, "consequence"), s)
		ownParts(p, p.Child(n, "alternative"), s)
	case "generic_type":
		for c := range p.Named(p.Child(n, "type_arguments")) {
			ownParts(p, c, s)
		}
	case "function_type":
		if s.Kind == "type" {
			ownSignature(p, n, s)
		}
	}
}

func enum(p *walker, n binder.At) {
	s := p.topSymbol(p.Child(n, "name"), n, "enum", p.ScopeAround(n))
	sc := p.Open(n, 'b', s)
	for c := range p.Named(p.Child(n, "body")) {
		name := c
		if p.Kind(c) == "enum_assignment" {
			name = p.Child(c, "name")
		}
		m := p.DeclareSymbol(name, c, "const", s)
		m.Static, m.Exported = true, s.Exported
		m.Values = []binder.Source{binder.ExternalSource}
		sc.Bind(p.Plain(name)).Is(m)
	}
	p.inside(p.Child(n, "body"))
}

func namespace(p *walker, n binder.At) {
	name := p.Child(n, "name")
	sc := p.ScopeAround(n)
	if p.Kind(name) == "string" || name < 0 {
		in := p.Open(n, 'b', nil)
		in.Kind = 'n'
		p.inside(n)
		augment(p, p.Scopes[p.First(n, "statement_block")], p.Plain(name))
		return
	}
	s := p.topSymbol(name, n, "namespace", sc)
	s.SelfType = true
	p.Open(n, 'n', s)
	p.inside(p.Child(n, "body"))
}

// object declares the members of an object literal.
func object(p *walker, n binder.At, s *binder.Symbol) {
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "pair":
			pair(p, c, s)
		case "method_definition":
			if from, ok := p.ctx[n]; ok {
				if name := memberName(p, p.Child(c, "name")); name != "" {
					p.fns[c] = from.Member(name)
				}
			}
			if s != nil {
				if b := s.Members[p.Plain(p.Child(c, "name"))]; b != nil && p.Kind(p.Child(c, "name")) != "property_identifier" {
					method(p, c, nil)
					continue
				}
			}
			method(p, c, s)
		case "shorthand_property_identifier":
			if s != nil {
				s.BaseSources = append(s.BaseSources,
					binder.Base{Kind: facts.Shorthand, Of: binder.Source{Node: c}, Args: binder.None})
			}
		case "spread_element":
			if s != nil {
				s.BaseSources = append(s.BaseSources,
					binder.Base{Kind: facts.Embeds, Of: binder.Source{Node: p.Nth(c, 0)}, Args: binder.None})
			}
			p.inside(c)
		default:
			p.declareNode(c)
		}
	}
}

func pair(p *walker, n binder.At, parent *binder.Symbol) {
	key, val := p.Child(n, "key"), p.Child(n, "value")
	if c, ok := p.ctx[p.Parent(n)]; ok {
		if name := memberName(p, key); name != "" {
			p.expect(val, c.Member(name))
		}
	}
	if parent == nil || p.Kind(key) != "property_identifier" && p.Kind(key) != "string" ||
		strings.Contains(p.TextAt(key), ".") {
		p.inside(n)
		return
	}
	s := p.DeclareSymbol(key, n, "field", parent)
	s.Exported = parent.Exported
	if isFunctionNode(p.Kind(val)) {
		s.Kind = "method"
		p.closure(val, s)
		return
	}
	if s.Kind == "method" {
		s.Kind = "field"
	}
	s.Values = append(s.Values, binder.Source{Node: val})
	own(p, val, s)
	p.inside(n)
}

// keyedField declares a field whose key is the value of a name, and which has a
// type; nil if it does not.
func keyedField(p *walker, n, name, typ binder.At, parent *binder.Symbol) *binder.Symbol {
	if parent == nil || typ < 0 {
		return nil
	}
	s := keyed(p, name, n, "field", parent)
	if s != nil {
		s.Values = append(s.Values, binder.ValueOfType(typ))
		own(p, p.Nth(typ, 0), s)
	}
	return s
}
