package resolve

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// argument is what the n-th parameter of e is, as a value.
func argument(q *Query, f FileID, e Entity, n int) Entity {
	switch e.Kind {
	case Function:
		return parametersOf(q, e.Symbols, e, n)
	case TypeName:
		found := q.Inherited(e, "constructor")
		if len(found.Symbols) == 0 {
			return q.Operate(f, e, ":"+strconv.Itoa(n))
		}
		return parametersOf(q, found.Symbols, Entity{Kind: Function, Recv: found.Recv}, n)
	case Func:
		if last := e.Arg(len(e.Args) - 1); len(e.Args) > 1 && last.Kind == Tuple {
			if n == facts.LastParam {
				n = len(last.Args) - 1
			}
			return Instance(last.Arg(n))
		}
	case Value:
		if found := q.Inherited(e, "()"); len(found.Symbols) > 0 {
			return argument(q, f, Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv}, n)
		}
		return argument(q, f, Instance(under(q, e)), n)
	case Union:
		return each(e, func(a Entity) Entity { return argument(q, f, a, n) })
	case External:
		if found := q.LanguageOf(f).Builtin(q, e, ":"+strconv.Itoa(n)); found.Entity != nil {
			return *found.Entity
		}
		return e
	}
	return Entity{}
}

// Parameter is what the n-th parameter of a function is, as a value.
func Parameter(q *Query, id SymbolID, n int) Entity { return parameterOf(q, id, Entity{}, n) }

// ParameterIn is Parameter for a function that is a member of a type with type arguments.
func ParameterIn(q *Query, id SymbolID, recv Entity, n int) Entity {
	return parameterOf(q, id, Entity{Recv: &recv}, n)
}

// mostSignatures is of how many signatures of a function the parameters are looked at:
// some have dozens, of which the types are long.
const mostSignatures = 6

// parametersOf is what the n-th parameter of one of several functions is.
func parametersOf(q *Query, functions []SymbolID, e Entity, n int) (out Entity) {
	known := 0
	for _, id := range functions {
		next := parameterOf(q, id, e, n)
		if next.Kind == Unknown {
			continue
		}
		if out.Kind == Unknown || out.Kind == next.Kind || q.isStructural(id.File) {
			out = Merge(out, next)
		} else { // functions beside other types
			out = either(out, next)
		}
		if known++; known == mostSignatures {
			break
		}
	}
	return out
}

// parameterOf evaluates the n-th of the Args of a function.
func parameterOf(q *Query, id SymbolID, e Entity, n int) Entity {
	args := q.Symbol(id).Args
	if len(args) == 0 {
		return Entity{}
	}
	last := len(args) - 1
	rest := args[last].Node().Op == facts.OpRest
	if l, ok := q.LanguageOf(id.File).(Labeller); ok && e.Name != "" {
		places := l.Places(q.Symbol(id), e.Name)
		if n >= len(places) {
			return Entity{}
		}
		n = places[n]
	}
	if n == facts.LastParam {
		n = last
	}
	if n > last && !rest || !q.Enter(id, "(:)") {
		return Entity{}
	}
	defer q.Leave(id, "(:)")
	t := args[min(n, last)]
	rest = rest && n >= last
	if rest {
		t = t.Node().Of
	}
	out := Instance(q.eval(scope{id.File, int(id.Index), bindings(q, id, e.Recv, e.Args), true, true}, t))
	if rest && out.Kind == Tuple { // what follows, each of its own type
		return Instance(out.Arg(n - last))
	}
	return out
}
