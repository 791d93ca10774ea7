package python

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

func uses(p *walker, n binder.At) {
	for c := range p.Named(n) {
		useNode(p, c)
	}
}

func useNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "identifier":
		p.UseName(n, usage(p, n), false)
	case "attribute":
		object, attr := p.Child(n, "object"), p.Child(n, "attribute")
		useNode(p, object)
		p.Ref(attr, p.TextAt(attr), usage(p, n), p.Expr(object), false)
	case "keyword_argument":
		useKeyword(p, n)
	case "type":
		useType(p, p.Nth(n, 0))
	case "function_definition":
		useParts(p, n, "name")
	case "class_definition":
		useParts(p, n, "name")
	case "parameters", "lambda_parameters":
		useParameters(p, n)
	case "import_from_statement", "future_import_statement":
		useImport(p, n)
	case "import_statement":
	case "type_parameter":
		for c := range p.Named(n) {
			useType(p, c)
		}
	case "dotted_name": // of a pattern
		useDotted(p, n)
	case "keyword_pattern":
		useKeywordPattern(p, n)
	case "call":
		if f := p.TextAt(p.Child(n, "function")); f == "cast" || f == "t.cast" || f == "typing.cast" {
			useCast(p, n)
			return
		}
		uses(p, n)
	case "subscript":
		if strings.HasSuffix(p.TextAt(p.Child(n, "value")), "Literal") {
			useLiteral(p, n)
			return
		}
		uses(p, n)
	default:
		uses(p, n)
	}
}

// useParts goes over the children of a node but those of a field.
func useParts(p *walker, n binder.At, but string) {
	for c := range p.Named(n) {
		if p.Field(c) != but && p.Field(c) != "type_parameters" {
			useNode(p, c)
		}
	}
}

func useCast(p *walker, n binder.At) {
	useNode(p, p.Child(n, "function"))
	first := true
	for c := range p.Named(p.Child(n, "arguments")) {
		if first {
			useType(p, c)
		} else {
			useNode(p, c)
		}
		first = false
	}
}

// useParameters leaves out the names of parameters.
func useParameters(p *walker, n binder.At) {
	if p.Kind(n) == "parameters" && p.isTest(n) {
		useFixtures(p, n)
	}
	for c := range p.Named(n) {
		if t := p.Child(c, "type"); t >= 0 {
			useType(p, t)
		}
		if v := p.Child(c, "value"); v >= 0 {
			useNode(p, v)
		}
	}
}

// useType adds the references of an annotation.
func useType(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "identifier":
		p.UseName(n, facts.Type, false)
	case "string":
		annotation(p, n)
	case "attribute":
		object, attr := p.Child(n, "object"), p.Child(n, "attribute")
		useNode(p, object)
		p.Ref(attr, p.TextAt(attr), facts.Type, p.Expr(object), false)
	case "subscript", "generic_type":
		base := p.Nth(n, 0)
		if b := p.TextAt(base); b == "Literal" || strings.HasSuffix(b, ".Literal") {
			useLiteral(p, n)
			return
		}
		useType(p, base)
		for c := range p.Named(n) {
			if c != base {
				useType(p, c)
			}
		}
	case "call":
		useNode(p, n)
	default:
		for c := range p.Named(n) {
			useType(p, c)
		}
	}
}

// useLiteral adds the references in Literal[Enum.A, "text"], whose strings are no
// types.
func useLiteral(p *walker, n binder.At) {
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "string", "concatenated_string":
		case "identifier", "attribute":
			useNode(p, c)
		case "member_type":
			useType(p, c)
		default:
			useLiteral(p, c)
		}
	}
}

// usage is how a name or attribute is used where it stands.
func usage(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	switch p.Kind(up) {
	case "call":
		if p.Field(n) == "function" {
			return facts.Call
		}
	case "decorator":
		return facts.Call
	case "argument_list":
		if p.Kind(p.Parent(up)) == "class_definition" {
			return facts.Extends
		}
	case "subscript":
		if g := p.Parent(up); p.Kind(g) == "argument_list" && p.Kind(p.Parent(g)) == "class_definition" &&
			p.Field(n) == "value" {
			return facts.Extends
		}
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
		if p.Field(n) == "left" {
			return facts.Write
		}
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target":
		return facts.Write
	case "delete_statement":
		return facts.Write
	}
	return facts.Read
}

// useImport adds references to the names that are imported. An alias is one
// more of the same.
func useImport(p *walker, n binder.At) {
	for c := range p.All(n) {
		if p.Field(c) != "name" {
			continue
		}
		name, alias := c, binder.None
		if p.Kind(c) == "aliased_import" {
			name, alias = p.Child(c, "name"), p.Child(c, "alias")
		}
		if i := binder.ImportAt(p.Builder, name); i >= 0 {
			p.Ref(name, p.TextAt(name), facts.Imported, facts.ModuleAt(i), false)
			p.Ref(alias, p.TextAt(name), facts.Imported, facts.ModuleAt(i), false)
		}
	}
}
