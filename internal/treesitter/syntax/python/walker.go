// Package python says what Python files bind and use.
package python

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what Python files bind: in functions every name that is
// assigned anywhere in them, unless it is global or nonlocal.
type walker struct{ *binder.Builder }

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker { return &walker{b} }

func (p *walker) Declare() {
	p.Top.Symbol = nil
	p.body(0)
}

// body declares what is in a node.
func (p *walker) body(n binder.At) {
	for c := range p.Named(n) {
		p.declareNode(c)
	}
}

func (p *walker) declareNode(n binder.At) {
	switch p.Kind(n) {
	case "function_definition":
		p.function(n)
	case "class_definition":
		p.class(n)
	case "lambda":
		p.Open(n, 'f', nil)
		p.parameters(p.Child(n, "parameters"), nil)
		p.body(n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		p.Open(n, 'b', nil)
		p.body(n)
	case "for_in_clause":
		p.targets(p.Child(n, "left"), binder.Source{Node: p.Child(n, "right")}.Elem())
		p.body(n)
	case "for_statement":
		p.targets(p.Child(n, "left"), binder.Source{Node: p.Child(n, "right")}.Elem())
		p.body(n)
	case "assignment":
		p.assignment(n)
		p.body(n)
	case "augmented_assignment":
		p.targets(p.Child(n, "left"), binder.UnknownSource)
		p.body(n)
	case "named_expression":
		p.bindIn(p.ScopeAround(n).Function(), p.Child(n, "name"), binder.Source{Node: p.Child(n, "value")})
		p.body(n)
	case "as_pattern":
		asPattern(p, n)
	case "global_statement", "nonlocal_statement":
		p.notLocal(n)
	case "import_statement", "import_from_statement", "future_import_statement":
		importNames(p, n)
	case "case_pattern":
		capture(p, p.Nth(n, 0))
		p.body(n)
	case "keyword_pattern":
		capture(p, p.Nth(n, 1))
		p.body(n)
	case "splat_pattern":
		p.bindIn(p.ScopeAround(n), p.Nth(n, 0), binder.ExternalSource)
	case "type_alias_statement":
		typeAlias(p, n)
		p.body(n)
	case "return_statement":
		p.returns(n)
		p.body(n)
	case "yield":
		p.yields(n)
		p.body(n)
	default:
		p.body(n)
	}
}

func (p *walker) function(n binder.At) {
	name := p.Child(n, "name")
	around := p.ScopeAround(n)
	parent := around.Symbol
	kind := "func"
	inClass := around.Function().Kind == 'c'
	if inClass {
		kind = "method"
	}
	marks := p.decorators(n)
	for _, m := range marks {
		if m == "property" || strings.HasSuffix(m, "cached_property") || strings.HasSuffix(m, ".setter") ||
			strings.HasSuffix(m, "abstractproperty") {
			kind = "property"
		}
	}
	s := p.DeclareSymbol(name, n, kind, parent)
	for _, m := range marks {
		s.Static = s.Static || m == "staticmethod" || m == "classmethod"
	}
	p.BindAt(around.Function(), name).Is(s)
	sc := p.Open(n, 'f', s)
	if inClass && !slices.Contains(marks, "staticmethod") {
		sc.Self = binder.MarkSelf
		if slices.Contains(marks, "classmethod") || p.TextAt(name) == "__new__" || p.TextAt(name) == "__init_subclass__" ||
			p.TextAt(name) == "__class_getitem__" {
			sc.Self = binder.MarkClass
		}
	}
	p.typeParameters(n, sc, s)
	p.parameters(p.Child(n, "parameters"), sc)
	if r := resultType(p, n); r >= 0 {
		s.ResultSources = []binder.Source{binder.ValueOfType(r)}
		t := strings.Trim(p.TextAt(r), "\"'")
		if inClass && sc.SelfType != "" && t == sc.SelfType && sc.Self == binder.MarkSelf {
			s.ResultSources = []binder.Source{{Mark: binder.MarkSelf, Node: r}}
		}
		for _, m := range marks {
			if t := p.TextAt(r); strings.HasSuffix(m, "contextmanager") || strings.HasSuffix(m, "fixture") &&
				(strings.Contains(t, "Iterator") || strings.Contains(t, "Generator")) {
				s.ResultSources[0] = s.ResultSources[0].Elem()
			}
		}
	}
	p.body(n)
	s.Decorators = decoratorsThatMatter(p, n, marks)
	if kind == "property" {
		s.Values, s.ResultSources = s.ResultSources, nil
		if s.Values == nil {
			s.Values = []binder.Source{binder.UnknownSource}
		}
	}
}

// isTest reports whether a parameter list is that of a test or fixture, whose
// parameters are named like the fixtures that they are.
func (p *walker) isTest(parameters binder.At) bool {
	f := p.Parent(parameters)
	if p.Kind(f) != "function_definition" {
		return false
	}
	for _, m := range p.decorators(f) {
		if strings.HasSuffix(m, "fixture") {
			return true
		}
	}
	return strings.HasPrefix(p.TextAt(p.Child(f, "name")), "test") && hasTests(p.Path)
}

// hasTests reports whether a file may have tests by its name or that of a folder.
func hasTests(path string) bool {
	dirs, base := "/", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dirs, base = "/"+path[:i+1], path[i+1:]
	}
	return strings.HasPrefix(base, "test") || strings.HasSuffix(base, "_test.py") || base == "conftest.py" ||
		strings.Contains(dirs, "/tests/") || strings.Contains(dirs, "/test/")
}

func (p *walker) decorators(n binder.At) []string {
	var all []string
	if p.Kind(p.Parent(n)) != "decorated_definition" {
		return nil
	}
	for c := range p.Named(p.Parent(n)) {
		if p.Kind(c) == "decorator" {
			d := p.Nth(c, 0)
			if p.Kind(d) == "call" {
				d = p.Child(d, "function")
			}
			all = append(all, p.TextAt(d))
		}
	}
	return all
}

func (p *walker) class(n binder.At) {
	name := p.Child(n, "name")
	around := p.ScopeAround(n)
	s := p.DeclareSymbol(name, n, "class", around.Symbol)
	p.BindAt(around.Function(), name).Is(s)
	for c := range p.Named(p.Child(n, "superclasses")) {
		if k := p.Kind(c); k != "keyword_argument" && k != "list_splat" && k != "dictionary_splat" {
			s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Extends, Of: binder.TypeAt(c), Args: binder.None})
		}
	}
	s.Params = typeVariables(p, p.Child(n, "superclasses"))
	// bases and type parameters are outside of the class's scope
	body := p.Child(n, "body")
	if tp := p.Child(n, "type_parameters"); tp >= 0 {
		sc := p.Open(n, 'b', s)
		p.typeParameters(n, sc, s)
	}
	if body >= 0 {
		p.Open(body, 'c', s)
	}
	p.body(n)
	switch fields := recordFields(p, body); {
	case isRecord(p, n):
		if s.ParameterTypes = fields; len(fields) == 0 {
			s.ParameterTypes = []facts.Expr{facts.Unknown}
		}
	case len(fields) > 0 && len(s.BaseSources) > 0: // if one of them is
		s.ParameterTypes = append([]facts.Expr{facts.External}, fields...)
	}
}

func (p *walker) typeParameters(n binder.At, sc *binder.Scope, s *binder.Symbol) {
	for c := range p.Named(p.Child(n, "type_parameters")) {
		for id := c; id >= 0; id = p.Nth(id, 0) {
			if p.Kind(id) == "identifier" {
				p.BindAt(sc, id, binder.Known(facts.Name(p.TextAt(id))))
				s.Params = append(s.Params, p.TextAt(id))
				break
			}
		}
	}
}

// parameters binds the parameters of a function. The first of a method is its
// self.
func (p *walker) parameters(n binder.At, method *binder.Scope) {
	sc := p.ScopeOf(n)
	i := 0
	for c := range p.Named(n) {
		id, typ, def := c, binder.None, binder.None
		switch p.Kind(c) {
		case "default_parameter":
			id, def = p.Child(c, "name"), p.Child(c, "value")
		case "typed_default_parameter":
			id, typ, def = p.Child(c, "name"), p.Child(c, "type"), p.Child(c, "value")
		case "typed_parameter":
			id, typ = p.Nth(c, 0), p.Child(c, "type")
		}
		splat := p.Kind(id)
		if splat == "dictionary_splat_pattern" && method != nil && method.Symbol.Name == "__init__" {
			method.Symbol.Signature = facts.TakesAny
		}
		if splat == "list_splat_pattern" || splat == "dictionary_splat_pattern" {
			id = p.Nth(id, 0)
		}
		if p.Kind(id) != "identifier" {
			continue
		}
		v := p.BindAt(sc, id)
		switch {
		// also when a type variable is its type
		case i == 0 && method != nil && method.Self != binder.MarkNone && splat == "identifier":
			v.Sources = []binder.Source{{Mark: method.Self, Node: id}}
			method.SelfType = strings.Trim(p.TextAt(typ), "\"'")
		case typ >= 0 && splat == "list_splat_pattern":
			v.Sources = []binder.Source{binder.TypeAt(typ).Done(binder.TakeListOf)}
		case typ >= 0 && splat == "identifier":
			v.Sources = []binder.Source{binder.ValueOfType(typ)}
		case def >= 0:
			v.Sources = []binder.Source{{Node: def}}
		case splat == "identifier" && p.isTest(n):
			v.Sources = []binder.Source{binder.Known(facts.Name(p.TextAt(id)).Call(0))} // a fixture
		case splat == "list_splat_pattern" || splat == "dictionary_splat_pattern":
			v.Sources = []binder.Source{binder.ExternalSource}
		}
		i++
	}
}

// bindIn binds a name in the scope where it belongs. A pattern may have none:
// that of "case [x, *_]" is no node.
func (p *walker) bindIn(sc *binder.Scope, id binder.At, from binder.Source) {
	if id < 0 {
		return
	}
	sc = sc.Function()
	name := p.TextAt(id)
	if v := sc.Names[name]; v != nil && v.Outer {
		if v.Imported == 0 && v.Symbol == nil { // global: the file's
			p.bindTop(id, from)
		}
		return
	}
	switch sc.Kind {
	case 't':
		p.bindTop(id, from)
	case 'c':
		s := p.declareValue(id, sc.Symbol, "field", from)
		s.Static = false
		sc.Bind(name).Is(s)
	default:
		p.BindAt(sc, id, from)
	}
}

func (p *walker) bindTop(id binder.At, from binder.Source) {
	if v := p.Top.Names[p.TextAt(id)]; v != nil && v.Symbol != nil {
		p.boundAgain(id, v.Symbol)
		if v.Symbol.Kind == "var" || v.Symbol.Kind == "const" {
			v.Symbol.Values = append(v.Symbol.Values, from)
		}
		return
	}
	s := p.declareValue(id, nil, "var", from)
	p.BindAt(p.Top, id).Is(s)
}

// boundAgain makes an assignment to a name that its scope has already a use of
// what the name stands for, and no declaration.
func (p *walker) boundAgain(id binder.At, first *binder.Symbol) {
	if spot := int(p.Nodes[id].Start); spot != first.Spot {
		delete(p.Outlined, spot)
	}
}

// declareValue declares a variable or field, once by its name.
func (p *walker) declareValue(id binder.At, parent *binder.Symbol, kind string, from binder.Source) *binder.Symbol {
	if parent != nil {
		if s := parent.Members[p.TextAt(id)]; s != nil {
			p.boundAgain(id, s)
			if s.Kind == "field" || s.Kind == "const" || s.Kind == "var" {
				s.Values = append(s.Values, from)
			}
			return s
		}
	}
	decl := p.Up(id, "expression_statement", "with_item", "import_from_statement")
	if decl < 0 {
		decl = id
	}
	s := p.DeclareSymbol(id, decl, kind, parent)
	s.Values = append(s.Values, from)
	return s
}

// targets binds what is assigned to.
func (p *walker) targets(n binder.At, from binder.Source) {
	switch p.Kind(n) {
	case "identifier":
		p.bindIn(p.targetScope(n), n, from)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list", "as_pattern_target",
		"parenthesized_expression":
		alone := p.Kind(n) == "as_pattern_target" || p.Kind(n) == "parenthesized_expression"
		i := 0
		for c := range p.Named(n) {
			part := from
			if !alone {
				part = p.part(from, i)
			}
			p.targets(c, part)
			i++
		}
	case "list_splat_pattern", "list_splat":
		p.targets(p.Nth(n, 0), binder.ExternalSource)
	case "attribute":
		p.attribute(n, from)
	}
}

// targetScope is where the name of a target is bound: that of a comprehension
// in it, others in the function.
func (p *walker) targetScope(n binder.At) *binder.Scope {
	sc := p.ScopeAround(n)
	if sc.Kind == 'b' && p.Up(n, "for_in_clause", "expression_statement", "block") >= 0 &&
		p.Kind(p.Up(n, "for_in_clause", "expression_statement", "block")) == "for_in_clause" {
		return &binder.Scope{Kind: 'f', Names: sc.Names, Parent: sc.Parent, Symbol: sc.Symbol}
	}
	return sc
}

// part is the i-th of what a source gives.
func (p *walker) part(from binder.Source, i int) binder.Source {
	if from.IsPlain() {
		switch p.Kind(from.Node) {
		case "tuple", "expression_list", "list":
			return binder.Source{Node: p.Nth(from.Node, i)}
		}
	}
	from = from.Part(i)
	return from
}

// attribute declares an attribute that is assigned on self, or on the class.
func (p *walker) attribute(n binder.At, from binder.Source) {
	object, attr := p.Child(n, "object"), p.Child(n, "attribute")
	if p.Kind(object) != "identifier" {
		return
	}
	sc := p.ScopeAround(n)
	v, owner := sc.Find(p.TextAt(object), false)
	if v == nil || owner.Kind != 'f' || len(v.Sources) != 1 || v.Sources[0].Mark != binder.MarkSelf &&
		v.Sources[0].Mark != binder.MarkClass || owner.Symbol.Enclosing == nil {
		return
	}
	class := owner.Symbol.Enclosing
	for class != nil && class.Kind != "class" {
		class = class.Enclosing
	}
	if class == nil {
		return
	}
	p.declareValue(attr, class, "field", from)
}

func (p *walker) assignment(n binder.At) {
	left, right, typ := p.Child(n, "left"), p.Child(n, "right"), p.Child(n, "type")
	switch {
	case typ >= 0 && (right < 0 || !saysNothing(p, typ)):
		p.targets(left, binder.ValueOfType(typ))
	case right >= 0:
		for p.Kind(right) == "assignment" { // a = b = c
			right = p.Child(right, "right")
		}
		p.targets(left, binder.Source{Node: right})
	}
}

func (p *walker) notLocal(n binder.At) {
	sc := p.ScopeAround(n).Function()
	for c := range p.Named(n) {
		v := sc.Bind(p.TextAt(c))
		v.Outer = true
		if p.Kind(n) == "nonlocal_statement" {
			v.Imported = -1
		}
	}
}

func (p *walker) returns(n binder.At) {
	s, ok := p.around(n)
	said := resultType(p, p.functionOf(n)) >= 0
	if v := p.Nth(n, 0); ok && v >= 0 && !said && len(s.ResultSources) < binder.Most {
		s.ResultSources = append(s.ResultSources, binder.Source{Node: v})
	}
}

func (p *walker) yields(n binder.At) {
	s, ok := p.around(n)
	said := resultType(p, p.functionOf(n)) >= 0
	if v := p.Nth(n, 0); ok && v >= 0 && !said && len(s.ResultSources) < binder.Most {
		for _, m := range p.decorators(p.functionOf(n)) {
			if strings.HasSuffix(m, "contextmanager") || strings.HasSuffix(m, "fixture") {
				s.ResultSources = append(s.ResultSources, binder.Source{Node: v})
				return
			}
		}
		if !s.Generator {
			s.Generator, s.ResultSources = true, nil
		}
		src := binder.Source{Node: v}
		if p.Has(n, "from") {
			src = src.Elem()
		}
		s.ResultSources = append(s.ResultSources, src)
	}
}

func (p *walker) functionOf(n binder.At) binder.At {
	return p.Up(n, "function_definition", "lambda", "class_definition")
}

// around is the symbol of the function that a statement is in.
func (p *walker) around(n binder.At) (*binder.Symbol, bool) {
	f := p.functionOf(n)
	if p.Kind(f) != "function_definition" {
		return nil, false
	}
	sc := p.Scopes[f]
	return sc.Symbol, sc.Symbol != nil
}

func (p *walker) Use() { uses(p, 0) }

// LookFrom is the scope from which the name at a node is looked up. Defaults
// and annotations of a function are evaluated around it, where its parameters
// are not known but its type parameters. A name of a class that is not bound
// yet has the meaning it has outside.
func (p *walker) LookFrom(n binder.At, name string, from *binder.Scope) *binder.Scope {
	if from.Kind == 'f' && from.Parent != nil && inSignature(p, n, from) &&
		(from.Symbol == nil || !slices.Contains(from.Symbol.Params, name)) {
		from = from.Parent
	}
	if from.Kind == 'c' && from.Parent != nil {
		if v := from.Names[name]; v != nil && v.Symbol != nil && int(p.Nodes[n].Start) < boundAt(v.Symbol) {
			return from.Parent
		}
	}
	return from
}
