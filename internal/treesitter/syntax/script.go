package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// script declares what TypeScript and JavaScript files bind.
type script struct {
	*builder

	owned map[at]*symbol // object literals and types whose members are children of a symbol
	ctx   map[at]source  // object literals whose type is said around them; arrow functions whose first parameter is
	fns   map[at]source  // functions whose type is said around them
	whole source         // what module.exports is
}

func newScript(b *builder) {
	b.walker = &script{b, make(map[at]*symbol), make(map[at]source), make(map[at]source), unknownSource}
}

func (p *script) declare() { p.inside(0) }

func (p *script) inside(n at) {
	for c := range p.named(n) {
		p.declareNode(c)
	}
}

func (p *script) declareNode(n at) {
	switch p.kind(n) {
	case "function_declaration", "generator_function_declaration", "function_signature":
		p.function(n)
	case "function_expression", "function", "arrow_function", "generator_function":
		p.closure(n, nil)
	case "class_declaration", "abstract_class_declaration", "class":
		p.class(n)
	case "interface_declaration":
		p.iface(n)
	case "type_alias_declaration":
		p.alias(n)
	case "enum_declaration":
		p.enum(n)
	case "internal_module", "module":
		p.namespace(n)
	case "variable_declarator":
		p.variable(n)
	case "for_in_statement":
		p.forIn(n)
	case "statement_block", "for_statement", "switch_body":
		p.open(n, 'b', nil)
		p.inside(n)
	case "catch_clause":
		p.open(n, 'b', nil)
		p.pattern(p.child(n, "parameter"), externalSource)
		p.inside(n)
	case "import_statement":
		p.importStatement(n)
	case "export_statement":
		p.exportStatement(n)
	case "ambient_declaration":
		p.inside(n)
		if p.has(n, "global") {
			p.global(p.first(n, "statement_block"))
		}
	default:
		p.declareInner(n)
	}
}

// declareInner is for expressions and types.
func (p *script) declareInner(n at) {
	switch p.kind(n) {
	case "satisfies_expression", "as_expression", "type_assertion":
		p.cast(n)
		p.inside(n)
	case "jsx_attribute":
		p.attribute(n)
		p.inside(n)
	case "assignment_expression":
		if left := p.child(n, "left"); p.kind(left) == "identifier" || p.kind(left) == "member_expression" &&
			p.kind(p.child(n, "right")) == "object" {
			p.expect(p.child(n, "right"), source{node: left})
		}
		if !p.assigned(n) {
			p.inside(n)
		}
	case "new_expression":
		p.expectArguments(n, p.child(n, "constructor"))
		p.inside(n)
	case "call_expression":
		p.expectArguments(n, p.child(n, "function"))
		p.callbacks(n)
		p.dynamicImport(n)
		p.inside(n)
	case "return_statement":
		p.returned(n)
		p.inside(n)
	case "object":
		p.object(n, p.owned[n])
	case "object_type", "interface_body":
		p.members(n, p.owned[n])
	case "infer_type":
		p.bindAt(p.scopeAround(n), p.nth(n, 0), externalSource)
		p.inside(n)
	case "mapped_type_clause":
		p.bindAt(p.scopeAround(n), p.child(n, "name"), externalSource)
		p.inside(n)
	case "function_type", "constructor_type", "call_signature", "construct_signature":
		sc := p.open(n, 'b', nil)
		p.typeParameters(n, sc, nil)
		for c := range p.named(p.child(n, "parameters")) {
			p.parameter(c, sc, unknownSource)
		}
		p.inside(n)
	default:
		p.inside(n)
	}
}

// outer is whether a scope is that of the file or of a namespace, where
// variables are symbols.
func outer(sc *scope) bool { return sc.kind == 't' || sc.kind == 'n' }

// isExported reports whether a declaration is exported by a keyword.
func (p *script) isExported(n at) bool {
	if strings.HasSuffix(p.path, ".d.ts") {
		return true
	}
	for up := p.parent(n); up >= 0; up = p.parent(up) {
		switch p.kind(up) {
		case "export_statement":
			return true
		case "lexical_declaration", "variable_declaration", "variable_declarator", "ambient_declaration", "object_pattern",
			"array_pattern", "pair_pattern", "expression_statement":
		default:
			return false
		}
	}
	return false
}

// topSymbol declares a symbol of a scope.
func (p *script) topSymbol(name, decl at, kind string, sc *scope) *symbol {
	s := p.declareSymbol(name, decl, kind, sc.symbol)
	s.Exported = s.Exported && s.parent == nil || p.isExported(decl)
	sc.bind(p.plain(name)).is(s)
	return s
}

func (p *script) function(n at) {
	name := p.child(n, "name")
	s := p.topSymbol(name, n, "func", p.scopeAround(n))
	s.Kind = "func"
	p.closure(n, s)
}

// closure declares what is in a function. Its symbol is nil if it has none.
func (p *script) closure(n at, s *symbol) {
	sc := p.open(n, 'f', s)
	p.typeParameters(n, sc, s)
	sc.self = p.selfOf(n)
	if name := p.child(n, "name"); name >= 0 && s == nil && isFunctionNode(p.kind(n)) {
		p.bindAt(sc, name, unknownSource)
	}
	i := 0
	for c := range p.named(p.child(n, "parameters")) {
		p.parameter(c, sc, p.contextual(n, i))
		if s != nil && p.kind(p.child(c, "pattern")) != "this" {
			p.says(s, c, p.contextual(n, i))
		}
		i++
	}
	if one := p.child(n, "parameter"); one >= 0 {
		p.pattern(one, p.contextual(n, 0))
	}
	if s != nil && len(s.results) == 0 {
		if r := p.child(n, "return_type"); r >= 0 {
			p.ownParts(p.nth(r, 0), s)
			s.results = []source{valueOfType(r)}
		} else if body := p.child(n, "body"); body >= 0 && p.kind(body) != "statement_block" {
			s.results = []source{{node: body}}
			p.own(body, s)
		}
	} else if r, body := p.child(n, "return_type"), p.child(n, "body"); r >= 0 && body >= 0 {
		p.expect(body, valueOfType(r))
	}
	if r := p.child(n, "return_type"); r >= 0 {
		p.expect(p.child(n, "body"), valueOfType(r))
	} else if from, ok := p.fns[n]; ok {
		from = from.call()
		p.expect(p.child(n, "body"), from)
	}
	for c := range p.named(n) {
		if f := p.field(c); f != "name" && f != "type_parameters" {
			p.declareNode(c)
		}
	}
}

// selfOf is what this is in a function, none if it is that of the scope around.
func (p *script) selfOf(n at) mark {
	switch k := p.kind(n); {
	case k == "function_expression" || k == "function" || k == "function_declaration":
		return markUnknown
	case k == "method_definition" && p.kind(p.parent(n)) == "object":
		return markOwner
	case k == "method_definition" && p.has(n, "static"):
		return markClass
	}
	return markNone
}

// says adds what a parameter is said to be to its function.
// from is what is around the function says of it.
func (p *script) says(s *symbol, n at, from source) {
	if t := p.child(n, "type"); t >= 0 {
		from = valueOfType(t)
		p.ownParts(p.nth(t, 0), s)
	}
	s.args = append(s.args, from)
	s.rest = p.kind(p.child(n, "pattern")) == "rest_pattern"
}

// contextual is what the i-th parameter of a function is, if what is around
// the function says so.
func (p *script) contextual(n at, i int) source {
	if c, ok := p.ctx[n]; ok && (i == 0 || c.ends(takeCompared)) {
		return c
	}
	if f, ok := p.fns[n]; ok {
		f = f.param(i)
		return f
	}
	return unknownSource
}

// parameter binds what a parameter binds. One of a constructor with a
// modifier is a field as well.
func (p *script) parameter(n at, sc *scope, from source) {
	switch p.kind(n) {
	case "required_parameter", "optional_parameter":
		pat, typ, val := p.child(n, "pattern"), p.child(n, "type"), p.child(n, "value")
		switch {
		case typ >= 0:
			from = valueOfType(typ)
			p.expect(val, from)
		case val >= 0:
			from = source{node: val}
		}
		if p.kind(pat) == "this" {
			if typ >= 0 {
				sc.bind("this", from)
			}
			return
		}
		p.pattern(pat, from)
		if (p.has(n, "accessibility_modifier") || p.has(n, "readonly") || p.has(n, "override_modifier")) &&
			sc.symbol != nil && sc.symbol.parent != nil {
			s := p.declareSymbol(pat, n, "field", sc.symbol.parent)
			s.value = append(s.value, from)
		}
	case "assignment_pattern", "identifier", "object_pattern", "array_pattern", "rest_pattern":
		p.pattern(n, from)
	}
}

// pattern binds the names of a pattern.
func (p *script) pattern(n at, from source) {
	sc := p.bindingScope(n)
	switch p.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		if p.kind(n) != "identifier" {
			from = from.member(p.text(n))
		}
		p.name(n, sc, from)
	case "assignment_pattern", "object_assignment_pattern":
		left := p.child(n, "left")
		if from.expr == facts.Unknown {
			from = source{node: p.child(n, "right")}
			if p.kind(n) == "object_assignment_pattern" {
				p.name(left, sc, from)
				return
			}
		}
		p.pattern(left, from)
	case "object_pattern":
		for c := range p.named(n) {
			p.pattern(c, from)
		}
	case "pair_pattern":
		key := p.child(n, "key")
		if p.kind(key) == "property_identifier" {
			from = from.member(p.text(key))
		} else {
			from = unknownSource
		}
		p.pattern(p.child(n, "value"), from)
	case "array_pattern":
		p.arrayPattern(n, from)
	case "rest_pattern":
		p.pattern(p.nth(n, 0), from)
	}
}

func (p *script) arrayPattern(n at, from source) {
	i := 0
	for c := range p.all(n) {
		switch {
		case p.text(c) == ",":
			i++
		case p.Nodes[c].Named && p.kind(c) == "rest_pattern":
			p.pattern(c, from)
		case p.Nodes[c].Named:
			part := from
			if from.expr != facts.Unknown {
				part = part.part(i)
			}
			p.pattern(c, part)
		}
	}
}

// name binds a name, in the file as a symbol.
func (p *script) name(n at, sc *scope, from source) {
	if outer(sc) {
		decl := p.up(n, "variable_declarator", "required_parameter")
		if decl < 0 {
			decl = n
		}
		s := p.topSymbol(n, decl, "const", sc)
		s.value = append(s.value, from)
		return
	}
	p.bindAt(sc, n, from)
}

// bindingScope is where a pattern binds: of "var" the function.
func (p *script) bindingScope(n at) *scope {
	sc := p.scopeAround(n)
	if d := p.up(n, "variable_declaration", "lexical_declaration", "formal_parameters",
		"statement_block"); p.kind(d) == "variable_declaration" {
		return sc.function()
	}
	return sc
}

// block reports whether declarations here are the file's: not in a block.
func (p *script) variable(n at) {
	name, typ, val := p.child(n, "name"), p.child(n, "type"), p.child(n, "value")
	if p.require(name, val) {
		return
	}
	sc := p.bindingScope(name)
	from := source{node: val}
	if val < 0 {
		from = unknownSource
		if up := p.parent(p.parent(n)); p.kind(up) == "for_in_statement" {
			from = source{node: p.child(up, "right")}.elem()
		}
	}
	if typ >= 0 {
		from = valueOfType(typ)
		p.expect(val, from)
	}
	if p.kind(name) != "identifier" || !outer(sc) && !p.isLocalFunction(name, val) {
		p.pattern(name, from)
		p.declareIfAny(val)
		return
	}
	if k := p.kind(val); isFunctionNode(k) {
		s := p.topSymbol(name, n, "func", sc)
		s.Kind = "func"
		if typ >= 0 {
			s.results = []source{valueOfType(typ).call()}
		}
		p.closure(val, s)
		return
	} else if k == "class" {
		s := p.topSymbol(name, n, "class", sc)
		p.classBody(val, s)
		return
	}
	s := p.topSymbol(name, n, "const", sc)
	s.value = append(s.value, from)
	if typ < 0 {
		p.own(val, s)
	}
	p.declareIfAny(val)
}

// isLocalFunction reports whether a variable of a function is a function or
// class that the outline has: others may use it by name, as one that is
// declared by a keyword.
func (p *script) isLocalFunction(name, val at) bool {
	return p.outlined[int(p.Nodes[name].Start)] != nil && (isFunctionNode(p.kind(val)) || p.kind(val) == "class")
}

func (p *script) declareIfAny(n at) {
	if n >= 0 {
		p.declareNode(n)
	}
}

func isFunctionNode(k string) bool {
	return k == "arrow_function" || k == "function_expression" || k == "function" || k == "generator_function"
}

// own makes the members of an object literal those of a symbol.
func (p *script) own(n at, s *symbol) {
	for {
		switch p.kind(n) {
		case "parenthesized_expression", "as_expression", "satisfies_expression":
			if p.kind(n) != "parenthesized_expression" && p.text(p.last(n)) != "const" && p.kind(n) == "as_expression" &&
				p.kind(p.last(n)) != "parenthesized_expression" {
				return
			}
			n = p.nth(n, 0)
			continue
		case "call_expression": // Object.freeze({...})
			if f := p.text(p.child(n, "function")); f == "Object.freeze" || f == "Object.seal" {
				n = p.nth(p.child(n, "arguments"), 0)
				continue
			}
		case "object":
			if p.owned[n] == nil {
				p.owned[n] = s
			}
		case "object_type":
			p.owned[n] = s
		}
		return
	}
}

// expect says what an object literal is to be.
func (p *script) expect(n at, from source) {
	for p.kind(n) == "parenthesized_expression" {
		n = p.nth(n, 0)
	}
	switch p.kind(n) {
	case "arrow_function", "function_expression", "function":
		p.fns[n] = from
	case "object", "statement_block":
		p.ctx[n] = from
	case "array":
		from = from.elem()
		for c := range p.named(n) {
			p.expect(c, from)
		}
	case "ternary_expression":
		p.expect(p.child(n, "consequence"), from)
		p.expect(p.child(n, "alternative"), from)
	}
}

// expectArguments says what arguments are to be: what the parameters of the
// function are.
func (p *script) expectArguments(n, f at) {
	from := source{node: f}
	if p.child(n, "type_arguments") >= 0 {
		from = source{node: n, mark: markCallee}
	}
	i := 0
	for c := range p.named(p.child(n, "arguments")) {
		p.expect(c, from.param(i))
		i++
	}
}
