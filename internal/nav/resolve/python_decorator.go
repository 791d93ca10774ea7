package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// Decorated implements Decorating: the value that the outermost decorator
// returns, when decorators of this repository say that they return one. A
// decorator that returns what it takes says nothing and the next one counts;
// what decorators from elsewhere return is not known.
func (l pythonLanguage) Decorated(q *Query, id SymbolID) Entity {
	s := q.Symbol(id)
	list := s.Type.Node()
	if list.Op != facts.OpArgs || !q.Enter(id, "@") {
		return Entity{}
	}
	defer q.Leave(id, "@")
	for _, decorator := range list.Parts() {
		node := decorator.Node()
		called := node.Op == facts.OpCall
		if called {
			decorator = node.Of
		}
		d := q.Eval(id.File, s.Parent, decorator)
		out := l.made(q, id.File, d, called)
		if out.Kind == Value {
			return l.plainValue(q, out)
		}
		if d.Kind != Function {
			break
		}
	}
	return Entity{}
}

// made is what a decorator makes of a function; called tells that it stands
// there with arguments, so that what its call returns is the decorator.
func (l pythonLanguage) made(q *Query, f FileID, d Entity, called bool) Entity {
	switch {
	case d.Kind == TypeName && called:
		return q.operate(f, instance(d), "()")
	case d.Kind == TypeName:
		return instance(d)
	case d.Kind != Function:
		return Entity{}
	}
	var out Entity
	for _, id := range d.Symbols { // signatures of which some may stand for the other use
		for _, r := range variants(q.result(id, d, 0)) {
			if called {
				if r.Kind != Func && r.Kind != Function {
					continue
				}
				r = q.call(f, r, 0)
			}
			for _, v := range variants(r) {
				if v.Kind == Value {
					out = merge(out, v)
				}
			}
		}
	}
	return out
}

// variants are the members of a union, or the entity itself.
func variants(e Entity) []Entity {
	if e.Kind == Union {
		return e.Args
	}
	return []Entity{e}
}

// plainValue leaves out a value that is something else when it is taken from
// an object: a descriptor.
func (l pythonLanguage) plainValue(q *Query, e Entity) Entity {
	if len(q.inherited(e, "__get__").Symbols) > 0 {
		return Entity{}
	}
	return e
}
