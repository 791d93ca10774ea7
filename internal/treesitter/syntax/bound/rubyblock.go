package bound

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// rubyEvaluators are methods in whose block self is what they are called of.
var rubyEvaluators = map[string]bool{
	"instance_eval": true, "instance_exec": true, "class_eval": true, "class_exec": true, "module_eval": true,
	"module_exec": true,
}

// rubyIterators are methods in whose block self is the same as around their call.
var rubyIterators = map[string]bool{
	"each": true, "each_with_index": true, "each_pair": true, "each_with_object": true, "map": true, "flat_map": true,
	"collect": true, "select": true, "reject": true, "times": true, "upto": true, "any?": true, "all?": true,
	"find": true, "tap": true, "synchronize": true,
}

// rubyOpaque are methods of test cases and the like, whose blocks are run elsewhere: nothing is said of them.
var rubyOpaque = map[string]bool{
	"describe": true, "context": true, "feature": true, "shared_examples": true, "it": true, "specify": true,
	"before": true, "after": true, "around": true, "let": true, "let!": true, "subject": true, "test": true,
	"setup": true, "teardown": true, "expect": true, "proc": true, "lambda": true, "define_method": true,
	"assert_raises": true, "loop": true, "scope": true,
}

const (
	mostAround      = 100 // how many nodes around a name are looked at
	mostGivenBlocks = 2   // how many values beside a block are told
)

// rubyInBlock says of the last reference, if it is a bare name that is called, of what it may be a member first.
func rubyInBlock(p *walker, n binder.At, kind facts.Kind) {
	if p.Language != "Ruby" || kind != facts.Call || len(p.Refs) == 0 {
		return
	}
	if r := &p.Refs[len(p.Refs)-1]; r.Bare && r.Name == p.TextAt(n) {
		if of, ok := rubyBlockSelf(p, n); ok {
			r.Of = of
		}
	}
}

// rubyBlockSelf is self where a name is in a block that is given to a call, as the method says which is called; ok is
// false where nothing is said.
func rubyBlockSelf(p *walker, n binder.At) (of facts.Expr, ok bool) {
	up := p.Parent(n)
	for range mostAround {
		switch p.Kind(up) {
		case "", "method", "singleton_method", "class", "module", "singleton_class", "lambda":
			return facts.Unknown, false
		case "block", "do_block":
			call := p.Parent(up)
			name, receiver := p.TextAt(p.Child(call, "method")), p.Child(call, "receiver")
			switch {
			case p.Kind(call) != "call" || name == "":
				return facts.Unknown, false
			case receiver >= 0 && rubyIterators[name], receiver < 0 && rubyEvaluators[name]:
			case rubyOpaque[name], p.Child(up, "parameters") >= 0, p.Kind(p.Child(p.Parent(call), "left")) == "constant":
				return facts.Unknown, false
			default:
				of = rubyGiven(p, call, rubyTaker(p, call), nil)
				return of, of.Known()
			}
		}
		if up = p.Parent(up); up < 0 {
			break
		}
	}
	return facts.Unknown, false
}

// rubyTaker is the method that a call with a block calls.
func rubyTaker(p *walker, call binder.At) facts.Expr {
	m, receiver := p.Child(call, "method"), p.Child(call, "receiver")
	if receiver >= 0 {
		return binder.Member(p.Expr(receiver), p.TextAt(m))
	}
	if of, ok := rubyBlockSelf(p, call); ok {
		return of.Member(p.TextAt(m))
	}
	return facts.Name(p.TextAt(m))
}

// rubyGiven is self in the block that a call gives to a function, with the values that it gives beside it: of those
// only what may be a class.
func rubyGiven(p *walker, call binder.At, function facts.Expr, in *rubyMethod) facts.Expr {
	var args []facts.Expr
	for c := range p.Named(p.Child(call, "arguments")) {
		if p.Kind(c) == "block_argument" || len(args) == mostGivenBlocks {
			break
		}
		e := facts.External
		switch p.Kind(c) {
		case "constant", "scope_resolution":
			e = p.Expr(c)
		case "self":
			if e = facts.This; in == nil {
				e = p.Expr(c)
			}
		case "identifier":
			if in != nil {
				e = in.parameter(p, p.TextAt(c))
			} else {
				e = p.Expr(c)
			}
		}
		if !e.Known() {
			e = facts.External
		}
		args = append(args, e)
	}
	switch {
	case !function.Known() || function.IsExternal():
		return facts.Unknown
	case len(args) == 0:
		return function.Param(facts.LastParam)
	}
	return facts.ParamWith(function, facts.LastParam, facts.Unknown, args...)
}

// A rubyMethod is one that takes a block by a name.
type rubyMethod struct{ node, body, parameters binder.At }

// rubyTakesBlock says of a method with a block by a name what self is in that.
func rubyTakesBlock(p *walker, s *binder.Symbol, method binder.At) {
	for c := range p.Named(p.Child(method, "parameters")) {
		if p.Kind(c) == "block_parameter" && p.Child(c, "name") >= 0 {
			s.ArgSources = []binder.Source{{Node: c, Mark: binder.MarkArgument}}
		}
	}
}

// rubyRuns is self in the block that a method takes, if it runs that by instance_eval and the like or hands it on, and
// does nothing else with it. A value of the class that the method is called of is This.
func rubyRuns(p *walker, block binder.At) facts.Expr {
	m := rubyMethod{node: p.Up(block, "method", "singleton_method"), parameters: p.Parent(block)}
	m.body = p.Child(m.node, "body")
	if m.body < 0 {
		return facts.Unknown
	}
	name, self, told := p.TextAt(p.Child(block, "name")), facts.Nothing, false
	for n := m.body + 1; n < p.Nodes[m.body].Next; n++ {
		switch {
		case p.Kind(n) == "yield":
			told = true
		case p.Kind(n) != "identifier" || p.TextAt(n) != name:
			continue
		}
		switch up := p.Parent(n); p.Kind(up) {
		case "block_argument":
			e := m.handed(p, up)
			if !e.Known() || self != facts.Nothing && self != e {
				return facts.Unknown
			}
			self = e
		case "call":
			switch p.TextAt(p.Child(up, "method")) {
			case "call", "yield", "()", "[]":
				told = true
			}
		case "argument_list", "assignment", "array", "pair", "body_statement":
			if p.Kind(n) == "identifier" {
				return facts.Unknown
			}
		}
	}
	if told && !m.asksArity(p) {
		return facts.Unknown
	}
	return self
}

// asksArity reports whether a method asks how many arguments its block takes: such a block has parameters of its own.
func (m *rubyMethod) asksArity(p *walker) bool {
	for n := m.body + 1; n < p.Nodes[m.body].Next; n++ {
		if p.Kind(n) == "identifier" && p.TextAt(n) == "arity" {
			return true
		}
	}
	return false
}

// handed is self in a block that a call in the method is given by its name. What blocks in a method do with it is not
// known: their self may be another one.
func (m *rubyMethod) handed(p *walker, argument binder.At) facts.Expr {
	call := p.Parent(p.Parent(argument))
	for up := p.Parent(argument); up != m.node; up = p.Parent(up) {
		switch p.Kind(up) {
		case "block", "do_block", "lambda", "method", "singleton_method", "class", "module", "singleton_class":
			return facts.Unknown
		}
	}
	name, receiver := p.TextAt(p.Child(call, "method")), p.Child(call, "receiver")
	own := receiver < 0 || p.Kind(receiver) == "self"
	switch {
	case p.Kind(call) != "call" || name == "":
		return facts.Unknown
	case own && rubyEvaluators[name]:
		return facts.This
	case own:
		return rubyGiven(p, call, facts.This.Member(name), m)
	case rubyEvaluators[name] && p.Kind(receiver) == "identifier":
		if of := m.parameter(p, p.TextAt(receiver)); of.Known() {
			return facts.ParamWith(facts.Name("Class").Member("new"), facts.LastParam, facts.Unknown, of)
		}
	}
	return rubyGiven(p, call, binder.Member(p.Expr(receiver), name), m)
}

// parameter is what is given for the parameter of a name, or its default, or Unknown if there is none. It may
// become a class that is made from what is given.
func (m *rubyMethod) parameter(p *walker, name string) facts.Expr {
	at := 0
	for c := range p.Named(m.parameters) {
		node, value := c, facts.External
		switch p.Kind(c) {
		case "identifier":
		case "optional_parameter":
			node = p.Child(c, "name")
			if e := p.Expr(p.Child(c, "value")); e.Known() {
				value = e
			}
		default:
			return facts.Unknown
		}
		if p.TextAt(node) != name {
			at++
			continue
		}
		if m.changes(p, name) {
			return facts.Unknown
		}
		return facts.Default(facts.Literal(strconv.Itoa(at)), value)
	}
	return facts.Unknown
}

// changes reports whether a parameter is assigned something else than a class that is made from it.
func (m *rubyMethod) changes(p *walker, name string) bool {
	for n := m.body + 1; n < p.Nodes[m.body].Next; n++ {
		left := p.Child(n, "left")
		if left < 0 || p.TextAt(left) != name || p.Kind(n) != "assignment" && p.Kind(n) != "operator_assignment" {
			continue
		}
		right := p.Child(n, "right")
		if p.TextAt(p.Child(right, "receiver")) != "Class" || p.TextAt(p.Child(right, "method")) != "new" ||
			p.TextAt(p.Nth(p.Child(right, "arguments"), 0)) != name {
			return true
		}
	}
	return false
}
