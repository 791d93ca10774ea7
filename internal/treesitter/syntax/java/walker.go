// Package java says what Java files bind and use.
package java

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what Java files bind. Bare names that are not local are looked
// up from the file: they may be inherited members.
type walker struct{ *binder.Builder }

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker { return &walker{b} }

func (p *walker) Declare() { p.inside(0) }

func (p *walker) inside(n binder.At) {
	for c := range p.Named(n) {
		p.declareNode(c)
	}
}

func (p *walker) declareNode(n binder.At) {
	switch p.Kind(n) {
	case "package_declaration":
		p.Pkg = p.TextAt(p.Last(n))
	case "import_declaration":
		p.importOf(n)
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
		"annotation_type_declaration":
		p.typeDeclaration(n)
	case "field_declaration", "constant_declaration":
		p.fields(n)
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration",
		"annotation_type_element_declaration":
		p.method(n)
	case "enum_constant":
		if s := p.ScopeAround(n).Symbol; s != nil {
			m := p.DeclareSymbol(p.Child(n, "name"), n, "const", s)
			m.Static, m.Exported = true, s.Exported
			m.Values = []binder.Source{binder.Source{Mark: binder.MarkClass, Node: n}.Value()}
			if p.First(n, "class_body") >= 0 {
				p.Open(n, 'c', m)
			}
		}
		p.inside(n)
	case "lambda_expression":
		lambda(p, n)
	case "block", "for_statement", "switch_block", "switch_block_statement_group", "switch_rule",
		"try_with_resources_statement", "constructor_body":
		p.Open(n, 'b', nil)
		p.inside(n)
	case "local_variable_declaration":
		p.locals(n)
		p.inside(n)
	case "enhanced_for_statement":
		p.Open(n, 'b', nil)
		p.bindTyped(n, p.Child(n, "name"), binder.Source{Node: p.Child(n, "value")}.Elem())
		p.inside(n)
	case "resource", "catch_formal_parameter":
		if name := p.Child(n, "name"); name >= 0 {
			p.bindTyped(n, name, binder.Source{Node: p.Child(n, "value")})
		}
		p.inside(n)
	case "instanceof_expression":
		if name := p.Child(n, "name"); name >= 0 {
			p.BindAt(p.ScopeAround(n), name, binder.ValueOfType(p.Child(n, "right")))
		}
		p.inside(n)
	case "type_pattern", "record_pattern_component":
		if name := p.Last(n); p.Kind(name) == "identifier" {
			p.BindAt(p.ScopeAround(n), name, binder.ValueOfType(p.Nth(n, 0)))
		}
		p.inside(n)
	default:
		p.inside(n)
	}
}

func (p *walker) importOf(n binder.At) {
	path := p.First(n, "scoped_identifier", "identifier")
	i := facts.Import{Path: p.TextAt(path), Name: ""}
	spot := path
	if p.Has(n, "asterisk") {
		i.Name = "*"
	} else if p.Kind(path) == "scoped_identifier" {
		spot = p.Child(path, "name")
		i.Name = p.TextAt(spot)
		i.Path = p.TextAt(p.Child(path, "scope"))
	}
	i.System = p.Has(n, "static")
	p.Imported(spot, i)
}

func (p *walker) typeDeclaration(n binder.At) {
	around := p.ScopeAround(n).Symbol
	kind := strings.TrimSuffix(p.Kind(n), "_declaration")
	s := p.DeclareSymbol(p.Child(n, "name"), n, kind, around)
	s.Static = true
	sc := p.Open(n, 'c', s)
	p.typeParameters(n, sc, s)
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "superclass":
			s.BaseSources = append(s.BaseSources,
				binder.Base{Kind: facts.Extends, Of: binder.TypeAt(p.Nth(c, 0)), Args: binder.None})
		case "super_interfaces", "extends_interfaces":
			kindOfBase := facts.Implements
			if p.Kind(c) == "extends_interfaces" {
				kindOfBase = facts.Extends
			}
			for t := range p.Named(p.First(c, "type_list", "interface_type_list")) {
				s.BaseSources = append(s.BaseSources, binder.Base{Kind: kindOfBase, Of: binder.TypeAt(t), Args: binder.None})
			}
		case "formal_parameters": // of a record
			for f := range p.Named(c) {
				name := p.Child(f, "name")
				if name < 0 { // of a variable number
					name = p.Child(p.First(f, "variable_declarator"), "name")
				}
				if name < 0 {
					continue
				}
				m := p.DeclareSymbol(name, f, "field", s)
				m.Values = []binder.Source{binder.ValueOfType(p.Child(f, "type"))}
			}
		}
	}
	p.inside(n)
	s.Only = only(p, n)
}

func (p *walker) typeParameters(n binder.At, sc *binder.Scope, s *binder.Symbol) {
	for c := range p.Named(p.Child(n, "type_parameters")) {
		id := p.First(c, "type_identifier", "identifier")
		name := p.TextAt(id)
		p.BindAt(sc, id, binder.Known(facts.Name(name)))
		s.Params = append(s.Params, name)
		bound := binder.ExternalSource
		if b := p.First(c, "type_bound"); b >= 0 {
			bound = binder.TypeAt(p.Nth(b, 0))
		}
		s.BoundSources = append(s.BoundSources, bound)
	}
}

func (p *walker) fields(n binder.At) {
	s := p.ScopeAround(n).Symbol
	typ := p.Child(n, "type")
	for c := range p.Named(n) {
		if p.Field(c) != "declarator" {
			continue
		}
		m := p.DeclareSymbol(p.Child(c, "name"), n, "field", s)
		if p.Child(c, "dimensions") >= 0 {
			m.Values = []binder.Source{binder.ExternalSource}
		} else {
			m.Values = []binder.Source{binder.ValueOfType(typ)}
		}
		m.Static = strings.Contains(p.TextAt(p.First(n, "modifiers")), "static")
		if p.First(p.Child(c, "value"), "class_body") >= 0 {
			p.Open(c, 'c', m)
		}
	}
	p.inside(n)
}

func (p *walker) method(n binder.At) {
	s := p.DeclareSymbol(p.Child(n, "name"), n, "method", p.ScopeAround(n).Symbol)
	s.Static = strings.Contains(p.TextAt(p.First(n, "modifiers")), "static")
	sc := p.Open(n, 'f', s)
	p.typeParameters(n, sc, s)
	if t := p.Child(n, "type"); t >= 0 {
		s.ResultSources = []binder.Source{binder.ValueOfType(t)}
	}
	s.Signature = accepts(p, n)
	switch made := p.Parent(p.Parent(n)); p.Kind(made) {
	case "object_creation_expression":
		s.BaseSources = []binder.Base{{Kind: facts.Implements, Of: binder.TypeAt(p.Child(made, "type")), Args: binder.None}}
	case "enum_constant":
		s.BaseSources = []binder.Base{{Kind: facts.Implements, Of: binder.Known(p.ClassAround(made)), Args: binder.None}}
	}
	for c := range p.Named(p.Child(n, "parameters")) {
		switch p.Kind(c) {
		case "formal_parameter":
			from := binder.ValueOfType(p.Child(c, "type"))
			p.BindAt(sc, p.Child(c, "name"), from)
			s.ArgSources = append(s.ArgSources, from)
		case "spread_parameter":
			for v := range p.Named(c) {
				if p.Kind(v) == "variable_declarator" {
					p.BindAt(sc, p.Child(v, "name"), binder.ExternalSource)
				}
			}
			s.ArgSources, s.Rest = append(s.ArgSources, binder.UnknownSource), true
		}
	}
	p.inside(n)
}

// bindTyped binds a name with the type of its declaration, or what it is
// given where that says "var".
func (p *walker) bindTyped(n, name binder.At, from binder.Source) {
	t := p.Child(n, "type")
	if t < 0 {
		t = p.First(n, "catch_type")
		if t >= 0 {
			t = p.Nth(t, 0)
		}
	}
	if t >= 0 && p.TextAt(t) != "var" {
		from = binder.ValueOfType(t)
	}
	p.BindAt(p.ScopeOf(n), name, from)
}

func (p *walker) locals(n binder.At) {
	for c := range p.Named(n) {
		if p.Field(c) == "declarator" {
			t, from := p.Child(n, "type"), binder.Source{Node: p.Child(c, "value")}
			if p.TextAt(t) != "var" {
				from = binder.ValueOfType(t)
			}
			if p.Child(c, "dimensions") >= 0 {
				from = binder.ExternalSource
			}
			p.BindAt(p.ScopeAround(n), p.Child(c, "name"), from)
		}
	}
}

func (p *walker) Typed(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "type_identifier", "identifier":
		return p.Bare(n, true)
	case "scoped_type_identifier", "scoped_identifier", "field_access":
		return binder.Member(qualifier(p, p.Nth(n, 0), p.Last(n), p.TypeOf), p.TextAt(p.Last(n)))
	case "array_type":
		return facts.List(p.TypeOf(p.Child(n, "element")))
	case "generic_type":
		return p.generic(n)
	case "annotated_type", "wildcard":
		return p.TypeOf(p.Last(n))
	case "union_type", "catch_type":
		return p.TypeOf(p.Nth(n, 0))
	case "integral_type", "floating_point_type", "boolean_type":
		return facts.Name(p.TextAt(n))
	case "void_type":
		return facts.External
	}
	return facts.Unknown
}

func (p *walker) generic(n binder.At) facts.Expr {
	name := p.Nth(n, 0)
	var args []facts.Expr
	for c := range p.Named(p.First(n, "type_arguments")) {
		args = append(args, p.TypeOf(c))
	}
	if len(args) == 0 {
		return p.TypeOf(name)
	}
	switch class := p.library(name); {
	case lists[class]:
		return facts.List(args[0])
	case maps[class]:
		return facts.Map(args[0], args[len(args)-1])
	case holders[class]:
		return facts.Func(args[0])
	}
	return p.TypeOf(name).Generic(args...)
}

func (p *walker) Value(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "identifier":
		return p.Bare(n, true)
	case "this":
		return binder.ValueOf(thisType(p, n))
	case "super":
		return binder.SuperOf(p.ClassAround(n))
	case "field_access":
		if f := p.Child(n, "field"); p.Kind(f) == "this" {
			return binder.ValueOf(p.TypeOf(p.Child(n, "object")))
		}
		return binder.Member(qualifier(p, p.Child(n, "object"), p.Child(n, "field"), p.Expr), p.TextAt(p.Child(n, "field")))
	case "method_invocation":
		return callValue(p, n)
	case "object_creation_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "type")))
	case "cast_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "type")))
	case "array_access":
		return binder.Elem(p.Expr(p.Child(n, "array")))
	case "parenthesized_expression":
		return p.Expr(p.Nth(n, 0))
	case "assignment_expression":
		return p.Expr(p.Child(n, "right"))
	case "ternary_expression":
		return binder.UnionOf(p.Expr(p.Child(n, "consequence")), p.Expr(p.Child(n, "alternative")))
	case "array_creation_expression":
		return facts.List(p.TypeOf(p.Child(n, "type"))).Value()
	case "string_literal", "decimal_integer_literal", "true", "false", "null_literal", "character_literal",
		"class_literal", "binary_expression",
		"hex_integer_literal", "decimal_floating_point_literal", "unary_expression", "instanceof_expression":
		return facts.External
	}
	return facts.Unknown
}

func (p *walker) Use() { p.uses(0) }

func (p *walker) uses(n binder.At) {
	for c := range p.Named(n) {
		p.useNode(c)
	}
}

func (p *walker) useNode(n binder.At) {
	switch p.Kind(n) {
	case "identifier":
		kind := facts.Read
		if k := p.Kind(p.Parent(n)); k == "assignment_expression" && p.Field(n) == "left" || k == "update_expression" {
			kind = facts.Write
		}
		p.UseName(n, kind, true)
	case "type_identifier":
		p.UseName(n, p.typeUsage(n), true)
	case "scoped_type_identifier":
		p.useNode(p.Nth(n, 0))
		p.Ref(p.Last(n), p.TextAt(p.Last(n)), p.typeUsage(n), qualifier(p, p.Nth(n, 0), p.Last(n), p.TypeOf), false)
	case "field_access":
		p.useNode(p.Child(n, "object"))
		kind := facts.Read
		if p.Kind(p.Parent(n)) == "assignment_expression" && p.Field(n) == "left" {
			kind = facts.Write
		}
		if f := p.Child(n, "field"); p.Kind(f) == "identifier" {
			p.Ref(f, p.TextAt(f), kind, qualifier(p, p.Child(n, "object"), f, p.Expr), false)
		}
	case "method_invocation":
		p.useCall(n)
	case "method_reference":
		p.useNode(p.Nth(n, 0))
		if m := p.Last(n); p.Kind(m) == "identifier" && m != p.Nth(n, 0) {
			of := p.Expr(p.Nth(n, 0))
			if !of.Known() {
				of = p.TypeOf(p.Nth(n, 0))
			}
			p.Ref(m, p.TextAt(m), facts.Call, of, false)
		}
	case "marker_annotation", "annotation":
		p.useAnnotation(n)
	case "import_declaration":
		useImport(p, n)
	case "switch_label":
		useLabel(p, n)
	case "package_declaration", "labeled_statement", "break_statement", "continue_statement":
		if p.Kind(n) == "labeled_statement" {
			p.useNode(p.Last(n))
		}
	case "lambda_expression":
		if params := p.Child(n, "parameters"); p.Kind(params) != "identifier" {
			p.useNode(params)
		}
		p.useNode(p.Child(n, "body"))
	default:
		p.useOther(n)
	}
}

// useOther is for nodes some of whose children are no references.
func (p *walker) useOther(n binder.At) {
	switch p.Kind(n) {
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
		"annotation_type_declaration", "method_declaration",
		"constructor_declaration", "compact_constructor_declaration", "variable_declarator", "formal_parameter",
		"enum_constant", "enhanced_for_statement", "resource",
		"catch_formal_parameter", "annotation_type_element_declaration", "instanceof_expression":
		for c := range p.Named(n) {
			if p.Field(c) != "name" {
				p.useNode(c)
			}
		}
	case "type_parameter":
		for c := range p.Named(n) {
			if p.Kind(c) != "type_identifier" && p.Kind(c) != "identifier" { // annotations, bounds
				p.useNode(c)
			}
		}
	case "inferred_parameters":
	case "element_value_pair":
		p.useNode(p.Child(n, "value"))
	case "type_pattern":
		p.useNode(p.Nth(n, 0))
	default:
		if n >= 0 {
			p.uses(n)
		}
	}
}

func (p *walker) useCall(n binder.At) {
	object, name, args := p.Child(n, "object"), p.Child(n, "name"), p.Child(n, "arguments")
	if object >= 0 {
		p.useNode(object)
		p.Ref(name, p.TextAt(name), facts.Call, p.Expr(object), false)
	} else {
		p.Ref(name, p.TextAt(name), facts.Call, facts.Nothing, true)
	}
	p.Called(name, args, func(n binder.At) string { return argument(p, n) })
	for c := range p.Named(n) {
		if f := p.Field(c); f != "object" && f != "name" {
			p.useNode(c)
		}
	}
}

func (p *walker) useAnnotation(n binder.At) {
	name := p.Child(n, "name")
	of := p.TypeOf(name)
	if p.Kind(name) == "identifier" {
		p.UseName(name, facts.Type, true)
	} else if name >= 0 {
		last := p.Last(name)
		p.Ref(last, p.TextAt(last), facts.Type, qualifier(p, p.Nth(name, 0), last, p.TypeOf), false)
	}
	arguments := p.Child(n, "arguments")
	for c := range p.Named(arguments) {
		if key := p.Child(c, "key"); key >= 0 && p.Kind(c) == "element_value_pair" && of.Known() {
			p.Ref(key, p.TextAt(key), facts.Write, binder.ValueOf(of), false)
		}
	}
	p.useNode(arguments)
}

func (p *walker) typeUsage(n binder.At) facts.Kind {
	up := p.Parent(n)
	for p.Kind(up) == "generic_type" && p.Nth(up, 0) == n {
		n, up = up, p.Parent(up)
	}
	switch p.Kind(up) {
	case "superclass", "extends_interfaces":
		return facts.Extends
	case "type_list", "interface_type_list":
		if p.Kind(p.Parent(up)) == "extends_interfaces" {
			return facts.Extends
		}
		return facts.Implements
	case "object_creation_expression":
		return facts.Call
	}
	return facts.Type
}
