package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func (p *clike) typed(n at) facts.Expr {
	switch p.kind(n) {
	case "type_identifier", "identifier", "namespace_identifier":
		return p.bare(n, true)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		if name := p.child(n, "name"); name >= 0 {
			return p.typeOf(name)
		}
	case "qualified_identifier":
		sc := p.child(n, "scope")
		if sc < 0 {
			return p.typeOf(p.child(n, "name"))
		}
		name := p.child(n, "name")
		if p.text(sc) == "std" {
			if p.kind(name) == "template_type" {
				return p.template(name)
			}
			return facts.External
		}
		if p.kind(name) == "qualified_identifier" || p.kind(name) == "template_type" {
			return member(p.typeOf(sc), strings.ReplaceAll(strings.Split(p.text(name), "<")[0], "::", "."))
		}
		return member(p.typeOf(sc), p.text(name))
	case "template_type":
		return p.template(n)
	case "type_descriptor", "sized_type_specifier", "dependent_type":
		return p.typeOf(p.child(n, "type"))
	case "primitive_type":
		return facts.External
	}
	return facts.Unknown
}

func (p *clike) template(n at) facts.Expr {
	var args []facts.Expr
	for c := range p.named(p.child(n, "arguments")) {
		args = append(args, p.typeOf(c))
	}
	if len(args) > 0 {
		switch p.text(p.child(n, "name")) {
		case "unique_ptr", "shared_ptr", "weak_ptr", "optional", "atomic", "reference_wrapper", "RefPtr", "scoped_refptr":
			return args[0]
		case "vector", "list", "deque", "set", "unordered_set", "array", "queue", "stack", "span", "initializer_list",
			"multiset":
			return facts.List(args[0])
		case "map", "unordered_map", "multimap":
			return facts.Map(args[0], args[len(args)-1])
		case "function":
			return facts.External
		}
	}
	return p.typeOf(p.child(n, "name"))
}

// explicit is a function template with the arguments that are written behind it.
func (p *clike) explicit(function facts.Expr, n at) facts.Expr {
	var args []facts.Expr
	for c := range p.named(p.child(n, "arguments")) {
		args = append(args, p.typeOf(c))
	}
	if len(args) == 0 || !function.Known() {
		return function
	}
	return function.Generic(args...)
}

// this is the type that this points to at a node.
func (p *clike) this(n at) facts.Expr {
	for s := p.scopeAround(n).symbol; s != nil; s = s.parent {
		if types[s.Kind] {
			return s.expr()
		}
		if s.ownerName != facts.Nothing {
			return s.ownerName
		}
	}
	return facts.Unknown
}

func (p *clike) value(n at) facts.Expr {
	switch p.kind(n) {
	case "identifier":
		return p.bare(n, true)
	case "this":
		return valueOf(p.this(n))
	case "field_expression":
		return member(p.expr(p.child(n, "argument")), p.text(p.child(n, "field")))
	case "call_expression":
		f, args := p.child(n, "function"), p.child(n, "arguments")
		switch t := p.text(f); {
		case t == "std::move" || t == "std::forward":
			return p.expr(p.nth(args, 0))
		case p.kind(f) == "template_function":
			switch name := p.text(p.child(f, "name")); name {
			case "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast":
				return valueOf(p.typeOf(p.nth(p.child(f, "arguments"), 0)))
			}
		case p.kind(f) == "qualified_identifier" &&
			(strings.HasPrefix(t, "std::make_unique<") || strings.HasPrefix(t, "std::make_shared<")):
			return valueOf(p.typeOf(p.nth(p.child(p.child(f, "name"), "arguments"), 0)))
		case p.kind(f) == "field_expression" &&
			(strings.HasSuffix(t, ".get") || strings.HasSuffix(t, ".lock") || strings.HasSuffix(t, ".value")):
			e := p.expr(p.child(f, "argument"))
			return unionOf(call(member(e, p.text(p.child(f, "field")))), e)
		}
		return call(p.expr(f))
	case "qualified_identifier":
		if name := p.child(n, "name"); p.kind(name) == "template_function" {
			return p.explicit(member(p.typeOf(p.child(n, "scope")), p.text(p.child(name, "name"))), name)
		}
		return p.typeOf(n)
	case "template_function":
		return p.explicit(p.expr(p.child(n, "name")), n)
	case "pointer_expression", "parenthesized_expression", "comma_expression", "conditional_expression":
		return p.expr(p.last(n))
	case "subscript_expression":
		e := p.expr(p.child(n, "argument"))
		if e.Root() != facts.OpInvalid {
			return elem(e)
		}
		return e // of a pointer
	case "cast_expression", "new_expression", "compound_literal_expression":
		return valueOf(p.typeOf(p.child(n, "type")))
	case "assignment_expression":
		return p.expr(p.child(n, "right"))
	case "string_literal", "number_literal", "char_literal", "true", "false", "null", "binary_expression",
		"sizeof_expression", "nullptr":
		return facts.External
	}
	return facts.Unknown
}

func (p *clike) use() { p.uses(0) }

func (p *clike) uses(n at) {
	for c := range p.named(n) {
		p.useNode(c)
	}
}

func (p *clike) useNode(n at) {
	switch p.kind(n) {
	case "identifier", "type_identifier", "namespace_identifier":
		p.useName(n, p.usage(n), true)
	case "field_expression":
		p.useNode(p.child(n, "argument"))
		f := p.child(n, "field")
		if p.kind(f) == "template_method" || p.kind(f) == "dependent_name" {
			f = p.nth(f, 0)
		}
		p.ref(f, p.text(f), p.usage(n), p.expr(p.child(n, "argument")), false)
		p.args(n)
	case "qualified_identifier":
		sc, name := p.child(n, "scope"), p.child(n, "name")
		if sc >= 0 {
			p.useNode(sc)
		}
		if k := p.kind(name); k == "qualified_identifier" {
			p.useInner(name, p.typeOf(sc), p.usage(n))
			return
		} else if k == "template_function" || k == "template_type" || k == "template_method" {
			p.useNode(p.child(name, "arguments"))
			name = p.child(name, "name")
		}
		if sc < 0 {
			p.ref(name, p.text(name), p.usage(n), facts.Nothing, true)
			return
		}
		p.ref(name, p.text(name), p.usage(n), p.typeOf(sc), false)
	case "field_initializer":
		switch f := p.nth(n, 0); p.kind(f) {
		case "field_identifier": // a base, too, as it may turn out
			p.ref(f, p.text(f), facts.Write, valueOf(p.this(n)), false)
		case "template_method":
			p.ref(p.child(f, "name"), p.text(p.child(f, "name")), facts.Call, facts.Nothing, true)
			p.useNode(p.child(f, "arguments"))
		default:
			p.useNode(f)
		}
		for i := 1; p.nth(n, i) >= 0; i++ {
			p.useNode(p.nth(n, i))
		}
	case "initializer_pair":
		p.useDesignator(n)
	case "preproc_include", "preproc_arg", "goto_statement", "labeled_statement":
		if p.kind(n) == "labeled_statement" {
			p.useNode(p.last(n))
		}
	case "preproc_function_def", "preproc_def":
		p.useMacro(n)
	case "destructor_name": // it is what is declared, or called of an object
	case "call_expression":
		p.uses(n)
	default:
		if n >= 0 {
			p.uses(n)
		}
	}
}

// args notes with how many arguments the last reference is called.
func (p *clike) args(n at) {
	if p.language != "C++" || p.kind(p.parent(n)) != "call_expression" || p.field(n) != "function" {
		return
	}
	name := p.child(n, "field")
	given := p.given
	// the types are named: they need not be those of the arguments
	if p.kind(name) == "template_method" || p.kind(name) == "dependent_name" {
		name, given = p.nth(name, 0), func(at) string { return "" }
	}
	p.called(name, p.child(p.parent(n), "arguments"), given)
}

func (p *clike) useInner(n at, of facts.Expr, kind facts.Kind) {
	sc, name := p.child(n, "scope"), p.child(n, "name")
	p.ref(sc, p.text(sc), facts.Type, of, false)
	of = member(of, p.text(sc))
	if p.kind(name) == "qualified_identifier" {
		p.useInner(name, of, kind)
		return
	}
	p.ref(name, p.text(name), kind, of, false)
}

// useDesignator adds the reference of ".field = value".
func (p *clike) useDesignator(n at) {
	of := facts.Unknown
	list := p.parent(n)
	switch up := p.parent(list); p.kind(up) {
	case "init_declarator":
		of = valueOf(p.typeOf(p.child(p.parent(up), "type")))
	case "compound_literal_expression":
		of = valueOf(p.typeOf(p.child(up, "type")))
	case "initializer_list":
		if d := p.parent(up); p.kind(d) == "init_declarator" {
			of = valueOf(p.typeOf(p.child(p.parent(d), "type")))
		}
	}
	for c := range p.named(n) {
		if p.kind(c) == "field_designator" {
			f := p.nth(c, 0)
			p.ref(f, p.text(f), facts.Write, of, false)
		} else {
			p.useNode(c)
		}
	}
}

func (p *clike) usage(n at) facts.Kind {
	up := p.parent(n)
	if p.kind(up) == "template_function" {
		n, up = up, p.parent(up)
	}
	switch p.kind(up) {
	case "call_expression":
		if p.field(n) == "function" {
			return facts.Call
		}
	case "new_expression", "field_initializer":
		return facts.Call
	case "assignment_expression":
		if p.field(n) == "left" {
			return facts.Write
		}
	case "update_expression":
		return facts.Write
	case "base_class_clause":
		return facts.Extends
	case "template_type":
		if p.kind(p.parent(up)) == "base_class_clause" {
			return facts.Extends
		}
	}
	if k := p.kind(n); k == "type_identifier" || k == "namespace_identifier" || k == "qualified_identifier" &&
		p.kind(p.child(n, "name")) == "type_identifier" {
		return facts.Type
	}
	return facts.Read
}
