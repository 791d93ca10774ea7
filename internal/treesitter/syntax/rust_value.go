package syntax

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// self is the type that Self means at a node.
func (p *rust) self(n at) facts.Expr {
	for up := n; up >= 0; up = p.parent(up) {
		switch p.kind(up) {
		case "impl_item":
			return p.typeOf(p.child(up, "type"))
		case "trait_item", "struct_item", "enum_item":
			if s := p.scopes[up]; s != nil && s.symbol != nil {
				return s.symbol.expr()
			}
		}
	}
	return facts.Unknown
}

func (p *rust) typed(n at) facts.Expr {
	switch p.kind(n) {
	case "type_identifier", "identifier":
		if p.text(n) == "Self" {
			return p.self(p.parent(n))
		}
		return p.bare(n, true)
	case "scoped_type_identifier", "scoped_identifier":
		return p.path(n)
	case "generic_type", "generic_type_with_turbofish":
		return p.generic(n)
	case "reference_type", "pointer_type":
		return p.typeOf(p.child(n, "type"))
	case "dynamic_type", "abstract_type", "bounded_type", "bracketed_type", "higher_ranked_trait_bound",
		"removed_trait_bound":
		return p.typeOf(p.last(n))
	case "array_type":
		return facts.List(p.typeOf(p.child(n, "element")))
	case "tuple_type":
		var all []facts.Expr
		for c := range p.named(n) {
			all = append(all, p.typeOf(c))
		}
		return facts.Tuple(all...)
	case "function_type":
		return facts.Func(p.typeOf(p.child(n, "return_type")))
	case "primitive_type", "unit_type", "never_type":
		return facts.External
	case "self", "crate", "super":
		return facts.Name(p.text(n))
	}
	return facts.Unknown
}

// lookFrom is the scope from which the name at a node is looked up: the module
// that a path begins with is not hidden by a variable of its name.
func (p *rust) lookFrom(n at, name string, from *scope) *scope {
	if p.field(n) != "path" || name == "" || name[0] < 'a' {
		return from
	}
	for sc := from; sc != nil; {
		v, at := sc.find(name, true)
		if v == nil || v.symbol != nil || v.imported > 0 || at == p.top {
			return sc
		}
		sc = at.parent
	}
	return from
}

// path is a path of names, of modules, types or values.
func (p *rust) path(n at) facts.Expr {
	left, name := p.child(n, "path"), p.text(p.child(n, "name"))
	if left < 0 {
		return facts.Name(name)
	}
	e := p.typeOf(left)
	return member(e, name)
}

func (p *rust) generic(n at) facts.Expr {
	name := p.child(n, "type")
	var args []facts.Expr
	for c := range p.named(p.child(n, "type_arguments")) {
		if k := p.kind(c); k != "lifetime" {
			args = append(args, p.typeOf(c))
		}
	}
	if len(args) == 0 {
		return p.typeOf(name)
	}
	short := p.text(name)
	switch short[strings.LastIndexByte(short, ':')+1:] {
	case "Option", "Result", "Box", "Arc", "Rc", "RefCell", "Cell", "Mutex", "RwLock", "Pin", "Cow", "MutexGuard", "Ref",
		"RefMut", "NonNull", "ManuallyDrop",
		"MaybeUninit", "UnsafeCell", "Weak", "OnceCell", "OnceLock", "LazyLock", "Poll":
		return args[0]
	case "Vec", "VecDeque", "HashSet", "BTreeSet", "LinkedList", "BinaryHeap", "IntoIter", "Iter":
		return facts.List(args[0])
	case "HashMap", "BTreeMap":
		return facts.Map(args[0], args[len(args)-1])
	}
	return p.typeOf(name).Generic(args...)
}

// sameValue are methods of optionals, references and locks that give what they
// are called on.
var sameValue = map[string]bool{
	"unwrap": true, "expect": true, "clone": true, "as_ref": true, "as_mut": true, "borrow": true, "borrow_mut": true,
	"unwrap_or_default": true,
	"to_owned":          true, "as_deref": true, "as_deref_mut": true, "unwrap_or_else": true, "unwrap_or": true,
	"ok": true, "iter": true, "iter_mut": true,
	"into_iter": true, "by_ref": true, "cloned": true, "copied": true, "map_err": true, "ok_or": true, "ok_or_else": true,
	"as_slice": true, "rev": true,
	"context": true, "with_context": true, "project": true, "get_mut": true, "as_pin_mut": true, "filter": true,
	"skip": true, "peekable": true, "collect": true,
}

func (p *rust) value(n at) facts.Expr {
	switch p.kind(n) {
	case "identifier":
		return p.bare(n, true)
	case "self":
		return p.bare(n, true)
	case "crate", "super":
		return facts.Name(p.text(n))
	case "scoped_identifier":
		return p.path(n)
	case "field_expression":
		f := p.child(n, "field")
		if p.kind(f) == "integer_literal" {
			return p.tupleField(n, f)
		}
		return member(p.expr(p.child(n, "value")), p.text(f))
	case "call_expression":
		return p.called(n)
	case "struct_expression":
		return valueOf(p.typeOf(p.child(n, "name")))
	case "reference_expression", "unary_expression", "try_expression", "await_expression", "parenthesized_expression",
		"return_expression":
		return p.expr(p.last(n))
	case "type_cast_expression":
		return valueOf(p.typeOf(p.child(n, "type")))
	case "index_expression":
		if p.kind(p.last(n)) == "range_expression" {
			return p.expr(p.nth(n, 0))
		}
		return elem(p.expr(p.nth(n, 0)))
	case "generic_function":
		return p.expr(p.child(n, "function"))
	case "array_expression":
		return list(p.expr(p.nth(n, 0)))
	case "tuple_expression":
		var all []facts.Expr
		for c := range p.named(n) {
			all = append(all, asType(p.expr(c)))
		}
		return facts.Tuple(all...).Value()
	case "block", "unsafe_block", "async_block":
		if last := p.last(n); p.kind(last) != "expression_statement" && last >= 0 {
			return p.expr(last)
		}
	case "if_expression":
		return unionOf(p.expr(p.child(n, "consequence")), p.expr(p.nth(p.child(n, "alternative"), 0)))
	case "macro_invocation":
		if p.text(p.child(n, "macro")) == "vec" {
			return facts.External
		}
	case "string_literal", "integer_literal", "float_literal", "boolean_literal", "char_literal", "raw_string_literal",
		"binary_expression", "unit_expression":
		return facts.External
	}
	return facts.Unknown
}

// tupleField is a field without a name: "x.0".
func (p *rust) tupleField(n, field at) facts.Expr {
	i, err := strconv.Atoi(p.text(field))
	if err != nil {
		return facts.Unknown
	}
	return taken(p.expr(p.child(n, "value")), i)
}

func (p *rust) called(n at) facts.Expr {
	f, args := p.child(n, "function"), p.child(n, "arguments")
	switch p.kind(f) {
	case "identifier":
		switch p.text(f) {
		case "Some", "Ok":
			return p.expr(p.nth(args, 0))
		case "Err", "drop":
			return facts.External
		}
	case "field_expression":
		object, m := p.child(f, "value"), p.text(p.child(f, "field"))
		if sameValue[m] {
			return p.expr(object)
		}
		if m == "lock" || m == "read" || m == "write" { // of a lock; a type's own method comes first
			e := p.expr(object)
			return unionOf(call(member(e, m)), e)
		}
		if fn := p.nth(args, 0); (m == "map" || m == "and_then") && p.kind(fn) == "closure_expression" {
			return list(p.expr(p.child(fn, "body")))
		}
	case "scoped_identifier":
		switch path := p.text(f); path {
		case "Box::new", "Arc::new", "Rc::new", "Mutex::new", "RefCell::new", "RwLock::new", "Cell::new", "Pin::new",
			"Arc::clone", "Rc::clone", "Box::pin":
			return p.expr(p.nth(args, 0))
		}
	}
	return call(p.expr(f))
}

func (p *rust) use() { p.uses(0) }

func (p *rust) uses(n at) {
	for c := range p.named(n) {
		p.useNode(c)
	}
}

func (p *rust) useNode(n at) {
	switch p.kind(n) {
	case "identifier", "type_identifier":
		if t := p.text(n); t != "Self" && t != "self" {
			p.useName(n, p.usage(n), true)
		}
	case "scoped_identifier", "scoped_type_identifier":
		left, name := p.child(n, "path"), p.child(n, "name")
		if left >= 0 {
			p.useNode(left)
			p.ref(name, p.text(name), p.usage(n), p.typeOf(left), false)
		}
	case "field_expression":
		p.useNode(p.child(n, "value"))
		if f := p.child(n, "field"); p.kind(f) == "field_identifier" {
			p.ref(f, p.text(f), p.usage(n), p.expr(p.child(n, "value")), false)
		}
	case "struct_expression":
		p.uses(n)
		t := valueOf(p.typeOf(p.child(n, "name")))
		for c := range p.named(p.child(n, "body")) {
			if f := p.nth(c, 0); p.kind(c) == "field_initializer" || p.kind(c) == "shorthand_field_initializer" {
				p.ref(f, p.text(f), facts.Write, t, false)
			}
		}
	case "field_initializer":
		p.useNode(p.child(n, "value"))
	case "shorthand_field_initializer":
	case "struct_pattern":
		p.useNode(p.child(n, "type"))
		t := valueOf(p.typeOf(p.child(n, "type")))
		for c := range p.named(n) {
			if p.kind(c) == "field_pattern" {
				name := p.child(c, "name")
				p.ref(name, p.text(name), facts.Read, t, false)
				p.useNode(p.child(c, "pattern"))
			}
		}
	default:
		p.useOther(n)
	}
}

// useOther is for nodes some of whose children are no references.
func (p *rust) useOther(n at) {
	switch p.kind(n) {
	case "use_declaration":
		p.useUse(p.child(n, "argument"))
	case "extern_crate_declaration", "shorthand_field_identifier", "label", "lifetime", "attribute_item",
		"inner_attribute_item", "visibility_modifier":
	case "macro_definition":
		for c := range p.named(n) {
			if p.kind(c) == "macro_rule" {
				p.useMacroBody(p.child(c, "right"))
			}
		}
	case "macro_invocation":
		p.useMacro(n)
	case "function_item", "function_signature_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item",
		"const_item", "static_item",
		"mod_item", "enum_variant", "field_declaration", "associated_type":
		for c := range p.named(n) {
			if p.field(c) != "name" {
				p.useNode(c)
			}
		}
	case "constrained_type_parameter":
		p.useNode(p.child(n, "bounds"))
	case "type_parameters":
		for c := range p.named(n) {
			if p.kind(c) != "type_identifier" {
				p.useNode(c)
			}
		}
	case "type_binding":
		p.useNode(p.child(n, "type"))
	default:
		if n >= 0 {
			p.uses(n)
		}
	}
}

func (p *rust) usage(n at) facts.Kind {
	up := p.parent(n)
	for p.kind(up) == "generic_function" || p.kind(up) == "generic_type" && p.field(n) == "type" {
		n, up = up, p.parent(up)
	}
	switch p.kind(up) {
	case "call_expression":
		if p.field(n) == "function" {
			return facts.Call
		}
	case "struct_expression":
		return facts.Call
	case "impl_item":
		if p.field(n) == "trait" {
			return facts.Implements
		}
		return facts.Type
	case "trait_bounds":
		if p.kind(p.parent(up)) == "trait_item" {
			return facts.Extends
		}
		return facts.Type
	case "assignment_expression", "compound_assignment_expr":
		if p.field(n) == "left" {
			return facts.Write
		}
	}
	if k := p.kind(n); k == "type_identifier" || k == "scoped_type_identifier" || k == "generic_type" {
		return facts.Type
	}
	return facts.Read
}

func (p *rust) useUse(n at) {
	for i := n; i >= 0 && i < p.Nodes[n].Next; i++ {
		if p.kind(i) != "identifier" {
			continue
		}
		switch at := p.importAt(i); {
		case at >= 0 && p.imports[at].Name != "":
			p.ref(i, p.text(i), facts.Imported, facts.ModuleAt(at), false)
		case at < 0 && isUpper(p.text(i)):
			p.useTypeOfPath(i)
		}
	}
}

// useTypeOfPath adds the reference of a type in the path of an import, as of an
// enum whose variants are imported. What a path in a list is relative to is not
// looked for.
func (p *rust) useTypeOfPath(n at) {
	if p.up(n, "use_list") >= 0 {
		return
	}
	up := p.parent(n)
	if left := p.child(up, "path"); p.kind(up) == "scoped_identifier" && left >= 0 && left != n {
		p.ref(n, p.text(n), facts.Type, p.typeOf(left), false)
		return
	}
	p.useName(n, facts.Type, true)
}

// useMacro adds references for the macro and for names in its tokens: chains
// of names with dots or colons between.
func (p *rust) useMacro(n at) {
	m := p.child(n, "macro")
	if p.kind(m) == "identifier" {
		p.macroRef(m)
	} else {
		p.useNode(m)
	}
	end := p.Nodes[n].Next
	before := facts.Nothing
	for i := m + 1; i < end; i++ {
		switch p.kind(i) {
		case "identifier", "self", "crate", "super", "type_identifier":
			p.useToken(i, before)
			if before = p.tokenExpr(i, before); before == facts.Nothing {
				before = facts.Unknown
			}
			continue
		case "token_tree":
			before = facts.Nothing
			if strings.HasPrefix(p.text(i), "[") && p.text(i-1) == "#" { // an attribute
				i = p.Nodes[i].Next - 1
			}
			continue
		}
		if t := p.text(i); t != "." && t != "::" {
			before = facts.Nothing
		}
	}
}

func (p *rust) tokenExpr(n at, before facts.Expr) facts.Expr {
	i := p.Nodes[n].Next
	called := int(i) < len(p.Nodes) && p.kind(i) == "token_tree" && strings.HasPrefix(p.text(i), "(")
	var e facts.Expr
	switch {
	case before != facts.Nothing:
		e = member(before, p.text(n))
	case p.text(n) == "Self":
		return p.self(n)
	default:
		e = p.bare(n, true)
	}
	if called {
		return call(e)
	}
	return e
}

func (p *rust) useToken(n at, before facts.Expr) {
	kind := facts.Read
	i := p.Nodes[n].Next
	if int(i) < len(p.Nodes) && p.kind(i) == "token_tree" && strings.HasPrefix(p.text(i), "(") {
		kind = facts.Call
	}
	if before == facts.Nothing && p.kind(n) == "identifier" && p.isMacroName(n) {
		p.macroRef(n)
		return
	}
	switch t := p.text(n); {
	case t == "self" || t == "Self" || t == "crate" || t == "super":
	case before == facts.Nothing:
		p.useName(n, kind, true)
	case before.Known():
		p.ref(n, t, kind, before, false)
	}
}
