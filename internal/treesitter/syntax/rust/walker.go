// Package rust says what Rust files bind and use.
package rust

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what Rust files bind. What is in an impl belongs to the type
// that it is of, by Owner.
type walker struct {
	*binder.Builder

	exports bool              // an attribute before the next item is #[macro_export]
	path    string            // an attribute before the next item is #[path = "…"]
	around  []parameter       // of the impl around
	makes   map[string][]made // by macros of this file
	others  map[string]bool   // types of this file, and what it imports that is not of the standard library
}

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker { return &walker{Builder: b} }

func (p *walker) Declare() { p.inside(0) }

func (p *walker) inside(n binder.At) {
	for c := range p.Named(n) {
		p.declareNode(c)
	}
}

func (p *walker) declareNode(n binder.At) {
	if p.Kind(n) == "attribute_item" {
		text := p.TextAt(n)
		p.exports = p.exports || strings.Contains(text, "macro_export")
		if _, file, ok := strings.Cut(text, `#[path = "`); ok {
			p.path, _, _ = strings.Cut(file, `"`)
		}
		return
	}
	exports := p.exports
	p.exports = false
	defer func() { p.path = "" }()
	switch p.Kind(n) {
	case "function_item", "function_signature_item":
		p.function(n)
	case "struct_item", "union_item", "enum_item", "trait_item":
		p.typeItem(n)
	case "type_item", "associated_type":
		s := p.item(n, "type")
		sc := p.Open(n, 'b', s)
		p.typeParameters(n, sc, s)
		if t := p.Child(n, "type"); t >= 0 {
			s.Values = []binder.Source{binder.TypeAt(t)}
		}
		p.inside(n)
	case "const_item", "static_item":
		s := p.item(n, "const")
		p.typeParameters(n, p.ScopeAround(n), s)
		s.Values = []binder.Source{binder.ValueOfType(p.Child(n, "type"))}
		p.inside(n)
	case "macro_definition":
		s := p.DeclareSymbol(p.Child(n, "name"), n, "macro", p.ScopeAround(n).Symbol)
		s.Exported = exports || inMacro(p.Text, p.Nodes, n) // others are known in their crate only
		noteMade(p, n)
	case "mod_item":
		p.module(n)
	case "impl_item":
		p.impl(n)
	case "use_declaration":
		p.useTree(p.Child(n, "argument"), "", p.Has(n, "visibility_modifier"))
	case "extern_crate_declaration":
		name := p.Child(n, "name")
		p.Imported(name, facts.Import{
			Path: p.TextAt(name), Local: p.TextAt(p.Child(n, "alias")), Export: p.Has(n, "visibility_modifier"),
		})
	default:
		p.declareInner(n)
	}
}

// declareInner is for what is in functions.
func (p *walker) declareInner(n binder.At) {
	switch p.Kind(n) {
	case "macro_invocation":
		declareMade(p, n)
		p.inside(n)
	case "block", "match_arm", "match_block", "if_expression", "while_expression":
		p.Open(n, 'b', nil)
		p.inside(n)
	case "for_expression":
		p.Open(n, 'b', nil)
		value := p.Child(n, "value")
		p.declareNode(value)
		p.patternBehind(value, p.Child(n, "pattern"), binder.Source{Node: value}.Elem())
		p.declareNode(p.Child(n, "body"))
	case "closure_expression":
		sc := p.Open(n, 'b', nil)
		for c := range p.Named(p.Child(n, "parameters")) {
			if p.Kind(c) == "parameter" {
				p.pattern(p.Child(c, "pattern"), binder.ValueOfType(p.Child(c, "type")), sc)
			} else {
				p.pattern(c, p.closureOf(n), sc)
			}
		}
		p.inside(n)
	case "let_declaration":
		from := binder.Source{Node: p.Child(n, "value")}
		if t := p.Child(n, "type"); t >= 0 && p.TextAt(t) != "_" {
			from = binder.ValueOfType(t)
		}
		p.inside(n)
		p.patternBehind(n, p.Child(n, "pattern"), from)
	case "let_condition":
		p.inside(n)
		p.patternBehind(n, p.Child(n, "pattern"), binder.Source{Node: p.Child(n, "value")})
	case "match_pattern":
		p.pattern(p.Nth(n, 0), binder.Source{Node: p.Child(p.Up(n, "match_expression"), "value")}, p.ScopeAround(n))
		p.inside(n)
	default:
		p.inside(n)
	}
}

// closureOf is what the parameter of a closure is that is given to a method of
// iterators.
func (p *walker) closureOf(n binder.At) binder.Source {
	call := p.Parent(p.Parent(n))
	f := p.Child(call, "function")
	if p.Kind(f) == "field_expression" {
		switch p.TextAt(p.Child(f, "field")) {
		case "map", "filter", "for_each", "any", "all", "find", "filter_map", "flat_map", "position", "inspect", "take_while",
			"skip_while", "and_then", "map_or", "is_some_and":
			return binder.Source{Node: p.Child(f, "value")}.Elem()
		}
	}
	return binder.UnknownSource
}

func (p *walker) item(n binder.At, kind string) *binder.Symbol {
	sc := p.ScopeAround(n)
	s := p.DeclareSymbol(p.Child(n, "name"), n, kind, sc.Symbol)
	s.OwnerSource = p.ownerOf(n)
	if s.OwnerSource.Node > 0 && (s.Enclosing == nil || !binder.Types[s.Enclosing.Kind]) {
		s.Kind = kindIn(s.Kind)
	}
	if sc.Kind != 't' && sc.Kind != 'n' && sc.Kind != 'c' && s.OwnerSource.Node <= 0 {
		p.BindAt(sc, p.Child(n, "name")).Is(s)
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
func (p *walker) ownerOf(n binder.At) binder.Source {
	if list := p.Parent(n); p.Kind(list) == "declaration_list" && p.Kind(p.Parent(list)) == "impl_item" {
		return binder.TypeAt(p.Child(p.Parent(list), "type"))
	}
	return binder.Source{Node: binder.None}
}

func (p *walker) function(n binder.At) {
	kind := "func"
	if s := p.ScopeAround(n).Symbol; s != nil && s.Kind == "trait" || p.ownerOf(n).Node > 0 {
		kind = "method"
	}
	s := p.item(n, kind)
	sc := p.Open(n, 'f', s)
	p.typeParameters(n, sc, s)
	for c := range p.Named(p.Child(n, "parameters")) {
		switch pattern := p.Child(c, "pattern"); {
		case p.Kind(c) == "self_parameter", p.Kind(pattern) == "self": // self: Pin<&mut Self>
			sc.Bind("self", binder.Source{Mark: binder.MarkSelfType, Node: n})
		case p.Kind(c) == "parameter":
			p.pattern(pattern, binder.ValueOfType(p.Child(c, "type")), sc)
		}
	}
	if r := p.Child(n, "return_type"); r >= 0 {
		s.ResultSources = []binder.Source{binder.ValueOfType(r)}
	}
	p.inside(n)
}

func (p *walker) typeItem(n binder.At) {
	s := p.item(n, strings.TrimSuffix(p.Kind(n), "_item"))
	sc := p.Open(n, 'c', s)
	p.typeParameters(n, sc, s)
	for c := range p.Named(p.Child(n, "bounds")) {
		s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Extends, Of: binder.TypeAt(c), Args: binder.None})
	}
	body := p.Child(n, "body")
	for c := range p.Named(body) {
		switch p.Kind(c) {
		case "field_declaration":
			m := p.DeclareSymbol(p.Child(c, "name"), c, "field", s)
			m.Values = []binder.Source{binder.ValueOfType(p.Child(c, "type"))}
		case "enum_variant":
			p.variant(c, s)
		}
	}
	if p.Kind(body) == "ordered_field_declaration_list" {
		for c := range p.Named(body) {
			if p.Field(c) == "type" {
				s.Parts = append(s.Parts, binder.TypeAt(c))
			}
		}
	}
	p.inside(n)
}

func (p *walker) variant(n binder.At, s *binder.Symbol) {
	m := p.DeclareSymbol(p.Child(n, "name"), n, "const", s)
	m.Static, m.Exported = true, s.Exported
	m.Values = []binder.Source{binder.Source{Mark: binder.MarkClass, Node: n}.Value()}
	for f := range p.Named(p.Child(n, "body")) {
		if p.Kind(f) == "field_declaration" {
			x := p.DeclareSymbol(p.Child(f, "name"), f, "field", m)
			x.Values = []binder.Source{binder.ValueOfType(p.Child(f, "type"))}
		}
	}
}

// A parameter is a type parameter with what it must be.
type parameter struct {
	name  string
	at    binder.At // where it is declared, or none
	bound binder.Source
}

// parameters are the type parameters of a declaration, with what its where clause says
// of them; of a method, what that says of those of the impl around comes behind them.
func (p *walker) parameters(n binder.At) []parameter {
	var all []parameter
	for c := range p.Named(p.Child(n, "type_parameters")) {
		id, bound := c, binder.ExternalSource
		if p.Kind(c) == "constrained_type_parameter" {
			id = p.Child(c, "left")
			bound = binder.TypeAt(p.Child(c, "bounds"))
		}
		if p.Kind(id) == "type_identifier" {
			all = append(all, parameter{p.TextAt(id), id, bound})
		}
	}
	clause := p.First(n, "where_clause")
	if clause < 0 {
		return all
	}
	for c := range p.Named(clause) {
		left, bounds := p.Child(c, "left"), p.Child(c, "bounds")
		if p.Kind(left) != "type_identifier" || bounds < 0 {
			continue
		}
		is := func(x parameter) bool { return x.name == p.TextAt(left) }
		if i := slices.IndexFunc(all, is); i >= 0 {
			all[i].bound = binder.TypeAt(bounds)
		} else if slices.ContainsFunc(p.around, is) {
			all = append(all, parameter{p.TextAt(left), binder.None, binder.TypeAt(bounds)})
		}
	}
	return all
}

// typeParameters makes those of a declaration names of its scope.
func (p *walker) typeParameters(n binder.At, sc *binder.Scope, s *binder.Symbol) {
	all := p.parameters(n)
	for _, x := range all {
		if x.at >= 0 {
			p.BindAt(sc, x.at, binder.Known(facts.Name(x.name)))
		}
	}
	if s.OwnerSource.Node > 0 {
		all = append(all, p.around...)
	}
	for _, x := range all {
		s.Params, s.BoundSources = append(s.Params, x.name), append(s.BoundSources, x.bound)
	}
}

func (p *walker) module(n binder.At) {
	name := p.Child(n, "name")
	if p.Child(n, "body") < 0 {
		x := facts.Import{Path: "self::" + p.TextAt(name), Export: true}
		if file := p.path; file != "" {
			x.Path, x.Local = "./"+file, p.TextAt(name)
		}
		p.Imported(name, x)
		return
	}
	s := p.DeclareSymbol(name, n, "module", p.ScopeAround(n).Symbol)
	s.SelfType = true
	p.Open(n, 'n', s)
	p.inside(p.Child(n, "body"))
}

func (p *walker) impl(n binder.At) {
	sc := p.Open(n, 'b', nil)
	outer := p.around
	defer func() { p.around = outer }()
	p.around = p.parameters(n)
	for _, x := range p.around {
		if x.at >= 0 {
			p.BindAt(sc, x.at, binder.Known(facts.Name(x.name)))
		}
	}
	if trait, t := p.Child(n, "trait"), p.Child(n, "type"); trait >= 0 {
		if p.Kind(t) == "generic_type" {
			t = p.Child(t, "type")
		}
		before, in := len(p.Symbols), p.ScopeAround(n).Symbol
		p.inside(n)
		methods := slices.DeleteFunc(slices.Clone(p.Symbols[before:]), func(s *binder.Symbol) bool {
			return s.Kind != "method" || s.Enclosing != in
		})
		p.Impls = append(p.Impls,
			binder.Implemented{Name: p.TextAt(t), Of: binder.TypeAt(trait), In: in, Methods: methods})
		return
	}
	p.inside(n)
}

// patternBehind binds the names of a pattern for what comes behind a node.
func (p *walker) patternBehind(n, pattern binder.At, from binder.Source) {
	if n >= 0 && pattern >= 0 {
		p.pattern(pattern, from, p.Behind(n, pattern))
	}
}

// pattern binds the names of a pattern.
func (p *walker) pattern(n binder.At, from binder.Source, sc *binder.Scope) {
	switch p.Kind(n) {
	case "identifier", "shorthand_field_identifier":
		if name := p.TextAt(n); name != "" && (name[0] < 'A' || name[0] > 'Z') {
			p.BindAt(sc, n, from)
		}
	case "tuple_pattern":
		i := 0
		for c := range p.Named(n) {
			part := from
			if from.Expr == facts.Nothing && from.Mark == binder.MarkNone {
				part = part.Part(i)
			}
			p.pattern(c, part, sc)
			i++
		}
	case "tuple_struct_pattern":
		first := true
		for c := range p.Named(n) {
			if !first {
				inner := from
				if t := p.TextAt(p.Nth(n, 0)); t != "Some" && t != "Ok" {
					inner = binder.UnknownSource
				}
				p.pattern(c, inner, sc)
			}
			first = false
		}
	case "struct_pattern":
		for c := range p.Named(n) {
			if p.Kind(c) == "field_pattern" {
				f := binder.ValueOfType(p.Child(n, "type")).Member(p.TextAt(p.Child(c, "name")))
				if inner := p.Child(c, "pattern"); inner >= 0 {
					p.pattern(inner, f, sc)
				} else {
					p.pattern(p.Child(c, "name"), f, sc)
				}
			}
		}
	case "type_identifier", "scoped_identifier", "field_identifier", "":
	default:
		for c := range p.Named(n) {
			p.pattern(c, from, sc)
		}
	}
}

// useTree declares the imports of a use declaration.
func (p *walker) useTree(n binder.At, prefix string, export bool) {
	join := func(path string) string {
		path = strings.Join(strings.Fields(path), "")
		if prefix == "" || path == "" {
			return prefix + path
		}
		return prefix + "::" + path
	}
	switch p.Kind(n) {
	case "scoped_use_list":
		p.useTree(p.Child(n, "list"), join(p.TextAt(p.Child(n, "path"))), export)
	case "use_list":
		for c := range p.Named(n) {
			p.useTree(c, prefix, export)
		}
	case "use_wildcard":
		p.Imported(n, facts.Import{Path: join(p.TextAt(p.Nth(n, 0))), Name: "*", Export: export})
	case "use_as_clause":
		p.leaf(p.Child(n, "path"), p.TextAt(p.Child(n, "alias")), join, export)
	case "scoped_identifier", "identifier", "self", "crate", "super":
		p.leaf(n, "", join, export)
	}
}

func (p *walker) leaf(n binder.At, alias string, join func(string) string, export bool) {
	if p.Kind(n) == "scoped_identifier" {
		name := p.Child(n, "name")
		p.Imported(name, facts.Import{
			Path: join(p.TextAt(p.Child(n, "path"))), Name: p.TextAt(name), Local: alias,
			Export: export,
		})
		return
	}
	i := facts.Import{Path: join(""), Name: p.TextAt(n), Local: alias, Export: export}
	if p.Kind(n) != "identifier" || i.Path == "" { // self: the module itself
		i.Name = ""
		if i.Path == "" {
			i.Path = p.TextAt(n)
		}
		if alias == "" {
			i.Local = i.Path[strings.LastIndexByte(i.Path, ':')+1:]
		}
	}
	p.Imported(n, i)
}

func (p *walker) Use() {
	uses(p, 0)
	for _, offset := range p.Hidden {
		if name, behind := p.HiddenName(offset); strings.HasPrefix(behind, "!") {
			macroAt(p, offset, name)
		}
	}
}
