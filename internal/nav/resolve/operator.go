package resolve

// Call is the n-th result of calling e.
func (q *Query) Call(f FileID, e Entity, n int) Entity {
	switch e.Kind {
	case Function:
		var out Entity
		for _, id := range e.Symbols {
			out = q.oneOf(f, out, q.Result(id, e, n))
		}
		return out
	case TypeName:
		if n == 0 {
			return Instance(e)
		}
	case Func, Tuple:
		return Instance(e.Arg(n))
	case Union:
		return q.each(e, func(a Entity) Entity { return q.Call(f, a, n) })
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
		return q.known(f, e, n, nil)
	}
	return Entity{}
}

// oneOf is what one of several overloads gives. Those of TypeScript may give
// things of different kinds, of which none is left out.
func (q *Query) oneOf(f FileID, a, b Entity) Entity {
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
	return Instance(q.eval(scope{id.File, int(id.Index), q.bindings(id, e.Recv, e.Args)}, s.Results[n]))
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
		return q.each(e, func(a Entity) Entity { return q.Element(f, a) })
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

// keyed is the member of e whose key is a name in brackets, or an element of
// e if it has none.
func (q *Query) keyed(f FileID, e Entity, key string) Entity {
	if found := q.Member(f, e, key); len(found.Symbols) > 0 {
		return q.Entity(f, found)
	}
	return q.Element(f, e)
}

// key is what ranging over e gives first.
func (q *Query) key(e Entity) Entity {
	switch e.Kind {
	case Map:
		return Instance(e.Arg(0))
	case Union:
		return q.each(e, q.key)
	case Value:
		u := q.underlying(e)
		if u.Kind == External {
			return e // of a number: a number of that type
		}
		return q.key(u)
	case List, External:
		return Entity{Kind: External}
	}
	return Entity{}
}

func (q *Query) each(e Entity, do func(Entity) Entity) Entity {
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
