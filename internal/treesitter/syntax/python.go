package syntax

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// python declares what Python files bind: in functions every name that is
// assigned anywhere in them, unless it is global or nonlocal.
type python struct{ *builder }

func (p *python) declare() {
	p.top.symbol = nil
	p.body(0)
}

// body declares what is in a node.
func (p *python) body(n at) {
	for c := range p.named(n) {
		p.declareNode(c)
	}
}

func (p *python) declareNode(n at) {
	switch p.kind(n) {
	case "function_definition":
		p.function(n)
	case "class_definition":
		p.class(n)
	case "lambda":
		p.open(n, 'f', nil)
		p.parameters(p.child(n, "parameters"), nil)
		p.body(n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		p.open(n, 'b', nil)
		p.body(n)
	case "for_in_clause":
		p.targets(p.child(n, "left"), source{node: p.child(n, "right")}.elem())
		p.body(n)
	case "for_statement":
		p.targets(p.child(n, "left"), source{node: p.child(n, "right")}.elem())
		p.body(n)
	case "assignment":
		p.assignment(n)
		p.body(n)
	case "augmented_assignment":
		p.targets(p.child(n, "left"), unknownSource)
		p.body(n)
	case "named_expression":
		p.bindIn(p.scopeAround(n).function(), p.child(n, "name"), source{node: p.child(n, "value")})
		p.body(n)
	case "as_pattern":
		p.asPattern(n)
	case "global_statement", "nonlocal_statement":
		p.notLocal(n)
	case "import_statement", "import_from_statement", "future_import_statement":
		p.importNames(n)
	case "case_pattern":
		p.capture(p.nth(n, 0))
		p.body(n)
	case "keyword_pattern":
		p.capture(p.nth(n, 1))
		p.body(n)
	case "splat_pattern":
		p.bindIn(p.scopeAround(n), p.nth(n, 0), externalSource)
	case "type_alias_statement":
		p.typeAlias(n)
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

func (p *python) function(n at) {
	name := p.child(n, "name")
	around := p.scopeAround(n)
	parent := around.symbol
	kind := "func"
	inClass := around.function().kind == 'c'
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
	s := p.declareSymbol(name, n, kind, parent)
	for _, m := range marks {
		s.Static = s.Static || m == "staticmethod" || m == "classmethod"
	}
	p.bindAt(around.function(), name).is(s)
	sc := p.open(n, 'f', s)
	if inClass && !slices.Contains(marks, "staticmethod") {
		sc.self = markSelf
		if slices.Contains(marks, "classmethod") || p.text(name) == "__new__" || p.text(name) == "__init_subclass__" ||
			p.text(name) == "__class_getitem__" {
			sc.self = markClass
		}
	}
	p.typeParameters(n, sc, s)
	p.parameters(p.child(n, "parameters"), sc)
	if r := p.child(n, "return_type"); r >= 0 {
		s.results = []source{valueOfType(r)}
		if t := strings.Trim(p.text(r), "\"'"); inClass && sc.selfType != "" && t == sc.selfType && sc.self == markSelf {
			s.results = []source{{mark: markSelf, node: r}}
		}
		for _, m := range marks {
			if t := p.text(r); strings.HasSuffix(m, "contextmanager") || strings.HasSuffix(m, "fixture") &&
				(strings.Contains(t, "Iterator") || strings.Contains(t, "Generator")) {
				s.results[0] = s.results[0].elem()
			}
		}
	}
	p.body(n)
	s.decorators = p.decoratorsThatMatter(n, marks)
	if kind == "property" {
		s.value, s.results = s.results, nil
		if s.value == nil {
			s.value = []source{unknownSource}
		}
	}
}

// isTest reports whether a parameter list is that of a test or fixture, whose
// parameters are named like the fixtures that they are.
func (p *python) isTest(parameters at) bool {
	f := p.parent(parameters)
	base := p.path[strings.LastIndexByte(p.path, '/')+1:]
	if p.kind(f) != "function_definition" || !strings.HasPrefix(base, "test") && !strings.HasSuffix(base, "_test.py") &&
		base != "conftest.py" {
		return false
	}
	for _, m := range p.decorators(f) {
		if strings.HasSuffix(m, "fixture") {
			return true
		}
	}
	return strings.HasPrefix(p.text(p.child(f, "name")), "test")
}

func (p *python) decorators(n at) []string {
	var all []string
	if p.kind(p.parent(n)) != "decorated_definition" {
		return nil
	}
	for c := range p.named(p.parent(n)) {
		if p.kind(c) == "decorator" {
			d := p.nth(c, 0)
			if p.kind(d) == "call" {
				d = p.child(d, "function")
			}
			all = append(all, p.text(d))
		}
	}
	return all
}

func (p *python) class(n at) {
	name := p.child(n, "name")
	around := p.scopeAround(n)
	s := p.declareSymbol(name, n, "class", around.symbol)
	p.bindAt(around.function(), name).is(s)
	for c := range p.named(p.child(n, "superclasses")) {
		if k := p.kind(c); k != "keyword_argument" && k != "list_splat" && k != "dictionary_splat" {
			s.bases = append(s.bases, base{facts.Extends, typeAt(c), none})
		}
	}
	// bases and type parameters are outside of the class's scope
	body := p.child(n, "body")
	if tp := p.child(n, "type_parameters"); tp >= 0 {
		sc := p.open(n, 'b', s)
		p.typeParameters(n, sc, s)
	}
	if body >= 0 {
		p.open(body, 'c', s)
	}
	p.body(n)
	if p.isRecord(n) {
		s.ParameterTypes = p.recordFields(body)
	}
}

func (p *python) typeParameters(n at, sc *scope, s *symbol) {
	for c := range p.named(p.child(n, "type_parameters")) {
		for id := c; id >= 0; id = p.nth(id, 0) {
			if p.kind(id) == "identifier" {
				p.bindAt(sc, id, externalSource)
				s.Params = append(s.Params, p.text(id))
				break
			}
		}
	}
}

// parameters binds the parameters of a function. The first of a method is its
// self.
func (p *python) parameters(n at, method *scope) {
	sc := p.scopeOf(n)
	i := 0
	for c := range p.named(n) {
		id, typ, def := c, none, none
		switch p.kind(c) {
		case "default_parameter":
			id, def = p.child(c, "name"), p.child(c, "value")
		case "typed_default_parameter":
			id, typ, def = p.child(c, "name"), p.child(c, "type"), p.child(c, "value")
		case "typed_parameter":
			id, typ = p.nth(c, 0), p.child(c, "type")
		}
		splat := p.kind(id)
		if splat == "list_splat_pattern" || splat == "dictionary_splat_pattern" {
			id = p.nth(id, 0)
		}
		if p.kind(id) != "identifier" {
			continue
		}
		v := p.bindAt(sc, id)
		switch {
		// also when a type variable is its type
		case i == 0 && method != nil && method.self != markNone && splat == "identifier":
			v.sources = []source{{mark: method.self, node: id}}
			method.selfType = strings.Trim(p.text(typ), "\"'")
		case typ >= 0 && splat == "list_splat_pattern":
			v.sources = []source{typeAt(typ).done(takeListOf)}
		case typ >= 0 && splat == "identifier":
			v.sources = []source{valueOfType(typ)}
		case def >= 0:
			v.sources = []source{{node: def}}
		case splat == "identifier" && p.isTest(n):
			v.sources = []source{known(facts.Name(p.text(id)).Call(0))} // a fixture
		case splat == "list_splat_pattern" || splat == "dictionary_splat_pattern":
			v.sources = []source{externalSource}
		}
		i++
	}
}

// bindIn binds a name in the scope where it belongs. A pattern may have none:
// that of "case [x, *_]" is no node.
func (p *python) bindIn(sc *scope, id at, from source) {
	if id < 0 {
		return
	}
	sc = sc.function()
	name := p.text(id)
	if v := sc.names[name]; v != nil && v.outer {
		if v.imported == 0 && v.symbol == nil { // global: the file's
			p.bindTop(id, from)
		}
		return
	}
	switch sc.kind {
	case 't':
		p.bindTop(id, from)
	case 'c':
		s := p.declareValue(id, sc.symbol, "field", from)
		s.Static = false
		sc.bind(name).is(s)
	default:
		p.bindAt(sc, id, from)
	}
}

func (p *python) bindTop(id at, from source) {
	if v := p.top.names[p.text(id)]; v != nil && v.symbol != nil {
		p.boundAgain(id, v.symbol)
		if v.symbol.Kind == "var" || v.symbol.Kind == "const" {
			v.symbol.value = append(v.symbol.value, from)
		}
		return
	}
	s := p.declareValue(id, nil, "var", from)
	p.bindAt(p.top, id).is(s)
}

// boundAgain makes an assignment to a name that its scope has already a use of
// what the name stands for, and no declaration.
func (p *python) boundAgain(id at, first *symbol) {
	if spot := int(p.Nodes[id].Start); spot != first.spot {
		delete(p.outlined, spot)
	}
}

// declareValue declares a variable or field, once by its name.
func (p *python) declareValue(id at, parent *symbol, kind string, from source) *symbol {
	if parent != nil {
		if s := parent.members[p.text(id)]; s != nil {
			p.boundAgain(id, s)
			if s.Kind == "field" || s.Kind == "const" || s.Kind == "var" {
				s.value = append(s.value, from)
			}
			return s
		}
	}
	decl := p.up(id, "expression_statement", "with_item", "import_from_statement")
	if decl < 0 {
		decl = id
	}
	s := p.declareSymbol(id, decl, kind, parent)
	s.value = append(s.value, from)
	return s
}

// targets binds what is assigned to.
func (p *python) targets(n at, from source) {
	switch p.kind(n) {
	case "identifier":
		p.bindIn(p.targetScope(n), n, from)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list", "as_pattern_target",
		"parenthesized_expression":
		alone := p.kind(n) == "as_pattern_target" || p.kind(n) == "parenthesized_expression"
		i := 0
		for c := range p.named(n) {
			part := from
			if !alone {
				part = p.part(from, i)
			}
			p.targets(c, part)
			i++
		}
	case "list_splat_pattern", "list_splat":
		p.targets(p.nth(n, 0), externalSource)
	case "attribute":
		p.attribute(n, from)
	}
}

// targetScope is where the name of a target is bound: that of a comprehension
// in it, others in the function.
func (p *python) targetScope(n at) *scope {
	sc := p.scopeAround(n)
	if sc.kind == 'b' && p.up(n, "for_in_clause", "expression_statement", "block") >= 0 &&
		p.kind(p.up(n, "for_in_clause", "expression_statement", "block")) == "for_in_clause" {
		return &scope{kind: 'f', names: sc.names, parent: sc.parent, symbol: sc.symbol}
	}
	return sc
}

// part is the i-th of what a source gives.
func (p *python) part(from source, i int) source {
	if from.isPlain() {
		switch p.kind(from.node) {
		case "tuple", "expression_list", "list":
			return source{node: p.nth(from.node, i)}
		}
	}
	from = from.part(i)
	return from
}

// attribute declares an attribute that is assigned on self, or on the class.
func (p *python) attribute(n at, from source) {
	object, attr := p.child(n, "object"), p.child(n, "attribute")
	if p.kind(object) != "identifier" {
		return
	}
	sc := p.scopeAround(n)
	v, owner := sc.find(p.text(object), false)
	if v == nil || owner.kind != 'f' || len(v.sources) != 1 || v.sources[0].mark != markSelf &&
		v.sources[0].mark != markClass || owner.symbol.parent == nil {
		return
	}
	class := owner.symbol.parent
	for class != nil && class.Kind != "class" {
		class = class.parent
	}
	if class == nil {
		return
	}
	p.declareValue(attr, class, "field", from)
}

func (p *python) assignment(n at) {
	left, right, typ := p.child(n, "left"), p.child(n, "right"), p.child(n, "type")
	switch {
	case typ >= 0 && (right < 0 || !p.saysNothing(typ)):
		p.targets(left, valueOfType(typ))
	case right >= 0:
		for p.kind(right) == "assignment" { // a = b = c
			right = p.child(right, "right")
		}
		p.targets(left, source{node: right})
	}
}

// asPattern binds the name of "with x as y", "except X as y", "case x as y".
func (p *python) asPattern(n at) {
	from, target := p.nth(n, 0), p.last(n)
	src := source{node: from}.member("__enter__").call()
	switch {
	case p.up(n, "except_clause", "except_group_clause", "with_clause", "case_clause") < 0:
	case p.kind(p.up(n, "except_clause", "except_group_clause", "with_clause", "case_clause")) == "with_clause":
		src = source{node: from}.done(takeEntered)
	default:
		src = source{node: from}.call()
		if p.kind(from) == "tuple" {
			src = source{node: from}.elem().call()
		}
	}
	p.targets(target, src)
	p.body(n)
}

func (p *python) notLocal(n at) {
	sc := p.scopeAround(n).function()
	for c := range p.named(n) {
		v := sc.bind(p.text(c))
		v.outer = true
		if p.kind(n) == "nonlocal_statement" {
			v.imported = -1
		}
	}
}

func (p *python) returns(n at) {
	s, ok := p.around(n)
	if v := p.nth(n, 0); ok && v >= 0 && p.child(p.functionOf(n), "return_type") < 0 && len(s.results) < most {
		s.results = append(s.results, source{node: v})
	}
}

func (p *python) yields(n at) {
	s, ok := p.around(n)
	if v := p.nth(n, 0); ok && v >= 0 && p.child(p.functionOf(n), "return_type") < 0 && len(s.results) < most {
		for _, m := range p.decorators(p.functionOf(n)) {
			if strings.HasSuffix(m, "contextmanager") || strings.HasSuffix(m, "fixture") {
				s.results = append(s.results, source{node: v})
				return
			}
		}
		if !s.generator {
			s.generator, s.results = true, nil
		}
		src := source{node: v}
		if p.has(n, "from") {
			src = src.elem()
		}
		s.results = append(s.results, src)
	}
}

func (p *python) functionOf(n at) at {
	return p.up(n, "function_definition", "lambda", "class_definition")
}

// around is the symbol of the function that a statement is in.
func (p *python) around(n at) (*symbol, bool) {
	f := p.functionOf(n)
	if p.kind(f) != "function_definition" {
		return nil, false
	}
	sc := p.scopes[f]
	return sc.symbol, sc.symbol != nil
}

func (p *python) typeAlias(n at) {
	left, right := p.nth(n, 0), p.nth(n, 1)
	id := left
	for p.kind(id) != "identifier" && p.nth(id, 0) >= 0 {
		id = p.nth(id, 0)
	}
	sc := p.scopeAround(n).function()
	if p.kind(id) == "identifier" && (sc.kind == 't' || sc.kind == 'c') {
		s := p.declareSymbol(id, n, "type", sc.symbol)
		s.Kind = "type"
		s.value = []source{typeAt(right)}
		p.bindAt(sc, id).is(s)
	}
}
