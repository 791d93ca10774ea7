package bound

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// called is what calling a function at a node gives. In PHP that may be an object of a class that it is given.
func called(p *walker, call binder.At, function facts.Expr) facts.Expr {
	if p.Language == "Kotlin" {
		return kotlinCall(p, call, function)
	}
	if p.Language != "PHP" || !function.Known() || function.IsExternal() {
		return binder.Call(function)
	}
	var args []facts.Expr
	some := false
	for c := range p.Named(p.Child(call, "arguments")) {
		if p.Kind(c) == "variadic_placeholder" { // the function itself
			return facts.External
		}
		given := facts.External
		if v := p.values[p.Last(c)]; v != nil && v.kind == "type" && p.Child(c, "name") < 0 {
			given, some = p.Expr(p.Last(c)), true
		}
		args = append(args, given)
	}
	if !some {
		return binder.Call(function)
	}
	result := function.CallWith(0, args...)
	made := phpMade(p, call)
	if made == facts.Nothing {
		return result
	}
	// One of the repository may have that name, and give something else.
	if e := facts.Cond(result, facts.External, made, result); e.Known() {
		return e
	}
	return binder.UnionOf(result, made)
}

// What gives an object of the class that it is given, as Laravel, PHPUnit and Mockery declare it: functions, functions
// and methods that make mocks, and methods of the container, whose names others have too.
var (
	phpGivers     = binder.Words("app resolve")
	phpMockers    = binder.Words("mock spy partialMock createMock createStub createPartialMock createConfiguredMock")
	phpMakers     = binder.Words("make makeWith resolve")
	phpContainers = binder.Words("$app $this->app app() App $container $this->container")
)

// phpMade is the value of a call of such a function.
func phpMade(p *walker, call binder.At) facts.Expr {
	class := p.Last(p.Nth(p.Child(call, "arguments"), 0))
	if v := p.values[class]; v == nil || v.kind != "type" {
		return facts.Nothing
	}
	name, function := p.TextAt(p.Child(call, "name")), p.TextAt(p.Child(call, "function"))
	of := p.TextAt(max(p.Child(call, "object"), p.Child(call, "scope")))
	if phpGivers[function] || phpMockers[function] || phpMockers[name] || phpMakers[name] && phpContainers[of] {
		return binder.ValueOf(p.Expr(class))
	}
	return facts.Nothing
}

// phpArgument adds the use of a property by the name of an argument for a constructor that declares it.
func phpArgument(p *walker, name binder.At) {
	made := facts.Unknown
	switch call := p.Parent(p.Parent(p.Parent(name))); p.Kind(call) {
	case "object_creation_expression":
		made = p.Expr(call)
	case "attribute":
		made = binder.ValueOf(p.TypeOf(p.Nth(call, 0)))
	}
	if made.Known() && !made.IsExternal() {
		p.Ref(name, p.TextAt(name), facts.Write, made, false)
		p.Refs[len(p.Refs)-1].Arguments = facts.Promoted
	}
}

// phpAdapted adds the use of a method of a trait that gets another name where that is used.
func phpAdapted(p *walker, name binder.At) {
	var traits []facts.Expr
	for c := range p.Named(p.Up(name, "use_declaration")) {
		if p.Kind(c) != "use_list" {
			traits = append(traits, binder.ValueOf(p.TypeOf(c)))
		}
	}
	p.Ref(name, p.TextAt(name), facts.Call, binder.UnionOf(traits...), false)
}

// isClosure are the kinds of functions without a name.
func isClosure(kind string) bool {
	return kind == "anonymous_function_creation_expression" || kind == "arrow_function"
}

// phpGiven is what a parameter of a closure is by the function that it is given to.
func phpGiven(p *walker, closure, parameter binder.At) []binder.Source {
	argument := p.Parent(closure)
	if !isClosure(p.Kind(closure)) || p.Kind(argument) != "argument" || p.Child(argument, "name") >= 0 {
		return nil
	}
	call := p.Parent(p.Parent(argument))
	of, name := max(p.Child(call, "object"), p.Child(call, "scope")), p.Child(call, "name")
	function := binder.Source{Node: p.Child(call, "function")}
	switch {
	case of >= 0 && p.Kind(name) == "name":
		function = binder.Source{Node: of}.Member(p.TextAt(name))
	case function.Node < 0:
		return nil
	}
	index := func(n binder.At) int { return slices.Index(slices.Collect(p.Named(p.Parent(n))), n) }
	return []binder.Source{function.Param(index(argument)).Param(index(parameter))}
}

// mostReturns is how many values of a function are looked at.
const mostReturns = 4

// phpReturned are the values that a function returns which says no type.
func phpReturned(p *walker, body binder.At) (from []binder.Source) {
	if body < 0 {
		return nil
	}
	for n := body; n < p.Nodes[body].Next; {
		switch kind := p.Kind(n); {
		case kind == "yield_expression":
			return nil
		case isClosure(kind), kind == "function_definition", kind == "declaration_list":
			n = p.Nodes[n].Next
			continue
		case kind == "return_statement" && p.Last(n) >= 0:
			value := binder.Source{Node: p.Last(n)}
			if p.TextAt(value.Node) == "$this" {
				value = valueOf(facts.This)
			}
			from = append(from, value)
		}
		n++
	}
	if len(from) > mostReturns {
		return nil
	}
	return from
}

// A phpOwned is a property of a class of a file.
type phpOwned struct {
	class *binder.Symbol
	name  string
}

// phpAssigned are the values that a class assigns to a property of it which says no type.
func phpAssigned(p *walker, property *binder.Symbol) (from []binder.Source) {
	if p.owned == nil {
		p.owned = map[phpOwned][]binder.At{}
		for n := range binder.At(len(p.Nodes)) {
			if p.Kind(n) != "assignment_expression" || p.TextAt(p.Child(p.Child(n, "left"), "object")) != "$this" {
				continue
			}
			name := p.Child(p.Child(n, "left"), "name")
			if around := p.Up(n, "object_creation_expression", "class_declaration", "trait_declaration"); around >= 0 &&
				p.Kind(around) != "object_creation_expression" { // or a class without a name
				class := p.BySpot[int(p.Nodes[max(p.Child(around, "name"), 0)].Start)]
				of := phpOwned{class, p.TextAt(name)}
				p.owned[of] = append(p.owned[of], p.Child(n, "right"))
			}
		}
	}
	values := p.owned[phpOwned{property.Enclosing, property.Name}]
	if len(values) > mostReturns {
		return nil
	}
	for _, n := range values {
		from = append(from, binder.Source{Node: n})
	}
	return from
}

// phpCaptured makes a variable that a closure takes from around what it is there, and reports whether it is one.
func phpCaptured(p *walker, closure *binder.Scope, name binder.At) bool {
	if p.Kind(p.Parent(name)) != "anonymous_function_use_clause" || closure.Parent == nil {
		return false
	}
	v, _ := closure.Parent.Find(p.TextAt(name), true)
	if v == nil || v.Symbol != nil {
		return false
	}
	closure.Names[p.TextAt(name)] = v
	return true
}

// phpLocals notes all uses of variables, of which facts need few.
func phpLocals(p *walker) {
	if p.Notes == nil || p.Language != "PHP" {
		return
	}
	for n := range binder.At(len(p.Nodes)) {
		if p.Kind(n) == "variable_name" {
			p.Resolve(n, p.TextAt(n), true)
		}
	}
}
