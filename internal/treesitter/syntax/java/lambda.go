package java

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// only is the one method of an interface that has no body (JLS 9.8), nil if there is none
// or another one.
func only(p *walker, n binder.At) (method *binder.Symbol) {
	if p.Kind(n) != "interface_declaration" {
		return nil
	}
	for c := range p.Named(p.First(n, "interface_body")) {
		if p.Kind(c) != "method_declaration" || p.Child(c, "body") >= 0 {
			continue
		}
		name := p.Child(c, "name")
		switch p.TextAt(name) {
		case "equals", "hashCode", "toString": // of Object
			continue
		}
		if method != nil || name < 0 {
			return nil
		}
		method = p.BySpot[int(p.Nodes[name].Start)]
	}
	if method != nil && len(method.Params) > 0 {
		return nil
	}
	return method
}

// lambda binds the parameters of a lambda: what the method of the interface takes that it is
// given for, and elements where it is given to a method of streams.
func lambda(p *walker, n binder.At) {
	sc := p.Open(n, 'b', nil)
	for i, c := range parametersOf(p, n) {
		if t := p.Child(c, "type"); t >= 0 {
			p.bindTyped(c, p.Child(c, "name"), binder.UnknownSource)
			p.BindAt(sc, p.Child(c, "name"), binder.ValueOfType(t))
			continue
		}
		p.BindAt(sc, c, interfaceOf(p, n).Param(i))
		if list := elementsOf(p, n); list >= 0 && i == 0 {
			p.BindAt(sc, c, binder.Source{Node: list}.Elem())
		}
	}
	p.inside(n)
}

// parametersOf are the names of the parameters of a lambda, or their declarations.
func parametersOf(p *walker, n binder.At) (all []binder.At) {
	params := p.Child(n, "parameters")
	if p.Kind(params) == "identifier" {
		return []binder.At{params}
	}
	for c := range p.Named(params) {
		all = append(all, c)
	}
	return all
}

// elementsOf is what a lambda with one parameter is called with the elements of.
func elementsOf(p *walker, n binder.At) binder.At {
	call := p.Parent(p.Parent(n))
	if p.Kind(call) != "method_invocation" || len(parametersOf(p, n)) != 1 {
		return binder.None
	}
	switch p.TextAt(p.Child(call, "name")) {
	case "map", "filter", "forEach", "anyMatch", "allMatch", "noneMatch", "flatMap", "mapToInt", "mapToLong", "mapToObj",
		"ifPresent", "peek", "removeIf":
		return p.Child(call, "object")
	}
	return binder.None
}

// interfaceOf is a value of the interface that a lambda is given for.
func interfaceOf(p *walker, n binder.At) binder.Source {
	up := p.Parent(n)
	switch p.Kind(up) {
	case "argument_list":
		return binder.Source{Mark: binder.MarkArgument, Node: n}
	case "variable_declarator":
		return binder.ValueOfType(p.Child(p.Parent(up), "type"))
	case "cast_expression":
		return binder.ValueOfType(p.Child(up, "type"))
	case "assignment_expression":
		return binder.Source{Node: p.Child(up, "left")}
	case "return_statement":
		if around := p.Up(n, "method_declaration", "lambda_expression"); p.Kind(around) == "method_declaration" {
			return binder.ValueOfType(p.Child(around, "type"))
		}
	}
	return binder.UnknownSource
}

// Argument is what the parameter is that a lambda is given for.
func (p *walker) Argument(n binder.At) facts.Expr {
	list := p.Parent(n)
	at := 0
	for c := range p.Named(list) {
		if c == n {
			break
		}
		at++
	}
	method := facts.Unknown
	switch call := p.Parent(list); p.Kind(call) {
	case "method_invocation":
		method = methodOf(p, call)
	case "object_creation_expression":
		method = p.TypeOf(p.Child(call, "type"))
	}
	return binder.Inside(method, func(e facts.Expr) facts.Expr {
		if with := facts.ParamWith(e, at, facts.Unknown, passed(p, list, false)...); with.Known() {
			return with
		}
		return e.Param(at)
	})
}

// methodOf is what a method invocation calls.
func methodOf(p *walker, call binder.At) facts.Expr {
	name := p.TextAt(p.Child(call, "name"))
	if object := p.Child(call, "object"); object >= 0 {
		return binder.Member(p.Expr(object), name)
	}
	return facts.Name(name)
}

// mostArguments is of how many arguments the number is told.
const mostArguments = 5

// longestPassed bounds the expressions of arguments of what is called in an expression, in
// bytes.
const longestPassed = 60

// passed are arguments as far as they say what a method gives, none where there are too
// many: what class they are the class, of lambdas the number of their parameters and, if
// wanted, what they give.
func passed(p *walker, list binder.At, results bool) (args []facts.Expr) {
	for c := range p.Named(list) {
		arg := facts.Unknown
		switch p.Kind(c) {
		case "class_literal":
			arg = facts.List(p.TypeOf(p.Nth(c, 0))).Value()
		case "lambda_expression":
			gives := facts.Unknown
			if body := p.Child(c, "body"); results && p.Kind(body) != "block" {
				if e := binder.AsType(p.Expr(body)); e.Size() <= longestArgument {
					gives = e
				}
			}
			takes := slices.Repeat([]facts.Expr{facts.Unknown}, len(parametersOf(p, c)))
			arg = facts.FuncWith(gives, takes...)
		case "identifier", "field_access", "object_creation_expression", "this":
			if e := p.Expr(c); e.Known() && !e.IsExternal() && e.Size() <= longestPassed {
				arg = e
			}
		}
		args = append(args, arg)
	}
	if len(args) > mostArguments {
		return nil
	}
	return args
}

// callValue is what a method invocation gives.
func callValue(p *walker, n binder.At) facts.Expr {
	name, object, list := p.TextAt(p.Child(n, "name")), p.Child(n, "object"), p.Child(n, "arguments")
	first := p.Nth(list, 0)
	switch {
	case object < 0 && name == "getClass":
		return facts.External
	case first >= 0 && p.givesArgument(object, name):
		if p.Kind(first) == "class_literal" {
			return binder.ValueOf(p.TypeOf(p.Nth(first, 0)))
		}
		return p.Expr(first)
	case object >= 0 && name == "map" && p.Kind(first) == "lambda_expression":
		if body := p.Child(first, "body"); p.Kind(body) != "block" {
			return binder.List(p.Expr(body))
		}
	}
	method := methodOf(p, n)
	if args := passed(p, list, true); args != nil {
		return binder.Inside(method, func(e facts.Expr) facts.Expr {
			if with := e.CallWith(0, args...); with.Known() {
				return with
			}
			return e.CallWith(0, slices.Repeat([]facts.Expr{facts.Unknown}, len(args))...)
		})
	}
	return binder.Call(method)
}

// givesArgument reports whether a method gives its first argument, or a value of the class
// that this is: those of Mockito, where the file imports that, and Objects.requireNonNull.
func (p *walker) givesArgument(object binder.At, name string) bool {
	switch name {
	case "requireNonNull":
		return p.TextAt(object) == "Objects" || object < 0 && p.importsFrom("java.util.Objects")
	case "verify", "spy", "mock":
		return p.importsFrom("org.mockito")
	case "when", "given": // doReturn(…).when(x)
		of := p.TextAt(object)
		return object >= 0 && of != "Mockito" && of != "BDDMockito" && p.importsFrom("org.mockito")
	}
	return false
}

func (p *walker) importsFrom(path string) bool {
	for _, i := range p.Imports {
		if strings.HasPrefix(i.Path, path) {
			return true
		}
	}
	return false
}

// ofLambda is "->" and the number of parameters of a lambda, then "v" if it can give nothing
// and "r" if it must give something (JLS 15.27.2).
func ofLambda(p *walker, n binder.At) string {
	out := "->" + strconv.Itoa(len(parametersOf(p, n)))
	switch body := p.Child(n, "body"); p.Kind(body) {
	case "block":
		switch returns := returnsValue(p, body); {
		case returns:
			return out + "r"
		case !endless[p.Kind(p.Last(body))]:
			return out + "v"
		}
	case "method_invocation", "object_creation_expression", "assignment_expression", "update_expression":
	default:
		return out + "r"
	}
	return out
}

// endless are the statements that a block may end with so that it is neither.
var endless = map[string]bool{
	"throw_statement": true, "while_statement": true, "for_statement": true, "do_statement": true,
}

// returnsValue reports whether a statement of a lambda returns something.
func returnsValue(p *walker, n binder.At) bool {
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "return_statement":
			if p.Nth(c, 0) >= 0 {
				return true
			}
		case "lambda_expression", "class_body":
		default:
			if returnsValue(p, c) {
				return true
			}
		}
	}
	return false
}
