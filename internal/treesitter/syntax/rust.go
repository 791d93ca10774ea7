package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// rust declares what Rust files bind. What is in an impl belongs to the type
// that it is of, by Owner.
type rust struct {
	*builder

	exports bool // an attribute before the next item is #[macro_export]
}

func (p *rust) declare() { p.inside(0) }

func (p *rust) inside(n at) {
	for c := range p.named(n) {
		p.declareNode(c)
	}
}

func (p *rust) declareNode(n at) {
	if p.kind(n) == "attribute_item" {
		p.exports = p.exports || strings.Contains(p.text(n), "macro_export")
		return
	}
	exports := p.exports
	p.exports = false
	switch p.kind(n) {
	case "function_item", "function_signature_item":
		p.function(n)
	case "struct_item", "union_item", "enum_item", "trait_item":
		p.typeItem(n)
	case "type_item", "associated_type":
		s := p.item(n, "type")
		sc := p.open(n, 'b', s)
		p.typeParameters(n, sc, s)
		if t := p.child(n, "type"); t >= 0 {
			s.value = []source{typeAt(t)}
		}
		p.inside(n)
	case "const_item", "static_item":
		s := p.item(n, "const")
		s.value = []source{valueOfType(p.child(n, "type"))}
		p.inside(n)
	case "macro_definition":
		s := p.declareSymbol(p.child(n, "name"), n, "macro", p.scopeAround(n).symbol)
		s.Exported = exports || p.inMacro(n) // others are known in their crate only
	case "mod_item":
		p.module(n)
	case "impl_item":
		p.impl(n)
	case "use_declaration":
		p.useTree(p.child(n, "argument"), "", p.has(n, "visibility_modifier"))
	case "extern_crate_declaration":
		name := p.child(n, "name")
		p.imported(name, facts.Import{Path: p.text(name), Local: p.text(p.child(n, "alias"))})
	default:
		p.declareInner(n)
	}
}

// declareInner is for what is in functions.
func (p *rust) declareInner(n at) {
	switch p.kind(n) {
	case "block", "match_arm", "match_block", "if_expression", "while_expression":
		p.open(n, 'b', nil)
		p.inside(n)
	case "for_expression":
		p.open(n, 'b', nil)
		p.pattern(p.child(n, "pattern"), source{node: p.child(n, "value")}.elem(), p.scopes[n])
		p.inside(n)
	case "closure_expression":
		sc := p.open(n, 'b', nil)
		for c := range p.named(p.child(n, "parameters")) {
			if p.kind(c) == "parameter" {
				p.pattern(p.child(c, "pattern"), valueOfType(p.child(c, "type")), sc)
			} else {
				p.pattern(c, p.closureOf(n), sc)
			}
		}
		p.inside(n)
	case "let_declaration":
		from := source{node: p.child(n, "value")}
		if t := p.child(n, "type"); t >= 0 && p.text(t) != "_" {
			from = valueOfType(t)
		}
		p.pattern(p.child(n, "pattern"), from, p.scopeAround(n))
		p.inside(n)
	case "let_condition":
		p.pattern(p.child(n, "pattern"), source{node: p.child(n, "value")}, p.scopeAround(n))
		p.inside(n)
	case "match_pattern":
		p.pattern(p.nth(n, 0), source{node: p.child(p.up(n, "match_expression"), "value")}, p.scopeAround(n))
		p.inside(n)
	default:
		p.inside(n)
	}
}

// closureOf is what the parameter of a closure is that is given to a method of
// iterators.
func (p *rust) closureOf(n at) source {
	call := p.parent(p.parent(n))
	f := p.child(call, "function")
	if p.kind(f) == "field_expression" {
		switch p.text(p.child(f, "field")) {
		case "map", "filter", "for_each", "any", "all", "find", "filter_map", "flat_map", "position", "inspect", "take_while",
			"skip_while", "and_then", "map_or", "is_some_and":
			return source{node: p.child(f, "value")}.elem()
		}
	}
	return unknownSource
}

func (p *rust) item(n at, kind string) *symbol {
	sc := p.scopeAround(n)
	s := p.declareSymbol(p.child(n, "name"), n, kind, sc.symbol)
	s.owner = p.ownerOf(n)
	if s.owner.node > 0 && (s.parent == nil || !types[s.parent.Kind]) {
		s.Kind = kindIn(s.Kind)
	}
	if sc.kind != 't' && sc.kind != 'n' && s.owner.node <= 0 {
		p.bindAt(sc, p.child(n, "name")).is(s)
	}
	return s
}

func kindIn(kind string) string {
	if kind == "func" {
		return "method"
	}
	return kind
}

// ownerOf is the type of the impl that an item is right in.
func (p *rust) ownerOf(n at) source {
	if list := p.parent(n); p.kind(list) == "declaration_list" && p.kind(p.parent(list)) == "impl_item" {
		return typeAt(p.child(p.parent(list), "type"))
	}
	return source{node: none}
}

func (p *rust) function(n at) {
	kind := "func"
	if s := p.scopeAround(n).symbol; s != nil && s.Kind == "trait" || p.ownerOf(n).node > 0 {
		kind = "method"
	}
	s := p.item(n, kind)
	sc := p.open(n, 'f', s)
	p.typeParameters(n, sc, s)
	for c := range p.named(p.child(n, "parameters")) {
		if p.kind(c) == "parameter" {
			p.pattern(p.child(c, "pattern"), valueOfType(p.child(c, "type")), sc)
		} else if p.kind(c) == "self_parameter" {
			sc.bind("self", source{mark: markSelfType, node: n})
		}
	}
	if r := p.child(n, "return_type"); r >= 0 {
		s.results = []source{valueOfType(r)}
	}
	p.inside(n)
}

func (p *rust) typeItem(n at) {
	s := p.item(n, strings.TrimSuffix(p.kind(n), "_item"))
	sc := p.open(n, 'c', s)
	p.typeParameters(n, sc, s)
	for c := range p.named(p.child(n, "bounds")) {
		s.bases = append(s.bases, base{facts.Extends, typeAt(c), none})
	}
	body := p.child(n, "body")
	i := 0
	for c := range p.named(body) {
		switch p.kind(c) {
		case "field_declaration":
			m := p.declareSymbol(p.child(c, "name"), c, "field", s)
			m.value = []source{valueOfType(p.child(c, "type"))}
		case "enum_variant":
			p.variant(c, s)
		}
		i++
	}
	p.inside(n)
}

func (p *rust) variant(n at, s *symbol) {
	m := p.declareSymbol(p.child(n, "name"), n, "const", s)
	m.Static, m.Exported = true, s.Exported
	m.value = []source{source{mark: markClass, node: n}.value()}
	for f := range p.named(p.child(n, "body")) {
		if p.kind(f) == "field_declaration" {
			x := p.declareSymbol(p.child(f, "name"), f, "field", m)
			x.value = []source{valueOfType(p.child(f, "type"))}
		}
	}
}

func (p *rust) typeParameters(n at, sc *scope, s *symbol) {
	for c := range p.named(p.child(n, "type_parameters")) {
		id, bounds := c, none
		if p.kind(c) == "constrained_type_parameter" {
			id, bounds = p.child(c, "left"), p.child(c, "bounds")
		} else if k := p.kind(c); k != "type_identifier" {
			continue
		}
		if p.kind(id) != "type_identifier" {
			continue
		}
		name := p.text(id)
		bound := externalSource
		if bounds >= 0 {
			bound = typeAt(p.nth(bounds, 0))
		}
		if s == nil {
			p.bindAt(sc, id, bound)
			continue
		}
		p.bindAt(sc, id, known(facts.Name(name)))
		s.Params, s.bounds = append(s.Params, name), append(s.bounds, bound)
	}
}

func (p *rust) module(n at) {
	name := p.child(n, "name")
	if p.child(n, "body") < 0 {
		p.imported(name, facts.Import{Path: "self::" + p.text(name), Export: true})
		return
	}
	s := p.declareSymbol(name, n, "module", p.scopeAround(n).symbol)
	s.selfType = true
	p.open(n, 'n', s)
	p.inside(p.child(n, "body"))
}

func (p *rust) impl(n at) {
	sc := p.open(n, 'b', nil)
	p.typeParameters(n, sc, nil)
	if trait, t := p.child(n, "trait"), p.child(n, "type"); trait >= 0 {
		if p.kind(t) == "generic_type" {
			t = p.child(t, "type")
		}
		p.impls = append(p.impls, implemented{p.text(t), typeAt(trait), p.scopeAround(n).symbol})
	}
	p.inside(n)
}

// pattern binds the names of a pattern.
func (p *rust) pattern(n at, from source, sc *scope) {
	switch p.kind(n) {
	case "identifier", "shorthand_field_identifier":
		if name := p.text(n); name != "" && (name[0] < 'A' || name[0] > 'Z') {
			p.bindAt(sc, n, from)
		}
	case "tuple_pattern":
		i := 0
		for c := range p.named(n) {
			part := from
			if from.expr == facts.Nothing && from.mark == markNone {
				part = part.part(i)
			}
			p.pattern(c, part, sc)
			i++
		}
	case "tuple_struct_pattern":
		first := true
		for c := range p.named(n) {
			if !first {
				inner := from
				if t := p.text(p.nth(n, 0)); t != "Some" && t != "Ok" {
					inner = unknownSource
				}
				p.pattern(c, inner, sc)
			}
			first = false
		}
	case "struct_pattern":
		for c := range p.named(n) {
			if p.kind(c) == "field_pattern" {
				f := valueOfType(p.child(n, "type")).member(p.text(p.child(c, "name")))
				if inner := p.child(c, "pattern"); inner >= 0 {
					p.pattern(inner, f, sc)
				} else {
					p.pattern(p.child(c, "name"), f, sc)
				}
			}
		}
	case "type_identifier", "scoped_identifier", "field_identifier", "":
	default:
		for c := range p.named(n) {
			p.pattern(c, from, sc)
		}
	}
}

// useTree declares the imports of a use declaration.
func (p *rust) useTree(n at, prefix string, export bool) {
	join := func(path string) string {
		path = strings.Join(strings.Fields(path), "")
		if prefix == "" || path == "" {
			return prefix + path
		}
		return prefix + "::" + path
	}
	switch p.kind(n) {
	case "scoped_use_list":
		p.useTree(p.child(n, "list"), join(p.text(p.child(n, "path"))), export)
	case "use_list":
		for c := range p.named(n) {
			p.useTree(c, prefix, export)
		}
	case "use_wildcard":
		p.imported(n, facts.Import{Path: join(p.text(p.nth(n, 0))), Name: "*", Export: export})
	case "use_as_clause":
		p.leaf(p.child(n, "path"), p.text(p.child(n, "alias")), join, export)
	case "scoped_identifier", "identifier", "self", "crate", "super":
		p.leaf(n, "", join, export)
	}
}

func (p *rust) leaf(n at, alias string, join func(string) string, export bool) {
	if p.kind(n) == "scoped_identifier" {
		name := p.child(n, "name")
		p.imported(name, facts.Import{
			Path: join(p.text(p.child(n, "path"))), Name: p.text(name), Local: alias,
			Export: export,
		})
		return
	}
	i := facts.Import{Path: join(""), Name: p.text(n), Local: alias, Export: export}
	if p.kind(n) != "identifier" || i.Path == "" { // self: the module itself
		i.Name = ""
		if i.Path == "" {
			i.Path = p.text(n)
		}
		if alias == "" {
			i.Local = i.Path[strings.LastIndexByte(i.Path, ':')+1:]
		}
	}
	p.imported(n, i)
}
