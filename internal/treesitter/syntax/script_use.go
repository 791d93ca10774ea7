package syntax

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

func (p *script) use() { p.uses(0) }

func (p *script) uses(n at) {
	for c := range p.named(n) {
		p.useNode(c)
	}
}

func (p *script) useNode(n at) {
	switch p.kind(n) {
	case "identifier", "shorthand_property_identifier":
		before := len(p.refs)
		if p.text(n) != "undefined" {
			p.useName(n, p.usage(n), true)
		}
		if p.kind(n) != "identifier" {
			p.shorthand(n, len(p.refs) > before)
		}
	case "type_identifier":
		p.useName(n, p.typeUsage(n), true)
	case "member_expression":
		object, prop := p.child(n, "object"), p.child(n, "property")
		p.useNode(object)
		p.ref(prop, p.text(prop), p.usage(n), p.expr(object), false)
	case "subscript_expression":
		p.useNode(p.child(n, "object"))
		if i := p.child(n, "index"); p.kind(i) == "string" && plainName(p.plain(i)) {
			p.refAtOffset(int(p.Nodes[i].Start)+1, p.plain(i), facts.Read, p.expr(p.child(n, "object")), false)
		} else {
			p.useNode(i)
		}
	case "nested_type_identifier", "nested_identifier":
		p.nested(n)
	case "lookup_type":
		p.uses(n)
		if i := p.nth(n, 1); p.kind(i) == "literal_type" && p.kind(p.nth(i, 0)) == "string" &&
			plainName(p.plain(p.nth(i, 0))) {
			p.refAtOffset(int(p.Nodes[i].Start)+1, p.plain(p.nth(i, 0)), facts.Type, valueOf(p.typeOf(p.nth(n, 0))), false)
		}
	case "pair":
		p.contextKey(p.child(n, "key"))
		p.useParts(n, "")
	case "method_definition":
		p.contextKey(p.child(n, "name"))
		p.useParts(n, "") // a name that is computed has references
	case "variable_declarator":
		if name := p.child(n, "name"); p.kind(name) == "identifier" {
			if i := p.importAt(name); i >= 0 { // of require
				p.ref(name, "export=", facts.Imported, facts.ModuleAt(i), false)
			}
		}
		p.useParts(n, "")
	case "required_parameter", "optional_parameter":
		p.useParts(n, "")
	case "object_pattern":
		p.usePattern(n)
	case "import_statement":
		p.useImport(n)
	case "export_specifier":
		p.useExported(n)
	default:
		p.useOther(n)
	}
}

// useOther is for nodes some of whose children are no references.
func (p *script) useOther(n at) {
	switch p.kind(n) {
	case "jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element":
		p.useElement(n)
	case "type_parameter":
		p.useParts(n, "name")
	case "mapped_type_clause":
		p.useParts(n, "name")
	case "namespace_export", "statement_identifier":
	case "internal_module", "module", "function_declaration", "class_declaration", "class", "function_expression",
		"generator_function_declaration",
		"abstract_class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration",
		"function_signature", "enum_assignment",
		"generator_function", "function":
		p.useParts(n, "name")
	case "index_signature":
		p.useParts(n, "name")
	case "type_predicate":
		if name := p.child(n, "name"); p.kind(name) == "identifier" {
			p.useName(name, facts.Read, true)
		}
		p.useParts(n, "name")
	default:
		p.uses(n)
	}
}

// useParts goes over the children of a node but those of a field.
func (p *script) useParts(n at, but string) {
	for c := range p.named(n) {
		if but == "" || p.field(c) != but {
			p.useNode(c)
		}
	}
}

// nested is a dotted name.
func (p *script) nested(n at) {
	left, right := p.nth(n, 0), p.last(n)
	p.useNode(left)
	kind := p.typeUsage(n)
	if p.kind(n) == "nested_identifier" {
		kind = p.usage(n)
	}
	p.ref(right, p.text(right), kind, p.typeOf(left), false)
}

// usage is how a name or member is used where it stands.
func (p *script) usage(n at) facts.Kind {
	up := p.parent(n)
	switch p.kind(up) {
	case "call_expression":
		if p.field(n) == "function" {
			return facts.Call
		}
	case "new_expression":
		if p.field(n) == "constructor" {
			return facts.Call
		}
	case "decorator":
		return facts.Call
	case "extends_clause":
		if p.field(n) == "value" {
			return facts.Extends
		}
	case "class_heritage":
		return facts.Extends
	case "assignment_expression", "augmented_assignment_expression":
		if p.field(n) == "left" {
			return facts.Write
		}
	case "update_expression":
		return facts.Write
	case "jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element":
		return facts.Call
	case "type_query", "export_statement":
		return facts.Read
	}
	return facts.Read
}

func (p *script) typeUsage(n at) facts.Kind {
	up := p.parent(n)
	if p.kind(up) == "generic_type" {
		up = p.parent(up)
	}
	switch p.kind(up) {
	case "implements_clause":
		return facts.Implements
	case "extends_type_clause", "extends_clause":
		return facts.Extends
	}
	return facts.Type
}

// shorthand adds a reference for the key that {name} is, beside the one for the
// variable, if there is one now.
func (p *script) shorthand(n at, used bool) {
	start := int(p.Nodes[n].Start)
	p.refAt[start] = p.refAt[start] && !used
	p.contextKey(n)
	p.refAt[start] = p.refAt[start] || used
}

// contextKey adds a reference for a key of an object literal whose type is
// known.
func (p *script) contextKey(key at) {
	up := p.parent(key)
	if p.kind(up) != "object" {
		up = p.parent(up)
	}
	if c, ok := p.ctx[up]; ok && p.kind(up) == "object" &&
		(p.kind(key) == "property_identifier" || p.kind(key) == "shorthand_property_identifier") {
		// of what is not known the key is not to be compared by name: objects have any keys
		if v := p.eval(c); v.Known() {
			p.ref(key, p.text(key), facts.Write, facts.Union(asType(v)).Value(), false)
		}
	}
}

// usePattern adds references for the members that a pattern takes.
func (p *script) usePattern(n at) {
	of := p.patternOf(n)
	for c := range p.named(n) {
		key := c
		if p.kind(c) == "pair_pattern" {
			key = p.child(c, "key")
		}
		if i := p.importAt(key); i >= 0 && p.imports[i].Name != "" { // of require
			p.ref(key, p.text(key), facts.Imported, facts.ModuleAt(i), false)
		}
		switch p.kind(c) {
		case "shorthand_property_identifier_pattern":
			p.takes(c, of)
		case "object_assignment_pattern":
			p.takes(p.child(c, "left"), of)
			p.useNode(p.child(c, "right"))
		case "pair_pattern":
			if key := p.child(c, "key"); p.kind(key) == "property_identifier" {
				p.takes(key, of)
			} else {
				p.useNode(key)
			}
			p.useNode(p.child(c, "value"))
		default:
			p.useNode(c)
		}
	}
}

func (p *script) takes(key at, of facts.Expr) {
	if of.Known() {
		p.ref(key, p.text(key), facts.Read, of, false)
	}
}

// patternOf is the expression of what a pattern takes apart.
func (p *script) patternOf(n at) facts.Expr {
	up := p.parent(n)
	switch p.kind(up) {
	case "variable_declarator":
		if t := p.child(up, "type"); t >= 0 {
			return valueOf(p.typeOf(t))
		}
		if v := p.child(up, "value"); v >= 0 {
			return p.expr(v)
		}
	case "required_parameter", "optional_parameter":
		if t := p.child(up, "type"); t >= 0 {
			return valueOf(p.typeOf(t))
		}
		if v := p.child(up, "value"); v >= 0 {
			return p.expr(v)
		}
		i := 0
		for c := range p.named(p.parent(up)) {
			if c == up {
				break
			}
			i++
		}
		if s := p.contextual(p.parent(p.parent(up)), i); s.expr != facts.Unknown {
			return p.eval(s)
		}
	case "for_in_statement":
		return elem(p.expr(p.child(up, "right")))
	case "pair_pattern":
		if key := p.child(up, "key"); p.kind(key) == "property_identifier" {
			return member(p.patternOf(p.parent(up)), p.text(key))
		}
	case "assignment_pattern", "object_assignment_pattern":
		return p.patternOf(up)
	case "assignment_expression":
		return p.expr(p.child(up, "right"))
	case "array_pattern":
		i := 0
		for c := range p.all(up) {
			if c == n {
				break
			}
			if p.text(c) == "," {
				i++
			}
		}
		return taken(p.patternOf(up), min(i, mostParts))
	}
	return facts.Unknown
}

func (p *script) useImport(n at) {
	for i := n + 1; i < p.Nodes[n].Next; i++ {
		if k := p.kind(i); k != "import_specifier" && k != "identifier" {
			continue
		}
		spot := i
		if p.kind(i) == "import_specifier" {
			spot = p.child(i, "name")
		}
		if at := p.importAt(spot); at >= 0 {
			if name := p.imports[at].Name; name != "" && name != "*" {
				p.ref(spot, name, facts.Imported, facts.ModuleAt(at), false)
			}
		}
		if p.kind(i) == "import_specifier" {
			i = p.Nodes[i].Next - 1
		}
	}
}

func (p *script) useExported(n at) {
	name := p.child(n, "name")
	i := p.importAt(name)
	if i < 0 {
		return
	}
	if p.imports[i].Path == "" {
		p.useName(name, facts.Imported, true)
		return
	}
	p.ref(name, p.plain(name), facts.Imported, facts.ModuleAt(i), false)
}
