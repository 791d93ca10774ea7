// Package clike says what C and C++ files bind and use.
package clike

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what C and C++ files bind.
type walker struct {
	*binder.Builder

	unnamed int // namespaces without a name around
}

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker { return &walker{Builder: b} }

func (p *walker) Declare() {
	declareList(p)
	p.inside(0)
}

func (p *walker) inside(n binder.At) {
	for c := range p.Named(n) {
		p.declareNode(c)
	}
}

func (p *walker) declareNode(n binder.At) {
	switch p.Kind(n) {
	case "preproc_include":
		path := p.Child(n, "path")
		p.Imported(path, facts.Import{
			Path: strings.Trim(p.TextAt(path), "\"<>"), Name: "*", Export: true,
			System: p.Kind(path) == "system_lib_string",
		})
	case "preproc_def", "preproc_function_def":
		macro := p.DeclareSymbol(p.Child(n, "name"), n, "macro", nil)
		openNamespaces(p, n, macro)
		declareFields(p, n, macro)
	case "function_definition":
		p.function(n)
	case "declaration", "field_declaration":
		p.declaration(n)
	case "type_definition":
		p.typedef(n)
	case "alias_declaration":
		s := p.alias(n, p.Child(n, "name"))
		s.Values = []binder.Source{binder.TypeAt(p.Child(n, "type"))}
		if t := p.Child(n, "type"); p.Kind(t) == "type_descriptor" {
			s.Shape = written(p, t, p.Child(t, "declarator"))
		}
		p.inside(n)
	case "using_declaration":
		declareUsing(p, n)
	case "namespace_alias_definition":
		p.alias(n, p.Child(n, "name")).Values = []binder.Source{binder.TypeAt(p.Last(n))}
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		p.specifier(n)
	case "namespace_definition":
		p.namespace(n)
	case "template_declaration":
		sc := p.Open(n, 'b', nil)
		sc.Kind = 'p'
		for c := range p.Named(p.Child(n, "parameters")) {
			if id := p.Last(c); p.Kind(id) == "type_identifier" || p.Kind(id) == "identifier" {
				p.BindAt(sc, id, binder.Known(p.parameterOf(n, id)))
			}
		}
		p.inside(n)
	case "compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement", "catch_clause":
		p.Open(n, 'b', nil)
		p.inside(n)
	case "lambda_expression":
		sc := p.Open(n, 'f', nil)
		p.parameters(p.Child(n, "declarator"), sc, nil)
		p.inside(n)
	case "for_range_loop":
		sc := p.Open(n, 'b', nil)
		from := binder.Source{Node: p.Child(n, "right")}.Member("begin").Call()
		if t := p.Child(n, "type"); p.TextAt(t) != "auto" {
			from = binder.ValueOfType(t)
		}
		p.bind(sc, p.Child(n, "declarator"), from)
		p.inside(n)
	default:
		p.inside(n)
	}
}

func (p *walker) namespace(n binder.At) {
	name := p.Child(n, "name")
	if name < 0 {
		p.unnamed++
		p.inside(n)
		p.unnamed--
		return
	}
	s := p.declareSymbol(name, n, "namespace", p.ScopeAround(n).Symbol)
	s.SelfType = true
	p.Open(n, 'n', s)
	p.inside(p.Child(n, "body"))
}

// declareSymbol is DeclareSymbol; what is in a namespace without a name is of its
// file.
func (p *walker) declareSymbol(name, decl binder.At, kind string, parent *binder.Symbol) *binder.Symbol {
	s := p.DeclareSymbol(name, decl, kind, parent)
	if p.unnamed > 0 && !isMember(parent) {
		s.Exported = false
	}
	return s
}

// isMember reports whether what is declared in a symbol is a member of a type.
func isMember(parent *binder.Symbol) bool {
	return parent != nil && (binder.Types[parent.Kind] || parent.SelfType && parent.Kind != "namespace")
}

// unnamedType is what the members of a type without a name belong to: the field or
// variable that it is the type of, or else what is around.
func (p *walker) unnamedType(n binder.At) *binder.Symbol {
	up := p.Parent(n)
	if k := p.Kind(up); p.Kind(n) != "enum_specifier" && (k == "field_declaration" || k == "declaration") {
		if id, _ := p.declarator(p.Child(up, "declarator")); id >= 0 {
			if s := p.BySpot[int(p.Nodes[id].Start)]; s != nil && (s.Kind == "field" || s.Kind == "var" || s.Kind == "const") {
				s.SelfType = true
				return s
			}
		}
	}
	return p.ScopeAround(n).Symbol
}

// declarator finds the name that a declarator declares, and the function
// declarator or array on the way.
func (p *walker) declarator(n binder.At) (name, shape binder.At) {
	shape = binder.None
	for n >= 0 {
		switch p.Kind(n) {
		case "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
			"operator_cast", "template_function":
			return n, shape
		case "function_declarator", "array_declarator":
			if shape < 0 || p.Kind(n) == "function_declarator" {
				shape = n
			}
			n = p.Child(n, "declarator")
		case "structured_binding_declarator":
			return binder.None, binder.None
		default:
			next := p.Child(n, "declarator")
			if next < 0 {
				next = p.Last(n)
			}
			n = next
		}
	}
	return binder.None, binder.None
}

// bind binds what a declarator names, or the parts of a value that it names.
func (p *walker) bind(sc *binder.Scope, n binder.At, from binder.Source) {
	if id, _ := p.declarator(n); id >= 0 {
		p.BindAt(sc, id, from)
		return
	}
	for p.Kind(n) == "reference_declarator" || p.Kind(n) == "init_declarator" {
		n = p.Nth(n, 0)
	}
	if p.Kind(n) != "structured_binding_declarator" {
		return
	}
	part := 0
	for c := range p.Named(n) {
		p.BindAt(sc, c, from.Part(part))
		part++
	}
}

// fileLevel is whether a scope is one in which declarations are symbols.
func fileLevel(sc *binder.Scope) bool {
	for sc.Kind == 'p' {
		sc = sc.Parent
	}
	return sc.Kind == 't' || sc.Kind == 'n' || sc.Kind == 'c'
}

func (p *walker) isStatic(n binder.At) bool {
	for c := range p.Named(n) {
		if p.Kind(c) == "storage_class_specifier" && p.TextAt(c) == "static" {
			return true
		}
	}
	return false
}

func (p *walker) function(n binder.At) {
	id, shape := p.declarator(p.Child(n, "declarator"))
	if id < 0 {
		p.Open(n, 'f', nil)
		p.inside(n)
		return
	}
	s := p.functionSymbol(n, id)
	sc := p.Open(n, 'f', s)
	p.parameters(shape, sc, s)
	s.Extended = fixture(p, n, id, shape)
	// What may be left out is said where the member is declared.
	s.Signature = accepts(p, shape, p.Kind(id) == "qualified_identifier")
	p.inside(n)
}

func (p *walker) functionSymbol(n, id binder.At) *binder.Symbol {
	parent := p.ScopeAround(n).Symbol
	kind := "func"
	if parent != nil && binder.Types[parent.Kind] {
		kind = "method"
	}
	decl, friend := n, p.Kind(p.Parent(n)) == "friend_declaration"
	if up := p.Parent(n); p.Kind(up) == "template_declaration" || friend {
		decl = up
	}
	if up := p.Parent(decl); friend && p.Kind(up) == "template_declaration" {
		decl = up
	}
	s := p.declareSymbol(id, decl, kind, parent)
	if friend {
		s.Kind = "func" // it is in a class and not its member
	}
	s.Params = p.templateParameters(decl)
	p.owned(s, id)
	static := p.isStatic(n)
	if static && !isMember(parent) {
		s.Exported = false
	}
	s.Static = static
	if t := p.Child(n, "type"); t >= 0 && len(s.ResultSources) == 0 {
		s.ResultSources = []binder.Source{binder.ValueOfType(t)}
		s.Shape = result(p, n)
	}
	return s
}

// owned makes a symbol with a qualified name a member of what that says.
func (p *walker) owned(s *binder.Symbol, id binder.At) {
	if p.Kind(id) != "qualified_identifier" {
		return
	}
	last := id
	for p.Kind(last) == "qualified_identifier" {
		s.OwnerSource = binder.TypeAt(p.Child(last, "scope"))
		if s.OwnerSource.Node > 0 {
			s.OwnerName = p.dotted(id)
		}
		last = p.Child(last, "name")
	}
	s.Name = p.TextAt(last)
	s.Spot = int(p.Nodes[last].Start)
	s.Line, s.Column = p.Position(s.Spot)
	p.BySpot[s.Spot] = s
}

// parameterOf is what a parameter of a template stands for: of functions and types what
// they are made with, else nothing of the repository.
func (p *walker) parameterOf(n, id binder.At) facts.Expr {
	if p.First(n, "function_definition", "declaration", "field_declaration", "class_specifier", "struct_specifier",
		"union_specifier", "alias_declaration", "friend_declaration") >= 0 {
		return facts.Name(p.TextAt(id))
	}
	return facts.External
}

// templateParameters are the names of the parameters of a template.
func (p *walker) templateParameters(n binder.At) []string {
	var names []string
	for c := range p.Named(p.Child(n, "parameters")) {
		if id := p.Last(c); p.Kind(n) == "template_declaration" &&
			(p.Kind(id) == "type_identifier" || p.Kind(id) == "identifier") {
			names = append(names, p.TextAt(id))
		}
	}
	return names
}

// dotted is the scope of a qualified name as an expression.
func (p *walker) dotted(id binder.At) facts.Expr {
	var parts []string
	for p.Kind(id) == "qualified_identifier" {
		if sc := p.Child(id, "scope"); sc >= 0 {
			name := p.TextAt(sc)
			name, _, _ = strings.Cut(name, "<")
			parts = append(parts, strings.TrimSpace(name))
		}
		id = p.Child(id, "name")
	}
	return facts.Dotted(strings.Join(parts, "."))
}

func (p *walker) parameters(shape binder.At, sc *binder.Scope, s *binder.Symbol) {
	for c := range p.Named(p.Child(shape, "parameters")) {
		switch p.Kind(c) {
		case "parameter_declaration", "optional_parameter_declaration":
			from := binder.ValueOfType(p.Child(c, "type"))
			if id, inner := p.declarator(p.Child(c, "declarator")); id >= 0 {
				if p.Kind(inner) == "function_declarator" {
					from = binder.ExternalSource
				}
				p.BindAt(sc, id, from)
			}
			if s != nil && p.TextAt(c) != "void" {
				s.ArgSources = append(s.ArgSources, from)
			}
		}
	}
}

// declaration declares variables, fields and functions without body.
func (p *walker) declaration(n binder.At) {
	sc := p.ScopeAround(n)
	typ := p.Child(n, "type")
	if p.Kind(typ) == "type_identifier" && p.Child(n, "declarator") < 0 && isMember(sc.Symbol) {
		splice(sc.Symbol, p.TextAt(typ))
	}
	for c := range p.Named(n) {
		if p.Field(c) != "declarator" {
			continue
		}
		id, shape := p.declarator(c)
		from := binder.ValueOfType(typ)
		if v := p.Child(c, "value"); v >= 0 && strings.HasPrefix(p.TextAt(typ), "auto") {
			from = binder.Source{Node: v}
		}
		if p.Kind(shape) == "array_declarator" {
			from = from.Done(binder.TakeArray)
		}
		switch {
		case id < 0:
			p.bind(sc, c, from)
		case p.Kind(shape) == "function_declarator" && p.Kind(p.Child(shape, "declarator")) != "parenthesized_declarator" &&
			fileLevel(sc):
			s := p.functionSymbol(n, id)
			p.prototype(n, shape, s)
		case fileLevel(sc):
			kind := "var"
			if isMember(sc.Symbol) {
				kind = "field"
			}
			if p.Kind(shape) == "function_declarator" {
				from = binder.ValueOfType(typ)
			}
			if p.Kind(id) == "qualified_identifier" {
				continue
			}
			s := p.declareSymbol(id, n, kind, sc.Symbol)
			s.Values = append(s.Values, from)
			s.Shape = shapeOf(p, n, c)
			s.Static = p.isStatic(n)
			if s.Static && !isMember(sc.Symbol) {
				s.Exported = false
			}
		case p.Kind(id) == "identifier":
			p.BindAt(sc, id, from)
		}
	}
	p.inside(n)
}

// prototype gives a function without body its parameters.
func (p *walker) prototype(n, shape binder.At, s *binder.Symbol) {
	sc := p.Open(n, 'b', nil)
	sc.Kind = 'p'
	p.parameters(shape, sc, s)
	s.Signature = accepts(p, shape, false)
	s.Prototype = true
}

func (p *walker) typedef(n binder.At) {
	typ := p.Child(n, "type")
	var first *binder.Symbol
	for c := range p.Named(n) {
		if p.Field(c) != "declarator" {
			continue
		}
		if id, shape := p.declarator(c); id >= 0 {
			s := p.alias(n, id)
			if body := p.Child(typ, "body"); body >= 0 && p.Child(typ, "name") < 0 && first == nil {
				first = s
				p.body(typ, s)
				continue
			}
			s.Kind = "type"
			if p.Kind(shape) == "function_declarator" {
				s.Values = []binder.Source{binder.ExternalSource}
			} else {
				s.Values = []binder.Source{binder.TypeAt(typ)}
				s.Shape = written(p, n, c)
			}
		}
	}
	if first == nil {
		p.inside(n)
	}
}

// alias declares another name of a type, or of a namespace.
func (p *walker) alias(n, name binder.At) *binder.Symbol {
	s := p.declareSymbol(name, n, "type", p.ScopeAround(n).Symbol)
	p.local(n, name, s)
	s.Params = p.templateParameters(p.Parent(n))
	return s
}

// local makes a symbol known in the block that it is declared in.
func (p *walker) local(n, name binder.At, s *binder.Symbol) {
	if sc := p.ScopeAround(n); !fileLevel(sc) {
		sc.Bind(p.TextAt(name)).Is(s)
	}
}

func (p *walker) specifier(n binder.At) {
	name, body := p.Child(n, "name"), p.Child(n, "body")
	if body < 0 {
		return
	}
	if name < 0 {
		p.body(n, p.unnamedType(n))
		return
	}
	around := p.ScopeAround(n).Symbol
	if around != nil && !binder.Types[around.Kind] && around.Kind != "namespace" && fileLevel(p.ScopeAround(n)) {
		around = nil
	}
	s := p.declareSymbol(name, n, strings.TrimSuffix(p.Kind(n), "_specifier"), around)
	p.owned(s, name)
	p.local(n, name, s)
	s.Params = p.templateParameters(p.Parent(n))
	if p.Kind(name) == "template_type" {
		s.Shape = facts.Specialized
	}
	if p.Kind(n) == "enum_specifier" && (p.Has(n, "class") || p.Has(n, "struct")) {
		s.Under = facts.External
	}
	for c := range p.Named(p.First(n, "base_class_clause")) {
		if k := p.Kind(c); k == "type_identifier" || k == "qualified_identifier" || k == "template_type" {
			s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Extends, Of: binder.TypeAt(c), Args: binder.None})
		}
	}
	p.body(n, s)
}

// body declares the members of a type. Those of a type without a name are
// members of the one around.
func (p *walker) body(n binder.At, s *binder.Symbol) {
	body := p.Child(n, "body")
	if p.Kind(n) == "enum_specifier" {
		for c := range p.Named(body) {
			if p.Kind(c) == "enumerator" {
				around := s
				if around != nil && !binder.Types[around.Kind] && fileLevel(p.ScopeAround(n)) {
					around = nil
				}
				m := p.declareSymbol(p.Child(c, "name"), c, "const", around)
				if !p.Has(n, "class") && !p.Has(n, "struct") {
					p.local(n, p.Child(c, "name"), m)
				}
				m.Static, m.Values = true, []binder.Source{binder.ExternalSource}
			}
		}
		p.inside(body)
		return
	}
	if isMember(s) {
		p.Open(body, 'c', s)
		spliceHidden(p, body, s)
	} else {
		p.Open(body, 'b', nil)
	}
	p.inside(body)
}

func (p *walker) Use() {
	uses(p, 0)
	for _, offset := range p.Hidden {
		kind := facts.Read
		name, behind := p.HiddenName(offset)
		if strings.HasPrefix(behind, "(") {
			kind = facts.Call
		}
		if name == strings.ToUpper(name) {
			p.RefAtOffset(offset, name, kind, facts.Nothing, true)
		}
	}
}
