package python

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// decorated is the value that the outermost decorator
// returns, when decorators of this repository say that they return one. A
// decorator that returns what it takes says nothing and the next one counts;
// what decorators from elsewhere return is not known.
func decorated(q *resolve.Query, id resolve.SymbolID) resolve.Entity {
	s := q.Symbol(id)
	list := s.Type.Node()
	if list.Op != facts.OpArgs || !q.Enter(id, "@") {
		return resolve.Entity{}
	}
	defer q.Leave(id, "@")
	for _, decorator := range list.Parts() {
		node := decorator.Node()
		called := node.Op == facts.OpCall
		if called {
			decorator = node.Of
		}
		d := q.Eval(id.File, s.Parent, decorator)
		out := made(q, id.File, d, called)
		if out.Kind == resolve.Value {
			return plainValue(q, out)
		}
		if d.Kind != resolve.Function {
			break
		}
	}
	return resolve.Entity{}
}

// made is what a decorator makes of a function; called tells that it stands
// there with arguments, so that what its call returns is the decorator.
func made(q *resolve.Query, f resolve.FileID, d resolve.Entity, called bool) resolve.Entity {
	switch {
	case d.Kind == resolve.TypeName && called:
		return q.Operate(f, resolve.Instance(d), "()")
	case d.Kind == resolve.TypeName:
		return resolve.Instance(d)
	case d.Kind != resolve.Function:
		return resolve.Entity{}
	}
	var out resolve.Entity
	for _, id := range d.Symbols { // signatures of which some may stand for the other use
		for _, r := range variants(q.Result(id, d, 0)) {
			if called {
				if r.Kind != resolve.Func && r.Kind != resolve.Function {
					continue
				}
				r = q.Call(f, r, 0)
			}
			for _, v := range variants(r) {
				if v.Kind == resolve.Value {
					out = resolve.Merge(out, v)
				}
			}
		}
	}
	return out
}

// variants are the members of a union, or the entity itself.
func variants(e resolve.Entity) []resolve.Entity {
	if e.Kind == resolve.Union {
		return e.Args
	}
	return []resolve.Entity{e}
}

// plainValue leaves out a value that is something else when it is taken from
// an object: a descriptor.
func plainValue(q *resolve.Query, e resolve.Entity) resolve.Entity {
	if len(q.Inherited(e, "__get__").Symbols) > 0 {
		return resolve.Entity{}
	}
	return e
}
