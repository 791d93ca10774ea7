package bound

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// kotlinFunction is the type of functions that give a result, of what they are called of and
// given, as far as that is said.
func kotlinFunction(p *walker, n binder.At, result facts.Expr) facts.Expr {
	if !result.Known() {
		result = facts.External
	}
	receiver, params := facts.External, []facts.Expr(nil)
	if first := p.Nth(n, 0); p.Kind(first) == "type_identifier" {
		if of := p.TypeOf(first); of.Known() {
			receiver = of
		}
		if list := p.Nth(n, 1); p.Kind(list) == "type_arguments" && !receiver.IsExternal() {
			receiver = receiver.Generic(kotlinTypes(p, list)...)
		}
	}
	for c := range p.Named(p.First(n, "function_type_parameters")) {
		if p.Kind(c) == "parameter" {
			c = p.Nth(c, 1)
		}
		params = append(params, orExternal(p.TypeOf(c)))
	}
	if receiver.IsExternal() && !slices.ContainsFunc(params, func(e facts.Expr) bool { return !e.IsExternal() }) {
		return facts.Func(result)
	}
	return facts.FuncOf(receiver, result, params...)
}

func kotlinTypes(p *walker, list binder.At) (all []facts.Expr) {
	for c := range p.Named(list) {
		all = append(all, orExternal(p.TypeOf(c)))
	}
	return all
}

// kotlinReceivers are what lambdas around a node may be called of, the innermost first.
func kotlinReceivers(p *walker, n binder.At, depth int) (all []facts.Expr) {
	for up := p.Parent(n); up >= 0 && depth < deepestLambda; up = p.Parent(up) {
		if p.Kind(up) != "lambda_literal" {
			continue
		}
		depth++
		for _, e := range kotlinReceiver(p, up, depth) {
			if e.Known() && !e.IsExternal() && len(all) < mostReceivers {
				all = append(all, e)
			}
		}
	}
	return all
}

// kotlinReceiver is what a lambda may be called of, as the function says that it is given to.
func kotlinReceiver(p *walker, lambda binder.At, depth int) (all []facts.Expr) {
	c := kotlinTaker(p, lambda)
	switch {
	case c.function < 0:
		return nil
	case c.name == "let" || c.name == "also" || c.name == "forEach" || c.name == "map" || c.name == "filter":
		return nil
	case (c.name == "apply" || c.name == "run") && c.object >= 0:
		return []facts.Expr{p.Expr(c.object)}
	case c.name == "with" && c.object < 0:
		return []facts.Expr{p.Expr(p.Nth(p.Nth(c.arguments, 0), 0))}
	}
	for _, function := range kotlinCalled(p, lambda, c, depth) {
		all = append(all, binder.Taken(binder.Param(function, c.at), 1))
	}
	return all
}

// A taker is a call that is given a lambda.
type taker struct {
	function  binder.At // none if there is no call
	object    binder.At // of which the function is a member, or none
	name      string
	arguments binder.At // in brackets, or none
	at        int       // which of its arguments the lambda is
}

// kotlinTaker is the call that is given a lambda as its last argument, or in brackets without a name.
func kotlinTaker(p *walker, lambda binder.At) taker {
	suffix, at := p.Parent(lambda), facts.LastParam
	if p.Kind(suffix) == "annotated_lambda" {
		suffix = p.Parent(suffix)
	} else if argument := suffix; p.Kind(argument) == "value_argument" && p.Nth(argument, 1) < 0 {
		at = min(slices.Index(slices.Collect(p.Named(p.Parent(argument))), argument), binder.MostParts)
		suffix = p.Parent(p.Parent(argument))
	}
	if p.Kind(suffix) != "call_suffix" {
		return taker{function: binder.None}
	}
	function := p.Nth(p.Parent(suffix), 0)
	arguments := p.First(suffix, "value_arguments")
	if p.Kind(function) == "call_expression" {
		arguments = p.First(p.Nth(function, 1), "value_arguments")
		function = p.Nth(function, 0)
	}
	c := taker{function, binder.None, "", arguments, at}
	name := function
	if p.Kind(function) == "navigation_expression" {
		name, c.object = p.Last(p.Last(function)), p.Nth(function, 0)
	}
	c.name = p.TextAt(name)
	return c
}

// kotlinCalled are the functions that a call may call which is given a lambda: those of what lambdas around
// are called of, and of the file.
func kotlinCalled(p *walker, lambda binder.At, c taker, depth int) (all []facts.Expr) {
	if c.object < 0 && p.Resolve(c.function, c.name, true).Bare {
		for _, of := range kotlinReceivers(p, lambda, depth) {
			all = append(all, binder.Member(of, c.name))
		}
		return append(all, facts.Name(c.name))
	}
	of := p.Expr(c.function)
	if c.object < 0 && p.Kind(c.function) == "simple_identifier" { // a value that can be called
		return []facts.Expr{of, binder.Member(of, "invoke")}
	}
	return []facts.Expr{of}
}

// kotlinParameter is where the value of a parameter of a lambda comes from of which no type is written.
func kotlinParameter(n binder.At) []binder.Source {
	return []binder.Source{{Node: n, Mark: binder.MarkArgument}}
}

// kotlinGivenTo is what the parameter of a lambda is, or "it" of one, as the function says that
// the lambda is given to, or the variable that it is the value of.
func kotlinGivenTo(p *walker, n binder.At) facts.Expr {
	lambda, at := n, 0
	if p.Kind(n) != "lambda_literal" {
		variable := p.Parent(n)
		list := p.Parent(variable)
		if p.Kind(list) != "lambda_parameters" {
			return facts.Unknown
		}
		lambda, at = p.Parent(list), slices.Index(slices.Collect(p.Named(list)), variable)
	}
	var all []facts.Expr
	if up := p.Parent(lambda); p.Kind(up) == "property_declaration" {
		if t := p.Nth(p.First(up, "variable_declaration"), 1); t >= 0 {
			return binder.Param(binder.ValueOf(p.TypeOf(t)), at)
		}
		return facts.Unknown
	}
	c := kotlinTaker(p, lambda)
	if c.function < 0 {
		return facts.Unknown
	}
	for _, function := range kotlinCalled(p, lambda, c, 0) {
		if e := binder.Param(binder.Param(function, c.at), at); e.Known() && !e.IsExternal() {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return facts.Unknown
	}
	return binder.UnionOf(all...)
}

// kotlinMade is what a call with type arguments makes of which it is known what that is, or a lambda.
func kotlinMade(p *walker, f *form) facts.Expr {
	if f.kind == "lambda" {
		return facts.Func(binder.AsType(p.several(f)))
	}
	t := p.TypeOf(f.part("type"))
	switch {
	case !t.Known() || t.IsExternal():
		return facts.External
	case f.kind == "listed":
		return facts.List(t).Value()
	}
	return facts.Map(facts.External, t).Value()
}

// mostGiven and longestGiven bound the values that a call is told to be given, by which type parameters are found out.
const (
	mostGiven    = 4
	longestGiven = 100
)

// kotlinCall is what a call gives, with the values that it is given if they say something.
func kotlinCall(p *walker, call binder.At, function facts.Expr) facts.Expr {
	suffix := p.Last(call)
	if p.Kind(suffix) != "call_suffix" || !function.Known() || function.IsExternal() || function.Base() != function {
		return binder.Call(function)
	}
	var nodes []binder.At
	if before := p.Nth(call, 0); p.Kind(before) == "call_expression" {
		nodes = slices.Collect(p.Named(p.First(p.Last(before), "value_arguments")))
	} else {
		nodes = slices.Collect(p.Named(p.First(suffix, "value_arguments")))
	}
	if lambda := p.First(suffix, "annotated_lambda"); lambda >= 0 {
		nodes = append(nodes, lambda)
	}
	if len(nodes) > mostGiven {
		return binder.Call(function)
	}
	args, some := make([]facts.Expr, len(nodes)), false
	for i, n := range nodes {
		if p.Nth(n, 1) >= 0 { // by name
			return binder.Call(function)
		}
		args[i] = facts.External
		if e := kotlinValueGiven(p, p.Nth(n, 0)); e.Known() && !e.IsExternal() && e.Size() <= longestGiven {
			args[i], some = e, true
		}
	}
	if some {
		if e := function.CallWith(0, args...); e != facts.TooLong {
			return e
		}
	}
	return binder.Call(function)
}

// kotlinValueGiven is the value of an argument; of X::class a class.
func kotlinValueGiven(p *walker, n binder.At) facts.Expr {
	if p.Kind(n) == "navigation_expression" && p.Kind(p.Nth(n, 0)) == "callable_reference" {
		n = p.Nth(n, 0)
	}
	if p.Kind(n) == "callable_reference" && strings.HasSuffix(p.TextAt(n), "::class") {
		if t := p.TypeOf(p.Nth(n, 0)); t.Known() && !t.IsExternal() {
			return facts.Class(t)
		}
		return facts.External
	}
	return p.Expr(n)
}
