package resolve

// call is the n-th result of calling e.
func (q *Query) call(f FileID, e Entity, n int) Entity {
	switch e.Kind {
	case Function:
		var out Entity
		for _, id := range e.Symbols {
			out = q.oneOf(f, out, q.result(id, e, n))
		}
		return out
	case TypeName:
		if n == 0 {
			return instance(e)
		}
	case Func, Tuple:
		return instance(e.arg(n))
	case Union:
		return q.each(e, func(a Entity) Entity { return q.call(f, a, n) })
	case Value:
		if out := q.call(f, instance(q.underlying(e)), n); out.Kind != Unknown {
			return out
		}
		return q.operate(f, e, "()")
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
	if a.Kind != b.Kind && known(a) && known(b) && isScript(q, f) {
		return either(a, b)
	}
	return merge(a, b)
}

// result evaluates the n-th result of a function, as a value.
func (q *Query) result(id SymbolID, e Entity, n int) Entity {
	s := q.Symbol(id)
	if n >= len(s.Results) {
		return Entity{}
	}
	name := "()"
	if !q.Enter(id, name) {
		return Entity{}
	}
	defer q.Leave(id, name)
	return instance(q.eval(scope{id.File, int(id.Index), q.bindings(id, e.Recv, e.Args)}, s.Results[n]))
}

// element is what indexing or ranging over e gives.
func (q *Query) element(f FileID, e Entity) Entity {
	switch e.Kind {
	case List:
		return instance(e.arg(0))
	case Map:
		return instance(e.arg(1))
	case Tuple:
		var out Entity
		for _, a := range e.Args {
			out = merge(out, instance(a))
		}
		return out
	case Union:
		return q.each(e, func(a Entity) Entity { return q.element(f, a) })
	case Value:
		if out := q.element(f, q.underlying(e)); out.Kind != Unknown {
			return out
		}
		return q.operate(f, e, "[]")
	case External, Function, TypeName:
		return e // of functions and types it gives type arguments that are not known
	}
	return Entity{}
}

// keyed is the member of e whose key is a name in brackets, or an element of
// e if it has none.
func (q *Query) keyed(f FileID, e Entity, key string) Entity {
	if found := q.Member(f, e, key); len(found.Symbols) > 0 {
		return q.entity(f, found)
	}
	return q.element(f, e)
}

// key is what ranging over e gives first.
func (q *Query) key(e Entity) Entity {
	switch e.Kind {
	case Map:
		return instance(e.arg(0))
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
		out = merge(out, do(a))
	}
	return out
}

// operate asks the language what an operator gives for a value.
func (q *Query) operate(f FileID, e Entity, op string) Entity {
	if lang, ok := q.language(f).(Operating); ok && len(e.Symbols) > 0 && q.Enter(e.Symbols[0], op) {
		defer q.Leave(e.Symbols[0], op)
		return lang.Operate(q, f, e, op)
	}
	return Entity{}
}
