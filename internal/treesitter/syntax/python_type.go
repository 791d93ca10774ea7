package syntax

import (
	"cmp"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// typed is the expression of an annotation.
func (p *python) typed(n at) facts.Expr {
	switch p.kind(n) {
	case "type", "parenthesized_expression", "constrained_type":
		return p.typeOf(p.nth(n, 0))
	case "identifier":
		return p.typeName(n, p.text(n))
	case "attribute", "member_type":
		if p.isTyping(p.text(p.child(n, "object"))) {
			return p.typeName(n, p.text(p.child(n, "attribute")))
		}
		return member(p.expr(p.nth(n, 0)), p.text(p.last(n)))
	case "subscript", "generic_type":
		base := p.nth(n, 0)
		var args []at
		for c := range p.named(n) {
			switch {
			case c == base:
			case p.kind(c) == "type_parameter" || p.kind(c) == "tuple":
				for a := range p.named(c) {
					args = append(args, a)
				}
			default:
				args = append(args, c)
			}
		}
		return p.applied(base, args)
	case "binary_operator", "union_type":
		return unionOfTypes(p.typeOf(p.nth(n, 0)), p.typeOf(p.last(n)))
	case "none", "ellipsis":
		return facts.External
	case "string":
		if q := p.quoted(n); q.text != "" {
			return q.union(nil)
		}
	case "call":
		return asType(p.expr(n))
	}
	return facts.Unknown
}

// typeName is a name as a type; those that say nothing are external.
func (p *python) typeName(n at, name string) facts.Expr {
	switch name {
	case "None", "Any", "int", "str", "bool", "float", "bytes", "object", "NoReturn", "Never", "complex", "bytearray",
		"memoryview":
		return facts.External
	case "Self":
		if c := p.classAround(n); c != nil {
			return c.expr()
		}
	}
	return p.resolve(n, name, false).expr
}

// isTyping reports whether a name is that of the module typing here, or of
// typing_extensions, which has the same.
func (p *python) isTyping(name string) bool {
	for i := range p.imports {
		if x := &p.imports[i]; x.Name == "" && (x.Path == "typing" || x.Path == "typing_extensions") &&
			name == cmp.Or(x.Local, x.Path) {
			return true
		}
	}
	return name == "typing"
}

// saysNothing reports whether an annotation leaves it to the value what a
// variable is: "x: Final = f()".
func (p *python) saysNothing(typ at) bool {
	switch lastPart(p.text(typ)) {
	case "Final", "ClassVar", "TypeAlias":
		return true
	}
	return false
}

func (p *python) classAround(n at) *symbol {
	for s := p.scopeAround(n).symbol; s != nil; s = s.parent {
		if s.Kind == "class" {
			return s
		}
	}
	return nil
}

// applied is a generic type with its arguments.
func (p *python) applied(base at, args []at) facts.Expr {
	types := make([]facts.Expr, 0, len(args))
	for _, a := range args {
		types = append(types, p.typeOf(a))
	}
	name := p.text(base)
	ellipsis := len(args) == 2 && (p.text(args[1]) == "...")
	return generic(name, types, ellipsis, func() facts.Expr { return p.typeOf(base) })
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
		return unionOfTypes(args...)
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
	return base()
}

func unionOfTypes(types ...facts.Expr) facts.Expr {
	values := make([]facts.Expr, 0, len(types))
	for _, t := range types {
		values = append(values, valueOf(t))
	}
	return asType(unionOf(values...))
}

// A quoted is an annotation that is written as a string.
type quoted struct {
	p      *python
	n      at
	text   string
	offset int // of text in the file
	pos    int
}

// quoted returns the inside of a plain string.
func (p *python) quoted(n at) *quoted {
	s := p.text(n)
	q := strings.Trim(s, "\"'")
	if strings.Contains(q, "\\") || len(s)-len(q) < 2 || len(q) > 200 || !strings.HasPrefix(s, s[:1]) || s[0] != '"' &&
		s[0] != '\'' {
		return &quoted{p: p}
	}
	return &quoted{p: p, n: n, text: q, offset: int(p.Nodes[n].Start) + strings.Index(s, q)}
}

// used is called with each name: where it is, and what it is taken from.
type used func(offset int, m meaning)

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
	return unionOfTypes(all...)
}

func (q *quoted) word() (string, int) {
	q.space()
	start := q.pos
	for q.pos < len(q.text) && (q.text[q.pos] == '_' || q.text[q.pos] >= 0x80 || isAlnum(q.text[q.pos])) {
		q.pos++
	}
	return q.text[start:q.pos], q.offset + start
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
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
	e := q.p.typeName(q.n, name)
	if m := q.p.resolve(q.n, name, false); see != nil && name != "None" {
		see(at, m)
	}
	for q.next('.') {
		part, at := q.word()
		if part == "" {
			return facts.Unknown
		}
		if see != nil {
			see(at, meaning{of: e, name: part})
		}
		if q.p.isTyping(name) {
			e = q.p.typeName(q.n, part)
		} else {
			e = member(e, part)
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
			a = unionOfTypes(a, q.one(see, depth+1))
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
func (p *python) annotation(n at) {
	if q := p.quoted(n); q.text != "" {
		q.union(func(offset int, m meaning) { p.refMeaning(offset, facts.Type, m) })
	}
}
