package packaged

import "github.com/ragnav/ragnav/internal/nav/resolve"

// javaLanguage is a packagedLanguage of which more is known.
type javaLanguage struct{ packagedLanguage }

var javaCommon = resolve.Set(`
get set add put remove contains size isEmpty equals hashCode toString compareTo length iterator next hasNext
stream of close run call apply accept test name value values valueOf ordinal getName getClass clone append write
read flush key getKey getValue build builder start stop clear forEach map filter collect join wait notify
message getMessage getCause print println format trim split substring indexOf replace`)

// Common implements Language.
func (javaLanguage) Common(name string) bool { return javaCommon[name] }

// Operate implements Language: what is called like a field is the accessor of
// a record.
func (javaLanguage) Operate(_ *resolve.Query, _ resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	if op == "()" {
		return e
	}
	return resolve.Entity{}
}

// Builtin implements Language: methods of collections, streams and suppliers.
func (javaLanguage) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	gives := func(t resolve.Entity) resolve.Found {
		return resolve.Found{Entity: &resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{t}}, External: true}
	}
	switch e.Kind {
	case resolve.List:
		switch name {
		case "get", "next", "remove", "first", "last", "getFirst", "getLast", "orElse", "orElseThrow", "orElseGet", "poll",
			"peek", "pop", "element", "removeFirst", "removeLast", "previous":
			return gives(e.Arg(0))
		case "iterator", "stream", "filter", "sorted", "distinct", "limit", "skip", "findFirst", "findAny", "collect",
			"toList", "subList", "parallelStream", "listIterator", "descendingIterator":
			return gives(e)
		}
	case resolve.Map:
		switch name {
		case "get", "put", "remove", "getOrDefault", "computeIfAbsent", "putIfAbsent", "compute", "merge":
			return gives(e.Arg(1))
		case "values":
			return gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(1)}})
		case "keySet":
			return gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(0)}})
		}
	case resolve.Func:
		switch name {
		case "get", "call", "join", "getNow":
			return gives(e.Arg(0))
		}
	}
	return resolve.Found{}
}
