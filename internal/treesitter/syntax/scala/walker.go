// Package scala says what Scala files bind and use.
package scala

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what Scala files bind. Names that are not local are looked up from the file:
// they may be members that types inherit, or what imports and packages have.
type walker struct {
	*binder.Builder

	packages []string // of the clauses before a place
}

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker { return &walker{Builder: b} }

// Declare implements binder.Walker.
func (p *walker) Declare() {
	declareInside(p, 0)
	p.Pkg = strings.Join(p.packages, ".")
}

// Use implements binder.Walker.
func (p *walker) Use() { uses(p, 0) }

// Value implements binder.Walker.
func (p *walker) Value(n binder.At) facts.Expr { return valueAt(p, n) }

// Typed implements binder.Walker.
func (p *walker) Typed(n binder.At) facts.Expr { return typeAt(p, n) }

// Argument is what the parameter is that a function is given for.
func (p *walker) Argument(n binder.At) facts.Expr { return contextOf(p, n) }

func declareInside(p *walker, n binder.At) {
	for c := range p.Named(n) {
		declareNode(p, c)
	}
}

func declareNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "package_clause":
		declarePackage(p, n)
	case "import_declaration", "export_declaration":
		importsOf(p, n)
	case "class_definition":
		declareType(p, n, "class")
	case "trait_definition":
		declareType(p, n, "trait")
	case "enum_definition":
		declareType(p, n, "enum")
	case "object_definition", "package_object":
		s := declareType(p, n, "object")
		if p.Kind(n) == "package_object" {
			s.Shape = facts.PackageObject
		}
	case "simple_enum_case", "full_enum_case":
		declareCase(p, n)
	case "function_definition", "function_declaration":
		declareFunction(p, n)
	case "val_definition", "var_definition", "val_declaration", "var_declaration":
		declareValue(p, n)
	case "type_definition":
		declareAlias(p, n)
	case "given_definition":
		declareGiven(p, n)
	default:
		bindStatement(p, n)
	}
}

// declarePackage notes the name of a package. What packages around the last one have is known by
// their members, too: they are imported.
func declarePackage(p *walker, n binder.At) {
	name := p.Child(n, "name")
	if len(p.packages) > 0 {
		p.Imported(name, facts.Import{Path: strings.Join(p.packages, "."), Name: "*", Local: facts.OuterPackage})
	}
	p.packages = append(p.packages, strings.ReplaceAll(strings.Join(strings.Fields(p.TextAt(name)), ""), "`", ""))
	declareInside(p, n)
}

// symbolAround is the symbol that a declaration is in.
func symbolAround(p *walker, n binder.At) *binder.Symbol { return p.ScopeAround(n).Symbol }

// isLocal reports whether a declaration is within code.
func isLocal(p *walker, n binder.At) bool {
	up := p.Parent(n)
	switch p.Kind(up) {
	case "compilation_unit", "package_clause", "extension_definition":
		return false
	case "template_body", "with_template_body", "enum_body":
		return p.Kind(p.Parent(up)) == "instance_expression" || p.Scopes[up] != nil && p.Scopes[up].Kind == 'b'
	case "ERROR":
		return p.Parent(up) >= 0 && isLocal(p, up)
	}
	return true
}

// declareNamed adds a symbol; of what is within code it is known there.
func declareNamed(p *walker, name, decl binder.At, kind string) *binder.Symbol {
	parent := symbolAround(p, decl)
	s := p.DeclareSymbol(name, decl, kind, parent)
	if isLocal(p, decl) {
		p.ScopeAround(decl).Bind(s.Name).Is(s)
	}
	s.Static = true
	if parent != nil && (parent.Kind == "class" || parent.Kind == "trait") {
		s.Static = false
	}
	return s
}

func modifiersOf(p *walker, n binder.At) string { return p.TextAt(p.First(n, "modifiers")) }

func hasWord(text, word string) bool { return slices.Contains(strings.Fields(text), word) }

func declareType(p *walker, n binder.At, kind string) *binder.Symbol {
	s := declareNamed(p, p.Child(n, "name"), n, kind)
	sc := p.Open(n, 'c', s)
	typeParameters(p, n, sc, s)
	basesOf(p, n, s)
	if kind == "class" && isCase(p, n) {
		s.Shape = facts.CaseClass
	}
	declareParameters(p, n, s, sc, true)
	if kind == "class" && hasWord(modifiersOf(p, n), "implicit") && len(s.ArgSources) > 0 {
		s.Shape, s.Extended = facts.ImplicitClass, s.ArgSources[0]
	}
	declareInside(p, n)
	return s
}

// isCase reports whether a class is a case class.
func isCase(p *walker, n binder.At) bool {
	for c := range p.All(n) {
		switch {
		case p.Kind(c) == "case":
			return true
		case p.Field(c) == "name":
			return false
		}
	}
	return false
}

// basesOf are what a type extends, and behind them what it says that it is by its self type.
func basesOf(p *walker, n binder.At, s *binder.Symbol) {
	clause := p.First(n, "extends_clause")
	first := true
	for c := range p.Named(clause) {
		if p.Field(c) != "type" {
			continue
		}
		for _, t := range partsOf(p, c) {
			kind := facts.Implements
			if first {
				kind = facts.Extends
			}
			first = false
			s.BaseSources = append(s.BaseSources, binder.Base{Kind: kind, Of: binder.TypeAt(t), Args: binder.None})
		}
	}
	if self := p.First(p.Child(n, "body"), "self_type"); self >= 0 {
		if name := p.Nth(self, 0); p.Kind(name) == "identifier" && p.TextAt(name) != "this" {
			p.BindAt(p.Scopes[n], name, binder.Source{Mark: binder.MarkSelf, Node: name})
		}
		if t := p.Last(self); t >= 0 && t != p.Nth(self, 0) {
			for _, part := range partsOf(p, t) {
				base := binder.Base{Kind: facts.Shorthand, Of: binder.TypeAt(part), Args: binder.None}
				s.BaseSources = append(s.BaseSources, base)
			}
		}
	}
}

// partsOf are the types of "A with B", or the one.
func partsOf(p *walker, t binder.At) []binder.At {
	if p.Kind(t) != "compound_type" {
		return []binder.At{t}
	}
	var all []binder.At
	for c := range p.Named(t) {
		if p.Kind(c) != "refinement" {
			all = append(all, partsOf(p, c)...)
		}
	}
	return all
}

func typeParameters(p *walker, n binder.At, sc *binder.Scope, s *binder.Symbol) {
	list := p.First(n, "type_parameters")
	add := func(in binder.At) {
		for c := range p.Named(in) {
			switch {
			case p.Field(c) == "name" && p.Kind(c) == "identifier":
				name := p.TextAt(c)
				p.BindAt(sc, c, binder.Known(facts.Name(name)))
				s.Params = append(s.Params, name)
				s.BoundSources = append(s.BoundSources, binder.ExternalSource)
			case p.Kind(c) == "upper_bound" && len(s.BoundSources) > 0:
				s.BoundSources[len(s.BoundSources)-1] = binder.TypeAt(p.Child(c, "type"))
			}
		}
	}
	for c := range p.Named(list) {
		if strings.HasSuffix(p.Kind(c), "variant_type_parameter") {
			add(c)
		}
	}
	add(list)
}

// declareParameters binds the parameters of a function or type, and says what those in the
// first brackets are.
func declareParameters(p *walker, n binder.At, s *binder.Symbol, sc *binder.Scope, class bool) {
	first := true
	var accepts []string
	for list := range p.Named(n) {
		if k := p.Kind(list); k != "parameters" && k != "class_parameters" {
			continue
		}
		given := strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(p.TextAt(list), "("), " \n\t"), "using ") ||
			strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(p.TextAt(list), "("), " \n\t"), "implicit ")
		for c := range p.Named(list) {
			if p.Kind(c) != "parameter" && p.Kind(c) != "class_parameter" {
				continue
			}
			how := declareParameter(p, c, n, sc, class && !given)
			if !first || given {
				continue
			}
			s.ArgSources = append(s.ArgSources, binder.TypeAt(p.Child(c, "type")))
			s.Rest = strings.HasPrefix(how, "...")
			accepts = append(accepts, how)
		}
		if !given {
			first = false
		}
	}
	switch {
	case first && !class:
		s.Signature = facts.Parameterless
	default:
		s.Signature = binder.Signature(accepts)
	}
}

// declareParameter binds a parameter, or declares the field that it is, and is how it is given.
func declareParameter(p *walker, c, decl binder.At, sc *binder.Scope, class bool) string {
	name, t := p.Child(c, "name"), p.Child(c, "type")
	field := class && (p.Has(c, "val") || p.Has(c, "var") || isCase(p, decl))
	from := binder.ValueOfType(t)
	if p.Kind(t) == "repeated_parameter_type" {
		from = binder.TypeAt(p.Child(t, "type")).Done(binder.TakeListOf)
	}
	if name >= 0 {
		if field {
			s := declareNamed(p, name, c, "property")
			s.Values = append(s.Values, from)
		} else {
			p.BindAt(sc, name, from)
		}
	}
	how := typeName(p, t)
	switch {
	case p.Kind(t) == "repeated_parameter_type":
		return "..." + how
	case p.Child(c, "default_value") >= 0:
		return "=" + how
	}
	return how
}

// typeName is the name of a type as overloads are told by it, "" where it says nothing.
func typeName(p *walker, t binder.At) string {
	switch p.Kind(t) {
	case "type_identifier":
		return p.TextAt(t)
	case "generic_type", "lazy_parameter_type", "repeated_parameter_type":
		return typeName(p, p.Child(t, "type"))
	case "stable_type_identifier":
		return p.TextAt(p.Last(t))
	case "function_type":
		return "&"
	}
	return ""
}

func declareFunction(p *walker, n binder.At) {
	s := declareNamed(p, p.Child(n, "name"), n, "func")
	sc := p.Open(n, 'f', s)
	if ext := p.Parent(n); p.Kind(ext) == "extension_definition" {
		typeParameters(p, ext, sc, s)
		list := p.First(ext, "parameters")
		first := p.First(list, "parameter")
		p.BindAt(sc, p.Child(first, "name"), binder.ValueOfType(p.Child(first, "type")))
		s.Extended, s.Shape = binder.TypeAt(p.Child(first, "type")), facts.ExtensionMethod
		for other := range p.Named(ext) {
			if p.Kind(other) == "parameters" && other != list {
				for c := range p.Named(other) {
					declareParameter(p, c, ext, sc, false)
				}
			}
		}
	}
	typeParameters(p, n, sc, s)
	declareParameters(p, n, s, sc, false)
	if t := p.Child(n, "return_type"); t >= 0 {
		s.ResultSources = []binder.Source{binder.ValueOfType(t)}
		if hasWord(modifiersOf(p, n), "implicit") && len(s.ArgSources) == 1 {
			s.Shape, s.Extended = facts.ImplicitView, s.ArgSources[0]
		}
	} else if body := p.Child(n, "body"); body >= 0 {
		s.ResultSources = []binder.Source{{Node: body}}
	}
	if s.Signature == facts.Parameterless && len(s.Params) == 0 {
		s.Values = s.ResultSources
	}
	declareInside(p, n)
}

func declareAlias(p *walker, n binder.At) {
	s := declareNamed(p, p.Child(n, "name"), n, "type")
	typeParameters(p, n, p.Open(n, 'c', s), s)
	t := p.Child(n, "type")
	if t < 0 {
		if b := p.First(n, "upper_bound"); b >= 0 {
			t = p.Child(b, "type")
		}
	}
	if t >= 0 {
		s.Values = []binder.Source{binder.TypeAt(t)}
	} else {
		s.Values = []binder.Source{binder.ExternalSource}
	}
	declareInside(p, n)
}

// declareCase declares a case of an enum: a value of it, or a function that makes one.
func declareCase(p *walker, n binder.At) {
	s := declareNamed(p, p.Child(n, "name"), n, "const")
	s.Static = true
	sc := p.Open(n, 'c', s)
	typeParameters(p, n, sc, s)
	declareParameters(p, n, s, sc, true)
	s.Values = []binder.Source{binder.Source{Mark: binder.MarkClass, Node: n}.Value()}
	declareInside(p, n)
}

// declareGiven declares a given: an object where it has a body, else a value.
func declareGiven(p *walker, n binder.At) {
	name, t := p.Child(n, "name"), p.Child(n, "return_type")
	if name < 0 {
		p.Open(n, 'b', nil)
		declareInside(p, n)
		return
	}
	s := declareNamed(p, name, n, "const")
	sc := p.Open(n, 'f', s)
	typeParameters(p, n, sc, s)
	declareParameters(p, n, s, sc, false)
	s.Values = []binder.Source{binder.ValueOfType(t)}
	declareInside(p, n)
}

// declareValue declares the values of a type or file, or binds locals.
func declareValue(p *walker, n binder.At) {
	t, value := p.Child(n, "type"), p.Child(n, "value")
	from := binder.UnknownSource
	switch {
	case t >= 0:
		from = binder.ValueOfType(t)
	case value >= 0:
		from = binder.Source{Node: value}
	}
	if pattern := p.Child(n, "pattern"); pattern >= 0 {
		declarePattern(p, n, pattern, from)
	}
	for c := range p.Named(n) {
		if p.Field(c) == "name" {
			declarePattern(p, n, c, from)
		}
	}
	declareInside(p, n)
}

func declarePattern(p *walker, n, pattern binder.At, from binder.Source) {
	switch p.Kind(pattern) {
	case "identifier", "operator_identifier":
		if isLocal(p, n) {
			p.BindAt(p.ScopeAround(n), pattern, from)
			return
		}
		s := declareNamed(p, pattern, n, "property")
		s.Values = append(s.Values, from)
	case "identifiers":
		for c := range p.Named(pattern) {
			declarePattern(p, n, c, from)
		}
	default:
		bindPattern(p, pattern, p.ScopeAround(n), from, func(name binder.At, from binder.Source) {
			declarePattern(p, n, name, from)
		})
	}
}
