package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
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
func (q *Query) Eval(f FileID, in int, e facts.Expr) Entity {
	return q.eval(scope{file: f, in: in}, e)
}

func (q *Query) eval(s scope, e facts.Expr) Entity {
	if !e.Known() {
		return Entity{}
	}
	key := exprKey{s.file, int32(s.in), e}
	load := func() (entry, bool) { e, ok := q.memo[key]; return e, ok }
	save := func(e entry) { q.memo[key] = e }
	if s.bind != nil {
		load, save = func() (entry, bool) { return entry{}, false }, func(entry) {}
	}
	return q.remembered(load, save, func() Entity { return q.apply(s, e) })
}

// apply evaluates what the last operator of an expression is applied to, and
// then that operator.
func (q *Query) apply(s scope, e facts.Expr) Entity {
	n := e.Node()
	switch n.Op {
	case facts.OpExternal:
		return Entity{Kind: External}
	case facts.OpName:
		if e, ok := q.parameter(s, n.Name); ok {
			return e
		}
		return q.Entity(s.file, q.Bare(s.file, s.in, n.Name))
	case facts.OpSymbolAt, facts.OpTypeAt:
		return q.indexed(s.file, n)
	case facts.OpModuleAt:
		return q.imported(s.file, n.N)
	case facts.OpMember:
		return q.Entity(s.file, q.Member(s.file, q.eval(s, n.Of), n.Name))
	case facts.OpKeyed:
		return q.keyed(s.file, q.eval(s, n.Of), n.Name)
	case facts.OpCall, facts.OpCallWith:
		return q.callWith(s, q.eval(s, n.Of), n.N, n.Parts())
	case facts.OpTaken:
		return q.taken(s, n)
	case facts.OpParam:
		return q.argument(s.file, q.eval(s, n.Of), n.N)
	case facts.OpFields:
		return Entity{Kind: Fields, Args: []Entity{q.eval(s, n.Of)}}
	case facts.OpValue:
		return Instance(q.eval(s, n.Of))
	case facts.OpElem:
		return q.Element(s.file, q.eval(s, n.Of))
	case facts.OpKey:
		return q.key(q.eval(s, n.Of))
	case facts.OpSuper:
		e := q.eval(s, n.Of)
		e.Super = true
		return e
	case facts.OpGeneric:
		return q.instantiate(s, n.Of, q.all(s, n.Parts()))
	case facts.OpTypeOf:
		return typeOfValue(q.eval(s, n.Part()))
	case facts.OpCond:
		if parts := n.Parts(); len(parts) == condParts {
			return q.conditional(s, parts)
		}
	default:
		if kind, ok := composites[n.Op]; ok {
			return Entity{Kind: kind, Args: q.all(s, n.Parts())}
		}
	}
	return Entity{}
}

// all evaluates several expressions.
func (q *Query) all(s scope, exprs []facts.Expr) []Entity {
	if len(exprs) == 0 {
		return nil
	}
	out := make([]Entity, len(exprs))
	for i, e := range exprs {
		out[i] = q.eval(s, e)
	}
	return out
}

// taken is the n-th result of a call, or of what is taken apart as a tuple
// would be.
func (q *Query) taken(s scope, n facts.Node) Entity {
	e := q.eval(s, n.Of)
	if u := q.underlying(e); u.Kind == List {
		return q.Element(s.file, u)
	}
	return q.Call(s.file, e, n.N)
}

// together is what symbols of one name stand for. A function and a variable
// stay side by side.
func (q *Query) together(list []SymbolID, recv *Entity) Entity {
	var e Entity
	for _, id := range list {
		next := q.StandsFor(id, recv)
		if e.Kind == Function && next.Kind != Function && next.Kind != Unknown || next.Kind == Function &&
			e.Kind != Function && e.Kind != Unknown {
			return Entity{Kind: Union, Args: []Entity{e, next}}
		}
		e = Merge(e, next)
	}
	return e
}

// composites are the types that the grammar has itself.
var composites = map[facts.Op]EntityKind{
	facts.OpList: List, facts.OpMap: Map, facts.OpFunc: Func, facts.OpTuple: Tuple, facts.OpUnion: Union,
	facts.OpClass: Class,
	facts.OpArgs:  Tuple, facts.OpMapped: Mapped,
}

// instantiate gives type arguments to a type or function. Of a value it is an
// index expression: in Go the two look the same.
func (q *Query) instantiate(s scope, base facts.Expr, args []Entity) Entity {
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
	case TypeName, Function, External:
		e.Args = args
		return e
	case Unknown, Module:
		return e
	case Value: // that can be called
		if found := q.Inherited(e, "()"); len(found.Symbols) > 0 {
			return Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv, Args: args}
		}
	}
	return q.Element(s.file, e)
}

// indexed is the symbol with an index, or the type without a name that it has.
func (q *Query) indexed(f FileID, n facts.Node) Entity {
	if n.N >= len(q.File(f).Symbols) {
		return Entity{}
	}
	id := SymbolID{f, int32(n.N)} //nolint:gosec // checked above
	if n.Op == facts.OpTypeAt {
		return Entity{Kind: TypeName, Symbols: []SymbolID{id}}
	}
	return q.StandsFor(id, nil)
}

// imported is the module that the import with an index names.
func (q *Query) imported(f FileID, i int) Entity {
	if i >= len(q.File(f).Imports) {
		return Entity{}
	}
	return q.Entity(f, q.LanguageOf(f).Module(q, f, i))
}

// Bare finds what a name stands for at a place.
func (q *Query) Bare(f FileID, in int, name string) Found {
	return q.LanguageOf(f).Bare(q, f, in, name)
}

// Entity is the value of what was found.
func (q *Query) Entity(f FileID, found Found) Entity {
	switch {
	case found.Entity != nil:
		return *found.Entity
	case len(found.Symbols) > 0:
		list := found.Symbols
		if len(list) > 1 {
			list = q.LanguageOf(f).Usual(q, f, list)
		}
		return q.together(list, found.Recv)
	case found.Files != nil:
		return Entity{Kind: Module, Files: found.Files}
	case found.External:
		return Entity{Kind: External}
	}
	return Entity{}
}
