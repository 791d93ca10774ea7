package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Typed is the expression of an annotation.
func (p *walker) Typed(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "type", "parenthesized_expression", "constrained_type":
		return p.TypeOf(p.Nth(n, 0))
	case "identifier":
		return typeName(p, n, p.TextAt(n))
	case "attribute", "member_type":
		if isTyping(p.Imports, p.TextAt(p.Child(n, "object"))) {
			return typeName(p, n, p.TextAt(p.Child(n, "attribute")))
		}
		return binder.Member(p.Expr(p.Nth(n, 0)), p.TextAt(p.Last(n)))
	case "subscript", "generic_type":
		base := p.Nth(n, 0)
		var args []binder.At
		for c := range p.Named(n) {
			switch {
			case c == base:
			case p.Kind(c) == "type_parameter" || p.Kind(c) == "tuple":
				for a := range p.Named(c) {
					args = append(args, a)
				}
			default:
				args = append(args, c)
			}
		}
		return applied(p, base, args)
	case "binary_operator", "union_type":
		return binder.UnionOfTypes(p.TypeOf(p.Nth(n, 0)), p.TypeOf(p.Last(n)))
	case "none", "ellipsis":
		return facts.External
	case "string":
		if q := quotedOf(p, n); q.text != "" {
			return q.union(nil)
		}
	case "call":
		return binder.AsType(p.Expr(n))
	}
	return facts.Unknown
}

// typeName is a name as a type; those that say nothing are external.
func typeName(p *walker, n binder.At, name string) facts.Expr {
	switch name {
	case "None", "Any", "int", "str", "bool", "float", "bytes", "object", "NoReturn", "Never", "complex", "bytearray",
		"memoryview":
		return facts.External
	case "Self":
		if c := classAround(p, n); c != nil {
			return c.Expr()
		}
	}
	return p.Resolve(n, name, false).Expr
}

// isTyping reports whether a name is that of the module typing here, or of
// typing_extensions, which has the same.
func isTyping(imports []facts.Import, name string) bool {
	for i := range imports {
		if x := &imports[i]; x.Name == "" && (x.Path == "typing" || x.Path == "typing_extensions") &&
			name == cmp.Or(x.Local, x.Path) {
			return true
		}
	}
	return name == "typing"
}

// saysNothing reports whether an annotation leaves it to the value what a
// variable is: "x: Final = f()".
func saysNothing(p *walker, typ binder.At) bool {
	switch lastPart(p.TextAt(typ)) {
	case "Final", "ClassVar", "TypeAlias":
		return true
	}
	return false
}

func classAround(p *walker, n binder.At) *binder.Symbol {
	for s := p.ScopeAround(n).Symbol; s != nil; s = s.Enclosing {
		if s.Kind == "class" {
			return s
		}
	}
	return nil
}

// applied is a generic type with its arguments.
func applied(p *walker, base binder.At, args []binder.At) facts.Expr {
	types := make([]facts.Expr, 0, len(args))
	for _, a := range args {
		types = append(types, p.TypeOf(a))
	}
	name := p.TextAt(base)
	ellipsis := len(args) == 2 && (p.TextAt(args[1]) == "...")
	return generic(name, types, ellipsis, func() facts.Expr { return p.TypeOf(base) })
}

// generic is what a generic type of Python's library stands for, or the type
// itself with arguments.
func generic(name string, args []facts.Expr, ellipsis bool, base func() facts.Expr) facts.Expr {
	last := len(args) - 1
	if last < 0 {
		return base()
	}
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Awaitable", "InitVar",
		"TypeGuard":
		return args[0]
	case "Union":
		return binder.UnionOfTypes(args...)
	case "List", "list", "Set", "set", "FrozenSet", "frozenset", "Sequence", "MutableSequence", "Iterable", "Iterator",
		"Collection", "Deque", "deque",
		"Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "AbstractSet", "MutableSet", "KeysView",
		"ValuesView", "Reversible":
		return facts.List(args[0])
	case "Coroutine":
		return args[last]
	case "ContextVar": // what get gives
		return facts.Map(facts.External, args[0])
	case "Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict", "ItemsView":
		return facts.Map(args[0], args[last])
	case "Tuple", "tuple":
		if ellipsis {
			return facts.List(args[0])
		}
		return facts.Tuple(args...)
	case "Callable":
		return facts.Func(args[last])
	case "Type", "type":
		return facts.Class(args[0])
	case "Literal":
		return facts.External
	}
	return applyTo(base(), args)
}

// applyTo gives type arguments to a type, if they say something.
func applyTo(base facts.Expr, args []facts.Expr) facts.Expr {
	for _, a := range args {
		if a.Known() && !a.IsExternal() {
			return binder.Inside(base, func(e facts.Expr) facts.Expr { return e.Generic(args...) })
		}
	}
	return base
}

// resultType is what a function is annotated to give, or None: of "property", what it
// returns says more.
func resultType(p *walker, function binder.At) binder.At {
	r := p.Child(function, "return_type")
	if p.TextAt(r) == "property" {
		return binder.None
	}
	return r
}

// typeVariables are the type parameters of a class by its bases: those of Generic or
// Protocol, else all TypeVars of this file in the order in which they come.
func typeVariables(p *walker, bases binder.At) (names []string) {
	var first []string
	for c := range p.Named(bases) {
		if p.Kind(c) != "subscript" {
			continue
		}
		base := lastPart(p.TextAt(p.Child(c, "value")))
		var all []string
		for id := range p.Named(c) {
			name := p.TextAt(id)
			if p.Field(id) != "subscript" || p.Kind(id) != "identifier" {
				continue
			}
			if all = append(all, name); isTypeVar(p, name) && !slices.Contains(first, name) {
				first = append(first, name)
			}
		}
		if base == "Generic" || base == "Protocol" {
			return all
		}
	}
	return first
}

// isTypeVar reports whether a name is that of a TypeVar made at the top of the file.
func isTypeVar(p *walker, name string) bool {
	v := p.Top.Names[name]
	if v == nil || v.Symbol == nil || len(v.Symbol.Values) == 0 || !v.Symbol.Values[0].IsPlain() {
		return false
	}
	made := v.Symbol.Values[0].Node
	return p.Kind(made) == "call" && lastPart(p.TextAt(p.Child(made, "function"))) == "TypeVar"
}

// plainTypes are types of the language that begin in lower case.
var plainTypes = []string{"str", "int", "float", "bool", "bytes", "dict", "list", "set", "frozenset", "tuple", "type"}

// isAlias reports whether an expression is a type by its looks: A | None, and what is
// applied to types, as Union[A, B] and Box[A].
func isAlias(p *walker, n binder.At) bool {
	switch p.Kind(n) {
	case "none":
		return true
	case "identifier", "attribute":
		name := strings.TrimLeft(lastPart(p.TextAt(n)), "_")
		if slices.Contains(plainTypes, name) {
			return true
		}
		return name != "" && name[0] >= 'A' && name[0] <= 'Z' && name != strings.ToUpper(name)
	case "binary_operator":
		return p.TextAt(p.Child(n, "operator")) == "|" && isAlias(p, p.Child(n, "left")) && isAlias(p, p.Child(n, "right"))
	case "subscript":
		if base := p.Child(n, "value"); isAlias(p, base) {
			name := lastPart(p.TextAt(base))
			return name == "Union" || name == "Optional" || name == "Annotated" || isAlias(p, p.Last(n))
		}
	}
	return false
}

// boundOf is the type by which a call of TypeVar limits it, or None.
func boundOf(p *walker, args binder.At) binder.At {
	for c := range p.Named(args) {
		if p.Kind(c) == "keyword_argument" && p.TextAt(p.Child(c, "name")) == "bound" {
			return p.Child(c, "value")
		}
	}
	return binder.None
}

// A quoted is an annotation that is written as a string.
type quoted struct {
	p      *walker
	n      binder.At
	text   string
	offset int // of text in the file
	pos    int
}

// quotedOf returns the inside of a plain string.
func quotedOf(p *walker, n binder.At) *quoted {
	s := p.TextAt(n)
	q := strings.Trim(s, "\"'")
	if strings.Contains(q, "\\") || len(s)-len(q) < 2 || len(q) > 200 || !strings.HasPrefix(s, s[:1]) || s[0] != '"' &&
		s[0] != '\'' {
		return &quoted{p: p}
	}
	return &quoted{p: p, n: n, text: q, offset: int(p.Nodes[n].Start) + strings.Index(s, q)}
}

// used is called with each name: where it is, and what it is taken from.
type used func(offset int, m binder.Meaning)

func (q *quoted) space() {
	for q.pos < len(q.text) && strings.IndexByte(" \t\r\n", q.text[q.pos]) >= 0 {
		q.pos++
	}
}

func (q *quoted) next(c byte) bool {
	q.space()
	if q.pos < len(q.text) && q.text[q.pos] == c {
		q.pos++
		return true
	}
	return false
}

func (q *quoted) union(see used) facts.Expr {
	all := []facts.Expr{q.one(see, 0)}
	for q.next('|') {
		all = append(all, q.one(see, 0))
	}
	return binder.UnionOfTypes(all...)
}

func (q *quoted) word() (string, int) {
	q.space()
	start := q.pos
	for q.pos < len(q.text) && (q.text[q.pos] == '_' || q.text[q.pos] >= 0x80 || binder.IsAlnum(q.text[q.pos])) {
		q.pos++
	}
	return q.text[start:q.pos], q.offset + start
}

func (q *quoted) one(see used, depth int) facts.Expr {
	if depth > 20 {
		return facts.Unknown
	}
	if q.next('[') { // the parameters of Callable
		q.arguments(see, depth)
		return facts.Unknown
	}
	name, at := q.word()
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return facts.Unknown
	}
	e := typeName(q.p, q.n, name)
	if m := q.p.Resolve(q.n, name, false); see != nil && name != "None" {
		see(at, m)
	}
	for q.next('.') {
		part, at := q.word()
		if part == "" {
			return facts.Unknown
		}
		if see != nil {
			see(at, binder.Meaning{Of: e, Name: part})
		}
		if isTyping(q.p.Imports, name) {
			e = typeName(q.p, q.n, part)
		} else {
			e = binder.Member(e, part)
		}
		name = part
	}
	if q.next('[') {
		args := q.arguments(see, depth)
		return generic(name, args, false, func() facts.Expr { return e })
	}
	return e
}

func (q *quoted) arguments(see used, depth int) []facts.Expr {
	var args []facts.Expr
	for !q.next(']') && q.pos < len(q.text) {
		before := q.pos
		a := q.one(see, depth+1)
		for q.next('|') {
			a = binder.UnionOfTypes(a, q.one(see, depth+1))
		}
		args = append(args, a)
		q.next(',')
		if q.pos == before {
			q.pos++
		}
	}
	return args
}

// annotation adds the references in a string that is a type.
func annotation(p *walker, n binder.At) {
	if q := quotedOf(p, n); q.text != "" {
		q.union(func(offset int, m binder.Meaning) { p.RefMeaning(offset, facts.Type, m) })
	}
}

func typeAlias(p *walker, n binder.At) {
	left, right := p.Nth(n, 0), p.Nth(n, 1)
	id := left
	for p.Kind(id) != "identifier" && p.Nth(id, 0) >= 0 {
		id = p.Nth(id, 0)
	}
	sc := p.ScopeAround(n).Function()
	if p.Kind(id) == "identifier" && (sc.Kind == 't' || sc.Kind == 'c') {
		s := p.DeclareSymbol(id, n, "type", sc.Symbol)
		s.Kind = "type"
		s.Values = []binder.Source{binder.TypeAt(right)}
		p.BindAt(sc, id).Is(s)
	}
}
