package script

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A test of what type a value is: that of a class behind instanceof, what a call
// tells if its function is a type guard, or the types that have a member.
type test struct {
	class, call binder.At // or None
	parameter   string    // of call
	key         string
}

// typeTest is what "x instanceof C" says of x, or "'key' in x".
func typeTest(p *walker, n binder.At, holds bool) []guard {
	left, right := inner(p.Tree, p.Child(n, "left")), inner(p.Tree, p.Child(n, "right"))
	t, of := test{class: right, call: binder.None}, left
	if p.TextAt(p.Child(n, "operator")) == "in" {
		if p.Kind(left) != "string" || !binder.PlainName(p.Plain(left)) {
			return nil
		}
		t, of = test{class: binder.None, call: binder.None, key: p.Plain(left)}, right
	}
	return guardOf(p, of, t, holds)
}

func guardOf(p *walker, of binder.At, t test, holds bool) []guard {
	at := path(p, of)
	if at == "" {
		return nil
	}
	return []guard{{of: of, path: at, tests: []test{t}, not: !holds}}
}

// guardCalls is what a call says of its arguments and of what its function is a
// method of, should it be a type guard.
func guardCalls(p *walker, n binder.At, holds bool) (all []guard) {
	f := p.Child(n, "function")
	switch p.Kind(f) {
	case "identifier":
	case "member_expression":
		t := test{class: binder.None, call: n, parameter: "this"}
		all = guardOf(p, p.Child(f, "object"), t, holds)
	default:
		return nil
	}
	i := 0
	for c := range p.Named(p.Child(n, "arguments")) {
		t := test{class: binder.None, call: n, parameter: strconv.Itoa(i)}
		all = append(all, guardOf(p, c, t, holds)...)
		i++
	}
	return all
}

// applyTests narrows a value by its type.
func (g *guard) applyTests(p *walker, e facts.Expr) facts.Expr {
	of := binder.AsType(e)
	if key := g.tests[0].key; key != "" {
		narrow := facts.Has
		if g.not {
			narrow = facts.Hasnt
		}
		if len(g.tests) > 1 || !e.Known() || e.IsExternal() {
			return e
		}
		return knownOr(narrow(of, key), e)
	}
	var types []facts.Expr
	for _, t := range g.tests {
		types = append(types, t.expr(p))
		if last := types[len(types)-1]; !last.Known() || g.not && last.IsExternal() {
			return e
		}
	}
	if !e.Known() {
		of = facts.Unknown
	}
	narrow := facts.Is
	if g.not {
		narrow = facts.Isnt
		if !e.Known() || e.IsExternal() {
			return e
		}
	}
	return knownOr(narrow(of, types...), e)
}

// knownOr is a value of the type t, or e if that was too long to be kept.
func knownOr(t, e facts.Expr) facts.Expr {
	if !t.Known() {
		return e
	}
	return binder.ValueOf(t)
}

// expr is the type that is tested.
func (t test) expr(p *walker) facts.Expr {
	if t.class >= 0 {
		return p.Expr(t.class)
	}
	if t.call < 0 {
		return facts.Unknown
	}
	f := p.Child(t.call, "function")
	if p.TextAt(f) == "Array.isArray" {
		return facts.List(facts.External)
	}
	return guardOfFunction(p, f, t.parameter)
}

// guardOfFunction is what a function tells of a parameter.
func guardOfFunction(p *walker, f binder.At, parameter string) facts.Expr {
	e := p.Expr(f)
	if !e.Known() || e.IsExternal() {
		return facts.Unknown
	}
	return facts.Guard(e, parameter)
}

// guardedElements are the elements of a list that a type guard leaves, or one of
// them; Nothing where no function can be one.
func guardedElements(p *walker, list, f binder.At, all bool) facts.Expr {
	inline := isFunctionNode(p.Kind(f))
	if !inline && p.Kind(f) != "identifier" && p.Kind(f) != "member_expression" ||
		inline && p.Kind(p.Child(f, "return_type")) != "type_predicate_annotation" {
		return facts.Nothing
	}
	elem, guard := binder.AsType(binder.Elem(p.Expr(list))), guardOfFunction(p, f, "0")
	if !elem.Known() || elem.IsExternal() || !guard.Known() {
		return facts.Nothing
	}
	t := facts.Is(elem, guard)
	if all {
		t = facts.List(t)
	}
	if !t.Known() {
		return facts.Nothing
	}
	return binder.ValueOf(t)
}

// expected is the type that an object literal is to be: of a union what has its
// literals, or members of enums.
func expected(p *walker, object binder.At, from binder.Source) facts.Expr {
	if t, ok := p.expectedOf[object]; ok {
		return t
	}
	t := binder.AsType(p.Eval(from))
	for c := range p.Named(object) {
		key := p.Child(c, "key")
		if p.Kind(c) != "pair" || p.Kind(key) != "property_identifier" || !t.Known() || t.IsExternal() {
			continue
		}
		value := inner(p.Tree, p.Child(c, "value"))
		of := literalOf(p, value)
		if p.Kind(value) == "member_expression" {
			of = p.Expr(value)
		}
		if _, literal := of.LiteralText(); !of.Known() || of.IsExternal() && !literal {
			continue
		}
		if only := facts.Only(t, p.TextAt(key), of); only.Known() {
			t = only
		}
		break
	}
	p.expectedOf[object] = t
	return t
}
