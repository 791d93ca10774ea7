package resolve

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// argument is what the n-th parameter of e is, as a value.
func (q *Query) argument(f FileID, e Entity, n int) Entity {
	switch e.Kind {
	case Function:
		var out Entity
		for _, id := range e.Symbols {
			out = Merge(out, q.parameterOf(id, e, n))
		}
		return out
	case TypeName:
		found := q.Inherited(e, "constructor")
		if len(found.Symbols) == 0 {
			return q.Operate(f, e, ":"+strconv.Itoa(n))
		}
		var out Entity
		for _, id := range found.Symbols {
			out = Merge(out, q.parameterOf(id, Entity{Kind: Function, Recv: &e}, n))
		}
		return out
	case Func:
		if last := e.Arg(len(e.Args) - 1); len(e.Args) > 1 && last.Kind == Tuple {
			return Instance(last.Arg(n))
		}
	case Value:
		if found := q.Inherited(e, "()"); len(found.Symbols) > 0 {
			return q.argument(f, Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv}, n)
		}
		return q.argument(f, Instance(q.under(e)), n)
	case Union:
		return q.each(e, func(a Entity) Entity { return q.argument(f, a, n) })
	case External:
		return e
	}
	return Entity{}
}

// parameterOf evaluates the n-th of the Args of a function.
func (q *Query) parameterOf(id SymbolID, e Entity, n int) Entity {
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
	return Instance(q.eval(scope{id.File, int(id.Index), q.bindings(id, e.Recv, e.Args)}, t))
}
