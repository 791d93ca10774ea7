package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func (p *python) use() { p.uses(0) }

func (p *python) uses(n at) {
	for c := range p.named(n) {
		p.useNode(c)
	}
}

func (p *python) useNode(n at) {
	switch p.kind(n) {
	case "identifier":
		p.useName(n, p.usage(n), false)
	case "attribute":
		object, attr := p.child(n, "object"), p.child(n, "attribute")
		p.useNode(object)
		p.ref(attr, p.text(attr), p.usage(n), p.expr(object), false)
	case "keyword_argument":
		p.useKeyword(n)
	case "type":
		p.useType(p.nth(n, 0))
	case "function_definition":
		p.useParts(n, "name")
	case "class_definition":
		p.useParts(n, "name")
	case "parameters", "lambda_parameters":
		p.useParameters(n)
	case "import_from_statement":
		p.useImport(n)
	case "import_statement", "future_import_statement":
	case "type_parameter":
		for c := range p.named(n) {
			p.useType(c)
		}
	case "dotted_name": // of a pattern
		p.useDotted(n)
	case "keyword_pattern":
		p.useKeywordPattern(n)
	case "call":
		if f := p.text(p.child(n, "function")); f == "cast" || f == "t.cast" || f == "typing.cast" {
			p.useCast(n)
			return
		}
		p.uses(n)
	case "subscript":
		if strings.HasSuffix(p.text(p.child(n, "value")), "Literal") {
			p.useNode(p.child(n, "value"))
			return
		}
		p.uses(n)
	default:
		p.uses(n)
	}
}

// useParts goes over the children of a node but those of a field.
func (p *python) useParts(n at, but string) {
	for c := range p.named(n) {
		if p.field(c) != but && p.field(c) != "type_parameters" {
			p.useNode(c)
		}
	}
}

func (p *python) useCast(n at) {
	p.useNode(p.child(n, "function"))
	first := true
	for c := range p.named(p.child(n, "arguments")) {
		if first {
			p.useType(c)
		} else {
			p.useNode(c)
		}
		first = false
	}
}

// useParameters leaves out the names of parameters.
func (p *python) useParameters(n at) {
	for c := range p.named(n) {
		if t := p.child(c, "type"); t >= 0 {
			p.useType(t)
		}
		if v := p.child(c, "value"); v >= 0 {
			p.useNode(v)
		}
	}
}

// useType adds the references of an annotation.
func (p *python) useType(n at) {
	switch p.kind(n) {
	case "identifier":
		p.useName(n, facts.Type, false)
	case "string":
		p.annotation(n)
	case "attribute":
		object, attr := p.child(n, "object"), p.child(n, "attribute")
		p.useNode(object)
		p.ref(attr, p.text(attr), facts.Type, p.expr(object), false)
	case "subscript", "generic_type":
		base := p.nth(n, 0)
		p.useType(base)
		if b := p.text(base); b == "Literal" || strings.HasSuffix(b, ".Literal") {
			return
		}
		for c := range p.named(n) {
			if c != base {
				p.useType(c)
			}
		}
	case "call":
		p.useNode(n)
	default:
		for c := range p.named(n) {
			p.useType(c)
		}
	}
}

// usage is how a name or attribute is used where it stands.
func (p *python) usage(n at) facts.Kind {
	up := p.parent(n)
	switch p.kind(up) {
	case "call":
		if p.field(n) == "function" {
			return facts.Call
		}
	case "decorator":
		return facts.Call
	case "argument_list":
		if p.kind(p.parent(up)) == "class_definition" {
			return facts.Extends
		}
	case "subscript":
		if g := p.parent(up); p.kind(g) == "argument_list" && p.kind(p.parent(g)) == "class_definition" &&
			p.field(n) == "value" {
			return facts.Extends
		}
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
		if p.field(n) == "left" {
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
func (p *python) useImport(n at) {
	for c := range p.all(n) {
		if p.field(c) != "name" {
			continue
		}
		name, alias := c, none
		if p.kind(c) == "aliased_import" {
			name, alias = p.child(c, "name"), p.child(c, "alias")
		}
		if i := p.importAt(name); i >= 0 {
			p.ref(name, p.text(name), facts.Imported, facts.ModuleAt(i), false)
			p.ref(alias, p.text(name), facts.Imported, facts.ModuleAt(i), false)
		}
	}
}

// importAt is the import whose name is at a node, or -1.
func (b *builder) importAt(n at) int {
	line, column := b.position(int(b.Nodes[n].Start))
	for i, x := range b.imports {
		if x.Line == line && x.Column == column {
			return i
		}
	}
	return -1
}
