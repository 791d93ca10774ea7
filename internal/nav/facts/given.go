package facts

import (
	"fmt"
	"strings"
)

// GivenAs is an argument, in Ref.Arguments, of which the text says no type: an expression
// of its value.
func GivenAs(e Expr) string {
	if strings.Contains(e.text, ",") {
		return ""
	}
	return "=" + e.text
}

// Given is the expression of an argument that was made by GivenAs. Each "*" before it is a
// pointer of C++.
func Given(argument string) (e Expr, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimLeft(argument, "*"), "=")
	return Expr{text}, ok
}

// WithoutExpressions are Arguments without those that are GivenAs expressions.
func WithoutExpressions(arguments string) string {
	if !strings.Contains(arguments, "=") {
		return arguments
	}
	list := strings.Split(arguments, ",")
	for i, a := range list {
		if _, ok := Given(a); ok {
			list[i] = ""
		}
	}
	return strings.Join(list, ",")
}

// ObjectAt are the Arguments of a key of an object that is written in place: where that
// begins.
func ObjectAt(line, column int) string { return fmt.Sprintf("{%d:%d", line, column) }

// Object is where the object begins that a reference is a key of, if it is one.
func (r *Ref) Object() (line, column int, ok bool) {
	at, ok := strings.CutPrefix(r.Arguments, "{")
	if !ok {
		return 0, 0, false
	}
	l, c, _ := strings.Cut(at, ":")
	return number(l), number(c), true
}

// Exprs calls f with what a reference depends on: what it is a member of, and what it is
// called with, as expressions.
func (r *Ref) Exprs(f func(Expr)) {
	if r.Of != Nothing {
		f(r.Of)
	}
	if r.Arguments == "" {
		return
	}
	for a := range strings.SplitSeq(r.Arguments, ",") {
		if e, ok := Given(a); ok {
			f(e)
		} else if a != "" && a[0] >= 'A' && a[0] <= 'Z' {
			f(Name(strings.TrimSuffix(a, "[]")))
		}
	}
}
