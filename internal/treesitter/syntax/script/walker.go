// Package script says what TypeScript and JavaScript files bind and use.
package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what TypeScript and JavaScript files bind.
type walker struct {
	*binder.Builder

	// object literals and types whose members are children of a symbol
	owned map[binder.At]*binder.Symbol
	ctx   map[binder.At]binder.Source   // object literals whose type is said around them
	fns   map[binder.At]binder.Source   // functions whose type is said around them
	takes map[binder.At][]binder.Source // functions whose first parameters are said around them
	gives map[binder.At]binder.Source   // functions whose result is said around them
	whole binder.Source                 // what module.exports is
	self  int                           // index + 1 of the import that is the module itself, 0 if exports has nothing
	tests *tested                       // what is tested in the file, found as it is first asked for
	// types of object literals, as expected finds them
	expectedOf map[binder.At]facts.Expr
	functions  []signature // all that are symbols
	matching   bool        // what is inferred in a type is a name in it
	comments   comments    // of JavaScript
}

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker {
	return &walker{
		Builder: b, owned: make(map[binder.At]*binder.Symbol), ctx: make(map[binder.At]binder.Source),
		fns: make(map[binder.At]binder.Source), whole: binder.UnknownSource, expectedOf: make(map[binder.At]facts.Expr),
		takes: make(map[binder.At][]binder.Source), gives: make(map[binder.At]binder.Source),
	}
}

func (p *walker) Declare() {
	p.comments.find(p)
	p.inside(0)
	switch p.Language {
	case "Vue", "Svelte", "Astro":
		p.DeclareWhole()
	}
	overloads(p)
}

func (p *walker) inside(n binder.At) {
	for c := range p.Named(n) {
		p.declareNode(c)
	}
}

func (p *walker) declareNode(n binder.At) {
	switch p.Kind(n) {
	case "function_declaration", "generator_function_declaration", "function_signature":
		p.function(n)
	case "function_expression", "function", "arrow_function", "generator_function":
		p.closure(n, nil)
	case "class_declaration", "abstract_class_declaration", "class":
		class(p, n)
	case "interface_declaration":
		iface(p, n)
	case "type_alias_declaration":
		alias(p, n)
	case "enum_declaration":
		enum(p, n)
	case "internal_module", "module":
		namespace(p, n)
	case "variable_declarator":
		p.variable(n)
	case "for_in_statement":
		forIn(p, n)
	case "statement_block", "for_statement", "switch_body":
		p.Open(n, 'b', nil)
		p.inside(n)
	case "catch_clause":
		p.Open(n, 'b', nil)
		p.pattern(p.Child(n, "parameter"), binder.ExternalSource)
		p.inside(n)
	case "import_statement":
		importStatement(p, n)
	case "import_alias":
		importAlias(p, n)
	case "export_statement":
		exportStatement(p, n)
	case "ambient_declaration":
		p.inside(n)
		if p.Has(n, "global") {
			global(p, p.First(n, "statement_block"))
		}
	default:
		p.declareInner(n)
	}
}

// declareInner is for expressions and types.
func (p *walker) declareInner(n binder.At) {
	switch p.Kind(n) {
	case "satisfies_expression", "as_expression", "type_assertion":
		cast(p, n)
		p.inside(n)
	case "jsx_attribute":
		attribute(p, n)
		p.inside(n)
	case "assignment_expression":
		left, right := p.Child(n, "left"), p.Child(n, "right")
		if k := p.Kind(left); k == "identifier" || p.Kind(right) == "object" && !isExports(p, p.Child(left, "object")) &&
			(k == "member_expression" || k == "subscript_expression") {
			p.expect(right, binder.Source{Node: left})
		}
		if !assigned(p, n) {
			p.inside(n)
		}
	case "new_expression":
		p.expectArguments(n)
		p.inside(n)
	case "call_expression":
		p.expectArguments(n)
		callbacks(p, n)
		dynamicImport(p, n)
		p.inside(n)
	case "return_statement":
		returned(p, n)
		p.inside(n)
	case "object":
		object(p, n, ownerOf(p, n))
	case "object_type", "interface_body":
		members(p, n, ownerOf(p, n))
	case "conditional_type":
		p.Open(n, 'b', nil)
		p.inside(n)
	case "infer_type":
		p.BindAt(p.ScopeOf(p.Up(n, "conditional_type")), p.Nth(n, 0), binder.TypeAt(n))
		p.inside(n)
	case "mapped_type_clause":
		p.BindAt(p.ScopeAround(n), p.Child(n, "name"), binder.ExternalSource)
		p.inside(n)
	case "function_type", "constructor_type", "call_signature", "construct_signature":
		sc := p.Open(n, 'b', nil)
		typeParameters(p, n, sc, nil)
		for c := range p.Named(p.Child(n, "parameters")) {
			p.parameter(c, sc, binder.UnknownSource)
		}
		p.inside(n)
	default:
		p.inside(n)
	}
}

// outer is whether a scope is that of the file or of a namespace, where
// variables are symbols.
func outer(sc *binder.Scope) bool { return sc.Kind == 't' || sc.Kind == 'n' }

// isExported reports whether a declaration is exported by a keyword.
func (p *walker) isExported(n binder.At) bool {
	if strings.HasSuffix(p.Path, ".d.ts") {
		return true
	}
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
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
func (p *walker) topSymbol(name, decl binder.At, kind string, sc *binder.Scope) *binder.Symbol {
	s := p.DeclareSymbol(name, decl, kind, sc.Symbol)
	s.Exported = s.Exported && s.Enclosing == nil || p.isExported(decl)
	sc.Bind(p.Plain(name)).Is(s)
	return s
}

func (p *walker) function(n binder.At) {
	name := p.Child(n, "name")
	s := p.topSymbol(name, n, "func", p.ScopeAround(n))
	s.Kind = "func"
	p.closure(n, s)
}

// closure declares what is in a function. Its symbol is nil if it has none.
func (p *walker) closure(n binder.At, s *binder.Symbol) {
	if s != nil {
		p.functions = append(p.functions, signature{s, n})
	}
	sc := p.Open(n, 'f', s)
	typeParameters(p, n, sc, s)
	sc.Self = p.selfOf(n)
	if name := p.Child(n, "name"); name >= 0 && s == nil && isFunctionNode(p.Kind(n)) {
		p.BindAt(sc, name, binder.UnknownSource)
	}
	documentFunction(p, n, s)
	i := 0
	for c := range p.Named(p.Child(n, "parameters")) {
		p.parameter(c, sc, p.contextual(n, i))
		if s != nil && p.Kind(p.Child(c, "pattern")) != "this" {
			p.says(s, c, p.contextual(n, i))
		}
		i++
	}
	if one := p.Child(n, "parameter"); one >= 0 {
		p.pattern(one, p.contextual(n, 0))
	}
	if s != nil && len(s.ResultSources) == 0 {
		if r := p.Child(n, "return_type"); r >= 0 {
			ownParts(p, p.Nth(r, 0), s)
			s.ResultSources = []binder.Source{binder.ValueOfType(r)}
		} else if body := p.Child(n, "body"); body >= 0 && p.Kind(body) != "statement_block" {
			s.ResultSources = []binder.Source{{Node: body}}
			own(p, body, s)
		}
	}
	if s != nil && p.Child(n, "return_type") < 0 {
		ownReturned(p, p.Child(n, "body"), s)
	}
	if from, ok := p.result(n); ok {
		p.expect(p.Child(n, "body"), from)
	}
	for c := range p.Named(n) {
		if f := p.Field(c); f != "name" && f != "type_parameters" {
			p.declareNode(c)
		}
	}
}

// result is what a function is to give, if it says so or what is around it.
func (p *walker) result(n binder.At) (binder.Source, bool) {
	if r := p.Child(n, "return_type"); r >= 0 {
		return binder.ValueOfType(r), true
	}
	if from, ok := p.gives[n]; ok {
		return from, true
	}
	if from, ok := p.fns[n]; ok {
		return from.Call(), true
	}
	return binder.UnknownSource, false
}

// selfOf is what this is in a function, none if it is that of the scope around.
func (p *walker) selfOf(n binder.At) binder.Mark {
	switch k := p.Kind(n); {
	case k == "function_expression" || k == "function" || k == "function_declaration":
		return binder.MarkUnknown
	case k == "method_definition" && p.Kind(p.Parent(n)) == "object":
		return binder.MarkOwner
	case k == "method_definition" && p.Has(n, "static"):
		return binder.MarkClass
	}
	return binder.MarkNone
}

// says adds what a parameter is said to be to its function.
// from is what is around the function says of it.
func (p *walker) says(s *binder.Symbol, n binder.At, from binder.Source) {
	if t := p.Child(n, "type"); t >= 0 {
		from = binder.ValueOfType(t)
		ownParts(p, p.Nth(t, 0), s)
	}
	s.ArgSources = append(s.ArgSources, from)
	s.Rest = p.Kind(p.Child(n, "pattern")) == "rest_pattern"
}

// contextual is what the i-th parameter of a function is, if what is around
// the function says so.
func (p *walker) contextual(n binder.At, i int) binder.Source {
	if list := p.takes[n]; i < len(list) {
		return list[i]
	}
	if f, ok := p.fns[n]; ok {
		f = f.Param(i)
		return f
	}
	return binder.UnknownSource
}

// parameter binds what a parameter binds. One of a constructor with a
// modifier is a field as well.
func (p *walker) parameter(n binder.At, sc *binder.Scope, from binder.Source) {
	switch p.Kind(n) {
	case "required_parameter", "optional_parameter":
		pat, typ, val := p.Child(n, "pattern"), p.Child(n, "type"), p.Child(n, "value")
		switch {
		case typ >= 0:
			from = binder.ValueOfType(typ)
			p.expect(val, from)
		case val >= 0:
			from = binder.Source{Node: val}
		}
		if p.Kind(pat) == "this" {
			if typ >= 0 {
				sc.Bind("this", from)
			}
			return
		}
		p.pattern(pat, from)
		if (p.Has(n, "accessibility_modifier") || p.Has(n, "readonly") || p.Has(n, "override_modifier")) &&
			sc.Symbol != nil && sc.Symbol.Enclosing != nil {
			s := p.DeclareSymbol(pat, n, "field", sc.Symbol.Enclosing)
			s.Values = append(s.Values, from)
		}
	case "assignment_pattern", "identifier", "object_pattern", "array_pattern", "rest_pattern":
		p.pattern(n, from)
	}
}

// pattern binds the names of a pattern.
func (p *walker) pattern(n binder.At, from binder.Source) {
	sc := p.bindingScope(n)
	switch p.Kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		if p.Kind(n) != "identifier" {
			from = from.Member(p.TextAt(n))
		}
		p.name(n, sc, from)
	case "assignment_pattern", "object_assignment_pattern":
		left := p.Child(n, "left")
		if from.Expr == facts.Unknown {
			from = binder.Source{Node: p.Child(n, "right")}
			if p.Kind(n) == "object_assignment_pattern" {
				p.name(left, sc, from)
				return
			}
		}
		p.pattern(left, from)
	case "object_pattern":
		for c := range p.Named(n) {
			p.pattern(c, from)
		}
	case "pair_pattern":
		key := p.Child(n, "key")
		if p.Kind(key) == "property_identifier" {
			from = from.Member(p.TextAt(key))
		} else {
			from = binder.UnknownSource
		}
		p.pattern(p.Child(n, "value"), from)
	case "array_pattern":
		arrayPattern(p, n, from)
	case "rest_pattern":
		p.pattern(p.Nth(n, 0), from)
	}
}

func arrayPattern(p *walker, n binder.At, from binder.Source) {
	i := 0
	for c := range p.All(n) {
		switch {
		case p.TextAt(c) == ",":
			i++
		case p.Nodes[c].Named && p.Kind(c) == "rest_pattern":
			p.pattern(c, from)
		case p.Nodes[c].Named:
			part := from
			if from.Expr != facts.Unknown {
				part = part.Part(i)
			}
			p.pattern(c, part)
		}
	}
}

// name binds a name, in the file as a symbol.
func (p *walker) name(n binder.At, sc *binder.Scope, from binder.Source) {
	if outer(sc) {
		decl := p.Up(n, "variable_declarator", "required_parameter")
		if decl < 0 {
			decl = n
		}
		s := p.topSymbol(n, decl, "const", sc)
		s.Values = append(s.Values, from)
		return
	}
	p.BindAt(sc, n, from)
}

// bindingScope is where a pattern binds: of "var" the function.
func (p *walker) bindingScope(n binder.At) *binder.Scope {
	sc := p.ScopeAround(n)
	if d := p.Up(n, "variable_declaration", "lexical_declaration", "formal_parameters",
		"statement_block"); p.Kind(d) == "variable_declaration" {
		return sc.Function()
	}
	return sc
}

// block reports whether declarations here are the file's: not in a block.
func (p *walker) variable(n binder.At) {
	name, typ, val := p.Child(n, "name"), p.Child(n, "type"), p.Child(n, "value")
	if require(p, name, val) {
		return
	}
	sc := p.bindingScope(name)
	from := binder.Source{Node: val}
	if val < 0 {
		from = binder.UnknownSource
		if up := p.Parent(p.Parent(n)); p.Kind(up) == "for_in_statement" {
			from = binder.Source{Node: p.Child(up, "right")}.Elem()
		}
	}
	if typ >= 0 {
		from = binder.ValueOfType(typ)
		p.expect(val, from)
	}
	said, ok := documented(p, n)
	if ok {
		from = said
		p.expect(val, from)
	}
	if p.Kind(name) != "identifier" || !outer(sc) && !p.isLocalSymbol(name, val) {
		p.pattern(name, from)
		p.declareIfAny(typ)
		p.declareIfAny(val)
		return
	}
	if k := p.Kind(val); isFunctionNode(k) {
		s := p.topSymbol(name, n, "func", sc)
		s.Kind = "func"
		if typ >= 0 {
			s.ResultSources = []binder.Source{binder.ValueOfType(typ).Call()}
			p.declareNode(typ)
		}
		p.closure(val, s)
		return
	} else if k == "class" {
		s := p.topSymbol(name, n, "class", sc)
		classBody(p, val, s)
		return
	}
	s := p.topSymbol(name, n, "const", sc)
	s.Values = append(s.Values, from)
	if typ < 0 && !ok {
		own(p, val, s)
	} else if typ >= 0 {
		ownParts(p, p.Nth(typ, 0), s)
		p.declareNode(typ)
	}
	p.declareIfAny(val)
}

// isLocalSymbol reports whether a variable of a function is a function, a class or made by a
// call of a function, and the outline has it: others may use it by name, as one that is
// declared by a keyword.
func (p *walker) isLocalSymbol(name, val binder.At) bool {
	k := p.Kind(val)
	return p.Outlined[int(p.Nodes[name].Start)] != nil && (isFunctionNode(k) || k == "class" || k == "call_expression")
}

func (p *walker) declareIfAny(n binder.At) {
	if n >= 0 {
		p.declareNode(n)
	}
}

func isFunctionNode(k string) bool {
	return k == "arrow_function" || k == "function_expression" || k == "function" || k == "generator_function"
}

// expect says what an object literal is to be.
func (p *walker) expect(n binder.At, from binder.Source) {
	for p.Kind(n) == "parenthesized_expression" {
		n = p.Nth(n, 0)
	}
	switch p.Kind(n) {
	case "arrow_function", "function_expression", "function":
		p.fns[n] = from
	case "object", "statement_block", "call_expression":
		p.ctx[n] = from
	case "array":
		from = from.Elem()
		for c := range p.Named(n) {
			p.expect(c, from)
		}
	case "ternary_expression":
		p.expect(p.Child(n, "consequence"), from)
		p.expect(p.Child(n, "alternative"), from)
	}
}

// expectArguments says what arguments are to be: what the parameters of the
// function are.
func (p *walker) expectArguments(n binder.At) {
	for c := range p.Named(p.Child(n, "arguments")) {
		p.expect(c, binder.Source{Node: c, Mark: binder.MarkArgument})
	}
}

func (p *walker) Use() { uses(p, 0) }
