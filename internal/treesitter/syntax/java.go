package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// java declares what Java files bind. Bare names that are not local are looked
// up from the file: they may be inherited members.
type java struct{ *builder }

func (p *java) declare() { p.inside(0) }

func (p *java) inside(n at) {
	for c := range p.named(n) {
		p.declareNode(c)
	}
}

func (p *java) declareNode(n at) {
	switch p.kind(n) {
	case "package_declaration":
		p.pkg = p.text(p.last(n))
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
		if s := p.scopeAround(n).symbol; s != nil {
			m := p.declareSymbol(p.child(n, "name"), n, "const", s)
			m.Static, m.value, m.Exported = true, []source{source{mark: markClass, node: n}.value()}, s.Exported
		}
		p.inside(n)
	case "lambda_expression":
		p.lambda(n)
	case "block", "for_statement", "switch_block", "switch_block_statement_group", "switch_rule",
		"try_with_resources_statement", "constructor_body":
		p.open(n, 'b', nil)
		p.inside(n)
	case "local_variable_declaration":
		p.locals(n)
		p.inside(n)
	case "enhanced_for_statement":
		p.open(n, 'b', nil)
		p.bindTyped(n, p.child(n, "name"), source{node: p.child(n, "value")}.elem())
		p.inside(n)
	case "resource", "catch_formal_parameter":
		if name := p.child(n, "name"); name >= 0 {
			p.bindTyped(n, name, source{node: p.child(n, "value")})
		}
		p.inside(n)
	case "instanceof_expression":
		if name := p.child(n, "name"); name >= 0 {
			p.bindAt(p.scopeAround(n), name, valueOfType(p.child(n, "right")))
		}
		p.inside(n)
	case "type_pattern", "record_pattern_component":
		if name := p.last(n); p.kind(name) == "identifier" {
			p.bindAt(p.scopeAround(n), name, valueOfType(p.nth(n, 0)))
		}
		p.inside(n)
	default:
		p.inside(n)
	}
}

func (p *java) importOf(n at) {
	path := p.first(n, "scoped_identifier", "identifier")
	i := facts.Import{Path: p.text(path), Name: ""}
	spot := path
	if p.has(n, "asterisk") {
		i.Name = "*"
	} else if p.kind(path) == "scoped_identifier" {
		spot = p.child(path, "name")
		i.Name = p.text(spot)
		i.Path = p.text(p.child(path, "scope"))
	}
	i.System = p.has(n, "static")
	p.imported(spot, i)
}

func (p *java) typeDeclaration(n at) {
	around := p.scopeAround(n).symbol
	kind := strings.TrimSuffix(p.kind(n), "_declaration")
	s := p.declareSymbol(p.child(n, "name"), n, kind, around)
	s.Static = true
	sc := p.open(n, 'c', s)
	p.typeParameters(n, sc, s)
	for c := range p.named(n) {
		switch p.kind(c) {
		case "superclass":
			s.bases = append(s.bases, base{facts.Extends, typeAt(p.nth(c, 0)), none})
		case "super_interfaces", "extends_interfaces":
			kindOfBase := facts.Implements
			if p.kind(c) == "extends_interfaces" {
				kindOfBase = facts.Extends
			}
			for t := range p.named(p.first(c, "type_list", "interface_type_list")) {
				s.bases = append(s.bases, base{kindOfBase, typeAt(t), none})
			}
		case "formal_parameters": // of a record
			for f := range p.named(c) {
				name := p.child(f, "name")
				if name < 0 { // of a variable number
					name = p.child(p.first(f, "variable_declarator"), "name")
				}
				if name < 0 {
					continue
				}
				m := p.declareSymbol(name, f, "field", s)
				m.value = []source{valueOfType(p.child(f, "type"))}
			}
		}
	}
	p.inside(n)
}

func (p *java) typeParameters(n at, sc *scope, s *symbol) {
	for c := range p.named(p.child(n, "type_parameters")) {
		id := p.first(c, "type_identifier", "identifier")
		name := p.text(id)
		p.bindAt(sc, id, known(facts.Name(name)))
		s.Params = append(s.Params, name)
		bound := externalSource
		if b := p.first(c, "type_bound"); b >= 0 {
			bound = typeAt(p.nth(b, 0))
		}
		s.bounds = append(s.bounds, bound)
	}
}

func (p *java) fields(n at) {
	s := p.scopeAround(n).symbol
	typ := p.child(n, "type")
	for c := range p.named(n) {
		if p.field(c) != "declarator" {
			continue
		}
		m := p.declareSymbol(p.child(c, "name"), n, "field", s)
		if p.child(c, "dimensions") >= 0 {
			m.value = []source{externalSource}
		} else {
			m.value = []source{valueOfType(typ)}
		}
		m.Static = strings.Contains(p.text(p.first(n, "modifiers")), "static")
	}
	p.inside(n)
}

func (p *java) method(n at) {
	s := p.declareSymbol(p.child(n, "name"), n, "method", p.scopeAround(n).symbol)
	s.Static = strings.Contains(p.text(p.first(n, "modifiers")), "static")
	sc := p.open(n, 'f', s)
	p.typeParameters(n, sc, s)
	if t := p.child(n, "type"); t >= 0 {
		s.results = []source{valueOfType(t)}
	}
	s.Signature = p.accepts(n)
	if made := p.parent(p.parent(n)); p.kind(made) == "object_creation_expression" {
		s.bases = []base{{facts.Implements, typeAt(p.child(made, "type")), none}}
	}
	for c := range p.named(p.child(n, "parameters")) {
		switch p.kind(c) {
		case "formal_parameter":
			from := valueOfType(p.child(c, "type"))
			p.bindAt(sc, p.child(c, "name"), from)
			s.args = append(s.args, from)
		case "spread_parameter":
			for v := range p.named(c) {
				if p.kind(v) == "variable_declarator" {
					p.bindAt(sc, p.child(v, "name"), externalSource)
				}
			}
			s.args, s.rest = append(s.args, unknownSource), true
		}
	}
	p.inside(n)
}

// bindTyped binds a name with the type of its declaration, or what it is
// given where that says "var".
func (p *java) bindTyped(n, name at, from source) {
	t := p.child(n, "type")
	if t < 0 {
		t = p.first(n, "catch_type")
		if t >= 0 {
			t = p.nth(t, 0)
		}
	}
	if t >= 0 && p.text(t) != "var" {
		from = valueOfType(t)
	}
	p.bindAt(p.scopeOf(n), name, from)
}

func (p *java) locals(n at) {
	for c := range p.named(n) {
		if p.field(c) == "declarator" {
			t, from := p.child(n, "type"), source{node: p.child(c, "value")}
			if p.text(t) != "var" {
				from = valueOfType(t)
			}
			if p.child(c, "dimensions") >= 0 {
				from = externalSource
			}
			p.bindAt(p.scopeAround(n), p.child(c, "name"), from)
		}
	}
}

// lambda binds the parameters of a lambda: elements, where it is given to a
// method of streams.
func (p *java) lambda(n at) {
	sc := p.open(n, 'b', nil)
	from := unknownSource
	if call := p.parent(p.parent(n)); p.kind(call) == "method_invocation" && p.child(call, "object") >= 0 {
		switch p.text(p.child(call, "name")) {
		case "map", "filter", "forEach", "anyMatch", "allMatch", "noneMatch", "flatMap", "mapToInt", "mapToLong", "mapToObj",
			"ifPresent", "peek", "removeIf":
			from = source{node: p.child(call, "object")}.elem()
		}
	}
	params := p.child(n, "parameters")
	switch p.kind(params) {
	case "identifier":
		p.bindAt(sc, params, from)
	case "inferred_parameters":
		for c := range p.named(params) {
			p.bindAt(sc, c, from)
			from = unknownSource
		}
	default:
		for c := range p.named(params) {
			p.bindTyped(c, p.child(c, "name"), from)
			p.bindAt(sc, p.child(c, "name"), valueOfType(p.child(c, "type")))
		}
	}
	p.inside(n)
}

func (p *java) typed(n at) facts.Expr {
	switch p.kind(n) {
	case "type_identifier", "identifier":
		return p.bare(n, true)
	case "scoped_type_identifier", "scoped_identifier", "field_access":
		return member(p.qualifier(p.nth(n, 0), p.last(n), p.typeOf), p.text(p.last(n)))
	case "array_type":
		return facts.List(p.typeOf(p.child(n, "element")))
	case "generic_type":
		return p.generic(n)
	case "annotated_type", "wildcard":
		return p.typeOf(p.last(n))
	case "union_type", "catch_type":
		return p.typeOf(p.nth(n, 0))
	case "integral_type", "floating_point_type", "boolean_type", "void_type":
		return facts.External
	}
	return facts.Unknown
}

func (p *java) generic(n at) facts.Expr {
	name := p.nth(n, 0)
	var args []facts.Expr
	for c := range p.named(p.first(n, "type_arguments")) {
		args = append(args, p.typeOf(c))
	}
	if len(args) == 0 {
		return p.typeOf(name)
	}
	switch p.text(name) {
	case "List", "ArrayList", "LinkedList", "Set", "HashSet", "LinkedHashSet", "TreeSet", "Collection", "Iterable",
		"Iterator", "Queue", "Deque", "Stream",
		"Optional", "ArrayDeque", "ListIterator", "SortedSet", "NavigableSet", "CopyOnWriteArrayList", "Class",
		"PriorityQueue":
		return facts.List(args[0])
	case "Map", "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap", "ConcurrentMap", "SortedMap", "NavigableMap",
		"EnumMap", "WeakHashMap":
		return facts.Map(args[0], args[len(args)-1])
	case "Supplier", "Callable", "ThreadLocal", "AtomicReference", "WeakReference", "SoftReference", "Future",
		"CompletableFuture":
		return facts.Func(args[0])
	}
	return p.typeOf(name).Generic(args...)
}

func (p *java) value(n at) facts.Expr {
	switch p.kind(n) {
	case "identifier":
		return p.bare(n, true)
	case "this":
		return valueOf(p.classAround(n))
	case "super":
		return superOf(p.classAround(n))
	case "field_access":
		if f := p.child(n, "field"); p.kind(f) == "this" {
			return valueOf(p.typeOf(p.child(n, "object")))
		}
		return member(p.qualifier(p.child(n, "object"), p.child(n, "field"), p.expr), p.text(p.child(n, "field")))
	case "method_invocation":
		name := p.text(p.child(n, "name"))
		object := p.child(n, "object")
		if object < 0 {
			if name == "getClass" {
				return facts.External
			}
			return facts.Name(name).Call(0)
		}
		if fn := p.nth(p.child(n, "arguments"), 0); name == "map" && p.kind(fn) == "lambda_expression" {
			if body := p.child(fn, "body"); p.kind(body) != "block" {
				return list(p.expr(body))
			}
		}
		return call(member(p.expr(object), name))
	case "object_creation_expression":
		return valueOf(p.typeOf(p.child(n, "type")))
	case "cast_expression":
		return valueOf(p.typeOf(p.child(n, "type")))
	case "array_access":
		return elem(p.expr(p.child(n, "array")))
	case "parenthesized_expression":
		return p.expr(p.nth(n, 0))
	case "assignment_expression":
		return p.expr(p.child(n, "right"))
	case "ternary_expression":
		return unionOf(p.expr(p.child(n, "consequence")), p.expr(p.child(n, "alternative")))
	case "array_creation_expression":
		return facts.List(p.typeOf(p.child(n, "type"))).Value()
	case "string_literal", "decimal_integer_literal", "true", "false", "null_literal", "character_literal",
		"class_literal", "binary_expression",
		"hex_integer_literal", "decimal_floating_point_literal", "unary_expression", "instanceof_expression":
		return facts.External
	}
	return facts.Unknown
}

func (p *java) use() { p.uses(0) }

func (p *java) uses(n at) {
	for c := range p.named(n) {
		p.useNode(c)
	}
}

func (p *java) useNode(n at) {
	switch p.kind(n) {
	case "identifier":
		kind := facts.Read
		if k := p.kind(p.parent(n)); k == "assignment_expression" && p.field(n) == "left" || k == "update_expression" {
			kind = facts.Write
		}
		p.useName(n, kind, true)
	case "type_identifier":
		p.useName(n, p.typeUsage(n), true)
	case "scoped_type_identifier":
		p.useNode(p.nth(n, 0))
		p.ref(p.last(n), p.text(p.last(n)), p.typeUsage(n), p.qualifier(p.nth(n, 0), p.last(n), p.typeOf), false)
	case "field_access":
		p.useNode(p.child(n, "object"))
		kind := facts.Read
		if p.kind(p.parent(n)) == "assignment_expression" && p.field(n) == "left" {
			kind = facts.Write
		}
		if f := p.child(n, "field"); p.kind(f) == "identifier" {
			p.ref(f, p.text(f), kind, p.qualifier(p.child(n, "object"), f, p.expr), false)
		}
	case "method_invocation":
		p.useCall(n)
	case "method_reference":
		p.useNode(p.nth(n, 0))
		if m := p.last(n); p.kind(m) == "identifier" && m != p.nth(n, 0) {
			of := p.expr(p.nth(n, 0))
			if !of.Known() {
				of = p.typeOf(p.nth(n, 0))
			}
			p.ref(m, p.text(m), facts.Call, of, false)
		}
	case "marker_annotation", "annotation":
		p.useAnnotation(n)
	case "import_declaration":
		p.useImport(n)
	case "switch_label":
		p.useLabel(n)
	case "package_declaration", "labeled_statement", "break_statement", "continue_statement":
		if p.kind(n) == "labeled_statement" {
			p.useNode(p.last(n))
		}
	case "lambda_expression":
		if params := p.child(n, "parameters"); p.kind(params) != "identifier" {
			p.useNode(params)
		}
		p.useNode(p.child(n, "body"))
	default:
		p.useOther(n)
	}
}

// useOther is for nodes some of whose children are no references.
func (p *java) useOther(n at) {
	switch p.kind(n) {
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
		"annotation_type_declaration", "method_declaration",
		"constructor_declaration", "compact_constructor_declaration", "variable_declarator", "formal_parameter",
		"enum_constant", "enhanced_for_statement", "resource",
		"catch_formal_parameter", "annotation_type_element_declaration", "instanceof_expression":
		for c := range p.named(n) {
			if p.field(c) != "name" {
				p.useNode(c)
			}
		}
	case "type_parameter":
		p.useNode(p.first(n, "type_bound"))
	case "inferred_parameters":
	case "element_value_pair":
		p.useNode(p.child(n, "value"))
	case "type_pattern":
		p.useNode(p.nth(n, 0))
	default:
		if n >= 0 {
			p.uses(n)
		}
	}
}

func (p *java) useCall(n at) {
	object, name, args := p.child(n, "object"), p.child(n, "name"), p.child(n, "arguments")
	if object >= 0 {
		p.useNode(object)
		p.ref(name, p.text(name), facts.Call, p.expr(object), false)
	} else {
		p.ref(name, p.text(name), facts.Call, facts.Nothing, true)
	}
	p.called(name, args, p.given)
	for c := range p.named(n) {
		if f := p.field(c); f != "object" && f != "name" {
			p.useNode(c)
		}
	}
}

func (p *java) useAnnotation(n at) {
	name := p.child(n, "name")
	of := p.typeOf(name)
	if p.kind(name) == "identifier" {
		p.useName(name, facts.Type, true)
	} else if name >= 0 {
		last := p.last(name)
		p.ref(last, p.text(last), facts.Type, p.qualifier(p.nth(name, 0), last, p.typeOf), false)
	}
	arguments := p.child(n, "arguments")
	for c := range p.named(arguments) {
		if key := p.child(c, "key"); key >= 0 && p.kind(c) == "element_value_pair" && of.Known() {
			p.ref(key, p.text(key), facts.Write, valueOf(of), false)
		}
	}
	p.useNode(arguments)
}

func (p *java) typeUsage(n at) facts.Kind {
	up := p.parent(n)
	for p.kind(up) == "generic_type" && p.nth(up, 0) == n {
		n, up = up, p.parent(up)
	}
	switch p.kind(up) {
	case "superclass", "extends_interfaces":
		return facts.Extends
	case "type_list", "interface_type_list":
		if p.kind(p.parent(up)) == "extends_interfaces" {
			return facts.Extends
		}
		return facts.Implements
	case "object_creation_expression":
		return facts.Call
	}
	return facts.Type
}
