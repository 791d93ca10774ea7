package packaged

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// javaLanguage is a packagedLanguage of which more is known.
type javaLanguage struct{ packagedLanguage }

var javaCommon = resolve.Set(`
get set add put remove contains size isEmpty equals hashCode toString compareTo length iterator next hasNext
stream of close run call apply accept test name value values valueOf ordinal getName getClass clone append write
read flush key getKey getValue build builder start stop clear forEach map filter collect join wait notify
message getMessage getCause print println format trim split substring indexOf replace`)

// Common implements Language.
func (javaLanguage) Common(name string) bool { return javaCommon[name] }

// BareOf implements resolve.Divided (JLS 6.5.1).
func (l javaLanguage) BareOf(q *resolve.Query, f resolve.FileID, in int, name string, call bool) resolve.Found {
	if call {
		return l.find(q, f, in, name, called)
	}
	return l.find(q, f, in, name, valued)
}

// isComponent reports whether a symbol is of a record, for which an accessor may be made.
func isComponent(q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	return s.Kind == "field" && !s.Static && s.Parent >= 0 && q.File(id.File).Symbols[s.Parent].Kind == "record"
}

// Operate implements Language: what is called like a field is the accessor of
// a record; ":0" is what a constructor takes.
func (javaLanguage) Operate(q *resolve.Query, _ resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	if op == "()" {
		return e
	}
	nth, ok := strings.CutPrefix(op, ":")
	if !ok || e.Kind != resolve.TypeName {
		return resolve.Entity{}
	}
	n, _ := strconv.Atoi(nth) // what is none is the first
	var out resolve.Entity
	for _, id := range q.Own(e, q.Symbol(e.Symbols[0]).Name) {
		if q.Constructs(id) {
			out = resolve.Merge(out, resolve.Parameter(q, id, n))
		}
	}
	return out
}

// javaTakes are the type arguments of interfaces of java.util.function and the like that
// their methods take, by their numbers.
var javaTakes = map[string]string{
	"Consumer": "0", "Function": "0", "Predicate": "0", "UnaryOperator": "0", "ToIntFunction": "0", "ToLongFunction": "0",
	"ToDoubleFunction": "0", "BiConsumer": "01", "BiFunction": "01", "BiPredicate": "01", "BinaryOperator": "00",
	"Comparator": "00",
}

// javaGiven is what the n-th parameter of the method is of such an interface.
func javaGiven(e resolve.Entity, n string) resolve.Found {
	takes := javaTakes[e.Foreign[strings.LastIndexByte(e.Foreign, '.')+1:]]
	i, err := strconv.Atoi(n)
	if err != nil || i >= len(takes) || !strings.HasPrefix(e.Foreign, "java.util.") {
		return resolve.Found{}
	}
	t := resolve.Instance(e.Arg(int(takes[i] - '0')))
	return resolve.Found{Entity: &t, External: true}
}

// Builtin implements Language: methods of collections, streams and suppliers; ":0" is what
// a function takes.
func (javaLanguage) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	if n, ok := strings.CutPrefix(name, ":"); ok {
		return javaGiven(e, n)
	}
	switch e.Kind {
	case resolve.List:
		switch name {
		case "get", "next", "remove", "first", "last", "getFirst", "getLast", "orElse", "orElseThrow", "orElseGet", "poll",
			"peek", "pop", "element", "removeFirst", "removeLast", "previous":
			return resolve.Gives(e.Arg(0))
		case "iterator", "stream", "filter", "sorted", "distinct", "limit", "skip", "findFirst", "findAny", "collect",
			"toList", "subList", "parallelStream", "listIterator", "descendingIterator":
			return resolve.Gives(e)
		}
	case resolve.Map:
		switch name {
		case "get", "put", "remove", "getOrDefault", "computeIfAbsent", "putIfAbsent", "compute", "merge":
			return resolve.Gives(e.Arg(1))
		case "values":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(1)}})
		case "keySet":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(0)}})
		}
	case resolve.Func:
		switch name {
		case "get", "call", "join", "getNow":
			return resolve.Gives(e.Arg(0))
		}
	}
	return resolve.Found{}
}
