package script

import (
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
	case "identifier", "shorthand_property_identifier":
		before := len(p.Refs)
		if p.TextAt(n) != "undefined" {
			p.UseName(n, usage(p, n), true)
		}
		calledWith(p, n)
		if p.Kind(n) != "identifier" {
			shorthand(p, n, len(p.Refs) > before)
		}
	case "type_identifier":
		p.UseName(n, typeUsage(p, n), true)
	case "member_expression":
		useMember(p, n)
	case "subscript_expression":
		useNode(p, p.Child(n, "object"))
		if i := p.Child(n, "index"); p.Kind(i) == "string" && isMemberName(p.Plain(i)) {
			p.RefAtOffset(int(p.Nodes[i].Start)+1, p.Plain(i), facts.Read, p.Expr(p.Child(n, "object")), false)
		} else {
			useNode(p, i)
		}
	case "nested_type_identifier", "nested_identifier":
		nested(p, n)
	case "lookup_type":
		uses(p, n)
		if i := p.Nth(n, 1); p.Kind(i) == "literal_type" && p.Kind(p.Nth(i, 0)) == "string" &&
			isMemberName(p.Plain(p.Nth(i, 0))) {
			of := binder.ValueOf(p.TypeOf(p.Nth(n, 0)))
			p.RefAtOffset(int(p.Nodes[i].Start)+1, p.Plain(p.Nth(i, 0)), facts.Type, of, false)
		}
	case "pair":
		contextKey(p, p.Child(n, "key"))
		mentionKey(p, p.Child(n, "key"))
		useParts(p, n, "")
	case "method_definition":
		contextKey(p, p.Child(n, "name"))
		mentionKey(p, p.Child(n, "name"))
		useParts(p, n, "") // a name that is computed has references
	case "variable_declarator":
		if name := p.Child(n, "name"); p.Kind(name) == "identifier" {
			useRequired(p, name, p.Child(n, "value"))
		}
		useParts(p, n, "")
	case "required_parameter", "optional_parameter":
		useParts(p, n, "")
	case "object_pattern":
		usePattern(p, n)
	case "import_statement":
		useImport(p, n)
	case "export_specifier":
		useExported(p, n)
	default:
		useOther(p, n)
	}
}

// useMember adds a reference for a member, but of a local object nobody else sees the keys.
func useMember(p *walker, n binder.At) {
	object, prop := p.Child(n, "object"), p.Child(n, "property")
	useNode(p, object)
	of := p.Expr(object)
	if p.Notes == nil && keyOfLiteral(p, n) >= 0 {
		of = facts.External
	}
	p.Ref(prop, p.TextAt(prop), usage(p, n), of, false)
	calledWith(p, prop)
}

// useOther is for nodes some of whose children are no references.
func useOther(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element":
		useElement(p, n)
	case "type_parameter":
		useParts(p, n, "name")
	case "mapped_type_clause":
		useParts(p, n, "name")
	case "namespace_export", "statement_identifier":
	case "internal_module", "module", "function_declaration", "class_declaration", "class", "function_expression",
		"generator_function_declaration",
		"abstract_class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration",
		"function_signature", "enum_assignment",
		"generator_function", "function":
		useParts(p, n, "name")
	case "property_signature", "method_signature":
		mentionKey(p, p.Child(n, "name"))
		uses(p, n)
	case "index_signature":
		useParts(p, n, "name")
	case "type_predicate":
		if name := p.Child(n, "name"); p.Kind(name) == "identifier" {
			p.UseName(name, facts.Read, true)
		}
		useParts(p, n, "name")
	default:
		uses(p, n)
	}
}

// useParts goes over the children of a node but those of a field.
func useParts(p *walker, n binder.At, but string) {
	for c := range p.Named(n) {
		if but == "" || p.Field(c) != but {
			useNode(p, c)
		}
	}
}

// nested is a dotted name.
func nested(p *walker, n binder.At) {
	left, right := p.Nth(n, 0), p.Last(n)
	if i := spaceImported(p, left); i >= 0 {
		p.Ref(left, p.Imports[i].Name, facts.Read, facts.ModuleAt(i), false)
	} else {
		useNode(p, left)
	}
	kind := typeUsage(p, n)
	if p.Kind(n) == "nested_identifier" {
		kind = usage(p, n)
	}
	p.Ref(right, p.TextAt(right), kind, p.TypeOf(left), false)
}

// usage is how a name or member is used where it stands.
func usage(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	switch p.Kind(up) {
	case "call_expression":
		if p.Field(n) == "function" {
			return facts.Call
		}
	case "new_expression":
		if p.Field(n) == "constructor" {
			return facts.Call
		}
	case "decorator":
		return facts.Call
	case "extends_clause":
		if p.Field(n) == "value" {
			return facts.Extends
		}
	case "class_heritage":
		return facts.Extends
	case "assignment_expression", "augmented_assignment_expression":
		if p.Field(n) == "left" {
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

func typeUsage(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	if p.Kind(up) == "generic_type" {
		up = p.Parent(up)
	}
	switch p.Kind(up) {
	case "implements_clause":
		return facts.Implements
	case "extends_type_clause", "extends_clause":
		return facts.Extends
	}
	return facts.Type
}

// shorthand adds a reference for the key that {name} is, beside the one for the
// variable, if there is one now.
func shorthand(p *walker, n binder.At, used bool) {
	start := int(p.Nodes[n].Start)
	p.RefAt[start] = p.RefAt[start] && !used
	contextKey(p, n)
	p.RefAt[start] = p.RefAt[start] || used
}

// contextKey adds a reference for a key of an object literal whose type is
// known.
func contextKey(p *walker, key binder.At) {
	up := p.Parent(key)
	if p.Kind(up) != "object" {
		up = p.Parent(up)
	}
	if c, ok := p.ctx[up]; ok && p.Kind(up) == "object" &&
		(p.Kind(key) == "property_identifier" || p.Kind(key) == "shorthand_property_identifier") {
		// of what is not known the key is not to be compared by name: objects have any keys
		if t := expected(p, up, c); t.Known() && !declares(p, key, t) {
			p.RefAtKey(key, up, facts.Write, facts.Union(t).Value())
		}
	}
}

// declares reports whether a key declares what a type has: that is the type of the
// object itself.
func declares(p *walker, key binder.At, t facts.Expr) bool {
	own := false
	for s := p.BySpot[int(p.Nodes[key].Start)]; s != nil; s = s.Enclosing {
		t.Names(func(string) {}, func(index int) { own = own || index == s.Index })
	}
	return own
}

// mentionKey notes a key of an object or of a type that is written in place: it is
// declared there if it is no member of a type with a name.
func mentionKey(p *walker, key binder.At) {
	if p.Kind(key) == "property_identifier" && !isOption(p, p.Parent(p.Parent(key))) {
		p.Mention("property", key, binder.None)
	}
}

// usePattern adds references for the members that a pattern takes.
func usePattern(p *walker, n binder.At) {
	of := patternOf(p, n)
	for c := range p.Named(n) {
		key := c
		if p.Kind(c) == "pair_pattern" {
			key = p.Child(c, "key")
		}
		if i := binder.ImportAt(p.Builder, key); i >= 0 && p.Imports[i].Name != "" { // of require
			p.Ref(key, p.TextAt(key), facts.Imported, facts.ModuleAt(i), false)
		}
		switch p.Kind(c) {
		case "shorthand_property_identifier_pattern":
			takes(p, c, of)
		case "object_assignment_pattern":
			takes(p, p.Child(c, "left"), of)
			useNode(p, p.Child(c, "right"))
		case "pair_pattern":
			if key := p.Child(c, "key"); p.Kind(key) == "property_identifier" {
				takes(p, key, of)
			} else {
				useNode(p, key)
			}
			useNode(p, p.Child(c, "value"))
		default:
			useNode(p, c)
		}
	}
}

func takes(p *walker, key binder.At, of facts.Expr) {
	if d := p.Parent(p.Up(key, "object_pattern")); p.Notes == nil && p.Kind(d) == "variable_declarator" &&
		givenFor(p, literalAt(p, p.Child(d, "value")), p.TextAt(key)) >= 0 {
		of = facts.External
	}
	if of.Known() {
		p.Ref(key, p.TextAt(key), facts.Read, of, false)
	}
}

// patternOf is the expression of what a pattern takes apart.
func patternOf(p *walker, n binder.At) facts.Expr {
	up := p.Parent(n)
	switch p.Kind(up) {
	case "variable_declarator":
		if t := p.Child(up, "type"); t >= 0 {
			return binder.ValueOf(p.TypeOf(t))
		}
		if v := p.Child(up, "value"); v >= 0 {
			return p.Expr(v)
		}
	case "required_parameter", "optional_parameter":
		if t := p.Child(up, "type"); t >= 0 {
			return binder.ValueOf(p.TypeOf(t))
		}
		if v := p.Child(up, "value"); v >= 0 {
			return p.Expr(v)
		}
		i := 0
		for c := range p.Named(p.Parent(up)) {
			if c == up {
				break
			}
			i++
		}
		if s := p.contextual(p.Parent(p.Parent(up)), i); s.Expr != facts.Unknown {
			return p.Eval(s)
		}
	case "for_in_statement":
		return binder.Elem(p.Expr(p.Child(up, "right")))
	case "pair_pattern":
		if key := p.Child(up, "key"); p.Kind(key) == "property_identifier" {
			return binder.Member(patternOf(p, p.Parent(up)), p.TextAt(key))
		}
	case "assignment_pattern", "object_assignment_pattern":
		return patternOf(p, up)
	case "assignment_expression":
		return p.Expr(p.Child(up, "right"))
	case "array_pattern":
		i := 0
		for c := range p.All(up) {
			if c == n {
				break
			}
			if p.TextAt(c) == "," {
				i++
			}
		}
		return binder.Taken(patternOf(p, up), min(i, binder.MostParts))
	}
	return facts.Unknown
}

func useImport(p *walker, n binder.At) {
	for i := n + 1; i < p.Nodes[n].Next; i++ {
		if k := p.Kind(i); k != "import_specifier" && k != "identifier" {
			continue
		}
		spot := i
		if p.Kind(i) == "import_specifier" {
			spot = p.Child(i, "name")
		}
		if at := binder.ImportAt(p.Builder, spot); at >= 0 {
			if name := p.Imports[at].Name; name != "" && name != "*" {
				p.Ref(spot, name, facts.Imported, facts.ModuleAt(at), false)
			}
		}
		if p.Kind(i) == "import_specifier" {
			i = p.Nodes[i].Next - 1
		}
	}
}

// useRequired adds references for a name that is what require gives, or a member of it.
func useRequired(p *walker, name, val binder.At) {
	if i := binder.ImportAt(p.Builder, name); i >= 0 {
		p.Ref(name, "export=", facts.Imported, facts.ModuleAt(i), false)
		return
	}
	prop := p.Child(val, "property")
	if p.Kind(val) != "member_expression" || p.Kind(p.Child(val, "object")) != "call_expression" {
		return
	}
	if i := binder.ImportAt(p.Builder, prop); i >= 0 {
		p.Ref(name, p.Imports[i].Name, facts.Imported, facts.ModuleAt(i), false)
		p.Ref(prop, p.Imports[i].Name, facts.Imported, facts.ModuleAt(i), false)
	}
}

func useExported(p *walker, n binder.At) {
	name := p.Child(n, "name")
	i := binder.ImportAt(p.Builder, name)
	if i < 0 {
		return
	}
	if p.Imports[i].Path == "" {
		p.UseName(name, facts.Imported, true)
		return
	}
	p.Ref(name, p.Plain(name), facts.Imported, facts.ModuleAt(i), false)
}
