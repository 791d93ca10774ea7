package resolve

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// argument is what the n-th parameter of e is, as a value.
func argument(q *Query, f FileID, e Entity, n int) Entity {
	switch e.Kind {
	case Function:
		var out Entity
		for _, id := range e.Symbols {
			out = Merge(out, parameterOf(q, id, e, n))
		}
		return out
	case TypeName:
		found := q.Inherited(e, "constructor")
		if len(found.Symbols) == 0 {
			return q.Operate(f, e, ":"+strconv.Itoa(n))
		}
		var out Entity
		for _, id := range found.Symbols {
			out = Merge(out, parameterOf(q, id, Entity{Kind: Function, Recv: found.Recv}, n))
		}
		return out
	case Func:
		if last := e.Arg(len(e.Args) - 1); len(e.Args) > 1 && last.Kind == Tuple {
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
		return e
	}
	return Entity{}
}

// parameterOf evaluates the n-th of the Args of a function.
func parameterOf(q *Query, id SymbolID, e Entity, n int) Entity {
	args := q.Symbol(id).Args
	if len(args) == 0 {
		return Entity{}
	}
	rest := args[len(args)-1].Node().Op == facts.OpRest
	if n >= len(args) {
		if !rest {
			return Entity{}
		}
		n = len(args) - 1
	}
	if !q.Enter(id, "(:)") {
		return Entity{}
	}
	defer q.Leave(id, "(:)")
	t := args[n]
	if node := t.Node(); node.Op == facts.OpRest {
		t = node.Of
	}
	return Instance(q.eval(scope{id.File, int(id.Index), bindings(q, id, e.Recv, e.Args), true, true}, t))
}
