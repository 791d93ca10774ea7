package bound

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A phpTests is what a file of PHP tests by "instanceof".
type phpTests struct {
	paths    map[string]bool        // of what
	assigned map[string][]binder.At // where these are assigned, in order
	// Of blocks that were looked at, what holds behind their statements, by what is tested, in order.
	before map[binder.At]map[string][]typeTest
}

// phpCast is what a variable or property is where tests around it and before it hold.
func phpCast(p *walker, n binder.At, e facts.Expr) facts.Expr {
	tests := phpTested(p)
	path := p.TextAt(n)
	if !tests.paths[path] || path == "$this" { // which stays one of the class around
		return e
	}
	since := tests.lastAssigned(path, n)
	count := 0
	for c, up := n, p.Parent(n); up >= 0 && count < mostTests; c, up = up, p.Parent(up) {
		switch p.Kind(up) {
		case "function_definition", "method_declaration", "anonymous_function_creation_expression", "class_declaration":
			return e
		}
		for _, t := range phpTestsBy(p, c, up, path) {
			if p.TextAt(t.of) != path || t.of < since {
				continue
			}
			if is := castTo(p, t, e); is.Known() {
				e = is
				count++
			}
		}
	}
	return e
}

// phpTested is what a file tests, found once.
func phpTested(p *walker) *phpTests {
	if p.tests != nil {
		return p.tests
	}
	p.tests = &phpTests{map[string]bool{}, map[string][]binder.At{}, map[binder.At]map[string][]typeTest{}}
	for n := range binder.At(len(p.Nodes)) {
		if of, _ := instanceOf(p, n); of >= 0 {
			p.tests.paths[p.TextAt(of)] = true
		}
	}
	if len(p.tests.paths) == 0 {
		return p.tests
	}
	for n := range binder.At(len(p.Nodes)) {
		of := binder.None
		switch p.Kind(n) {
		case "assignment_expression":
			of = p.Child(n, "left")
		case "foreach_statement":
			of = p.Nth(n, 1)
			if p.Kind(of) == "pair" {
				of = p.Nth(of, 1)
			}
		}
		if path := p.TextAt(of); of >= 0 && p.tests.paths[path] {
			p.tests.assigned[path] = append(p.tests.assigned[path], n)
		}
	}
	return p.tests
}

// lastAssigned is the last place before another one at which something is assigned: tests before that
// say nothing of it.
func (t *phpTests) lastAssigned(path string, place binder.At) binder.At {
	all := t.assigned[path]
	if i, _ := slices.BinarySearch(all, place); i > 0 {
		return all[i-1]
	}
	return binder.None
}

// instanceOf is what is tested to be of a type that is named, and the type.
func instanceOf(p *walker, n binder.At) (of, t binder.At) {
	if p.Kind(n) != "binary_expression" {
		return binder.None, binder.None
	}
	of, t = p.Child(n, "left"), p.Child(n, "right")
	if k := p.Kind(t); k != "name" && k != "qualified_name" || !strings.Contains(between(p, of, t), "instanceof") {
		return binder.None, binder.None
	}
	if p.Kind(of) == "parenthesized_expression" {
		of = p.Nth(of, 0)
	}
	if p.Kind(of) == "assignment_expression" { // ($x = f()) instanceof T
		of = p.Child(of, "left")
	}
	return of, t
}

// between is the text between two nodes.
func between(p *walker, a, b binder.At) string { return p.Text[p.Nodes[a].End:p.Nodes[b].Start] }

// phpTestsBy are the tests that hold in a child of a node by that node, of a path at least.
func phpTestsBy(p *walker, c, up binder.At, path string) []typeTest {
	switch p.Kind(up) {
	case "if_statement", "else_if_clause", "while_statement", "conditional_expression":
		switch p.Field(c) {
		case "body":
			return phpTestsOf(p, p.Child(up, "condition"), true)
		case "alternative":
			return phpTestsOf(p, p.Child(up, "condition"), false)
		}
	case "binary_expression":
		if p.Field(c) == "right" {
			switch logical(p, up) {
			case "&&":
				return phpTestsOf(p, p.Child(up, "left"), true)
			case "||":
				return phpTestsOf(p, p.Child(up, "left"), false)
			}
		}
	case "match_conditional_expression":
		conditions := p.Child(up, "conditional_expressions")
		of := p.Child(p.Parent(p.Parent(up)), "condition")
		if p.Field(c) == "return_expression" && p.Nth(conditions, 1) < 0 && strings.EqualFold(p.TextAt(of), "(true)") {
			return phpTestsOf(p, p.Nth(conditions, 0), true)
		}
	case "compound_statement", "program", "colon_block", "case_statement":
		return phpTestsBefore(p, c, up, path)
	}
	return nil
}

// logical is "&&" or "||" of an expression that is one.
func logical(p *walker, n binder.At) string {
	if p.Kind(n) != "binary_expression" {
		return ""
	}
	switch strings.ToLower(strings.TrimSpace(between(p, p.Child(n, "left"), p.Child(n, "right")))) {
	case "&&", "and":
		return "&&"
	case "||", "or":
		return "||"
	}
	return ""
}

// phpTestsOf are the tests that hold where a condition does, or where it does not.
func phpTestsOf(p *walker, n binder.At, holds bool) []typeTest {
	switch p.Kind(n) {
	case "parenthesized_expression":
		return phpTestsOf(p, p.Nth(n, 0), holds)
	case "unary_op_expression":
		if strings.HasPrefix(p.TextAt(n), "!") {
			return phpTestsOf(p, p.Last(n), !holds)
		}
	case "binary_expression":
		if of, t := instanceOf(p, n); of >= 0 {
			if holds {
				return []typeTest{{of, []binder.At{t}}}
			}
			return nil
		}
		operator := logical(p, n)
		if operator == "" {
			return nil
		}
		a, b := phpTestsOf(p, p.Child(n, "left"), holds), phpTestsOf(p, p.Child(n, "right"), holds)
		return joined(p, a, b, (operator == "&&") == holds, (*walker).TextAt)
	}
	return nil
}

// phpTestsBefore are the tests of a path that hold in a statement as those before it would else have left:
// the last ones of them.
func phpTestsBefore(p *walker, c, up binder.At, path string) []typeTest {
	tests := phpTested(p)
	of, ok := tests.before[up]
	if !ok {
		of = map[string][]typeTest{}
		for s := range p.Named(up) {
			for _, t := range phpTestsBehind(p, s) {
				of[p.TextAt(t.of)] = append(of[p.TextAt(t.of)], t)
			}
		}
		tests.before[up] = of
	}
	all := of[path]
	before, _ := slices.BinarySearchFunc(all, c, func(t typeTest, c binder.At) int { return int(t.of - c) })
	return all[max(before-mostTests, 0):before]
}

// phpTestsBehind are the tests that hold behind a statement.
func phpTestsBehind(p *walker, s binder.At) []typeTest {
	switch p.Kind(s) {
	case "if_statement":
		if p.Child(s, "alternative") < 0 && phpLeaves(p, p.Child(s, "body")) {
			return phpTestsOf(p, p.Child(s, "condition"), false)
		}
	case "expression_statement":
		call := p.Nth(s, 0)
		if p.Kind(call) == "function_call_expression" && p.TextAt(p.Child(call, "function")) == "assert" {
			return phpTestsOf(p, p.Nth(p.Nth(p.Child(call, "arguments"), 0), 0), true)
		}
	}
	return nil
}

// phpLeaves reports whether what follows a statement is not reached from it.
func phpLeaves(p *walker, n binder.At) bool {
	switch p.Kind(n) {
	case "return_statement", "continue_statement", "break_statement", "throw_expression", "exit_statement":
		return true
	case "expression_statement":
		return p.Kind(p.Nth(n, 0)) == "throw_expression"
	case "compound_statement", "colon_block":
		return p.Last(n) >= 0 && phpLeaves(p, p.Last(n))
	}
	return false
}
