package python

import "github.com/ragnav/ragnav/internal/nav/resolve"

// Common implements Language.
func (Language) Common(name string) bool { return pythonCommon[name] }

// pythonConfidence is the share of each tier that was right in ten repositories
// (bench/RESULTS.md, Python against jedi). That of D to F is of all references
// when no receiver is known, per candidate, which is the worst that can be.
var pythonConfidence = map[resolve.Tier]float32{
	resolve.TierA: 1, resolve.TierB: 1, resolve.TierC: 0.99,
	resolve.TierD: 0.76, resolve.TierE: 0.76, resolve.TierF: 0.38,
}

// Confidence implements Language.
func (Language) Confidence(t resolve.Tier) float32 { return pythonConfidence[t] }

// Builtin implements Language: methods of lists and dictionaries.
func (Language) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	switch e.Kind {
	case resolve.List:
		switch name {
		case "pop", "popleft", "__next__":
			return resolve.Gives(e.Arg(0))
		case "copy", "__iter__", "union", "difference", "intersection":
			return resolve.Gives(e)
		}
	case resolve.Map:
		switch name {
		case "get", "pop", "setdefault", "__getitem__":
			return resolve.Gives(e.Arg(1))
		case "copy":
			return resolve.Gives(e)
		case "values":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(1)}})
		case "keys":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(0)}})
		case "items":
			return resolve.Gives(resolve.Entity{
				Kind: resolve.List,
				Args: []resolve.Entity{{Kind: resolve.Tuple, Args: []resolve.Entity{e.Arg(0), e.Arg(1)}}},
			})
		}
	}
	return resolve.Found{}
}

// Operate implements Language: calls, elements and iteration of objects are
// methods with special names.
func (l Language) Operate(q *resolve.Query, f resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	method := func(of resolve.Entity, name string) resolve.Entity {
		found := q.Inherited(of, name)
		if len(found.Symbols) == 0 {
			return resolve.Entity{}
		}
		return q.Call(f, q.Entity(f, found), 0)
	}
	if op == "()" {
		return method(e, "__call__")
	}
	if out := method(e, "__getitem__"); out.Kind != resolve.Unknown {
		return out
	}
	for _, iter := range [...]string{"__iter__", "__aiter__"} {
		if it := method(e, iter); it.Kind == resolve.List || it.Kind == resolve.Map {
			return q.Element(f, it)
		} else if it.Kind == resolve.Value {
			if out := method(it, "__next__"); out.Kind != resolve.Unknown {
				return out
			}
			return method(it, "__anext__")
		}
	}
	return resolve.Entity{}
}
