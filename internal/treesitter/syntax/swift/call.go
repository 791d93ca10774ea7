package swift

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// isSubscript reports whether a call takes an element: x[i].
func isSubscript(p *walker, n binder.At) bool {
	return strings.HasPrefix(p.TextAt(p.First(p.First(n, "call_suffix"), "value_arguments")), "[")
}

// argumentsOf are those in the brackets of a call, and behind them closures.
func argumentsOf(p *walker, n binder.At) (all []binder.At) {
	suffix := p.First(n, "call_suffix", "constructor_suffix")
	for c := range p.Named(suffix) {
		switch p.Kind(c) {
		case "value_arguments":
			for a := range p.Named(c) {
				if p.Kind(a) == "value_argument" {
					all = append(all, a)
				}
			}
		case "lambda_literal":
			all = append(all, c)
		}
	}
	return all
}

// labelsOf are those of the arguments of a call, as facts.Labelled has them.
func labelsOf(p *walker, n binder.At) []string {
	var all []string
	suffix := p.First(n, "call_suffix", "constructor_suffix")
	name := ""
	for c := range p.Named(suffix) {
		switch p.Kind(c) {
		case "value_arguments":
			for a := range p.Named(c) {
				if p.Kind(a) != "value_argument" {
					continue
				}
				label := "_"
				if l := p.Child(a, "name"); l >= 0 {
					label = strings.Trim(p.TextAt(l), "`")
				}
				all = append(all, label)
			}
		case "simple_identifier":
			name = p.Plain(c)
		case "lambda_literal":
			all = append(all, "&"+name)
			name = ""
		}
	}
	return all
}

// calleeOf is what is called, with the labels of the arguments in its name.
func calleeOf(p *walker, n binder.At) facts.Expr {
	of := p.Nth(n, 0)
	switch p.Kind(of) {
	case "simple_identifier":
		return bareValue(p, of, facts.Labelled(p.Plain(of), labelsOf(p, n)))
	case "navigation_expression":
		suffix := p.Child(p.Child(of, "suffix"), "suffix")
		if p.Kind(suffix) == "simple_identifier" {
			return binder.Member(p.Expr(p.Child(of, "target")), facts.Labelled(p.Plain(suffix), labelsOf(p, n)))
		}
	case "prefix_expression":
		if isImplicit(p, of) {
			name := p.Plain(p.Child(of, "target"))
			return binder.Member(binder.AsType(contextOf(p, of)), facts.Labelled(name, labelsOf(p, n)))
		}
	case "postfix_expression": // f!(x)
		return p.Expr(p.Nth(of, 0))
	}
	return p.Expr(of)
}

// initializerOf is the initializer that a call means if it is one, else what is called.
func initializerOf(p *walker, n binder.At) (init, of facts.Expr) {
	callee := p.Nth(n, 0)
	labels := labelsOf(p, n)
	initOf := func(t facts.Expr) facts.Expr { return binder.Member(t, facts.Labelled("init", labels)) }
	if p.Kind(n) == "constructor_expression" {
		t := p.TypeOf(p.Child(n, "constructed_type"))
		return initOf(t), t
	}
	switch p.Kind(callee) {
	case "simple_identifier":
		if binder.IsUpper(p.TextAt(callee)) {
			t := p.Expr(callee)
			return initOf(t), t
		}
	case "navigation_expression":
		name := p.TextAt(p.Child(p.Child(callee, "suffix"), "suffix"))
		switch {
		case name == "init":
			t := typeIn(p.Expr(p.Child(callee, "target")))
			return initOf(t), t
		case binder.IsUpper(name):
			t := p.Expr(callee)
			return initOf(t), t
		}
	case "prefix_expression":
		if isImplicit(p, callee) && p.TextAt(p.Child(callee, "target")) == "init" {
			t := binder.AsType(contextOf(p, n))
			return initOf(t), t
		}
	}
	return facts.Nothing, facts.Nothing
}
