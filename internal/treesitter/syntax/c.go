package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// clike declares what C and C++ files bind.
type clike struct{ *builder }

func (p *clike) declare() { p.inside(0) }

func (p *clike) inside(n at) {
	for c := range p.named(n) {
		p.declareNode(c)
	}
}

func (p *clike) declareNode(n at) {
	switch p.kind(n) {
	case "preproc_include":
		path := p.child(n, "path")
		p.imported(path, facts.Import{
			Path: strings.Trim(p.text(path), "\"<>"), Name: "*", Export: true,
			System: p.kind(path) == "system_lib_string",
		})
	case "preproc_def", "preproc_function_def":
		p.declareSymbol(p.child(n, "name"), n, "macro", nil)
	case "function_definition":
		p.function(n)
	case "declaration", "field_declaration":
		p.declaration(n)
	case "type_definition":
		p.typedef(n)
	case "alias_declaration":
		s := p.declareSymbol(p.child(n, "name"), n, "type", p.scopeAround(n).symbol)
		s.value = []source{typeAt(p.child(n, "type"))}
		p.inside(n)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		p.specifier(n)
	case "namespace_definition":
		name := p.child(n, "name")
		if name < 0 {
			p.inside(n)
			return
		}
		s := p.declareSymbol(name, n, "namespace", p.scopeAround(n).symbol)
		s.selfType = true
		p.open(n, 'n', s)
		p.inside(p.child(n, "body"))
	case "template_declaration":
		sc := p.open(n, 'b', nil)
		sc.kind = 'p'
		for c := range p.named(p.child(n, "parameters")) {
			if id := p.last(c); p.kind(id) == "type_identifier" || p.kind(id) == "identifier" {
				p.bindAt(sc, id, known(p.parameterOf(n, id)))
			}
		}
		p.inside(n)
	case "compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement", "catch_clause":
		p.open(n, 'b', nil)
		p.inside(n)
	case "lambda_expression":
		sc := p.open(n, 'f', nil)
		p.parameters(p.child(n, "declarator"), sc, nil)
		p.inside(n)
	case "for_range_loop":
		sc := p.open(n, 'b', nil)
		from := source{node: p.child(n, "right")}.elem()
		if t := p.child(n, "type"); p.text(t) != "auto" {
			from = valueOfType(t)
		}
		if id, _ := p.declarator(p.child(n, "declarator")); id >= 0 {
			p.bindAt(sc, id, from)
		}
		p.inside(n)
	default:
		p.inside(n)
	}
}

// declarator finds the name that a declarator declares, and the function
// declarator or array on the way.
func (p *clike) declarator(n at) (name, shape at) {
	shape = none
	for n >= 0 {
		switch p.kind(n) {
		case "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
			"operator_cast", "template_function":
			return n, shape
		case "function_declarator", "array_declarator":
			if shape < 0 || p.kind(n) == "function_declarator" {
				shape = n
			}
			n = p.child(n, "declarator")
		case "structured_binding_declarator":
			return none, none
		default:
			next := p.child(n, "declarator")
			if next < 0 {
				next = p.last(n)
			}
			n = next
		}
	}
	return none, none
}

// fileLevel is whether a scope is one in which declarations are symbols.
func fileLevel(sc *scope) bool {
	for sc.kind == 'p' {
		sc = sc.parent
	}
	return sc.kind == 't' || sc.kind == 'n' || sc.kind == 'c'
}

func (p *clike) isStatic(n at) bool {
	for c := range p.named(n) {
		if p.kind(c) == "storage_class_specifier" && p.text(c) == "static" {
			return true
		}
	}
	return false
}

func (p *clike) function(n at) {
	id, shape := p.declarator(p.child(n, "declarator"))
	if id < 0 {
		p.open(n, 'f', nil)
		p.inside(n)
		return
	}
	s := p.functionSymbol(n, id)
	sc := p.open(n, 'f', s)
	p.parameters(shape, sc, s)
	// What may be left out is said where the member is declared.
	s.Signature = p.accepts(shape, p.kind(id) == "qualified_identifier" || s.parent == nil || !types[s.parent.Kind])
	p.inside(n)
}

func (p *clike) functionSymbol(n, id at) *symbol {
	parent := p.scopeAround(n).symbol
	kind := "func"
	if parent != nil && types[parent.Kind] {
		kind = "method"
	}
	decl := n
	if p.kind(p.parent(n)) == "template_declaration" {
		decl = p.parent(n)
	}
	s := p.declareSymbol(id, decl, kind, parent)
	s.Params = p.templateParameters(decl)
	if p.kind(id) == "qualified_identifier" {
		last := id
		for p.kind(last) == "qualified_identifier" {
			s.owner = typeAt(p.child(last, "scope"))
			if s.owner.node > 0 {
				s.ownerName = p.dotted(id)
			}
			last = p.child(last, "name")
		}
		s.Name = p.text(last)
		s.spot = int(p.Nodes[last].Start)
		s.Line, s.Column = p.position(s.spot)
		p.bySpot[s.spot] = s
	}
	static := p.isStatic(n)
	if parent == nil && static {
		s.Exported = false
	}
	s.Static = static
	if t := p.child(n, "type"); t >= 0 && len(s.results) == 0 {
		s.results = []source{valueOfType(t)}
	}
	return s
}

// parameterOf is what a parameter of a template stands for: of functions what
// they are called with, else nothing of the repository.
func (p *clike) parameterOf(n, id at) facts.Expr {
	if p.first(n, "function_definition", "declaration", "field_declaration") >= 0 {
		return facts.Name(p.text(id))
	}
	return facts.External
}

// templateParameters are the names of the parameters of a template.
func (p *clike) templateParameters(n at) []string {
	var names []string
	for c := range p.named(p.child(n, "parameters")) {
		if id := p.last(c); p.kind(n) == "template_declaration" &&
			(p.kind(id) == "type_identifier" || p.kind(id) == "identifier") {
			names = append(names, p.text(id))
		}
	}
	return names
}

// dotted is the scope of a qualified name as an expression.
func (p *clike) dotted(id at) facts.Expr {
	var parts []string
	for p.kind(id) == "qualified_identifier" {
		if sc := p.child(id, "scope"); sc >= 0 {
			name := p.text(sc)
			name, _, _ = strings.Cut(name, "<")
			parts = append(parts, strings.TrimSpace(name))
		}
		id = p.child(id, "name")
	}
	return facts.Dotted(strings.Join(parts, "."))
}

func (p *clike) parameters(shape at, sc *scope, s *symbol) {
	for c := range p.named(p.child(shape, "parameters")) {
		switch p.kind(c) {
		case "parameter_declaration", "optional_parameter_declaration":
			from := valueOfType(p.child(c, "type"))
			if id, inner := p.declarator(p.child(c, "declarator")); id >= 0 {
				if p.kind(inner) == "function_declarator" {
					from = externalSource
				}
				p.bindAt(sc, id, from)
			}
			if s != nil && p.text(c) != "void" {
				s.args = append(s.args, from)
			}
		}
	}
}

// declaration declares variables, fields and functions without body.
func (p *clike) declaration(n at) {
	sc := p.scopeAround(n)
	typ := p.child(n, "type")
	for c := range p.named(n) {
		if p.field(c) != "declarator" {
			continue
		}
		id, shape := p.declarator(c)
		if id < 0 {
			continue
		}
		from := valueOfType(typ)
		if v := p.child(c, "value"); v >= 0 && strings.HasPrefix(p.text(typ), "auto") {
			from = source{node: v}
		}
		if p.kind(shape) == "array_declarator" {
			from = from.done(takeArray)
		}
		switch {
		case p.kind(shape) == "function_declarator" && p.kind(p.child(shape, "declarator")) != "parenthesized_declarator" &&
			fileLevel(sc):
			s := p.functionSymbol(n, id)
			p.prototype(n, shape, s)
		case fileLevel(sc):
			kind := "var"
			if sc.symbol != nil && types[sc.symbol.Kind] {
				kind = "field"
			}
			if p.kind(shape) == "function_declarator" {
				from = valueOfType(typ)
			}
			if p.kind(id) == "qualified_identifier" {
				continue
			}
			s := p.declareSymbol(id, n, kind, sc.symbol)
			s.value = append(s.value, from)
			s.Static = p.isStatic(n)
			if sc.symbol == nil && s.Static {
				s.Exported = false
			}
		case p.kind(id) == "identifier":
			p.bindAt(sc, id, from)
		}
	}
	p.inside(n)
}

// prototype gives a function without body its parameters.
func (p *clike) prototype(n, shape at, s *symbol) {
	sc := p.open(n, 'b', nil)
	sc.kind = 'p'
	p.parameters(shape, sc, s)
	s.Signature = p.accepts(shape, false)
}

func (p *clike) typedef(n at) {
	typ := p.child(n, "type")
	var first *symbol
	for c := range p.named(n) {
		if p.field(c) != "declarator" {
			continue
		}
		if id, shape := p.declarator(c); id >= 0 {
			s := p.declareSymbol(id, n, "type", p.scopeAround(n).symbol)
			if body := p.child(typ, "body"); body >= 0 && p.child(typ, "name") < 0 && first == nil {
				first = s
				p.body(typ, s)
				continue
			}
			s.Kind = "type"
			if p.kind(shape) == "function_declarator" {
				s.value = []source{externalSource}
			} else {
				s.value = []source{typeAt(typ)}
			}
		}
	}
	if first == nil {
		p.inside(n)
	}
}

func (p *clike) specifier(n at) {
	name, body := p.child(n, "name"), p.child(n, "body")
	if body < 0 {
		return
	}
	if name < 0 {
		p.body(n, p.scopeAround(n).symbol)
		return
	}
	around := p.scopeAround(n).symbol
	if around != nil && !types[around.Kind] && around.Kind != "namespace" {
		around = nil
	}
	s := p.declareSymbol(name, n, strings.TrimSuffix(p.kind(n), "_specifier"), around)
	if p.kind(n) == "enum_specifier" && (p.has(n, "class") || p.has(n, "struct")) {
		s.Under = facts.External
	}
	for c := range p.named(p.first(n, "base_class_clause")) {
		if k := p.kind(c); k == "type_identifier" || k == "qualified_identifier" || k == "template_type" {
			s.bases = append(s.bases, base{facts.Extends, typeAt(c), none})
		}
	}
	p.body(n, s)
}

// body declares the members of a type. Those of a type without a name are
// members of the one around.
func (p *clike) body(n at, s *symbol) {
	body := p.child(n, "body")
	if p.kind(n) == "enum_specifier" {
		for c := range p.named(body) {
			if p.kind(c) == "enumerator" {
				around := s
				if around != nil && !types[around.Kind] {
					around = nil
				}
				m := p.declareSymbol(p.child(c, "name"), c, "const", around)
				m.Static, m.value = true, []source{externalSource}
			}
		}
		p.inside(body)
		return
	}
	if s != nil && types[s.Kind] {
		p.open(body, 'c', s)
	} else {
		p.open(body, 'b', nil)
	}
	p.inside(body)
}
