package swift

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// above are protocols that types of the standard library conform to, of which extensions
// may declare members.
var above = map[string]string{
	"String":    "StringProtocol Collection Sequence BidirectionalCollection RangeReplaceableCollection",
	"Substring": "StringProtocol Collection Sequence BidirectionalCollection",
	"Int":       "BinaryInteger FixedWidthInteger SignedInteger Numeric Comparable",
	"Double":    "BinaryFloatingPoint FloatingPoint Numeric Comparable",
	"Data":      "Collection Sequence DataProtocol",
}

const (
	ofLists = "Array Sequence Collection RandomAccessCollection MutableCollection BidirectionalCollection " +
		"RangeReplaceableCollection Set ArraySlice LazySequenceProtocol AsyncSequence Optional"
	ofMaps = "Dictionary Sequence Collection Optional"
)

// Lacking implements Language: what extensions of types outside of the repository declare,
// and what values of types have that their types do not declare.
func (Language) Lacking(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	if _, _, called := facts.Labels(name); !called && len(e.Symbols) > 0 { // a function that is not called
		if found := q.Inherited(e, anyCall(name)); len(found.Symbols) > 0 {
			return found
		}
	}
	switch e.Kind {
	case resolve.List, resolve.Map, resolve.External:
		return ofForeign(q, from, e, name)
	case resolve.Value:
		return ofValue(q, from, e, name)
	}
	return resolve.Found{}
}

// ofValue is what values of a type have by what it conforms to outside of the repository.
func ofValue(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	plain, _, called := facts.Labels(name)
	switch plain {
	case "makeIterator":
		if element := elementOf(q, e); element.Kind != resolve.Unknown {
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{element}})
		}
	case "insert", "contains", "remove", "union", "intersection", "subtracting", "isSuperset", "isSubset", "isDisjoint",
		"update", "formUnion", "subtract", "formIntersection", "init":
		if called && conformsTo(q, e, "OptionSet") {
			own := resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols}
			return given(own, own)
		}
	}
	if called {
		return resolve.Found{}
	}
	return dynamicMember(q, from, e, name)
}

// conformsTo reports whether a type conforms to one outside of the repository.
func conformsTo(q *resolve.Query, e resolve.Entity, foreign string) bool {
	for t := range (Language{}).Line(q, resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols}) {
		if t.Foreign == foreign {
			return true
		}
	}
	return false
}

// dynamicMember is a member of what a subscript by key paths leads to.
func dynamicMember(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	recv := resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols, Args: e.Args}
	for _, id := range (Language{}).Own(q, e.Symbols[0], facts.Labelled("subscript", []string{"dynamicMember"})) {
		path := resolve.ParameterIn(q, id, recv, 0)
		if path.Kind != resolve.Map || !q.Enter(id, name) {
			continue
		}
		found := q.Member(from, resolve.Instance(path.Arg(0)), name)
		q.Leave(id, name)
		if len(found.Symbols) > 0 {
			return found
		}
	}
	return resolve.Found{}
}

// elementOf is what a type says that it is a sequence of.
func elementOf(q *resolve.Query, e resolve.Entity) resolve.Entity {
	recv := &resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols, Args: e.Args}
	for _, id := range q.Own(e, "Element") {
		if resolve.IsType(q.Symbol(id)) {
			return q.StandsFor(id, recv)
		}
	}
	for _, id := range q.Own(e, anyCall("subscript")) {
		return q.Result(id, resolve.Entity{Kind: resolve.Function, Symbols: []resolve.SymbolID{id}, Recv: recv}, 0)
	}
	return resolve.Entity{}
}

// ofForeign are members of a name that extensions declare for a type outside of the repository.
func ofForeign(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	names := strings.Fields(above[e.Foreign])
	switch {
	case e.Kind == resolve.List:
		names = strings.Fields(ofLists)
	case e.Kind == resolve.Map:
		names = strings.Fields(ofMaps)
	case e.Foreign != "":
		names = append(names, e.Foreign)
	default:
		return ofUnknown(q, from, name)
	}
	plain, _, _ := facts.Labels(name)
	var list []resolve.SymbolID
	for _, id := range q.World().Defs(plain) {
		s := q.Symbol(id)
		if s.Owner != facts.Nothing && q.File(id.File).Language == languageName && (Language{}).Sees(q, from, id) &&
			slices.Contains(names, s.Owner.LastName()) && len(ownersOf(q, id.File, s.Owner)) == 0 {
			list = append(list, id)
		}
	}
	if list = fitting(q, list, name, false); len(list) == 0 {
		for _, of := range names {
			for _, protocol := range foreignConformances(q)[of] {
				found := q.Inherited(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{protocol}}, name)
				if len(found.Symbols) > 0 {
					return found
				}
			}
		}
		return resolve.Found{}
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierC, Recv: &e}
}

// ofUnknown is the member of a name that extensions of one type outside of the repository declare, for
// what is outside and not known.
func ofUnknown(q *resolve.Query, from resolve.FileID, name string) resolve.Found {
	plain, _, _ := facts.Labels(name)
	if (Language{}).Common(plain) {
		return resolve.Found{}
	}
	var list []resolve.SymbolID
	owner := ""
	for _, id := range q.World().Defs(plain) {
		s := q.Symbol(id)
		if s.Owner == facts.Nothing || q.File(id.File).Language != languageName || !(Language{}).Sees(q, from, id) ||
			len(ownersOf(q, id.File, s.Owner)) > 0 {
			continue
		}
		if owner != "" && owner != s.Owner.LastName() {
			return resolve.Found{}
		}
		owner = s.Owner.LastName()
		list = append(list, id)
	}
	return resolve.Found{Symbols: fitting(q, list, name, false), Tier: resolve.TierD}
}

// taking is a function with a result that is given a function of some parameters.
func taking(result resolve.Entity, params ...resolve.Entity) resolve.Found {
	return given(result, resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{
		{Kind: resolve.External}, {Kind: resolve.Tuple, Args: params},
	}})
}

// mostGiven is how many parameters there are of what takes any number.
const mostGiven = 8

// given is a function with a result all of whose parameters are of a type.
func given(result, closure resolve.Entity) resolve.Found {
	all := make([]resolve.Entity, mostGiven)
	for i := range all {
		all[i] = closure
	}
	return resolve.Found{External: true, Entity: &resolve.Entity{
		Kind: resolve.Func, Args: []resolve.Entity{result, {Kind: resolve.Tuple, Args: all}},
	}}
}

// Builtin implements Language: members of arrays, dictionaries and tuples.
func (Language) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	plain, _, called := facts.Labels(name)
	value := func(e resolve.Entity) resolve.Found {
		if called {
			return resolve.Gives(e)
		}
		e = resolve.Instance(e)
		return resolve.Found{External: true, Entity: &e}
	}
	switch e.Kind {
	case resolve.List:
		return ofList(e.Arg(0), plain, called, value)
	case resolve.Map:
		return ofMap(e, plain, value)
	case resolve.Tuple:
		switch plain {
		case "key", "offset":
			return value(e.Arg(0))
		case "value", "element":
			return value(e.Arg(1))
		}
	}
	return resolve.Found{}
}

// ofList are members of an array; value is what gives one when it is read.
func ofList(element resolve.Entity, plain string, called bool, value func(resolve.Entity) resolve.Found) resolve.Found {
	external := resolve.Entity{Kind: resolve.External}
	list := resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{element}}
	switch plain {
	case "first", "last", "min", "max":
		if called {
			return taking(element, element, element)
		}
		return value(element)
	case "init": // of a literal
		return given(list, element)
	case "next", "popLast", "popFirst", "removeFirst", "removeLast", "randomElement", "remove":
		return resolve.Gives(element)
	case "makeIterator", "dropFirst", "dropLast", "shuffled", "union", "intersection", "subtracting", "makeAsyncIterator":
		return resolve.Gives(list)
	case "lazy", "reversed", "indices":
		return value(list)
	case "prefix", "suffix", "filter", "sorted", "drop", "split":
		return taking(list, element, element)
	case "enumerated":
		pair := resolve.Entity{Kind: resolve.Tuple, Args: []resolve.Entity{external, element}}
		return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{pair}})
	case "map", "compactMap", "flatMap":
		found := taking(external, element, element)
		found.Entity.Name = resolve.Maps
		return found
	case "append", "insert":
		return given(external, element)
	case "forEach", "contains", "allSatisfy", "firstIndex", "lastIndex", "removeAll", "sort",
		"partition":
		return taking(external, element, element)
	case "reduce":
		return taking(external, external, element)
	}
	return resolve.Found{}
}

// ofMap are members of a dictionary, likewise.
func ofMap(e resolve.Entity, plain string, value func(resolve.Entity) resolve.Found) resolve.Found {
	external := resolve.Entity{Kind: resolve.External}
	pair := resolve.Entity{Kind: resolve.Tuple, Args: []resolve.Entity{e.Arg(0), e.Arg(1)}}
	switch plain {
	case "values":
		return value(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(1)}})
	case "keys":
		return value(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(0)}})
	case "removeValue", "updateValue":
		return resolve.Gives(e.Arg(1))
	case "makeIterator", "sorted":
		return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{pair}})
	case "first":
		return value(pair)
	case "filter":
		return taking(e, pair)
	case "map", "compactMap", "flatMap", "forEach", "contains", "allSatisfy":
		return taking(external, pair)
	case "mapValues", "compactMapValues":
		return taking(external, e.Arg(1))
	}
	return resolve.Found{}
}

// Made implements Maker.
func (Language) Made(
	q *resolve.Query, typ resolve.Entity, callee facts.Expr, values []resolve.Entity,
) []resolve.Entity {
	_, labels, called := facts.Labels(callee.LastName())
	if !called {
		return nil
	}
	for _, id := range q.Own(typ, facts.Labelled("init", labels)) {
		if args := resolve.InferOf(q, typ.Symbols[0], id, callee.LastName(), values); args != nil {
			return args
		}
	}
	return nil
}

// Operate implements Language: a subscript gives what it says, and calling a value what its
// callAsFunction does.
func (Language) Operate(q *resolve.Query, _ resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	name := map[string]string{"[]": "subscript", "()": "callAsFunction"}[op]
	if name == "" {
		return resolve.Entity{}
	}
	found := q.Inherited(e, anyCall(name))
	if len(found.Symbols) == 0 {
		return resolve.Entity{}
	}
	f := resolve.Entity{Kind: resolve.Function, Symbols: found.Symbols, Recv: found.Recv}
	var out resolve.Entity
	for _, id := range found.Symbols {
		out = resolve.Merge(out, q.Result(id, f, 0))
	}
	return out
}
