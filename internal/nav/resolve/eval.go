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
	// it is looked at from outside: type parameters that are not bound are their defaults
	outside bool
	types   bool // names are those of types; the operators of values end that
}

// ofTypes is the scope for an expression that is a type.
func (s scope) ofTypes() scope {
	s.types = true
	return s
}

// declared is the scope for an expression that declares a type, in languages where one
// name may be a type and a value.
func (s scope) declared(q *Query) scope {
	s.types = s.types || q.isStructural(s.file)
	return s
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
	key := exprKey{s.file, int32(s.in), s.outside, s.types, e}
	load := func() (entry, bool) { e, ok := q.memo[key]; return e, ok }
	save := func(e entry) { q.memo[key] = e }
	if s.bind != nil {
		load, save = func() (entry, bool) { return entry{}, false }, func(entry) {}
	}
	return q.remembered(load, save, func() Entity { return apply(q, s, e) })
}

// apply evaluates what the last operator of an expression is applied to, and
// then that operator.
func apply(q *Query, s scope, e facts.Expr) Entity {
	n := e.Node()
	s.types = s.types && keepsTypes(n.Op)
	switch n.Op {
	case facts.OpExternal:
		return Entity{Kind: External}
	case facts.OpName:
		if e, ok := parameter(q, s, n.Name); ok {
			return e
		}
		found := typesOfArity(q, meaningIn(q, s, q.named(s, n.Name)), 0)
		return calledAs(q, s, ofArity(q, q.Entity(s.file, found), 0), n.Name)
	case facts.OpSymbolAt, facts.OpTypeAt:
		return indexed(q, s.file, n)
	case facts.OpModuleAt:
		return imported(q, s.file, n.N)
	case facts.OpMember:
		return memberOf(q, s, q.eval(s, n.Of), n.Name)
	case facts.OpKeyed:
		return keyed(q, s, q.eval(s, n.Of), n.Name)
	case facts.OpCall, facts.OpCallWith:
		return callWith(q, s, n.Of, n.N, n.Parts())
	case facts.OpTaken:
		return taken(q, s, n)
	case facts.OpParam:
		return argument(q, s.file, evalCallee(q, s, n.Of), n.N)
	case facts.OpParamWith:
		return argumentWith(q, s, n)
	case facts.OpFields:
		return Entity{Kind: Fields, Args: []Entity{q.eval(s, n.Of)}}
	case facts.OpValue:
		return Instance(q.eval(s.ofTypes(), n.Of))
	case facts.OpElem:
		return q.Element(s.file, q.eval(s, n.Of))
	case facts.OpKey:
		return key(q, q.eval(s, n.Of))
	case facts.OpSuper:
		e := q.eval(s, n.Of)
		e.Super = true
		return e
	case facts.OpGeneric:
		return instantiate(q, s, n.Of, given(q, s.ofTypes(), n.Parts()))
	case facts.OpTypeOf:
		return typeOfValue(q.eval(s, n.Part()))
	case facts.OpOnly, facts.OpExcept, facts.OpIs, facts.OpIsnt, facts.OpHas, facts.OpHasnt, facts.OpPick, facts.OpOmit:
		return partly(q, s, &n)
	case facts.OpPredicate:
		return predicate(q, s, n.Parts())
	case facts.OpGuard:
		return guarded(q, s, n.Parts())
	case facts.OpInfer:
		return inferred(q, s, n.Parts())
	case facts.OpCond:
		if parts := n.Parts(); len(parts) == condParts {
			return conditional(q, s, parts)
		}
	}
	return composite(q, s, &n)
}

// partly is some of the types of a union, or a type with some of its members.
func partly(q *Query, s scope, n *facts.Node) Entity {
	switch n.Op {
	case facts.OpOnly, facts.OpExcept:
		return narrowed(q, s, n.Parts(), n.Op == facts.OpOnly)
	case facts.OpIs, facts.OpIsnt:
		return ofTypes(q, s, n.Parts(), n.Op == facts.OpIs)
	case facts.OpHas, facts.OpHasnt:
		return having(q, s, n.Parts(), n.Op == facts.OpHas)
	}
	return chosen(q, s, n.Parts(), n.Op == facts.OpOmit)
}

// calledAs is a function by the name with which it is called, where that says for which parameters
// arguments are given.
func calledAs(q *Query, s scope, e Entity, name string) Entity {
	if _, ok := q.LanguageOf(s.file).(Labeller); ok && e.Kind == Function {
		e.Name = name
	}
	return e
}

// memberOf is what a member of something is.
func memberOf(q *Query, s scope, of Entity, name string) Entity {
	if l, ok := q.LanguageOf(s.file).(Factory); ok {
		if e, ok := l.New(q, s.file, of, name); ok {
			return e
		}
	}
	e := calledAs(q, s, q.Entity(s.file, meaningIn(q, s, q.Member(s.file, of, name))), name)
	if s.types && e.Kind == External && of.Foreign != "" { // a type of a package
		e.Foreign = of.Foreign + separator(q, s.file) + name
	}
	return e
}

// keepsTypes reports whether an operator that makes a type is applied to types.
func keepsTypes(op facts.Op) bool {
	_, made := composites[op]
	return made || op == facts.OpName || op == facts.OpMember || op == facts.OpGeneric
}

// named finds what a name stands for in a scope.
func (q *Query) named(s scope, name string) Found {
	if s.types {
		return q.Type(s.file, s.in, name)
	}
	return bareOf(q, s.file, s.in, name, false)
}

// evalCallee evaluates what is called.
func evalCallee(q *Query, s scope, e facts.Expr) Entity {
	n := e.Node()
	if l, ok := q.LanguageOf(s.file).(Divided); ok && n.Op == facts.OpName && !s.types {
		if found := l.BareOf(q, s.file, s.in, n.Name, true); len(found.Symbols) > 0 {
			return q.Entity(s.file, found)
		}
	}
	if n.Op == facts.OpMember && q.File(s.file).Language == "C#" {
		of := q.eval(s, n.Of)
		return q.Entity(s.file, invoked(q, s.file, of, n.Name, q.Member(s.file, of, n.Name)))
	}
	return q.eval(s, e)
}

// composite is a type that the grammar has itself.
func composite(q *Query, s scope, n *facts.Node) Entity {
	kind, ok := composites[n.Op]
	if !ok {
		return Entity{}
	}
	e := Entity{Kind: kind, Args: all(q, s, n.Parts())}
	if kind == Union && !slices.ContainsFunc(e.Args, func(a Entity) bool { return !same(a, Entity{Kind: External}) }) {
		return Entity{Kind: External} // literals
	}
	if n.Op == facts.OpBoth {
		e.Name = both
	}
	return e
}

// all evaluates several expressions.
func all(q *Query, s scope, exprs []facts.Expr) []Entity {
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
func taken(q *Query, s scope, n facts.Node) Entity {
	e := q.eval(s, n.Of)
	if u := q.underlying(e); u.Kind == List {
		return q.Element(s.file, u)
	}
	return q.Call(s.file, e, n.N)
}

// together is what symbols of one name stand for. A function and a variable
// stay side by side.
func together(q *Query, list []SymbolID, recv *Entity) Entity {
	var e, function Entity
	for _, id := range list {
		if next := q.StandsFor(id, recv); next.Kind == Function {
			function = Merge(function, next)
		} else {
			e = Merge(e, next)
		}
	}
	switch {
	case function.Kind == Unknown:
		return e
	case e.Kind == Unknown:
		return function
	}
	return Entity{Kind: Union, Args: []Entity{e, function}}
}

// composites are the types that the grammar has itself.
var composites = map[facts.Op]EntityKind{
	facts.OpList: List, facts.OpMap: Map, facts.OpFunc: Func, facts.OpTuple: Tuple, facts.OpUnion: Union,
	facts.OpClass: Class,
	facts.OpArgs:  Tuple, facts.OpMapped: Mapped, facts.OpBoth: Union,
}

// instantiate gives type arguments to a type or function. Of a value it is an
// index expression: in Go the two look the same.
func instantiate(q *Query, s scope, base facts.Expr, args []Entity) Entity {
	e := q.eval(s, base)
	if n := base.Node(); n.Op == facts.OpName && q.File(s.file).Language == "C#" && len(e.Symbols) > 0 {
		e = ofArity(q, q.Entity(s.file, typesOfArity(q, q.named(s, n.Name), len(args))), len(args))
	}
	switch e.Kind {
	case Union:
		if slices.ContainsFunc(e.Args, func(a Entity) bool { return a.Kind == TypeName || a.Kind == Function }) {
			return each(e, func(a Entity) Entity {
				if a.Kind == TypeName || a.Kind == Function {
					a.Args = args
				}
				return a
			})
		}
	case TypeName, Function, External:
		e = ofArity(q, e, len(args))
		e.Args = args
		return e
	case Unknown, Module, Func: // another name of functions
		return e
	case Value: // that can be called
		if found := q.Inherited(e, "()"); len(found.Symbols) > 0 {
			return Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv, Args: args}
		}
	}
	return q.Element(s.file, e)
}

// indexed is the symbol with an index, or the type without a name that it has.
func indexed(q *Query, f FileID, n facts.Node) Entity {
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
func imported(q *Query, f FileID, i int) Entity {
	if i >= len(q.File(f).Imports) {
		return Entity{}
	}
	return q.Entity(f, q.LanguageOf(f).Module(q, f, i))
}

// Bare finds what a name stands for at a place.
func (q *Query) Bare(f FileID, in int, name string) Found {
	return q.LanguageOf(f).Bare(q, f, in, name)
}

// bareOf is Bare of what is called, or not, where the language looks for these apart.
func bareOf(q *Query, f FileID, in int, name string, called bool) Found {
	if l, ok := q.LanguageOf(f).(Divided); ok {
		return l.BareOf(q, f, in, name, called)
	}
	return q.Bare(f, in, name)
}

// Type finds what a name stands for where only a type can stand.
func (q *Query) Type(f FileID, in int, name string) Found {
	if found, ok := q.LanguageOf(f).Type(q, f, in, name); ok {
		return found
	}
	return q.Bare(f, in, name)
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
		return together(q, list, found.Recv)
	case found.Files != nil:
		return Entity{Kind: Module, Files: found.Files}
	case found.External:
		return Entity{Kind: External}
	}
	return Entity{}
}

// Call is the n-th result of calling e.
func (q *Query) Call(f FileID, e Entity, n int) Entity {
	switch e.Kind {
	case Function:
		var out Entity
		for _, id := range e.Symbols {
			out = oneOf(q, f, out, q.Result(id, e, n))
		}
		return out
	case TypeName:
		if n == 0 {
			return Instance(e)
		}
	case Func, Tuple:
		return Instance(e.Arg(n))
	case Union:
		if !q.isStructural(f) { // a field and a method of its name: the method is called
			functions := slices.DeleteFunc(slices.Clone(e.Args), func(a Entity) bool { return a.Kind != Function })
			if len(functions) > 0 {
				e.Args = functions
			}
		}
		return each(e, func(a Entity) Entity { return q.Call(f, a, n) })
	case Value:
		if out := q.Call(f, Instance(q.underlying(e)), n); out.Kind != Unknown {
			return out
		}
		return q.Operate(f, e, "()")
	case List, Map:
		if n == 0 {
			return e // a conversion
		}
	case External:
		return known(q, f, e, n, nil)
	}
	return Entity{}
}

// oneOf is what one of several overloads gives. Those of TypeScript may give
// things of different kinds, of which none is left out.
func oneOf(q *Query, f FileID, a, b Entity) Entity {
	known := func(e Entity) bool { return e.Kind != Unknown && e.Kind != External }
	if a.Kind != b.Kind && known(a) && known(b) && q.isStructural(f) {
		return either(a, b)
	}
	return Merge(a, b)
}

// Result evaluates the n-th result of a function, as a value.
func (q *Query) Result(id SymbolID, e Entity, n int) Entity {
	s := q.Symbol(id)
	if n >= len(s.Results) {
		return Entity{}
	}
	name := "()"
	if !q.Enter(id, name) {
		return Entity{}
	}
	defer q.Leave(id, name)
	return Instance(q.eval(scope{id.File, int(id.Index), bindings(q, id, e.Recv, e.Args), true, true}, s.Results[n]))
}

// Element is what indexing or ranging over e gives.
func (q *Query) Element(f FileID, e Entity) Entity {
	switch e.Kind {
	case List:
		return Instance(e.Arg(0))
	case Map:
		return Instance(e.Arg(1))
	case Tuple:
		var out Entity
		for _, a := range e.Args {
			out = Merge(out, Instance(a))
		}
		return out
	case Union:
		return each(e, func(a Entity) Entity { return q.Element(f, a) })
	case Value:
		if out := q.Element(f, q.underlying(e)); out.Kind != Unknown {
			return out
		}
		return q.Operate(f, e, "[]")
	case External, Function, TypeName:
		return e // of functions and types it gives type arguments that are not known
	}
	return Entity{}
}

// keyed is the member of e whose key is a name in brackets, or the literal that the
// type parameter of that name is, or an element of e if it has none.
func keyed(q *Query, s scope, e Entity, key string) Entity {
	if p, ok := parameter(q, s, key[1:len(key)-1]); ok {
		if text, ok := p.literal(); ok {
			return q.Entity(s.file, q.Member(s.file, e, text))
		}
		return q.Element(s.file, e)
	}
	if found := q.Member(s.file, e, key); len(found.Symbols) > 0 {
		return q.Entity(s.file, found)
	}
	return q.Element(s.file, e)
}

// key is what ranging over e gives first.
func key(q *Query, e Entity) Entity {
	switch e.Kind {
	case Map:
		return Instance(e.Arg(0))
	case Union:
		return each(e, func(e Entity) Entity { return key(q, e) })
	case Value:
		u := q.underlying(e)
		if u.Kind == External {
			return e // of a number: a number of that type
		}
		return key(q, u)
	case List, External:
		return Entity{Kind: External}
	}
	return Entity{}
}

func each(e Entity, do func(Entity) Entity) Entity {
	var out Entity
	for _, a := range e.Args {
		out = Merge(out, do(a))
	}
	return out
}

// Operate asks the language what an operator gives for a value.
func (q *Query) Operate(f FileID, e Entity, op string) Entity {
	if len(e.Symbols) > 0 && q.Enter(e.Symbols[0], op) {
		defer q.Leave(e.Symbols[0], op)
		return q.LanguageOf(f).Operate(q, f, e, op)
	}
	return Entity{}
}
