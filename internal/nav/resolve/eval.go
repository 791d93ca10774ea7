package resolve

import (
	"slices"
	"strconv"
	"strings"
)

// A scope is where an expression is evaluated: in a file, inside of a symbol,
// with type parameters bound.
type scope struct {
	file FileID
	in   int // or -1
	bind []binding
}

// A binding is what a type parameter stands for.
type binding struct {
	name   string
	entity Entity
}

// Eval evaluates an expression of a file, inside of one of its symbols or -1.
func (q *Query) Eval(f FileID, in int, expr string) Entity {
	return q.eval(scope{file: f, in: in}, expr)
}

func (q *Query) eval(s scope, expr string) Entity {
	if expr == "" || expr == "?" {
		return Entity{}
	}
	key := exprKey{s.file, int32(s.in), expr}
	load := func() (entry, bool) { e, ok := q.memo[key]; return e, ok }
	save := func(e entry) { q.memo[key] = e }
	if s.bind != nil {
		load, save = func() (entry, bool) { return entry{}, false }, func(entry) {}
	}
	return q.remembered(load, save, func() Entity { return q.apply(s, expr) })
}

// apply evaluates the expression before the last operator, and that operator.
func (q *Query) apply(s scope, expr string) Entity {
	last := expr[len(expr)-1]
	switch last {
	case ')':
		if i := opening(expr, '(', ')'); i > 0 {
			index := expr[i+1 : len(expr)-1]
			e := q.eval(s, expr[:i])
			if index == ":__init__" {
				return Entity{Kind: Fields, Args: []Entity{e}}
			}
			if strings.HasPrefix(index, ":") {
				n, _ := strconv.Atoi(index[1:])
				return q.argument(s.file, e, n)
			}
			nth, args, given := strings.Cut(index, "=")
			if index != "" && !given { // taken apart, as a tuple would be
				if u := q.underlying(e); u.Kind == List {
					return q.element(s.file, u)
				}
			}
			n, _ := strconv.Atoi(nth)
			return q.callWith(s, e, n, split(args))
		}
	case '}':
		if base, ok := strings.CutSuffix(expr, "{}"); ok {
			return instance(q.eval(s, base))
		}
	case ']':
		if base, ok := strings.CutSuffix(expr, "[]"); ok {
			return q.element(s.file, q.eval(s, base))
		}
		if base, ok := strings.CutSuffix(expr, "[k]"); ok {
			return q.key(q.eval(s, base))
		}
		if i := opening(expr, '[', ']'); i > 1 && expr[i-1] == '.' {
			return q.keyed(s.file, q.eval(s, expr[:i-1]), expr[i:])
		}
	case '!':
		e := q.eval(s, expr[:len(expr)-1])
		e.Super = true
		return e
	case '>':
		if i := opening(expr, '<', '>'); i > 0 {
			return q.instantiate(s, expr[:i], expr[i+1:len(expr)-1])
		}
	default:
		if i := strings.LastIndexByte(expr, '.'); i > 0 {
			return q.entity(s.file, q.Member(s.file, q.eval(s, expr[:i]), expr[i+1:]))
		}
		return q.atom(s, expr)
	}
	return Entity{}
}

// together is what symbols of one name stand for. A function and a variable
// stay side by side.
func (q *Query) together(list []SymbolID, recv *Entity) Entity {
	var e Entity
	for _, id := range list {
		next := q.symbol(id, recv)
		if e.Kind == Function && next.Kind != Function && next.Kind != Unknown || next.Kind == Function && e.Kind != Function && e.Kind != Unknown {
			return Entity{Kind: Union, Args: []Entity{e, next}}
		}
		e = merge(e, next)
	}
	return e
}

// opening is where the bracket that closes at the end of an expression opens,
// or -1.
func opening(expr string, left, right byte) int {
	depth := 0
	for i := len(expr) - 1; i >= 0; i-- {
		switch expr[i] {
		case right:
			depth++
		case left:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split takes type arguments apart.
func split(args string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(args) {
		switch args[i] {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		case ';':
			if depth == 0 {
				out = append(out, args[from:i])
				from = i + 1
			}
		}
	}
	if args == "" {
		return nil
	}
	return append(out, args[from:])
}

// composites are the types that the grammar has itself.
var composites = map[string]EntityKind{"~list": List, "~map": Map, "~func": Func, "~tuple": Tuple, "~union": Union, "~class": Class, "~args": Tuple, "~mapped": Mapped}

// instantiate gives type arguments to a type or function. Of a value it is an
// index expression: in Go the two look the same.
func (q *Query) instantiate(s scope, base, text string) Entity {
	parts := split(text)
	if base == "~cond" && len(parts) == 4 {
		return q.conditional(s, parts)
	}
	args := make([]Entity, len(parts))
	for i, p := range parts {
		args[i] = q.eval(s, p)
	}
	if base == "~of" && len(args) == 1 {
		return typeOfValue(args[0])
	}
	if kind, ok := composites[base]; ok {
		return Entity{Kind: kind, Args: args}
	}
	e := q.eval(s, base)
	switch e.Kind {
	case Union:
		if slices.ContainsFunc(e.Args, func(a Entity) bool { return a.Kind == TypeName || a.Kind == Function }) {
			return q.each(e, func(a Entity) Entity {
				if a.Kind == TypeName || a.Kind == Function {
					a.Args = args
				}
				return a
			})
		}
	case TypeName, Function:
		e.Args = args
		return e
	case External:
		e.Args = args
		return e
	case Unknown, Module:
		return e
	case Value: // that can be called
		if found := q.inherited(e, "()"); len(found.Symbols) > 0 {
			return Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv, Args: args}
		}
	}
	return q.element(s.file, e)
}

// atom evaluates a name.
func (q *Query) atom(s scope, name string) Entity {
	switch name[0] {
	case '^', '@':
		i, err := strconv.Atoi(name[1:])
		if err != nil || i < 0 || i >= len(q.File(s.file).Symbols) {
			return Entity{}
		}
		id := SymbolID{s.file, int32(i)}
		if name[0] == '@' {
			return Entity{Kind: TypeName, Symbols: []SymbolID{id}}
		}
		return q.symbol(id, nil)
	case '#':
		return q.imported(s.file, name[1:])
	case '~':
		if kind, ok := composites[name]; ok {
			return Entity{Kind: kind}
		}
		return Entity{Kind: External}
	}
	if e, ok := q.parameter(s, name); ok {
		return e
	}
	return q.entity(s.file, q.Bare(s.file, s.in, name))
}

// imported is the module that the import with an index names.
func (q *Query) imported(f FileID, index string) Entity {
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(q.File(f).Imports) {
		return Entity{}
	}
	lang := q.language(f)
	if m, ok := lang.(Importing); ok {
		return q.entity(f, m.Module(q, f, i))
	}
	if lang == nil {
		return Entity{}
	}
	if files := lang.Import(q, f, i); len(files) > 0 {
		return Entity{Kind: Module, Files: files}
	}
	return Entity{Kind: External}
}

// Bare finds what a name stands for at a place.
func (q *Query) Bare(f FileID, in int, name string) Found {
	lang := q.language(f)
	if lang == nil {
		return Found{}
	}
	return lang.Bare(q, f, in, name)
}

// entity is the value of what was found.
func (q *Query) entity(f FileID, found Found) Entity {
	switch {
	case found.Entity != nil:
		return *found.Entity
	case len(found.Symbols) > 0:
		list := found.Symbols
		if n, ok := q.language(f).(Narrowing); ok && len(list) > 1 {
			list = n.Narrow(q, f, list)
		}
		if _, ok := q.language(f).(goLanguage); ok && len(list) > 1 {
			list = goUsual(q, list)
		}
		return q.together(list, found.Recv)
	case found.Files != nil:
		return Entity{Kind: Module, Files: found.Files}
	case found.External:
		return Entity{Kind: External}
	}
	return Entity{}
}
