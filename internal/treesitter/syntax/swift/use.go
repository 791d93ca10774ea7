package swift

import (
	"strconv"
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
	case "import_declaration", "value_argument_label", "operator_declaration", "precedence_group_declaration":
	case "simple_identifier":
		useName(p, n)
	case "user_type":
		useType(p, n)
	case "type_identifier":
		useTypeName(p, n, facts.Nothing)
	case "navigation_expression":
		useNavigation(p, n)
	case "constructor_expression":
		uses(p, n)
		noteCall(p, lastNameOf(p, p.Child(n, "constructed_type")), n)
	case "prefix_expression":
		if isImplicit(p, n) {
			useImplicit(p, n)
			return
		}
		uses(p, n)
	case "pattern":
		usePattern(p, n)
	case "if_statement", "guard_statement", "while_statement":
		useConditions(p, n)
	case "type_parameter":
		useNode(p, p.Child(n, "name"))
	case "identifier":
		if p.Field(n) == "constrained_type" {
			if first := p.Nth(n, 0); first == p.Last(n) && p.TextAt(first) != "Self" {
				p.UseName(first, facts.Type, true)
			}
		}
	default:
		useOther(p, n)
	}
}

// useOther is for nodes some of whose children are no references.
func useOther(p *walker, n binder.At) {
	skip := func(c binder.At) bool { return p.Kind(c) == "simple_identifier" || p.Kind(c) == "type_identifier" }
	switch p.Kind(n) {
	case "class_declaration":
		useClass(p, n)
	case "parameter", "lambda_parameter", "enum_entry", "enum_type_parameters", "tuple_type_item", "computed_setter",
		"willset_clause", "didset_clause", "protocol_declaration", "typealias_declaration", "associatedtype_declaration",
		"function_declaration", "protocol_function_declaration", "call_suffix", "catch_block":
		for c := range p.Named(n) {
			if !skip(c) {
				useNode(p, c)
			}
		}
	case "attribute":
		for c := range p.Named(n) {
			if p.Kind(c) != "simple_identifier" || !strings.HasPrefix(textBehind(p, c), ":") {
				useNode(p, c)
			}
		}
	case "capture_list_item":
		if v := p.Child(n, "value"); v >= 0 {
			useNode(p, v)
		} else if name := p.Child(n, "name"); p.TextAt(name) != "self" {
			useNode(p, name)
		}
	case "tuple_expression", "value_argument":
		useLabel(p, n)
		for c := range p.Named(n) {
			if p.Field(c) != "name" {
				useNode(p, c)
			}
		}
	default:
		if n >= 0 {
			uses(p, n)
		}
	}
}

// useLabel is for the label of an argument: of the initializer that a struct has by its properties
// it is one of them.
func useLabel(p *walker, n binder.At) {
	label := p.Child(n, "name")
	if label < 0 || p.Kind(n) != "value_argument" {
		return
	}
	call := p.Up(n, "call_expression", "constructor_expression")
	init, of := initializerOf(p, call)
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
func useClass(p *walker, n binder.At) {
	for c := range p.Named(n) {
		if p.Field(c) == "name" && !isExtension(p, n) {
			continue
		}
		useNode(p, c)
	}
}

// kindAt is how a name or member at a node is used: n is the whole of it.
func kindAt(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	for p.Kind(up) == "postfix_expression" {
		n, up = up, p.Parent(up)
	}
	switch p.Kind(up) {
	case "call_expression":
		if p.Nth(up, 0) == n && !isSubscript(p, up) {
			return facts.Call
		}
	case "directly_assignable_expression":
		return facts.Write
	}
	return facts.Read
}

// callAt is the call whose callee a node is, or none.
func callAt(p *walker, n binder.At) binder.At {
	if kindAt(p, n) == facts.Call {
		return p.Up(n, "call_expression")
	}
	return binder.None
}

func useName(p *walker, n binder.At) {
	name := p.Plain(n)
	if strings.HasPrefix(name, "$") || name == "self" || name == "init" || name == "Self" {
		return
	}
	kind := kindAt(p, n)
	if kind == facts.Read && binder.IsUpper(name) && p.Kind(p.Parent(n)) == "navigation_expression" {
		kind = facts.Type // of which a member is named; a constant may look like it
	}
	p.RefMeaning(int(p.Nodes[n].Start), kind, p.Resolve(n, name, true))
	noteCall(p, n, callAt(p, n))
}

// noteCall notes on the reference at a name, the last one, what a call gives: labels, and
// behind each what is known of the argument.
func noteCall(p *walker, name, call binder.At) {
	if name < 0 || call < 0 || len(p.Refs) == 0 {
		return
	}
	r := &p.Refs[len(p.Refs)-1]
	if line, column := p.Position(int(p.Nodes[name].Start)); r.Line != line || r.Column != column {
		return
	}
	r.Kind = facts.Call
	labels, args := labelsOf(p, call), argumentsOf(p, call)
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
			if n := arityGiven(p, args[i]); n != "" {
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
func arityGiven(p *walker, a binder.At) string {
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
func useType(p *walker, n binder.At) {
	of := facts.Nothing
	for c := range p.Named(n) {
		if p.Kind(c) != "type_identifier" {
			useNode(p, c)
			continue
		}
		name := p.Plain(c)
		useTypeName(p, c, of)
		if of == facts.Nothing {
			of = firstType(p, c)
		} else {
			of = binder.Member(of, name)
		}
	}
}

func useTypeName(p *walker, n binder.At, of facts.Expr) {
	name := p.Plain(n)
	if name == "Self" || of != facts.Nothing && (name == "Type" || name == "Protocol") {
		return
	}
	kind := facts.Type
	if up := p.Up(n, "inheritance_specifier", "type_arguments", "class_body"); p.Kind(up) == "inheritance_specifier" &&
		n == lastNameOf(p, p.Child(up, "inherits_from")) {
		kind = facts.Implements
		eachBase(p, p.Parent(up), kindOfType(p, p.Parent(up)), func(base binder.Source, as facts.Kind) {
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

func kindOfType(p *walker, n binder.At) string {
	if p.Kind(n) == "protocol_declaration" {
		return "protocol"
	}
	return p.TextAt(p.Child(n, "declaration_kind"))
}

// lastNameOf is the last name of a type.
func lastNameOf(p *walker, t binder.At) binder.At {
	last := binder.None
	for c := range p.Named(t) {
		if p.Kind(c) == "type_identifier" {
			last = c
		}
	}
	return last
}

func useNavigation(p *walker, n binder.At) {
	target := p.Child(n, "target")
	suffix := p.Child(p.Child(n, "suffix"), "suffix")
	useNode(p, target)
	if p.Kind(suffix) != "simple_identifier" {
		return
	}
	name := p.Plain(suffix)
	of := p.Expr(target)
	switch {
	case name == "self" || name == "Type":
		return
	case p.Kind(target) == "key_path_expression":
		of = rootOf(p, target)
	case inKeyPath(p, target):
		of = pathValue(p, target)
	}
	p.Ref(suffix, name, kindAt(p, n), of, false)
	noteCall(p, suffix, callAt(p, n))
	if len(p.Refs) > 0 {
		if r := &p.Refs[len(p.Refs)-1]; r.Of == facts.Nothing && r.Name == name {
			r.Bare = false
		}
	}
}

// inKeyPath reports whether an expression is a member in a key path.
func inKeyPath(p *walker, n binder.At) bool {
	for p.Kind(n) == "navigation_expression" || p.Kind(n) == "postfix_expression" {
		n = p.Nth(n, 0)
	}
	return p.Kind(n) == "key_path_expression"
}

// pathValue is what a part of a key path leads to.
func pathValue(p *walker, n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "key_path_expression":
		return rootOf(p, n)
	case "navigation_expression":
		return binder.Member(pathValue(p, p.Child(n, "target")), p.Plain(p.Child(p.Child(n, "suffix"), "suffix")))
	case "postfix_expression":
		return pathValue(p, p.Nth(n, 0))
	}
	return facts.Unknown
}

// rootOf is what a key path begins at: a value of the type that it names, or an element of
// what a function of lists is called of.
func rootOf(p *walker, n binder.At) facts.Expr {
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
	return binder.Key(contextOf(p, p.Child(arg, "value")))
}

// useImplicit is for ".a", a member of the type that is expected.
func useImplicit(p *walker, n binder.At) {
	refMember(p, p.Child(n, "target"), n, contextOf(p, n))
}

// refMember adds a reference for a member of the type of a value.
func refMember(p *walker, name, whole binder.At, value facts.Expr) {
	of := binder.AsType(value)
	if value.IsExternal() || !value.Known() {
		of = facts.Unknown
	}
	p.Ref(name, p.Plain(name), kindAt(p, whole), of, false)
	noteCall(p, name, callAt(p, whole))
}

// usePattern is for patterns: the names of cases in them.
func usePattern(p *walker, n binder.At) {
	for c := range p.Named(n) {
		usePart(p, c)
	}
}

func usePart(p *walker, c binder.At) {
	switch {
	case p.Field(c) == "bound_identifier":
	case p.Kind(c) == "simple_identifier":
		if s, ok := p.subjects[c]; ok {
			refMember(p, c, c, p.Eval(s))
		}
	default:
		useNode(p, c)
	}
}

// useConditions is for statements with conditions, in which patterns are not nodes of their own.
func useConditions(p *walker, n binder.At) {
	for c := range p.Named(n) {
		switch {
		case p.Field(c) == "bound_identifier":
			next := textBehind(p, c)
			if !strings.HasPrefix(next, "=") && !strings.HasPrefix(next, ":") && p.TextAt(c) != "self" {
				useName(p, c)
			}
		case p.Kind(c) == "simple_identifier" && isCase(p, c):
			usePart(p, c)
		default:
			useNode(p, c)
		}
	}
}

func textBehind(p *walker, n binder.At) string {
	return strings.TrimLeft(p.Text[p.Nodes[n].End:min(len(p.Text), int(p.Nodes[n].End)+20)], " \t\n")
}

// isCase reports whether a name is that of a case in a pattern.
func isCase(p *walker, n binder.At) bool {
	_, ok := p.subjects[n]
	return ok
}
