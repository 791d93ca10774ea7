package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// scriptCommon are members of builtin types, which mean nothing by their name.
var scriptCommon = set(`length push pop shift unshift slice splice concat join map filter forEach find findIndex findLast some every
reduce reduceRight includes indexOf lastIndexOf sort reverse flat flatMap keys values entries fill at copyWithin toString toLocaleString valueOf
hasOwnProperty isPrototypeOf constructor prototype call apply bind name then catch finally get set has delete clear add size next return throw
charAt charCodeAt codePointAt startsWith endsWith match matchAll replace replaceAll search split substring substr toLowerCase toUpperCase trim
trimStart trimEnd padStart padEnd repeat normalize test exec lastIndex source flags global message stack cause toFixed toPrecision
getTime toISOString toJSON log error warn info debug assign freeze create parse stringify on once off emit write end read pipe close destroy
addEventListener removeEventListener preventDefault stopPropagation target currentTarget value type style className children parentNode
appendChild querySelector querySelectorAll getElementById body headers status json text data url method id key index input default description it expect
resolve reject all race done toBe toEqual toThrow path code start stop abort signal query params timeout`)

// scriptConfidence is that of TypeScript and JavaScript, against TypeScript's
// language service, as far as that knows more than nothing (bench/RESULTS.md, Graph).
var scriptConfidence = map[Tier]float32{TierA: 1, TierB: 0.998, TierC: 0.95, TierD: 0.85, TierE: 0.75, TierF: 0.35}

// Confidence implements Measured.
func (scriptLanguage) Confidence(t Tier) float32 { return scriptConfidence[t] }

// Common implements Guessing.
func (scriptLanguage) Common(name string) bool { return scriptCommon[name] }

// Builtin implements Providing: methods of arrays, sets and maps.
func (scriptLanguage) Builtin(_ *Query, e Entity, name string) Found {
	gives := func(t Entity) Found {
		return Found{Entity: &Entity{Kind: Func, Args: []Entity{t}}, External: true}
	}
	takes := func(result Entity, args ...Entity) Found {
		return Found{Entity: &Entity{Kind: Func, Args: []Entity{result, {Kind: Tuple, Args: args}}}, External: true}
	}
	switch e.Kind {
	case External:
		return componentMember(e, name)
	case List:
		switch name {
		case "push", "unshift", "includes", "indexOf", "lastIndexOf":
			t := e.arg(0)
			return takes(Entity{Kind: External}, t, t, t, t)
		case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "fill", "values", "add", "with":
			return gives(e)
		case "find", "pop", "shift", "at", "findLast", "reduce":
			return gives(e.arg(0))
		case "flat":
			if inner := e.arg(0); inner.Kind == List {
				return gives(inner)
			}
			return gives(e)
		case "entries":
			return gives(Entity{Kind: List, Args: []Entity{{Kind: Tuple, Args: []Entity{{Kind: External}, e.arg(0)}}}})
		}
	case Map:
		switch name {
		case "get":
			return gives(e.arg(1))
		case "set":
			return takes(e, e.arg(0), e.arg(1))
		case "values":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(1)}})
		case "keys":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(0)}})
		case "entries":
			return gives(Entity{Kind: List, Args: []Entity{{Kind: Tuple, Args: []Entity{e.arg(0), e.arg(1)}}}})
		default: // a record: its members are the elements
			t := instance(e.arg(1))
			return Found{Entity: &t, External: true}
		}
	}
	return Found{}
}

// componentMember is what React's base class of components declares.
func componentMember(e Entity, name string) Found {
	switch e.Name {
	case "react.Component", "react.PureComponent":
	default:
		return Found{}
	}
	var t Entity
	switch name {
	case "props":
		t = instance(e.arg(0))
	case "state":
		t = instance(e.arg(1))
	case "setState":
		t = Entity{Kind: Func, Args: []Entity{{Kind: External}, {Kind: Tuple, Args: []Entity{e.arg(1)}}}}
	default:
		return Found{}
	}
	return Found{Entity: &t, External: true}
}

// ofMeaning leaves out types where a name is used as a value, if it is one too.
func ofMeaning(q *Query, ref *facts.Ref, list []SymbolID) []SymbolID {
	switch ref.Kind {
	case facts.Call, facts.Read, facts.Write:
	default:
		return list
	}
	var out []SymbolID
	for _, id := range list {
		if s := q.Symbol(id); s.Kind != "interface" && s.Kind != "type" {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// Narrow implements Narrowing: of overloads the first ones.
func (scriptLanguage) Narrow(_ *Query, _ FileID, list []SymbolID) []SymbolID {
	if len(list) > maxTargets {
		return list[:maxTargets]
	}
	return list
}
