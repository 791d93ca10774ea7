package rust

import (
	"cmp"
	"slices"
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
	case "dynamic_type", "abstract_type", "bracketed_type", "higher_ranked_trait_bound":
		return p.TypeOf(p.Last(n))
	case "bounded_type", "trait_bounds":
		return bounds(p, n)
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

// bounds are the traits that a type has.
func bounds(p *walker, n binder.At) facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		if t := p.TypeOf(c); t.Known() && !t.IsExternal() && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	switch len(all) {
	case 0:
		return facts.External
	case 1:
		return all[0]
	}
	both := all[0]
	for _, t := range all[1:] {
		both = facts.Both(both, t)
	}
	return both
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
	iterates := iterators[lastOf(p.TextAt(name))] && !ofOthers(p, name)
	var args []facts.Expr
	for c := range p.Named(p.Child(n, "type_arguments")) {
		switch k := p.Kind(c); {
		case k == "type_binding" && iterates && p.TextAt(p.Child(c, "name")) == "Item":
			return facts.List(p.TypeOf(p.Child(c, "type")))
		case k != "lifetime":
			args = append(args, p.TypeOf(c))
		}
	}
	if len(args) == 0 {
		return p.TypeOf(name)
	}
	own := p.TypeOf(name).Generic(args...)
	switch short := standardName(p, lastOf(p.TextAt(name))); {
	case transparent[short] && !ofOthers(p, name):
		return args[0]
	case transparent[short]:
		return facts.Union(own, args[0])
	case ofOthers(p, name):
	case lists[short]:
		return facts.List(args[0])
	case short == "HashMap" || short == "BTreeMap":
		return facts.Map(args[0], args[len(args)-1])
	}
	return own
}

// transparent are types of the standard library whose values have the members of what
// is in them, or nearly so.
var transparent = binder.Words(`
Option Result Box Arc Rc RefCell Cell Mutex RwLock Pin Cow MutexGuard Ref RefMut NonNull ManuallyDrop
MaybeUninit UnsafeCell Weak OnceCell OnceLock LazyLock Poll`)

// wrapping are their functions that take a value and give what has its members.
var wrapping = binder.Words(`
new pin clone from into_inner get_mut get_ref new_unchecked get_unchecked_mut as_ref as_mut make_mut map
static_ref static_mut into_pin`)

// lists are those that have elements.
var lists = binder.Words(`Vec VecDeque HashSet BTreeSet LinkedList BinaryHeap IntoIter Iter`)

// iterators are its traits of what has elements.
var iterators = binder.Words("Iterator IntoIterator DoubleEndedIterator ExactSizeIterator FusedIterator")

func lastOf(path string) string { return path[strings.LastIndexByte(path, ':')+1:] }

// standard are crates whose types are meant, or that have types like theirs.
var standard = binder.Words("std core alloc parking_lot once_cell hashbrown")

// standardName is how the standard library calls a type that a file has a name for.
func standardName(p *walker, name string) string {
	for i := range p.Imports {
		if x := &p.Imports[i]; x.Local == name && x.Name != "" {
			if root, _, _ := strings.Cut(x.Path, "::"); standard[root] {
				return x.Name
			}
		}
	}
	return name
}

// ofOthers reports whether the name of a type that the standard library has as well is
// one of this file or is imported from elsewhere.
func ofOthers(p *walker, name binder.At) bool {
	if p.Kind(name) != "type_identifier" && p.Kind(name) != "identifier" {
		path := p.TextAt(p.Child(name, "path"))
		root, _, _ := strings.Cut(path, "::")
		return root == "crate" || root == "self" || root == "super"
	}
	if p.others == nil {
		p.others = map[string]bool{}
		for _, s := range p.Symbols {
			p.others[s.Name] = p.others[s.Name] || binder.Types[s.Kind]
		}
		for i := range p.Imports {
			if root, _, _ := strings.Cut(p.Imports[i].Path, "::"); !standard[root] {
				p.others[cmp.Or(p.Imports[i].Local, p.Imports[i].Name)] = true
			}
		}
	}
	return p.others[p.TextAt(name)]
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
	if isCalledMacro(p, n) {
		return facts.Unknown
	}
	switch p.Kind(f) {
	case "identifier":
		switch p.TextAt(f) {
		case "Some", "Ok":
			return p.Expr(p.Nth(args, 0))
		case "Err", "drop":
			return facts.External
		}
		if body := closureNamed(p, f); body >= 0 {
			return p.Expr(body)
		}
	case "field_expression":
		object, m := p.Child(f, "value"), p.TextAt(p.Child(f, "field"))
		if m == "lock" || m == "read" || m == "write" { // of a lock; a type's own method comes first
			e := p.Expr(object)
			return binder.UnionOf(binder.Call(binder.Member(e, m)), e)
		}
		if fn := p.Nth(args, 0); (m == "map" || m == "and_then") && p.Kind(fn) == "closure_expression" {
			return binder.List(p.Expr(p.Child(fn, "body")))
		}
	case "scoped_identifier":
		if path := p.Child(f, "path"); transparent[p.TextAt(path)] && wrapping[p.TextAt(p.Child(f, "name"))] {
			inner := p.Expr(p.Nth(args, 0))
			if ofOthers(p, path) {
				return binder.UnionOf(binder.Call(p.Expr(f)), inner)
			}
			return inner
		}
	}
	return binder.Call(p.Expr(f))
}

// closureNamed is the body of the closure that a name stands for, or -1.
func closureNamed(p *walker, name binder.At) binder.At {
	v, _ := p.ScopeOf(name).Find(p.TextAt(name), true)
	if v == nil || len(v.Sources) != 1 || p.Kind(v.Sources[0].Node) != "closure_expression" {
		return binder.None
	}
	return p.Child(v.Sources[0].Node, "body")
}

func uses(p *walker, n binder.At) {
	for c := range p.Named(n) {
		useNode(p, c)
	}
}

func useNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "identifier", "type_identifier":
		if t := p.TextAt(n); t != "Self" && t != "self" && t != "_" {
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
	case "extern_crate_declaration", "shorthand_field_identifier", "label", "lifetime", "inner_attribute_item",
		"visibility_modifier":
	case "attribute_item":
		if name := p.Nth(p.Nth(n, 0), 0); p.Kind(name) == "scoped_identifier" { // #[tokio::test]; others are mostly builtin
			useNode(p, name)
		}
	case "macro_definition":
		for c := range p.Named(n) {
			if p.Kind(c) == "macro_rule" {
				useMacroBody(p, p.Child(c, "right"))
			}
		}
	case "call_expression":
		if f := p.Child(n, "function"); isCalledMacro(p, n) && p.Kind(f) == "identifier" {
			macroRef(p, f)
			uses(p, p.Child(n, "arguments"))
			return
		}
		uses(p, n)
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
		name, trait := p.Child(n, "name"), p.Child(p.Up(n, "generic_type"), "type")
		p.Ref(name, p.TextAt(name), facts.Type, p.TypeOf(trait), false)
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
