package script

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A guard is what a condition says of a value that is named by a path, as
// "this.node": its member key has one of some values, or none of them; or what
// tests says.
type guard struct {
	of     binder.At // where the path is in the condition
	path   string
	key    string
	values []binder.At // none: true
	truth  bool        // of values that there are none of, what is not had
	tests  []test
	not    bool
}

// tested is what a file tests, and what it assigns to.
type tested struct {
	paths    map[string]bool
	assigned []binder.At // left sides
}

// testsOf finds what is tested in a file.
func testsOf(p *walker) *tested {
	if p.tests != nil {
		return p.tests
	}
	p.tests = &tested{paths: map[string]bool{}}
	for n := range binder.At(len(p.Nodes)) {
		var all []guard
		switch p.Kind(n) {
		case "if_statement", "ternary_expression", "while_statement":
			c := p.Child(n, "condition")
			all = append(guards(p, c, true), guards(p, c, false)...)
		case "binary_expression":
			all = append(guards(p, p.Child(n, "left"), true), guards(p, p.Child(n, "left"), false)...)
		case "switch_statement":
			if g, ok := memberTest(p, p.Child(n, "value")); ok {
				all = []guard{g}
			}
		case "assignment_expression", "augmented_assignment_expression":
			p.tests.assigned = append(p.tests.assigned, p.Child(n, "left"))
		}
		for _, g := range all {
			p.tests.paths[g.path] = true
		}
	}
	return p.tests
}

// path is the text of names with dots between, "" of anything else.
func path(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "identifier", "this":
		return p.TextAt(n)
	case "member_expression":
		if of := path(p, p.Child(n, "object")); of != "" {
			return of + "." + p.TextAt(p.Child(n, "property"))
		}
	}
	return ""
}

// memberTest is a guard of the member that an expression is, without values.
func memberTest(p *walker, n binder.At) (guard, bool) {
	n = inner(p.Tree, n)
	if p.Kind(n) == "parenthesized_expression" {
		n = p.Nth(n, 0)
	}
	if p.Kind(n) != "member_expression" {
		return guard{}, false
	}
	g := guard{of: p.Child(n, "object"), path: path(p, p.Child(n, "object")), key: p.TextAt(p.Child(n, "property"))}
	return g, g.path != "" && binder.PlainName(g.key)
}

// guards is what is known where a condition holds, or where it does not.
func guards(p *walker, n binder.At, holds bool) []guard {
	n = inner(p.Tree, n)
	switch p.Kind(n) {
	case "member_expression":
		if g, ok := memberTest(p, n); ok {
			g.not, g.truth = true, !holds
			return []guard{g}
		}
	case "call_expression":
		return guardCalls(p, n, holds)
	case "unary_expression":
		if p.TextAt(p.Child(n, "operator")) == "!" {
			return guards(p, p.Child(n, "argument"), !holds)
		}
	case "binary_expression":
		left, right := p.Child(n, "left"), p.Child(n, "right")
		switch op := p.TextAt(p.Child(n, "operator")); op {
		case "===", "==", "!==", "!=":
			g, ok := memberTest(p, left)
			if value := right; !ok || literalOf(p, value) == facts.Nothing && path(p, value) == "" {
				g, ok = memberTest(p, right)
				right = left
			}
			if ok {
				g.values, g.not = []binder.At{inner(p.Tree, right)}, (op[0] == '!') == holds
				return []guard{g}
			}
		case "instanceof", "in":
			return typeTest(p, n, holds)
		case "&&", "||":
			a, b := guards(p, left, holds), guards(p, right, holds)
			if (op == "&&") == holds {
				return append(a, b...)
			}
			return oneOfBoth(a, b)
		}
	}
	return nil
}

// oneOfBoth is what is known where one of two tests holds: of one member, that
// it has one of the values of both.
func oneOfBoth(a, b []guard) []guard {
	if len(a) != 1 || len(b) != 1 || a[0].not || b[0].not || a[0].path != b[0].path || a[0].key != b[0].key ||
		len(a[0].tests) != len(b[0].tests) && (len(a[0].tests) == 0 || len(b[0].tests) == 0) {
		return nil
	}
	g := a[0]
	g.tests = append(slices.Clone(g.tests), b[0].tests...)
	g.values = append(append([]binder.At{}, g.values...), b[0].values...)
	return []guard{g}
}

// mostLiterals is how many literals of a type are kept, to tell types apart by them.
const mostLiterals = 6

// literalsOf are the literals that a field of a type may be by what is written, nothing if
// it may be anything else.
func literalsOf(p *walker, field, typ binder.At) facts.Expr {
	var all []facts.Expr
	var add func(n binder.At) bool
	add = func(n binder.At) bool {
		switch p.Kind(n) {
		case "union_type":
			return add(p.Nth(n, 0)) && add(p.Nth(n, 1))
		case "literal_type":
			n = p.Nth(n, 0)
			one := literalOf(p, n)
			if k := p.Kind(n); k == "undefined" || k == "null" {
				one = facts.Literal("$" + k)
			}
			all = append(all, one)
			return one != facts.Nothing && len(all) <= mostLiterals
		}
		return false
	}
	if !add(typ) {
		return facts.Nothing
	}
	if p.Has(field, "?") {
		all = append(all, facts.Literal("$undefined"))
	}
	if len(all) == 1 {
		return all[0]
	}
	if e := facts.Union(all...); e.Known() {
		return e
	}
	return facts.Nothing
}

// literalOf is what a literal that is worth keeping says, else nothing.
func literalOf(p *walker, n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "true", "false":
		return facts.Literal("$" + p.Kind(n))
	case "string":
		text := p.Plain(n)
		plain := func(r rune) bool {
			return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}
		if text != "" && strings.IndexFunc(text, plain) < 0 {
			return facts.Literal(text)
		}
	}
	return facts.Nothing
}

// narrowed is what an expression stands for where tests around it and before
// it hold.
func narrowed(p *walker, n binder.At, e facts.Expr) facts.Expr {
	tests := testsOf(p)
	if len(tests.paths) == 0 || e == facts.TooLong {
		return e
	}
	at := path(p, n)
	if at == "" || !tests.paths[at] {
		return e
	}
	for c, up := n, p.Parent(n); up >= 0; c, up = up, p.Parent(up) {
		for _, g := range around(p, c, up) {
			if g.path == at && sameRoot(p, n, g.of) && !isAssigned(p, at, g.of, up) {
				e = g.apply(p, e)
			}
		}
	}
	return e
}

// around is what is known in a child of a node by the node.
func around(p *walker, c, up binder.At) []guard {
	switch p.Kind(up) {
	case "if_statement", "ternary_expression", "while_statement":
		switch p.Field(c) {
		case "consequence", "body":
			return guards(p, p.Child(up, "condition"), true)
		case "alternative":
			return guards(p, p.Child(up, "condition"), false)
		}
	case "binary_expression":
		if op := p.TextAt(p.Child(up, "operator")); p.Field(c) == "right" && (op == "&&" || op == "||") {
			return guards(p, p.Child(up, "left"), op == "&&")
		}
	case "switch_body":
		return ofCase(p, c, up)
	}
	switch p.Kind(up) {
	case "statement_block", "program", "switch_case", "switch_default":
		return before(p, c, up)
	}
	return nil
}

// before is what is known in a statement as those before it would else have
// left.
func before(p *walker, c, up binder.At) (all []guard) {
	for s := range p.Named(up) {
		if s >= c {
			break
		}
		if p.Kind(s) == "if_statement" && p.Child(s, "alternative") < 0 && leaves(p, p.Child(s, "consequence")) {
			all = append(all, guards(p, p.Child(s, "condition"), false)...)
		}
	}
	return all
}

// leaves reports whether what follows a statement is not reached from it.
func leaves(p *walker, n binder.At) bool {
	switch p.Kind(n) {
	case "return_statement", "throw_statement", "break_statement", "continue_statement":
		return true
	case "statement_block":
		return leaves(p, p.Last(n))
	case "if_statement":
		other := p.Child(n, "alternative")
		return other >= 0 && leaves(p, p.Child(n, "consequence")) && leaves(p, p.Nth(other, 0))
	}
	return false
}

// ofCase is what is known in a case of a switch: its value, or that of those
// before it which fall through.
func ofCase(p *walker, c, body binder.At) []guard {
	g, ok := memberTest(p, p.Child(p.Parent(body), "value"))
	if !ok {
		return nil
	}
	if p.Kind(c) == "switch_default" {
		g.not = true
	}
	open := false // the case before falls through to the next one
	var values []binder.At
	for s := range p.Named(body) {
		value := p.Child(s, "value")
		if g.not {
			if p.Kind(s) != "switch_case" {
				continue
			}
			open = !leaves(p, p.Last(s))
			values = append(values, inner(p.Tree, value))
			continue
		}
		if !open {
			values = values[:0]
		}
		if p.Kind(s) != "switch_case" { // the default: anything
			if open = !leaves(p, p.Last(s)); open && s < c {
				return nil
			}
			continue
		}
		values = append(values, inner(p.Tree, value))
		if s == c {
			break
		}
		open = p.Last(s) == value || !leaves(p, p.Last(s))
	}
	g.values = values
	if g.not && fallsInto(p, c, body) || len(values) == 0 {
		return nil
	}
	return []guard{g}
}

// fallsInto reports whether the case before one falls through to it.
func fallsInto(p *walker, c, body binder.At) bool {
	falls := false
	for s := range p.Named(body) {
		if s == c {
			return falls
		}
		falls = !leaves(p, p.Last(s))
	}
	return false
}

// sameRoot reports whether two paths begin with one variable.
func sameRoot(p *walker, a, b binder.At) bool {
	root := func(n binder.At) (binder.At, string) {
		for p.Kind(n) == "member_expression" {
			n = p.Child(n, "object")
		}
		return n, p.TextAt(n)
	}
	a, name := root(a)
	b, other := root(b)
	if name != other {
		return false
	}
	va, _ := p.ScopeOf(a).Find(name, true)
	vb, _ := p.ScopeOf(b).Find(name, true)
	return va == vb
}

// isAssigned reports whether a path, or what it begins with, gets another value
// between a test and the end of a node.
func isAssigned(p *walker, at string, test, within binder.At) bool {
	for _, left := range testsOf(p).assigned {
		if left > test && left < p.Nodes[within].Next {
			if to := path(p, left); to != "" && (to == at || strings.HasPrefix(at, to+".")) {
				return true
			}
		}
	}
	return false
}

// apply narrows a value.
func (g *guard) apply(p *walker, e facts.Expr) facts.Expr {
	if len(g.tests) > 0 {
		return g.applyTests(p, e)
	}
	if !e.Known() || e.IsExternal() {
		return e
	}
	var values []facts.Expr
	if len(g.values) == 0 {
		values = []facts.Expr{facts.Literal("$false")}
		if g.truth {
			values[0] = facts.Literal("$true")
		}
	}
	for _, v := range g.values {
		value := literalOf(p, v)
		if value == facts.Nothing && p.Kind(v) == "member_expression" {
			value = p.Expr(v)
		}
		if !value.Known() {
			return e
		}
		values = append(values, value)
	}
	narrow := facts.Only
	if g.not {
		narrow = facts.Except
	}
	if t := narrow(binder.AsType(e), g.key, values...); t.Known() {
		return binder.ValueOf(t)
	}
	return e
}
