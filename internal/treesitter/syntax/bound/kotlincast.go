package bound

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// mostTests bounds how many tests of a value are looked at.
const mostTests = 3

// A typeTest is what a test of Kotlin or PHP says of a value that is named by a path: that it is of one of
// some types.
type typeTest struct {
	of    binder.At
	types []binder.At
}

// cast is what a path of names stands for where tests around it and before it hold.
func (p *walker) cast(n binder.At, e facts.Expr) facts.Expr {
	if p.Language == "PHP" {
		return phpCast(p, n, e)
	}
	if p.Language != "Kotlin" {
		return e
	}
	at := castPath(p, n)
	if at == "" || !p.tested()[at] {
		return e
	}
	count := 0
	for c, up := n, p.Parent(n); up >= 0 && count < mostTests; c, up = up, p.Parent(up) {
		switch p.Kind(up) {
		case "function_declaration", "class_declaration", "object_declaration":
			return e
		}
		for _, t := range testsBy(p, c, up) {
			if castPath(p, t.of) != at || !sameLocal(p, n, t.of) {
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

// castTo is a value that is of the types of a test too.
func castTo(p *walker, t typeTest, e facts.Expr) facts.Expr {
	var types []facts.Expr
	for _, n := range t.types {
		types = append(types, p.TypeOf(n))
		if last := types[len(types)-1]; !last.Known() || last.IsExternal() {
			return facts.Unknown
		}
	}
	of := binder.AsType(e)
	if !e.Known() || e.IsExternal() {
		of = facts.Unknown
	}
	is := facts.Is(of, types...)
	if !is.Known() {
		return facts.Unknown
	}
	return binder.ValueOf(is)
}

// tested are the paths that a file tests.
func (p *walker) tested() map[string]bool {
	if p.paths != nil {
		return p.paths
	}
	p.paths = map[string]bool{}
	for n := range binder.At(len(p.Nodes)) {
		switch p.Kind(n) {
		case "check_expression", "as_expression":
			p.paths[castPath(p, p.Nth(n, 0))] = true
		case "when_subject":
			p.paths[castPath(p, subject(p, n))] = true
		}
	}
	return p.paths
}

// subject is what a when tests: a value, or the variable that is given it.
func subject(p *walker, n binder.At) binder.At {
	first := p.Nth(n, 0)
	if p.Kind(first) == "variable_declaration" {
		return p.Nth(first, 0)
	}
	return first
}

// castPath is the text of names with dots between, "" of anything else.
func castPath(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "simple_identifier":
		return p.TextAt(n)
	case "this_expression":
		return "this"
	case "parenthesized_expression":
		return castPath(p, p.Nth(n, 0))
	case "navigation_expression":
		suffix := p.Last(n)
		if of := castPath(p, p.Nth(n, 0)); of != "" && p.Kind(suffix) == "navigation_suffix" {
			return of + "." + p.TextAt(p.Nth(suffix, 0))
		}
	}
	return ""
}

// sameLocal reports whether two paths begin with one variable.
func sameLocal(p *walker, a, b binder.At) bool {
	first := func(n binder.At) binder.At {
		for p.Kind(n) == "navigation_expression" || p.Kind(n) == "parenthesized_expression" {
			n = p.Nth(n, 0)
		}
		return n
	}
	a, b = first(a), first(b)
	if p.Kind(a) != "simple_identifier" {
		return true
	}
	x, _ := p.ScopeOf(a).Find(p.TextAt(a), true)
	y, _ := p.ScopeOf(b).Find(p.TextAt(b), true)
	return x == y
}

// testsBy are the tests that hold in a child of a node by that node.
func testsBy(p *walker, c, up binder.At) []typeTest {
	first := p.Nth(up, 0)
	switch p.Kind(up) {
	case "if_expression":
		if c != first {
			return testsOf(p, first, c == p.Nth(up, 1) && !elseOnly(p, up))
		}
	case "while_statement":
		if c != first {
			return testsOf(p, first, true)
		}
	case "conjunction_expression", "disjunction_expression":
		if c != first {
			return testsOf(p, first, p.Kind(up) == "conjunction_expression")
		}
	case "when_entry":
		return testsOfEntry(p, c, up)
	case "statements", "control_structure_body":
		return testsBefore(p, c, up)
	}
	return nil
}

// elseOnly reports whether an if has nothing but an else.
func elseOnly(p *walker, n binder.At) bool {
	body := p.Nth(n, 1)
	between := p.Text[p.Nodes[p.Nth(n, 0)].End:p.Nodes[body].Start]
	return strings.Contains(between, "else")
}

// testsOf are the tests that hold where a condition does, or where it does not.
func testsOf(p *walker, n binder.At, holds bool) []typeTest {
	switch p.Kind(n) {
	case "parenthesized_expression":
		return testsOf(p, p.Nth(n, 0), holds)
	case "prefix_expression":
		if strings.HasPrefix(p.TextAt(n), "!") {
			return testsOf(p, p.Last(n), !holds)
		}
	case "check_expression":
		of, t := p.Nth(n, 0), p.Nth(n, 1)
		operator := strings.TrimSpace(p.Text[p.Nodes[of].End:p.Nodes[t].Start])
		if operator == "is" && holds || operator == "!is" && !holds {
			return []typeTest{{of, []binder.At{t}}}
		}
	case "conjunction_expression", "disjunction_expression":
		both := (p.Kind(n) == "conjunction_expression") == holds
		return joined(p, testsOf(p, p.Nth(n, 0), holds), testsOf(p, p.Nth(n, 1), holds), both, castPath)
	}
	return nil
}

// joined are the tests that hold where both of two conditions do, or at least one: then they must be
// one each, of what is the same path.
func joined(p *walker, a, b []typeTest, both bool, path func(*walker, binder.At) string) []typeTest {
	switch {
	case both:
		return append(a, b...)
	case len(a) == 1 && len(b) == 1 && path(p, a[0].of) == path(p, b[0].of):
		return []typeTest{{a[0].of, append(a[0].types, b[0].types...)}}
	}
	return nil
}

// testsOfEntry are the tests of a when's entry that hold in what it does.
func testsOfEntry(p *walker, c, entry binder.At) (all []typeTest) {
	if p.Kind(c) != "control_structure_body" {
		return nil
	}
	of := binder.None
	if s := p.First(p.Parent(entry), "when_subject"); s >= 0 {
		of = subject(p, s)
	}
	t := typeTest{of: of}
	conditions := 0
	for condition := range p.Named(entry) {
		if p.Kind(condition) != "when_condition" {
			continue
		}
		conditions++
		first := p.Nth(condition, 0)
		switch {
		case p.Kind(first) == "type_test" && strings.HasPrefix(p.TextAt(first), "is"):
			t.types = append(t.types, p.Nth(first, 0))
		case of < 0:
			all = testsOf(p, first, true)
		}
	}
	if of >= 0 && len(t.types) == conditions {
		return []typeTest{t}
	}
	if conditions == 1 && of < 0 {
		return all
	}
	return nil
}

// testsBefore are the tests that hold in a statement as those before it would else have left.
func testsBefore(p *walker, c, up binder.At) (all []typeTest) {
	for s := range p.Named(up) {
		if s >= c {
			break
		}
		switch p.Kind(s) {
		case "if_expression":
			if p.Nth(s, 2) < 0 && leaves(p, p.Nth(s, 1)) {
				all = append(all, testsOf(p, p.Nth(s, 0), false)...)
			}
		case "as_expression":
			if !strings.Contains(p.Text[p.Nodes[p.Nth(s, 0)].End:p.Nodes[p.Nth(s, 1)].Start], "?") {
				all = append(all, typeTest{p.Nth(s, 0), []binder.At{p.Nth(s, 1)}})
			}
		case "call_expression":
			name := p.TextAt(p.Nth(s, 0))
			arguments := p.First(p.Nth(s, 1), "value_arguments")
			if (name == "check" || name == "require") && arguments >= 0 {
				all = append(all, testsOf(p, p.Nth(p.Nth(arguments, 0), 0), true)...)
			}
		}
	}
	return all
}

// leaves reports whether what follows a statement is not reached from it.
func leaves(p *walker, n binder.At) bool {
	switch p.Kind(n) {
	case "jump_expression":
		return true
	case "call_expression":
		return p.TextAt(p.Nth(n, 0)) == "error"
	case "statements", "control_structure_body":
		return p.Last(n) >= 0 && leaves(p, p.Last(n))
	}
	return false
}
