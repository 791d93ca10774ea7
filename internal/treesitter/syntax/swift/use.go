package swift

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Use implements binder.Walker.
func (p *walker) Use() {
	p.made0()
	p.uses(0)
}

func (p *walker) uses(n binder.At) {
	for c := range p.Named(n) {
		p.useNode(c)
	}
}

func (p *walker) useNode(n binder.At) {
	switch p.Kind(n) {
	case "import_declaration", "value_argument_label", "operator_declaration", "precedence_group_declaration":
	case "simple_identifier":
		p.useName(n)
	case "user_type":
		p.useType(n)
	case "type_identifier":
		p.useTypeName(n, facts.Nothing)
	case "navigation_expression":
		p.useNavigation(n)
	case "constructor_expression":
		p.uses(n)
		p.calledAs(p.lastName(p.Child(n, "constructed_type")), n)
	case "prefix_expression":
		if p.isImplicit(n) {
			p.useImplicit(n)
			return
		}
		p.uses(n)
	case "pattern":
		p.usePattern(n)
	case "if_statement", "guard_statement", "while_statement":
		p.useConditions(n)
	case "type_parameter":
		p.useNode(p.Child(n, "name"))
	case "identifier":
		if p.Field(n) == "constrained_type" {
			if first := p.Nth(n, 0); first == p.Last(n) && p.TextAt(first) != "Self" {
				p.UseName(first, facts.Type, true)
			}
		}
	default:
		p.useOther(n)
	}
}

// useOther is for nodes some of whose children are no references.
func (p *walker) useOther(n binder.At) {
	skip := func(c binder.At) bool { return p.Kind(c) == "simple_identifier" || p.Kind(c) == "type_identifier" }
	switch p.Kind(n) {
	case "class_declaration":
		p.useClass(n)
	case "parameter", "lambda_parameter", "enum_entry", "enum_type_parameters", "tuple_type_item", "computed_setter",
		"willset_clause", "didset_clause", "protocol_declaration", "typealias_declaration", "associatedtype_declaration",
		"function_declaration", "protocol_function_declaration", "call_suffix", "catch_block":
		for c := range p.Named(n) {
			if !skip(c) {
				p.useNode(c)
			}
		}
	case "attribute":
		for c := range p.Named(n) {
			if p.Kind(c) != "simple_identifier" || !strings.HasPrefix(p.behind(c), ":") {
				p.useNode(c)
			}
		}
	case "capture_list_item":
		if v := p.Child(n, "value"); v >= 0 {
			p.useNode(v)
		} else if name := p.Child(n, "name"); p.TextAt(name) != "self" {
			p.useNode(name)
		}
	case "tuple_expression", "value_argument":
		p.useLabel(n)
		for c := range p.Named(n) {
			if p.Field(c) != "name" {
				p.useNode(c)
			}
		}
	default:
		if n >= 0 {
			p.uses(n)
		}
	}
}

// useLabel is for the label of an argument: of the initializer that a struct has by its properties
// it is one of them.
func (p *walker) useLabel(n binder.At) {
	label := p.Child(n, "name")
	if label < 0 || p.Kind(n) != "value_argument" {
		return
	}
	call := p.Up(n, "call_expression", "constructor_expression")
	init, of := p.made(call)
	if init == facts.Nothing || !of.Known() {
		return
	}
	name := p.Nth(label, 0)
	p.Ref(name, p.Plain(name), facts.Write, binder.ValueOf(of), false)
	if len(p.Refs) > 0 {
		if r := &p.Refs[len(p.Refs)-1]; r.Name == p.Plain(name) {
			r.Arguments = facts.Memberwise
		}
	}
}

// useClass is for types and extensions: of the latter the name is a use, too.
func (p *walker) useClass(n binder.At) {
	for c := range p.Named(n) {
		if p.Field(c) == "name" && !p.isExtension(n) {
			continue
		}
		p.useNode(c)
	}
}

// kindAt is how a name or member at a node is used: n is the whole of it.
func (p *walker) kindAt(n binder.At) facts.Kind {
	up := p.Parent(n)
	for p.Kind(up) == "postfix_expression" {
		n, up = up, p.Parent(up)
	}
	switch p.Kind(up) {
	case "call_expression":
		if p.Nth(up, 0) == n && !p.isSubscript(up) {
			return facts.Call
		}
	case "directly_assignable_expression":
		return facts.Write
	}
	return facts.Read
}

// callAt is the call whose callee a node is, or none.
func (p *walker) callAt(n binder.At) binder.At {
	if p.kindAt(n) == facts.Call {
		return p.Up(n, "call_expression")
	}
	return binder.None
}

func (p *walker) useName(n binder.At) {
	name := p.Plain(n)
	if strings.HasPrefix(name, "$") || name == "self" || name == "init" || name == "Self" {
		return
	}
	p.RefMeaning(int(p.Nodes[n].Start), p.kindAt(n), p.Resolve(n, name, true))
	p.calledAs(n, p.callAt(n))
}

// calledAs notes on the reference at a name, the last one, what a call gives: labels, and
// behind each what is known of the argument.
func (p *walker) calledAs(name, call binder.At) {
	if name < 0 || call < 0 || len(p.Refs) == 0 {
		return
	}
	r := &p.Refs[len(p.Refs)-1]
	if line, column := p.Position(int(p.Nodes[name].Start)); r.Line != line || r.Column != column {
		return
	}
	r.Kind = facts.Call
	labels, args := p.labels(call), p.arguments(call)
	r.Args = len(labels) + 1
	long := make([]string, 0, 2*len(labels))
	short := make([]string, 0, 2*len(labels))
	for i, l := range labels {
		given := ""
		if i < len(args) && p.Kind(args[i]) == "value_argument" {
			if e := p.Expr(args[i]); e.Known() && e.Size() <= longestArgument {
				given = facts.GivenAs(e)
			}
		}
		if i < len(args) {
			if n := p.arityGiven(args[i]); n != "" {
				given = n
			}
		}
		long, short = append(long, l, given), append(short, l, "")
	}
	if r.Arguments = strings.Join(long, ","); len(r.Arguments) > longestArguments {
		r.Arguments = strings.Join(short, ",")
	}
}

// arityGiven is "&" and the number of parameters of a closure that is an argument, with "+" if
// it may have more; "" if it is none or nothing tells.
func (p *walker) arityGiven(a binder.At) string {
	if p.Kind(a) == "value_argument" {
		a = p.Child(a, "value")
	}
	if p.Kind(a) != "lambda_literal" {
		return ""
	}
	if list := p.First(p.Child(a, "type"), "lambda_function_type_parameters"); list >= 0 {
		n := 0
		for range p.Named(list) {
			n++
		}
		return "&" + strconv.Itoa(n)
	}
	most := 0
	for n := a; n < p.Nodes[a].Next; n++ {
		if p.Kind(n) == "simple_identifier" && strings.HasPrefix(p.TextAt(n), "$") && p.Up(n, "lambda_literal") == a {
			if k, err := strconv.Atoi(p.TextAt(n)[1:]); err == nil {
				most = max(most, k+1)
			}
		}
	}
	if most == 0 {
		return "&0"
	}
	return "&" + strconv.Itoa(most) + "+"
}

// longestArgument is how long the expression of an argument may be, longestArguments those
// of all, in bytes.
const (
	longestArgument  = 80
	longestArguments = 200
)

// useType is for names of types, one in the other.
func (p *walker) useType(n binder.At) {
	of := facts.Nothing
	for c := range p.Named(n) {
		if p.Kind(c) != "type_identifier" {
			p.useNode(c)
			continue
		}
		name := p.Plain(c)
		p.useTypeName(c, of)
		if of == facts.Nothing {
			of = p.typeName1(c)
		} else {
			of = binder.Member(of, name)
		}
	}
}

func (p *walker) useTypeName(n binder.At, of facts.Expr) {
	name := p.Plain(n)
	if name == "Self" || of != facts.Nothing && (name == "Type" || name == "Protocol") {
		return
	}
	kind := facts.Type
	if up := p.Up(n, "inheritance_specifier", "type_arguments", "class_body"); p.Kind(up) == "inheritance_specifier" &&
		n == p.lastName(p.Child(up, "inherits_from")) {
		kind = facts.Implements
		p.bases(p.Parent(up), p.kindOfType(p.Parent(up)), func(base binder.Source, as facts.Kind) {
			if base.Node == p.Child(up, "inherits_from") {
				kind = as
			}
		})
	}
	if of == facts.Nothing {
		p.RefMeaning(int(p.Nodes[n].Start), kind, p.Resolve(n, name, true))
		return
	}
	p.Ref(n, name, kind, of, false)
}

func (p *walker) kindOfType(n binder.At) string {
	if p.Kind(n) == "protocol_declaration" {
		return "protocol"
	}
	return p.TextAt(p.Child(n, "declaration_kind"))
}

// lastName is the last name of a type.
func (p *walker) lastName(t binder.At) binder.At {
	last := binder.None
	for c := range p.Named(t) {
		if p.Kind(c) == "type_identifier" {
			last = c
		}
	}
	return last
}

func (p *walker) useNavigation(n binder.At) {
	target := p.Child(n, "target")
	suffix := p.Child(p.Child(n, "suffix"), "suffix")
	p.useNode(target)
	if p.Kind(suffix) != "simple_identifier" {
		return
	}
	name := p.Plain(suffix)
	of := p.Expr(target)
	switch {
	case name == "self" || name == "Type":
		return
	case p.Kind(target) == "key_path_expression":
		of = p.root(target)
	case p.inKeyPath(target):
		of = p.path(target)
	}
	p.Ref(suffix, name, p.kindAt(n), of, false)
	p.calledAs(suffix, p.callAt(n))
	if len(p.Refs) > 0 {
		if r := &p.Refs[len(p.Refs)-1]; r.Of == facts.Nothing && r.Name == name {
			r.Bare = false
		}
	}
}

// inKeyPath reports whether an expression is a member in a key path.
func (p *walker) inKeyPath(n binder.At) bool {
	for p.Kind(n) == "navigation_expression" || p.Kind(n) == "postfix_expression" {
		n = p.Nth(n, 0)
	}
	return p.Kind(n) == "key_path_expression"
}

// path is what a part of a key path leads to.
func (p *walker) path(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "key_path_expression":
		return p.root(n)
	case "navigation_expression":
		return binder.Member(p.path(p.Child(n, "target")), p.Plain(p.Child(p.Child(n, "suffix"), "suffix")))
	case "postfix_expression":
		return p.path(p.Nth(n, 0))
	}
	return facts.Unknown
}

// root is what a key path begins at: a value of the type that it names, or an element of
// what a function of lists is called of.
func (p *walker) root(n binder.At) facts.Expr {
	if t := p.Nth(n, 0); t >= 0 {
		return binder.ValueOf(p.TypeOf(t))
	}
	arg := p.Up(n, "value_argument")
	call := p.Up(arg, "call_expression")
	callee := p.Nth(call, 0)
	if p.Kind(callee) == "navigation_expression" {
		switch p.TextAt(p.Child(p.Child(callee, "suffix"), "suffix")) {
		case "map", "compactMap", "flatMap", "filter", "sorted", "min", "max", "contains", "allSatisfy", "forEach", "first",
			"reduce", "drop", "prefix":
			return binder.Elem(p.Expr(p.Child(callee, "target")))
		}
	}
	if arg < 0 {
		return facts.Unknown
	}
	return binder.Key(p.context(p.Child(arg, "value")))
}

// useImplicit is for ".a", a member of the type that is expected.
func (p *walker) useImplicit(n binder.At) {
	p.member(p.Child(n, "target"), n, p.context(n))
}

// member adds a reference for a member of the type of a value.
func (p *walker) member(name, whole binder.At, value facts.Expr) {
	of := binder.AsType(value)
	if value.IsExternal() || !value.Known() {
		of = facts.Unknown
	}
	p.Ref(name, p.Plain(name), p.kindAt(whole), of, false)
	p.calledAs(name, p.callAt(whole))
}

// usePattern is for patterns: the names of cases in them.
func (p *walker) usePattern(n binder.At) {
	for c := range p.Named(n) {
		p.usePart(c)
	}
}

func (p *walker) usePart(c binder.At) {
	switch {
	case p.Field(c) == "bound_identifier":
	case p.Kind(c) == "simple_identifier":
		if s, ok := p.subjects[c]; ok {
			p.member(c, c, p.Eval(s))
		}
	default:
		p.useNode(c)
	}
}

// useConditions is for statements with conditions, in which patterns are not nodes of their own.
func (p *walker) useConditions(n binder.At) {
	for c := range p.Named(n) {
		switch {
		case p.Field(c) == "bound_identifier":
			if next := p.behind(c); !strings.HasPrefix(next, "=") && !strings.HasPrefix(next, ":") && p.TextAt(c) != "self" {
				p.useName(c)
			}
		case p.Kind(c) == "simple_identifier" && p.isCase(c):
			p.usePart(c)
		default:
			p.useNode(c)
		}
	}
}

func (p *walker) behind(n binder.At) string {
	return strings.TrimLeft(p.Text[p.Nodes[n].End:min(len(p.Text), int(p.Nodes[n].End)+20)], " \t\n")
}

// isCase reports whether a name is that of a case in a pattern.
func (p *walker) isCase(n binder.At) bool {
	_, ok := p.subjects[n]
	return ok
}
