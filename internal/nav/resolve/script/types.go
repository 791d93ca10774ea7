package script

import "github.com/ragnav/ragnav/internal/nav/resolve"

// scriptCommon are members of builtin types, which mean nothing by their name.
var scriptCommon = resolve.Set(`
length push pop shift unshift slice splice concat join map filter forEach find findIndex findLast some every
reduce reduceRight includes indexOf lastIndexOf sort reverse flat flatMap keys values entries fill at copyWithin
toString toLocaleString valueOf hasOwnProperty isPrototypeOf constructor prototype call apply bind name then
catch finally get set has delete clear add size next return throw charAt charCodeAt codePointAt startsWith
endsWith match matchAll replace replaceAll search split substring substr toLowerCase toUpperCase trim trimStart
trimEnd padStart padEnd repeat normalize test exec lastIndex source flags global message stack cause toFixed
toPrecision getTime toISOString toJSON log error warn info debug assign freeze create parse stringify on once
off emit write end read pipe close destroy addEventListener removeEventListener preventDefault stopPropagation
target currentTarget value type style className children parentNode appendChild querySelector querySelectorAll
getElementById body headers status json text data url method id key index input default description it expect
resolve reject all race done toBe toEqual toThrow path code start stop abort signal query params timeout`)

// scriptConfidence is that of TypeScript and JavaScript, against TypeScript's
// language service, as far as that knows more than nothing (bench/RESULTS.md, Graph).
var scriptConfidence = map[resolve.Tier]float32{
	resolve.TierA: 1, resolve.TierB: 0.998, resolve.TierC: 0.95,
	resolve.TierD: 0.85, resolve.TierE: 0.75, resolve.TierF: 0.35,
}

// Confidence implements Language.
func (Language) Confidence(t resolve.Tier) float32 { return scriptConfidence[t] }

// Common implements Language.
func (Language) Common(name string) bool { return scriptCommon[name] }

// Builtin implements Language: methods of arrays, sets and maps.
func (Language) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	takes := func(result resolve.Entity, args ...resolve.Entity) resolve.Found {
		return resolve.Found{Entity: &resolve.Entity{
			Kind: resolve.Func,
			Args: []resolve.Entity{result, {Kind: resolve.Tuple, Args: args}},
		}, External: true}
	}
	switch e.Kind {
	case resolve.External:
		return componentMember(e, name)
	case resolve.List:
		switch name {
		case "push", "unshift", "includes", "indexOf", "lastIndexOf":
			t := e.Arg(0)
			return takes(resolve.Entity{Kind: resolve.External}, t, t, t, t)
		case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "fill", "values", "add",
			"with":
			return resolve.Gives(e)
		case "find", "pop", "shift", "at", "findLast", "reduce":
			return resolve.Gives(e.Arg(0))
		case "flat":
			if inner := e.Arg(0); inner.Kind == resolve.List {
				return resolve.Gives(inner)
			}
			return resolve.Gives(e)
		case "entries":
			return resolve.Gives(resolve.Entity{
				Kind: resolve.List,
				Args: []resolve.Entity{{Kind: resolve.Tuple, Args: []resolve.Entity{{Kind: resolve.External}, e.Arg(0)}}},
			})
		}
	case resolve.Map:
		switch name {
		case "get":
			return resolve.Gives(e.Arg(1))
		case "set":
			return takes(e, e.Arg(0), e.Arg(1))
		case "values":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(1)}})
		case "keys":
			return resolve.Gives(resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e.Arg(0)}})
		case "entries":
			return resolve.Gives(resolve.Entity{
				Kind: resolve.List,
				Args: []resolve.Entity{{Kind: resolve.Tuple, Args: []resolve.Entity{e.Arg(0), e.Arg(1)}}},
			})
		default: // a record: its members are the elements
			t := resolve.Instance(e.Arg(1))
			return resolve.Found{Entity: &t, External: true}
		}
	}
	return resolve.Found{}
}

// componentMember is what React's base class of components declares.
func componentMember(e resolve.Entity, name string) resolve.Found {
	switch e.Name {
	case "react.Component", "react.PureComponent":
	default:
		return resolve.Found{}
	}
	var t resolve.Entity
	switch name {
	case "props":
		t = resolve.Instance(e.Arg(0))
	case "state":
		t = resolve.Instance(e.Arg(1))
	case "setState":
		t = resolve.Entity{
			Kind: resolve.Func,
			Args: []resolve.Entity{{Kind: resolve.External}, {Kind: resolve.Tuple, Args: []resolve.Entity{e.Arg(1)}}},
		}
	default:
		return resolve.Found{}
	}
	return resolve.Found{Entity: &t, External: true}
}

// Structural implements Language.
func (Language) Structural() bool { return true }

// Usual implements Language: of overloads the first ones.
func (Language) Usual(_ *resolve.Query, _ resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) > resolve.MaxTargets {
		return list[:resolve.MaxTargets]
	}
	return list
}
