package resolve

// javaLanguage is a packagedLanguage of which more is known.
type javaLanguage struct{ packagedLanguage }

var javaCommon = set(`get set add put remove contains size isEmpty equals hashCode toString compareTo length iterator next hasNext stream of close run
call apply accept test name value values valueOf ordinal getName getClass clone append write read flush key getKey getValue build builder start stop clear
forEach map filter collect join wait notify message getMessage getCause print println format trim split substring indexOf replace`)

// Common implements Guessing.
func (javaLanguage) Common(name string) bool { return javaCommon[name] }

// Operate implements Operating: what is called like a field is the accessor of
// a record.
func (javaLanguage) Operate(_ *Query, _ FileID, e Entity, op string) Entity {
	if op == "()" {
		return e
	}
	return Entity{}
}

// Builtin implements Providing: methods of collections, streams and suppliers.
func (javaLanguage) Builtin(_ *Query, e Entity, name string) Found {
	gives := func(t Entity) Found {
		return Found{Entity: &Entity{Kind: Func, Args: []Entity{t}}, External: true}
	}
	switch e.Kind {
	case List:
		switch name {
		case "get", "next", "remove", "first", "last", "getFirst", "getLast", "orElse", "orElseThrow", "orElseGet", "poll", "peek", "pop", "element", "removeFirst", "removeLast", "previous":
			return gives(e.arg(0))
		case "iterator", "stream", "filter", "sorted", "distinct", "limit", "skip", "findFirst", "findAny", "collect", "toList", "subList", "parallelStream", "listIterator", "descendingIterator":
			return gives(e)
		}
	case Map:
		switch name {
		case "get", "put", "remove", "getOrDefault", "computeIfAbsent", "putIfAbsent", "compute", "merge":
			return gives(e.arg(1))
		case "values":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(1)}})
		case "keySet":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(0)}})
		}
	case Func:
		switch name {
		case "get", "call", "join", "getNow":
			return gives(e.arg(0))
		}
	}
	return Found{}
}
