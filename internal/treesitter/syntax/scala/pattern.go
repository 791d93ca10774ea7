package scala

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// bindStatement binds what expressions and statements do, each in the scope where it is known.
func bindStatement(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "block", "indented_block", "case_block", "indented_cases":
		p.Open(n, 'b', nil)
	case "template_body":
		if p.Kind(p.Parent(n)) == "instance_expression" {
			p.Open(n, 'b', nil)
		}
	case "case_clause":
		bindCase(p, n)
	case "lambda_expression":
		bindLambda(p, n, p.Child(n, "parameters"))
	case "colon_argument":
		if start := p.Child(n, "lambda_start"); start >= 0 {
			bindLambda(p, n, start)
		}
	case "catch_clause":
		if pattern := p.Child(n, "pattern"); pattern >= 0 {
			bindPattern(p, pattern, p.Open(n, 'b', nil), binder.ExternalSource, nil)
		}
	case "for_expression":
		bindFor(p, n)
	}
	declareInside(p, n)
}

// bindCase binds the names of a pattern: of a match, of a function that is made of cases, or of
// what is caught.
func bindCase(p *walker, n binder.At) {
	sc := p.Open(n, 'b', nil)
	block := p.Parent(n)
	var subject binder.Source
	switch p.Kind(p.Parent(block)) {
	case "match_expression":
		subject = binder.Source{Node: p.Child(p.Parent(block), "value")}
	case "catch_clause":
		subject = binder.ExternalSource
	default:
		subject = binder.Source{Mark: binder.MarkArgument, Node: block}.Param(0)
	}
	bindPattern(p, p.Child(n, "pattern"), sc, subject, nil)
}

// bindLambda binds the parameters of a function without a name.
func bindLambda(p *walker, n, params binder.At) {
	sc := p.Open(n, 'f', nil)
	given := binder.Source{Mark: binder.MarkArgument, Node: n}
	if p.Kind(params) != "bindings" {
		if params >= 0 && p.Kind(params) != "wildcard" {
			p.BindAt(sc, params, given.Param(0))
		}
		return
	}
	i := 0
	for c := range p.Named(params) {
		from := given.Param(i)
		if t := p.Child(c, "type"); t >= 0 {
			from = binder.ValueOfType(t)
		}
		if name := p.Child(c, "name"); name >= 0 && p.Kind(name) != "wildcard" {
			p.BindAt(sc, name, from)
		}
		i++
	}
}

// bindFor binds the names of a for expression.
func bindFor(p *walker, n binder.At) {
	sc := p.Open(n, 'b', nil)
	for c := range p.Named(p.First(n, "enumerators")) {
		if p.Kind(c) != "enumerator" {
			continue
		}
		pattern, value := p.Nth(c, 0), p.Nth(c, 1)
		if value < 0 {
			continue
		}
		between := p.Text[p.Nodes[pattern].End:p.Nodes[value].Start]
		draws := strings.Contains(between, "<-") || strings.Contains(between, "←")
		from := binder.Source{Node: value}
		if draws {
			from = from.Elem()
		}
		bindPattern(p, pattern, sc, from, nil)
	}
}

// bindPattern binds the names of a pattern, by bind where they are no locals.
func bindPattern(p *walker, n binder.At, sc *binder.Scope, subject binder.Source, bind func(binder.At, binder.Source)) {
	if n < 0 {
		return
	}
	if subject == (binder.Source{}) {
		subject = binder.UnknownSource
	}
	if bind == nil {
		bind = func(name binder.At, from binder.Source) { p.BindAt(sc, name, from) }
	}
	part := func(c binder.At, from binder.Source) { bindPattern(p, c, sc, from, bind) }
	switch p.Kind(n) {
	case "identifier":
		if text := p.TextAt(n); text != "" && !binder.IsUpper(text) && text[0] != '`' {
			bind(n, subject)
		}
	case "typed_pattern":
		part(p.Child(n, "pattern"), binder.ValueOfType(p.Child(n, "type")))
	case "capture_pattern":
		inner := p.Child(n, "pattern")
		from := subject
		if t := typeOfPattern(p, inner); t >= 0 {
			from = binder.ValueOfType(t)
		}
		bind(p.Child(n, "name"), from)
		part(inner, subject)
	case "tuple_pattern":
		i := 0
		for c := range p.Named(n) {
			part(c, subject.Part(i))
			i++
		}
	case "case_class_pattern":
		bindExtractor(p, n, subject, part)
	case "infix_pattern":
		if p.TextAt(p.Child(n, "operator")) == "::" {
			part(p.Child(n, "left"), subject.Elem())
			part(p.Child(n, "right"), subject)
			return
		}
		part(p.Child(n, "left"), binder.UnknownSource)
		part(p.Child(n, "right"), binder.UnknownSource)
	case "parenthesized_pattern":
		part(p.Nth(n, 0), subject)
	case "alternative_pattern":
	default:
		for c := range p.Named(n) {
			if k := p.Kind(c); k == "identifier" || k == "typed_pattern" || k == "case_class_pattern" {
				part(c, binder.UnknownSource)
			}
		}
	}
}

// typeOfPattern is the type that a pattern is of, as it is written, or none.
func typeOfPattern(p *walker, n binder.At) binder.At {
	switch p.Kind(n) {
	case "typed_pattern", "case_class_pattern":
		return p.Child(n, "type")
	}
	return binder.None
}

// bindExtractor binds the parts of "Foo(a, b)".
func bindExtractor(p *walker, n binder.At, subject binder.Source, part func(binder.At, binder.Source)) {
	t := p.Child(n, "type")
	i := 0
	for c := range p.Named(n) {
		if p.Field(c) != "pattern" {
			continue
		}
		switch name := p.TextAt(t); name {
		case "Some", "List", "Seq", "Vector", "Array", "Set", "IndexedSeq":
			part(c, subject.Elem())
		case "Right", "Left", "Success", "Failure":
			part(c, subject.Member(facts.ExtractedBy(name)))
		default:
			part(c, binder.Source{Node: t}.Member(facts.ExtractedBy("unapply")).Part(i))
		}
		i++
	}
}
