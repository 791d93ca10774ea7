package resolve

// Common implements Guessing.
func (pythonLanguage) Common(name string) bool { return pythonCommon[name] }

// pythonConfidence is the share of each tier that was right in ten repositories
// (bench/RESULTS.md, Python against jedi). That of D to F is of all references
// when no receiver is known, per candidate, which is the worst that can be.
var pythonConfidence = map[Tier]float32{TierA: 1, TierB: 1, TierC: 0.99, TierD: 0.76, TierE: 0.76, TierF: 0.38}

// Confidence implements Measured.
func (pythonLanguage) Confidence(t Tier) float32 { return pythonConfidence[t] }

// Builtin implements Providing: methods of lists and dictionaries.
func (pythonLanguage) Builtin(_ *Query, e Entity, name string) Found {
	gives := func(t Entity) Found {
		return Found{Entity: &Entity{Kind: Func, Args: []Entity{t}}, External: true}
	}
	switch e.Kind {
	case List:
		switch name {
		case "pop", "popleft", "__next__":
			return gives(e.arg(0))
		case "copy", "__iter__", "union", "difference", "intersection":
			return gives(e)
		}
	case Map:
		switch name {
		case "get", "pop", "setdefault", "__getitem__":
			return gives(e.arg(1))
		case "copy":
			return gives(e)
		case "values":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(1)}})
		case "keys":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(0)}})
		case "items":
			return gives(Entity{Kind: List, Args: []Entity{{Kind: Tuple, Args: []Entity{e.arg(0), e.arg(1)}}}})
		}
	}
	return Found{}
}

// Operate implements Operating: calls, elements and iteration of objects are
// methods with special names.
func (l pythonLanguage) Operate(q *Query, f FileID, e Entity, op string) Entity {
	method := func(of Entity, name string) Entity {
		found := q.inherited(of, name)
		if len(found.Symbols) == 0 {
			return Entity{}
		}
		return q.call(f, q.entity(f, found), 0)
	}
	if op == "()" {
		return method(e, "__call__")
	}
	if out := method(e, "__getitem__"); out.Kind != Unknown {
		return out
	}
	for _, iter := range [...]string{"__iter__", "__aiter__"} {
		if it := method(e, iter); it.Kind == List || it.Kind == Map {
			return q.element(f, it)
		} else if it.Kind == Value {
			if out := method(it, "__next__"); out.Kind != Unknown {
				return out
			}
			return method(it, "__anext__")
		}
	}
	return Entity{}
}
