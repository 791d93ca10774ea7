package clike

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

func (p *walker) Typed(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "type_identifier", "identifier":
		return p.Bare(n, true)
	case "namespace_identifier":
		if p.hides(n) {
			return facts.Name(p.TextAt(n))
		}
		return p.Bare(n, true)
	case "nested_namespace_specifier":
		return binder.Member(p.TypeOf(p.Nth(n, 0)), strings.ReplaceAll(p.TextAt(p.Last(n)), "::", "."))
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		if name := p.Child(n, "name"); name >= 0 {
			return p.TypeOf(name)
		}
	case "qualified_identifier":
		sc := p.Child(n, "scope")
		if sc < 0 {
			return fromGlobal(p, n)
		}
		name := p.Child(n, "name")
		if p.TextAt(sc) == "std" {
			if p.Kind(name) == "template_type" {
				return template(p, name)
			}
			return facts.External
		}
		if p.Kind(name) == "qualified_identifier" || p.Kind(name) == "template_type" {
			return binder.Member(p.TypeOf(sc), strings.ReplaceAll(strings.Split(p.TextAt(name), "<")[0], "::", "."))
		}
		return binder.Member(p.TypeOf(sc), p.TextAt(name))
	case "template_type":
		return template(p, n)
	case "type_descriptor", "dependent_type":
		return p.TypeOf(p.Child(n, "type"))
	case "primitive_type", "sized_type_specifier":
		return facts.External
	}
	return facts.Unknown
}

// hides reports whether a name before "::" is that of a variable around, which is not
// looked up there.
func (p *walker) hides(n binder.At) bool {
	v, sc := p.ScopeOf(n).Find(p.TextAt(n), true)
	return v != nil && v.Symbol == nil && sc.Kind != 'p'
}

func template(p *walker, n binder.At) facts.Expr {
	var args []facts.Expr
	for c := range p.Named(p.Child(n, "arguments")) {
		args = append(args, p.TypeOf(c))
	}
	if len(args) > 0 {
		switch p.TextAt(p.Child(n, "name")) {
		case "unique_ptr", "shared_ptr", "weak_ptr", "optional", "atomic", "reference_wrapper", "RefPtr", "scoped_refptr":
			return args[0]
		case "vector", "list", "deque", "set", "unordered_set", "array", "queue", "stack", "span", "initializer_list",
			"multiset":
			return facts.List(args[0])
		case "map", "unordered_map", "multimap":
			return facts.Map(args[0], args[len(args)-1])
		case "pair", "tuple":
			return facts.Tuple(args...)
		case "function":
			return facts.External
		}
	}
	return ofArguments(p.TypeOf(p.Child(n, "name")), args)
}

// longestArguments bounds the expression of a type with what its template is given, in bytes:
// what is long is worth less than what is around it.
const longestArguments = facts.MaxExpr / 3

// ofArguments is a type that is made of a template, if what that is given may be of the
// repository.
func ofArguments(t facts.Expr, args []facts.Expr) facts.Expr {
	own := false
	for i := range args {
		if own = own || args[i].Known() && !args[i].IsExternal(); !args[i].Known() {
			args[i] = facts.External
		}
	}
	if !own || !t.Known() || t.IsExternal() {
		return t
	}
	if whole := t.Generic(args...); whole.Known() && whole.Size() <= longestArguments {
		return whole
	}
	return t
}

// explicit is a function template with the arguments that are written behind it.
func explicit(p *walker, function facts.Expr, n binder.At) facts.Expr {
	var args []facts.Expr
	for c := range p.Named(p.Child(n, "arguments")) {
		args = append(args, p.TypeOf(c))
	}
	if len(args) == 0 || !function.Known() {
		return function
	}
	return function.Generic(args...)
}

// this is the type that this points to at a node.
func this(p *walker, n binder.At) facts.Expr {
	for s := p.ScopeAround(n).Symbol; s != nil; s = s.Enclosing {
		if binder.Types[s.Kind] {
			return s.Expr()
		}
		if s.OwnerName != facts.Nothing {
			return s.OwnerName
		}
		if s.Extended.Node > 0 {
			return p.TypeOf(s.Extended.Node)
		}
	}
	return facts.Unknown
}

func (p *walker) Value(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "identifier":
		return p.Bare(n, true)
	case "this":
		return binder.ValueOf(this(p, n))
	case "field_expression":
		return binder.Member(p.Expr(p.Child(n, "argument")), p.TextAt(p.Child(n, "field")))
	case "call_expression":
		f, args := p.Child(n, "function"), p.Child(n, "arguments")
		switch t := p.TextAt(f); {
		case t == "std::move" || t == "std::forward":
			return p.Expr(p.Nth(args, 0))
		case p.Kind(f) == "template_function":
			switch name := p.TextAt(p.Child(f, "name")); name {
			case "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast":
				return binder.ValueOf(p.TypeOf(p.Nth(p.Child(f, "arguments"), 0)))
			}
		case p.Kind(f) == "qualified_identifier" &&
			(strings.HasPrefix(t, "std::make_unique<") || strings.HasPrefix(t, "std::make_shared<")):
			return binder.ValueOf(p.TypeOf(p.Nth(p.Child(p.Child(f, "name"), "arguments"), 0)))
		case p.Kind(f) == "field_expression" &&
			(strings.HasSuffix(t, ".get") || strings.HasSuffix(t, ".lock") || strings.HasSuffix(t, ".value")):
			e := p.Expr(p.Child(f, "argument"))
			return binder.UnionOf(binder.Call(binder.Member(e, p.TextAt(p.Child(f, "field")))), e)
		}
		return binder.Call(p.Expr(f))
	case "qualified_identifier":
		if name := p.Child(n, "name"); p.Kind(name) == "template_function" {
			return explicit(p, binder.Member(p.TypeOf(p.Child(n, "scope")), p.TextAt(p.Child(name, "name"))), name)
		}
		return p.TypeOf(n)
	case "template_function":
		return explicit(p, p.Expr(p.Child(n, "name")), n)
	case "pointer_expression", "parenthesized_expression", "comma_expression", "conditional_expression":
		return p.Expr(p.Last(n))
	case "subscript_expression":
		return binder.Elem(p.Expr(p.Child(n, "argument")))
	case "cast_expression", "new_expression", "compound_literal_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "type")))
	case "assignment_expression":
		return p.Expr(p.Child(n, "right"))
	case "string_literal", "number_literal", "char_literal", "true", "false", "null", "binary_expression",
		"sizeof_expression", "nullptr":
		return facts.External
	}
	return facts.Unknown
}

func uses(p *walker, n binder.At) {
	for c := range p.Named(n) {
		useNode(p, c)
	}
}

func useNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "namespace_identifier":
		if p.hides(n) {
			p.Ref(n, p.TextAt(n), facts.Type, facts.Nothing, true)
			return
		}
		p.UseName(n, facts.Type, true)
	case "identifier", "type_identifier":
		p.UseName(n, usage(p, n), true)
		if up := p.Parent(n); p.Kind(up) == "template_function" {
			called(p, up, n, true)
		} else {
			called(p, n, n, false)
		}
	case "field_expression":
		useNode(p, p.Child(n, "argument"))
		f := p.Child(n, "field")
		explicit := p.Kind(f) == "template_method" || p.Kind(f) == "dependent_name"
		if explicit {
			f = p.Nth(f, 0)
		}
		p.Ref(f, p.TextAt(f), usage(p, n), p.Expr(p.Child(n, "argument")), false)
		called(p, n, f, explicit)
	case "qualified_identifier":
		useQualified(p, n)
	case "field_initializer":
		switch f := p.Nth(n, 0); p.Kind(f) {
		case "field_identifier": // a base, too, as it may turn out
			p.Ref(f, p.TextAt(f), facts.Write, binder.ValueOf(this(p, n)), false)
		case "template_method":
			p.Ref(p.Child(f, "name"), p.TextAt(p.Child(f, "name")), facts.Call, facts.Nothing, true)
			useNode(p, p.Child(f, "arguments"))
		default:
			useNode(p, f)
		}
		for i := 1; p.Nth(n, i) >= 0; i++ {
			useNode(p, p.Nth(n, i))
		}
	case "initializer_pair":
		useDesignator(p, n)
	case "preproc_include", "preproc_arg", "goto_statement", "labeled_statement":
		if p.Kind(n) == "labeled_statement" {
			useNode(p, p.Last(n))
		}
	case "preproc_function_def", "preproc_def":
		useMacro(p, n)
	case "destructor_name": // it is what is declared, or called of an object
	case "call_expression":
		uses(p, n)
	default:
		if n >= 0 {
			uses(p, n)
		}
	}
}

func useQualified(p *walker, n binder.At) {
	sc, name := p.Child(n, "scope"), p.Child(n, "name")
	if sc >= 0 {
		useNode(p, sc)
	}
	if p.Kind(name) == "qualified_identifier" {
		of := global
		if sc >= 0 {
			of = p.TypeOf(sc)
		}
		useInner(p, n, name, of)
		return
	}
	name, explicit := withoutArguments(p, name)
	if sc < 0 {
		p.Ref(name, p.TextAt(name), usage(p, n), global, false)
	} else { // of a value, so that the scope is looked up as a type is
		p.Ref(name, p.TextAt(name), usage(p, n), binder.ValueOf(p.TypeOf(sc)), false)
	}
	called(p, n, name, explicit)
}

// called notes what the last reference, at a name, is called with. explicit says that types
// are written behind the name: they need not be those of the arguments.
func called(p *walker, n, name binder.At, explicit bool) {
	if p.Language != "C++" || p.Kind(p.Parent(n)) != "call_expression" || p.Field(n) != "function" {
		return
	}
	given := func(n binder.At) string { return givenOf(p, n) }
	if explicit {
		given = func(binder.At) string { return "" }
	}
	p.Called(name, p.Child(p.Parent(n), "arguments"), given)
}

// withoutArguments is the name of a template, of which it uses what is written behind.
func withoutArguments(p *walker, name binder.At) (bare binder.At, explicit bool) {
	switch p.Kind(name) {
	case "template_function", "template_type", "template_method":
		useNode(p, p.Child(name, "arguments"))
		return p.Child(name, "name"), true
	}
	return name, false
}

// useInner uses the inner part of a qualified name, which all of stands at whole.
func useInner(p *walker, whole, n binder.At, of facts.Expr) {
	name := p.Child(n, "name")
	sc, _ := withoutArguments(p, p.Child(n, "scope"))
	p.Ref(sc, p.TextAt(sc), facts.Type, of, false)
	of = binder.Member(of, p.TextAt(sc))
	if p.Kind(name) == "qualified_identifier" {
		useInner(p, whole, name, of)
		return
	}
	name, explicit := withoutArguments(p, name)
	p.Ref(name, p.TextAt(name), usage(p, whole), of, false)
	called(p, whole, name, explicit)
}

// useDesignator adds the reference of ".field = value".
func useDesignator(p *walker, n binder.At) {
	of := facts.Unknown
	list := p.Parent(n)
	switch up := p.Parent(list); p.Kind(up) {
	case "init_declarator":
		of = binder.ValueOf(p.TypeOf(p.Child(p.Parent(up), "type")))
	case "compound_literal_expression":
		of = binder.ValueOf(p.TypeOf(p.Child(up, "type")))
	case "initializer_list":
		if d := p.Parent(up); p.Kind(d) == "init_declarator" {
			of = binder.ValueOf(p.TypeOf(p.Child(p.Parent(d), "type")))
		}
	}
	for c := range p.Named(n) {
		if p.Kind(c) == "field_designator" {
			f := p.Nth(c, 0)
			p.Ref(f, p.TextAt(f), facts.Write, of, false)
		} else {
			useNode(p, c)
		}
	}
}

func usage(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	if p.Kind(up) == "template_function" {
		n, up = up, p.Parent(up)
	}
	switch p.Kind(up) {
	case "call_expression":
		if p.Field(n) == "function" {
			return facts.Call
		}
	case "new_expression", "field_initializer":
		return facts.Call
	case "assignment_expression":
		if p.Field(n) == "left" {
			return facts.Write
		}
	case "update_expression":
		return facts.Write
	case "base_class_clause":
		return facts.Extends
	case "template_type":
		if p.Kind(p.Parent(up)) == "base_class_clause" {
			return facts.Extends
		}
	}
	if k := p.Kind(n); k == "type_identifier" || k == "namespace_identifier" || k == "qualified_identifier" &&
		p.Kind(p.Child(n, "name")) == "type_identifier" {
		return facts.Type
	}
	return facts.Read
}
