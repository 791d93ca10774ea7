package scala

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

func uses(p *walker, n binder.At) {
	for c := range p.Named(n) {
		useNode(p, c)
	}
}

func useNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "package_identifier", "access_modifier", "self_type":
		if p.Kind(n) == "self_type" && p.Last(n) != p.Nth(n, 0) {
			useNode(p, p.Last(n))
		}
	case "import_declaration", "export_declaration":
		useImport(p, n)
	case "identifier", "operator_identifier":
		useName(p, n)
	case "type_identifier":
		useTypeName(p, n, facts.Nothing)
	case "stable_type_identifier":
		useNode(p, p.Nth(n, 0))
		if p.Last(n) != p.Nth(n, 0) {
			useTypeName(p, p.Last(n), p.Expr(p.Nth(n, 0)))
		}
	case "projected_type":
		useNode(p, p.Child(n, "type"))
		useTypeName(p, p.Child(n, "selector"), p.TypeOf(p.Child(n, "type")))
	case "stable_identifier":
		useNode(p, p.Nth(n, 0))
		useMember(p, p.Last(n), n, p.Expr(p.Nth(n, 0)))
	case "field_expression":
		useNode(p, p.Child(n, "value"))
		useMember(p, p.Child(n, "field"), n, p.Expr(p.Child(n, "value")))
	case "infix_expression":
		useInfix(p, n)
	case "assignment_expression":
		useAssignment(p, n)
	case "interpolated_string_expression":
		for c := range p.Named(n) {
			if p.Field(c) != "interpolator" {
				useNode(p, c)
			}
		}
	default:
		useOther(p, n)
	}
}

// useOther is for nodes some of whose children are no references.
func useOther(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "class_definition", "trait_definition", "object_definition", "enum_definition", "package_object",
		"type_definition", "function_definition", "function_declaration", "val_declaration", "var_declaration",
		"parameter", "class_parameter",
		"simple_enum_case", "full_enum_case", "given_definition", "binding", "type_parameters",
		"covariant_type_parameter", "contravariant_type_parameter":
		for c := range p.Named(n) {
			if p.Field(c) != "name" {
				useNode(p, c)
			}
		}
	case "val_definition", "var_definition", "case_clause", "catch_clause":
		for c := range p.Named(n) {
			if p.Field(c) == "pattern" {
				usePattern(p, c)
			} else {
				useNode(p, c)
			}
		}
	case "enumerator":
		usePattern(p, p.Nth(n, 0))
		for c := range p.Named(n) {
			if c != p.Nth(n, 0) {
				useNode(p, c)
			}
		}
	case "colon_argument":
		for c := range p.Named(n) {
			if p.Field(c) != "lambda_start" || p.Kind(c) == "bindings" {
				useNode(p, c)
			}
		}
	case "lambda_expression":
		for c := range p.Named(n) {
			if p.Field(c) != "parameters" || p.Kind(c) == "bindings" {
				useNode(p, c)
			}
		}
	default:
		uses(p, n)
	}
}

// usePattern is for patterns: names in them that are no variables.
func usePattern(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "identifier", "operator_identifier":
		if text := p.TextAt(n); binder.IsUpper(text) || strings.HasPrefix(text, "`") {
			useName(p, n)
		}
	case "stable_identifier", "literal", "interpolated_string_expression", "field_expression":
		useNode(p, n)
	case "typed_pattern":
		usePattern(p, p.Child(n, "pattern"))
		useNode(p, p.Child(n, "type"))
	case "case_class_pattern":
		useExtractor(p, p.Child(n, "type"))
		for c := range p.Named(n) {
			if p.Field(c) == "pattern" {
				usePattern(p, c)
			}
		}
	case "capture_pattern":
		usePattern(p, p.Child(n, "pattern"))
	case "infix_pattern":
		usePattern(p, p.Child(n, "left"))
		op := p.Child(n, "operator")
		p.RefMeaning(int(p.Nodes[op].Start), facts.Read, p.Resolve(op, p.Plain(op), true))
		usePattern(p, p.Child(n, "right"))
	default:
		for c := range p.Named(n) {
			usePattern(p, c)
		}
	}
}

// useExtractor is for what takes a value apart: an object or a case class.
func useExtractor(p *walker, t binder.At) {
	switch p.Kind(t) {
	case "type_identifier":
		p.RefMeaning(int(p.Nodes[t].Start), facts.Read, p.Resolve(t, p.Plain(t), true))
	case "stable_type_identifier":
		useNode(p, p.Nth(t, 0))
		p.Ref(p.Last(t), p.Plain(p.Last(t)), facts.Read, p.Expr(p.Nth(t, 0)), false)
	default:
		useNode(p, t)
	}
}

// kindAt is how a name or member at a node is used: n is the whole of it.
func kindAt(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	if p.Kind(up) == "generic_function" && p.Field(n) == "function" {
		n, up = up, p.Parent(up)
	}
	switch {
	case p.Kind(up) == "call_expression" && p.Field(n) == "function":
		return facts.Call
	case p.Kind(up) == "assignment_expression" && p.Field(n) == "left":
		return facts.Write
	}
	return facts.Read
}

func useName(p *walker, n binder.At) {
	name := p.Plain(n)
	switch name {
	case "this", "super", "_":
		return
	}
	kind := kindAt(p, n)
	m := p.Resolve(n, name, true)
	if m.Bare {
		if t := anonymousAround(p, n); t.Known() && !t.IsExternal() {
			p.Ref(n, name, kind, binder.ValueOf(t), false)
			markBare(p, n)
			noteCall(p, n, n)
			return
		}
	}
	p.RefMeaning(int(p.Nodes[n].Start), kind, m)
	noteCall(p, n, n)
}

// markBare says of the reference at a name, the last one, that it is looked up from the file if
// it is no member.
func markBare(p *walker, n binder.At) {
	if len(p.Refs) == 0 {
		return
	}
	r := &p.Refs[len(p.Refs)-1]
	if line, column := p.Position(int(p.Nodes[n].Start)); r.Line == line && r.Column == column {
		r.Bare = true
	}
}

func useMember(p *walker, name, whole binder.At, of facts.Expr) {
	if name < 0 {
		return
	}
	text := p.Plain(name)
	if text == "this" || text == "super" || text == "type" {
		return
	}
	p.Ref(name, text, kindAt(p, whole), of, false)
	noteCall(p, name, whole)
}

func useInfix(p *walker, n binder.At) {
	left, op, right := p.Child(n, "left"), p.Child(n, "operator"), p.Child(n, "right")
	of := left
	if strings.HasSuffix(p.TextAt(op), ":") {
		of = right
	}
	useNode(p, left)
	if op >= 0 {
		p.Ref(op, p.Plain(op), facts.Call, p.Expr(of), false)
		note(p, op, n)
	}
	useNode(p, right)
	for c := range p.Named(n) {
		if c != left && c != op && c != right {
			useNode(p, c)
		}
	}
}

// useAssignment is for what is assigned, and for arguments by their names.
func useAssignment(p *walker, n binder.At) {
	left := p.Child(n, "left")
	if p.Kind(p.Parent(n)) == "arguments" && p.Kind(left) == "identifier" {
		useNamedArgument(p, left, p.Parent(p.Parent(n)))
	} else {
		useNode(p, left)
	}
	useNode(p, p.Child(n, "right"))
}

// useNamedArgument is for the name of an argument: of a case class, or of a class whose parameters
// are its fields, it is one of these.
func useNamedArgument(p *walker, name, call binder.At) {
	of := facts.Unknown
	callee := p.Child(call, "function")
	if p.Kind(callee) == "generic_function" {
		callee = p.Child(callee, "function")
	}
	switch {
	case p.Kind(call) == "instance_expression":
		of = binder.ValueOf(constructed(p, call))
	case p.Kind(callee) == "field_expression" && p.TextAt(p.Child(callee, "field")) == "copy":
		of = p.Expr(p.Child(callee, "value"))
	case p.TextAt(callee) == "copy":
		of = thisValue(p, call)
	case isTypeLike(p, callee):
		of = binder.Call(binder.Member(p.Expr(callee), facts.ExtractedBy("new")))
	}
	if !of.Known() || of.IsExternal() {
		return
	}
	p.Ref(name, p.Plain(name), facts.Write, of, false)
	if len(p.Refs) > 0 {
		if r := &p.Refs[len(p.Refs)-1]; r.Name == p.Plain(name) && r.Kind == facts.Write {
			r.Arguments = facts.Memberwise
		}
	}
}

// noteCall notes on the reference at a name, the last one, what it is called with.
func noteCall(p *walker, name, whole binder.At) {
	up := p.Parent(whole)
	if p.Kind(up) == "generic_function" && p.Field(whole) == "function" {
		whole, up = up, p.Parent(up)
	}
	if p.Kind(up) == "call_expression" && p.Field(whole) == "function" {
		note(p, name, up)
	}
}

const (
	longestArgument  = 80
	longestArguments = 200
)

// note notes the arguments of a call on the reference at a name, the last one.
func note(p *walker, name, call binder.At) {
	if len(p.Refs) == 0 {
		return
	}
	r := &p.Refs[len(p.Refs)-1]
	if line, column := p.Position(int(p.Nodes[name].Start)); r.Line != line || r.Column != column || r.Is > 0 {
		return
	}
	args := argumentsOf(p, call)
	given := make([]string, len(args))
	for i, a := range args {
		switch p.Kind(a) {
		case "lambda_expression", "case_block", "indented_cases", "colon_argument":
			given[i] = "&"
			continue
		case "assignment_expression":
			given[i] = "=" + p.Plain(p.Child(a, "left"))
			continue
		case "ascription_expression":
			if p.Kind(p.Last(a)) == "repeated_parameter_type" {
				return
			}
		}
		if hasWildcard(p, a) {
			given[i] = "&"
		} else if e := p.Expr(a); e.Known() && e.Size() <= longestArgument {
			given[i] = facts.GivenAs(e)
		}
	}
	r.Args = len(args) + 1
	if r.Arguments = strings.Join(given, ","); len(r.Arguments) > longestArguments {
		r.Arguments = ""
	}
}

func useTypeName(p *walker, n binder.At, of facts.Expr) {
	if n < 0 {
		return
	}
	kind := facts.Type
	up := p.Parent(n)
	whole := n
	for k := p.Kind(up); k == "generic_type" && p.Field(whole) == "type" || k == "stable_type_identifier" ||
		k == "compound_type"; k = p.Kind(up) {
		whole, up = up, p.Parent(up)
	}
	if p.Kind(up) == "extends_clause" && p.Field(whole) == "type" {
		kind = facts.Implements
		if p.First(up, p.Kind(whole)) == whole && firstType(p, up) == whole {
			kind = facts.Extends
		}
	}
	if p.Kind(up) == "instance_expression" && p.Nth(up, 0) == whole {
		kind = facts.Call
	}
	if of != facts.Nothing {
		p.Ref(n, p.Plain(n), kind, of, false)
	} else {
		m := p.Resolve(n, p.Plain(n), true)
		p.RefMeaning(int(p.Nodes[n].Start), kind, m)
	}
	if len(p.Refs) > 0 {
		if r := &p.Refs[len(p.Refs)-1]; kind == facts.Call {
			if line, column := p.Position(int(p.Nodes[n].Start)); r.Line == line && r.Column == column {
				r.Arguments = facts.Constructs
			}
		}
	}
}

func firstType(p *walker, clause binder.At) binder.At {
	for c := range p.Named(clause) {
		if p.Field(c) == "type" {
			return c
		}
	}
	return binder.None
}
