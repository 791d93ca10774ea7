package rust

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// SelfAt is the type that Self means at a node.
func (p *walker) SelfAt(n binder.At) facts.Expr {
	for up := n; up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "impl_item":
			return p.TypeOf(p.Child(up, "type"))
		case "trait_item", "struct_item", "enum_item":
			if s := p.Scopes[up]; s != nil && s.Symbol != nil {
				return s.Symbol.Expr()
			}
		}
	}
	return facts.Unknown
}

func (p *walker) Typed(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "type_identifier", "identifier":
		if p.TextAt(n) == "Self" {
			return p.SelfAt(p.Parent(n))
		}
		return p.Bare(n, true)
	case "scoped_type_identifier", "scoped_identifier":
		return path(p, n)
	case "generic_type", "generic_type_with_turbofish":
		return generic(p, n)
	case "reference_type", "pointer_type":
		return p.TypeOf(p.Child(n, "type"))
	case "dynamic_type", "abstract_type", "bounded_type", "bracketed_type", "higher_ranked_trait_bound",
		"removed_trait_bound":
		return p.TypeOf(p.Last(n))
	case "array_type":
		return facts.List(p.TypeOf(p.Child(n, "element")))
	case "tuple_type":
		var all []facts.Expr
		for c := range p.Named(n) {
			all = append(all, p.TypeOf(c))
		}
		return facts.Tuple(all...)
	case "function_type":
		return facts.Func(p.TypeOf(p.Child(n, "return_type")))
	case "primitive_type", "unit_type", "never_type":
		return facts.External
	case "self", "crate", "super":
		return facts.Name(p.TextAt(n))
	}
	return facts.Unknown
}

// LookFrom is the scope from which the name at a node is looked up: the module
// that a path begins with is not hidden by a variable of its name.
func (p *walker) LookFrom(n binder.At, name string, from *binder.Scope) *binder.Scope {
	if p.Field(n) != "path" || name == "" || name[0] < 'a' {
		return from
	}
	for sc := from; sc != nil; {
		v, at := sc.Find(name, true)
		if v == nil || v.Symbol != nil || v.Imported > 0 || at == p.Top {
			return sc
		}
		sc = at.Parent
	}
	return from
}

// path is a path of names, of modules, types or values.
func path(p *walker, n binder.At) facts.Expr {
	left, name := p.Child(n, "path"), p.TextAt(p.Child(n, "name"))
	if left < 0 {
		return facts.Name(name)
	}
	e := p.TypeOf(left)
	return binder.Member(e, name)
}

func generic(p *walker, n binder.At) facts.Expr {
	name := p.Child(n, "type")
	var args []facts.Expr
	for c := range p.Named(p.Child(n, "type_arguments")) {
		if k := p.Kind(c); k != "lifetime" {
			args = append(args, p.TypeOf(c))
		}
	}
	if len(args) == 0 {
		return p.TypeOf(name)
	}
	short := p.TextAt(name)
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
	return p.TypeOf(name).Generic(args...)
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

func (p *walker) Value(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "identifier":
		return p.Bare(n, true)
	case "self":
		return p.Bare(n, true)
	case "crate", "super":
		return facts.Name(p.TextAt(n))
	case "scoped_identifier":
		return path(p, n)
	case "field_expression":
		f := p.Child(n, "field")
		if p.Kind(f) == "integer_literal" {
			return tupleField(p, n, f)
		}
		return binder.Member(p.Expr(p.Child(n, "value")), p.TextAt(f))
	case "call_expression":
		return called(p, n)
	case "struct_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "name")))
	case "reference_expression", "unary_expression", "try_expression", "await_expression", "parenthesized_expression",
		"return_expression":
		return p.Expr(p.Last(n))
	case "type_cast_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "type")))
	case "index_expression":
		if p.Kind(p.Last(n)) == "range_expression" {
			return p.Expr(p.Nth(n, 0))
		}
		return binder.Elem(p.Expr(p.Nth(n, 0)))
	case "generic_function":
		return p.Expr(p.Child(n, "function"))
	case "array_expression":
		return binder.List(p.Expr(p.Nth(n, 0)))
	case "tuple_expression":
		var all []facts.Expr
		for c := range p.Named(n) {
			all = append(all, binder.AsType(p.Expr(c)))
		}
		return facts.Tuple(all...).Value()
	case "block", "unsafe_block", "async_block":
		if last := p.Last(n); p.Kind(last) != "expression_statement" && last >= 0 {
			return p.Expr(last)
		}
	case "if_expression":
		return binder.UnionOf(p.Expr(p.Child(n, "consequence")), p.Expr(p.Nth(p.Child(n, "alternative"), 0)))
	case "macro_invocation":
		if p.TextAt(p.Child(n, "macro")) == "vec" {
			return facts.External
		}
	case "string_literal", "integer_literal", "float_literal", "boolean_literal", "char_literal", "raw_string_literal",
		"binary_expression", "unit_expression":
		return facts.External
	}
	return facts.Unknown
}

// tupleField is a field without a name: "x.0".
func tupleField(p *walker, n, field binder.At) facts.Expr {
	i, err := strconv.Atoi(p.TextAt(field))
	if err != nil {
		return facts.Unknown
	}
	return binder.Taken(p.Expr(p.Child(n, "value")), i)
}

func called(p *walker, n binder.At) facts.Expr {
	f, args := p.Child(n, "function"), p.Child(n, "arguments")
	switch p.Kind(f) {
	case "identifier":
		switch p.TextAt(f) {
		case "Some", "Ok":
			return p.Expr(p.Nth(args, 0))
		case "Err", "drop":
			return facts.External
		}
	case "field_expression":
		object, m := p.Child(f, "value"), p.TextAt(p.Child(f, "field"))
		if sameValue[m] {
			return p.Expr(object)
		}
		if m == "lock" || m == "read" || m == "write" { // of a lock; a type's own method comes first
			e := p.Expr(object)
			return binder.UnionOf(binder.Call(binder.Member(e, m)), e)
		}
		if fn := p.Nth(args, 0); (m == "map" || m == "and_then") && p.Kind(fn) == "closure_expression" {
			return binder.List(p.Expr(p.Child(fn, "body")))
		}
	case "scoped_identifier":
		switch path := p.TextAt(f); path {
		case "Box::new", "Arc::new", "Rc::new", "Mutex::new", "RefCell::new", "RwLock::new", "Cell::new", "Pin::new",
			"Arc::clone", "Rc::clone", "Box::pin":
			return p.Expr(p.Nth(args, 0))
		}
	}
	return binder.Call(p.Expr(f))
}

func uses(p *walker, n binder.At) {
	for c := range p.Named(n) {
		useNode(p, c)
	}
}

func useNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "identifier", "type_identifier":
		if t := p.TextAt(n); t != "Self" && t != "self" {
			p.UseName(n, usage(p, n), true)
		}
	case "scoped_identifier", "scoped_type_identifier":
		left, name := p.Child(n, "path"), p.Child(n, "name")
		if left >= 0 {
			useNode(p, left)
			p.Ref(name, p.TextAt(name), usage(p, n), p.TypeOf(left), false)
		}
	case "field_expression":
		useNode(p, p.Child(n, "value"))
		if f := p.Child(n, "field"); p.Kind(f) == "field_identifier" {
			p.Ref(f, p.TextAt(f), usage(p, n), p.Expr(p.Child(n, "value")), false)
		}
	case "struct_expression":
		uses(p, n)
		t := binder.ValueOf(p.TypeOf(p.Child(n, "name")))
		for c := range p.Named(p.Child(n, "body")) {
			if f := p.Nth(c, 0); p.Kind(c) == "field_initializer" || p.Kind(c) == "shorthand_field_initializer" {
				p.Ref(f, p.TextAt(f), facts.Write, t, false)
			}
		}
	case "field_initializer":
		useNode(p, p.Child(n, "value"))
	case "shorthand_field_initializer":
	case "struct_pattern":
		useNode(p, p.Child(n, "type"))
		t := binder.ValueOf(p.TypeOf(p.Child(n, "type")))
		for c := range p.Named(n) {
			if p.Kind(c) == "field_pattern" {
				name := p.Child(c, "name")
				p.Ref(name, p.TextAt(name), facts.Read, t, false)
				useNode(p, p.Child(c, "pattern"))
			}
		}
	default:
		useOther(p, n)
	}
}

// useOther is for nodes some of whose children are no references.
func useOther(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "use_declaration":
		useUse(p, p.Child(n, "argument"))
	case "extern_crate_declaration", "shorthand_field_identifier", "label", "lifetime", "attribute_item",
		"inner_attribute_item", "visibility_modifier":
	case "macro_definition":
		for c := range p.Named(n) {
			if p.Kind(c) == "macro_rule" {
				useMacroBody(p, p.Child(c, "right"))
			}
		}
	case "macro_invocation":
		useMacro(p, n)
	case "function_item", "function_signature_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item",
		"const_item", "static_item",
		"mod_item", "enum_variant", "field_declaration", "associated_type":
		for c := range p.Named(n) {
			if p.Field(c) != "name" {
				useNode(p, c)
			}
		}
	case "constrained_type_parameter":
		useNode(p, p.Child(n, "bounds"))
	case "type_parameters":
		for c := range p.Named(n) {
			if p.Kind(c) != "type_identifier" {
				useNode(p, c)
			}
		}
	case "type_binding":
		useNode(p, p.Child(n, "type"))
	default:
		if n >= 0 {
			uses(p, n)
		}
	}
}

func usage(p *walker, n binder.At) facts.Kind {
	up := p.Parent(n)
	for p.Kind(up) == "generic_function" || p.Kind(up) == "generic_type" && p.Field(n) == "type" {
		n, up = up, p.Parent(up)
	}
	switch p.Kind(up) {
	case "call_expression":
		if p.Field(n) == "function" {
			return facts.Call
		}
	case "struct_expression":
		return facts.Call
	case "impl_item":
		if p.Field(n) == "trait" {
			return facts.Implements
		}
		return facts.Type
	case "trait_bounds":
		if p.Kind(p.Parent(up)) == "trait_item" {
			return facts.Extends
		}
		return facts.Type
	case "assignment_expression", "compound_assignment_expr":
		if p.Field(n) == "left" {
			return facts.Write
		}
	}
	if k := p.Kind(n); k == "type_identifier" || k == "scoped_type_identifier" || k == "generic_type" {
		return facts.Type
	}
	return facts.Read
}

func useUse(p *walker, n binder.At) {
	for i := n; i >= 0 && i < p.Nodes[n].Next; i++ {
		if p.Kind(i) != "identifier" {
			continue
		}
		switch at := binder.ImportAt(p.Builder, i); {
		case (at < 0 || p.Imports[at].Name == "*") && binder.IsUpper(p.TextAt(i)):
			useTypeOfPath(p, i)
		case at >= 0 && p.Imports[at].Name != "":
			p.Ref(i, p.TextAt(i), facts.Imported, facts.ModuleAt(at), false)
		}
	}
}

// useTypeOfPath adds the reference of a type in the path of an import, as of an
// enum whose variants are imported. What a path in a list is relative to is not
// looked for.
func useTypeOfPath(p *walker, n binder.At) {
	if p.Up(n, "use_list") >= 0 {
		return
	}
	up := p.Parent(n)
	if left := p.Child(up, "path"); p.Kind(up) == "scoped_identifier" && left >= 0 && left != n {
		p.Ref(n, p.TextAt(n), facts.Type, p.TypeOf(left), false)
		return
	}
	p.UseName(n, facts.Type, true)
}

// useMacro adds references for the macro and for names in its tokens: chains
// of names with dots or colons between.
func useMacro(p *walker, n binder.At) {
	m := p.Child(n, "macro")
	if p.Kind(m) == "identifier" {
		macroRef(p, m)
	} else {
		useNode(p, m)
	}
	end := p.Nodes[n].Next
	before := facts.Nothing
	for i := m + 1; i < end; i++ {
		switch p.Kind(i) {
		case "identifier", "self", "crate", "super", "type_identifier":
			useToken(p, i, before)
			if before = tokenExpr(p, i, before); before == facts.Nothing {
				before = facts.Unknown
			}
			continue
		case "token_tree":
			before = facts.Nothing
			if strings.HasPrefix(p.TextAt(i), "[") && p.TextAt(i-1) == "#" { // an attribute
				i = p.Nodes[i].Next - 1
			}
			continue
		}
		if t := p.TextAt(i); t != "." && t != "::" {
			before = facts.Nothing
		}
	}
}

func tokenExpr(p *walker, n binder.At, before facts.Expr) facts.Expr {
	i := p.Nodes[n].Next
	called := int(i) < len(p.Nodes) && p.Kind(i) == "token_tree" && strings.HasPrefix(p.TextAt(i), "(")
	var e facts.Expr
	switch {
	case before != facts.Nothing:
		e = binder.Member(before, p.TextAt(n))
	case p.TextAt(n) == "Self":
		return p.SelfAt(n)
	default:
		e = p.Bare(n, true)
	}
	if called {
		return binder.Call(e)
	}
	return e
}

func useToken(p *walker, n binder.At, before facts.Expr) {
	kind := facts.Read
	i := p.Nodes[n].Next
	if int(i) < len(p.Nodes) && p.Kind(i) == "token_tree" && strings.HasPrefix(p.TextAt(i), "(") {
		kind = facts.Call
	}
	if before == facts.Nothing && p.Kind(n) == "identifier" && isMacroName(p, n) {
		macroRef(p, n)
		return
	}
	switch t := p.TextAt(n); {
	case t == "self" || t == "Self" || t == "crate" || t == "super":
	case before == facts.Nothing:
		p.UseName(n, kind, true)
	case before.Known():
		p.Ref(n, t, kind, before, false)
	}
}
