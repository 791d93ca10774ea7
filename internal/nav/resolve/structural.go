package resolve

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What is so in structural languages only.

// ofMeaning leaves out types where a name is used as a value, if it is one too, and
// namespaces where it is called.
func ofMeaning(q *Query, ref *facts.Ref, list []SymbolID) []SymbolID {
	switch ref.Kind {
	case facts.Call, facts.Read, facts.Write:
	default:
		return list
	}
	var out []SymbolID
	for _, id := range list {
		s := q.Symbol(id)
		if s.Kind != "interface" && s.Kind != "type" && (s.Kind != "namespace" || ref.Kind != facts.Call) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// Keys are the names of the members that a type has of those of another one, or has not.
type Keys struct {
	names   []string
	omitted bool
	before  *Keys // of what these are taken
}

// has reports whether a type with these keys may have a member of that name.
func (k *Keys) has(name string) bool {
	return k == nil || slices.Contains(k.names, name) != k.omitted && k.before.has(name)
}

func (k *Keys) equal(other *Keys) bool {
	if k == nil || other == nil {
		return k == other
	}
	return k.omitted == other.omitted && slices.Equal(k.names, other.names) && k.before.equal(other.before)
}

// chosen is a type with some of its members only, or without them: parts are the type and
// their names.
func chosen(q *Query, s scope, parts []facts.Expr, omitted bool) Entity {
	if len(parts) < 2 {
		return Entity{}
	}
	names := make([]string, len(parts)-1)
	for i, part := range parts[1:] {
		names[i] = part.String()
	}
	return withKeys(q.eval(s.declared(q), parts[0]), names, omitted)
}

func withKeys(e Entity, names []string, omitted bool) Entity {
	switch e.Kind {
	case TypeName, Value:
		e.Keys = &Keys{names, omitted, e.Keys}
	case Union:
		e.Args = slices.Clone(e.Args)
		for i, a := range e.Args {
			e.Args[i] = withKeys(a, names, omitted)
		}
	}
	return e
}

// merged adds to namespaces the functions, classes and enums of their file that they are
// one symbol with: who changes the name of one changes it where the other is meant.
func merged(q *Query, list []SymbolID) []SymbolID {
	out := list
	for _, id := range list {
		space := q.Symbol(id)
		if space.Kind != "namespace" {
			continue
		}
		for _, other := range q.World().Defs(space.Name) {
			s := q.Symbol(other)
			if other.File == id.File && s.Parent == space.Parent && (IsFunction(s) || s.Kind == "class" || s.Kind == "enum") &&
				!slices.Contains(out, other) {
				out = append(slices.Clip(out), other)
			}
		}
	}
	return out
}

// meaningIn leaves out variables and functions where a type stands, if the name is one
// too, and interfaces and aliases where a value does. Namespaces and what adds to a
// class stay.
func meaningIn(q *Query, s scope, found Found) Found {
	if len(found.Symbols) < 2 || !q.isStructural(s.file) {
		return found
	}
	var out []SymbolID
	values, types := false, false
	for _, id := range found.Symbols {
		isType, isValue := IsType(q.Symbol(id)), true
		switch q.Symbol(id).Kind {
		case "interface", "type":
			isValue = false
		case "class", "enum": // what else is declared adds to it
			return found
		}
		values, types = values || isValue, types || isType
		if q.Symbol(id).Kind == "namespace" || s.types && isType || !s.types && isValue {
			out = append(out, id)
		}
	}
	if values && types && len(out) > 0 {
		found.Symbols = out
	}
	return found
}

// givesThis reports whether what members are depends on the type that they are
// asked of.
func givesThis(q *Query, members []SymbolID) bool {
	return slices.ContainsFunc(members, func(id SymbolID) bool {
		s := q.Symbol(id)
		return hasThis(q, id.File) && (s.Type.Mentions(facts.This.String()) ||
			len(s.Results) > 0 && s.Results[0].Mentions(facts.This.String()))
	})
}

// hasThis reports whether the language of a file has facts.This: TypeScript and its kin, PHP with "static", and
// Objective-C with "instancetype".
func hasThis(q *Query, f FileID) bool {
	language := q.File(f).Language
	return q.isStructural(f) || language == "PHP" || IsObjC(language)
}

// thisOf is the type that facts.This is in a symbol where nothing else is bound: the
// one around.
func thisOf(q *Query, s scope) Entity {
	symbols := q.File(s.file).Symbols
	for i := s.in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if IsType(&symbols[i]) {
			return Entity{Kind: TypeName, Symbols: []SymbolID{{s.file, int32(i)}}} //nolint:gosec // an index
		}
	}
	return Entity{}
}

// extended is what a class that extends a value is made from: what the
// construct signature gives of a value that is no class itself.
func extended(q *Query, f FileID, e Entity) Entity {
	if e.Kind != Func && e.Kind != Value {
		return e
	}
	if made := q.Call(f, e, 0); made.Kind != Unknown {
		return typeOfValue(made)
	}
	return e
}

// signatures leaves out the signatures of functions that a call cannot mean: of those
// that may take the arguments all are kept, or the first one that certainly does.
// What implements them stays.
func signatures(q *Query, ref *facts.Ref, list []SymbolID) []SymbolID {
	var out []SymbolID
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && sameName(q, []SymbolID{list[from], list[to]}) && list[from].File == list[to].File {
			to++
		}
		out = append(out, meantBy(q, ref, list[from:to])...)
		from = to
	}
	return out
}

// meantBy is signatures for declarations of one function.
func meantBy(q *Query, ref *facts.Ref, list []SymbolID) []SymbolID {
	given := arguments(ref)
	var fit, bodies []SymbolID
	for _, id := range list {
		params, known := Parameters(q.Symbol(id))
		switch {
		case !known:
			bodies = append(bodies, id)
		case !takes(q.File(id.File).Language, params, given):
		case certain(params, given):
			return append([]SymbolID{id}, bodiesOf(q, list)...)
		default:
			fit = append(fit, id)
		}
	}
	if len(fit) == 0 {
		return list
	}
	return append(fit, bodies...)
}

// taking are the signatures of a function that may take values, all if there is none.
func taking(q *Query, list []SymbolID, values []Entity) []SymbolID {
	if !sameName(q, list) {
		return list
	}
	given := make([]string, len(values))
	for i, v := range values {
		switch v.Kind {
		case List, Tuple:
			given[i] = "[]"
		case Func, Function:
			given[i] = "->"
		}
	}
	fit := slices.DeleteFunc(slices.Clone(list), func(id SymbolID) bool {
		params, known := Parameters(q.Symbol(id))
		return !known || !takes(q.File(id.File).Language, params, given)
	})
	if len(fit) == 0 {
		return list
	}
	return fit
}

// bodiesOf are the functions that are no signatures.
func bodiesOf(q *Query, list []SymbolID) []SymbolID {
	return slices.DeleteFunc(slices.Clone(list), func(id SymbolID) bool { return q.Symbol(id).Signature != "" })
}

// signatureOf is what a member stands for that is called and is an element of a record, which
// has no declaration: the call signature of its type.
func signatureOf(q *Query, found Found) Found {
	if found.Entity == nil || found.Entity.Kind != Value {
		return found
	}
	if called := q.Inherited(*found.Entity, "()"); len(called.Symbols) > 0 {
		called.Tier = TierC
		return called
	}
	return found
}

// isOwnKey reports whether a key of an object literal is declared by that itself: the type
// that it is to be is a type parameter of the function that it is given to, of which nothing
// else says what it is.
func isOwnKey(q *Query, f FileID, ref *facts.Ref) bool {
	if _, _, object := ref.Object(); !object || !q.isStructural(f) {
		return false
	}
	e := ref.Of
	for {
		switch n := e.Node(); n.Op {
		case facts.OpValue, facts.OpMember, facts.OpElem:
			e = n.Of
		case facts.OpUnion, facts.OpOnly, facts.OpTypeOf:
			parts := n.Parts()
			if len(parts) == 0 || n.Op == facts.OpUnion && len(parts) > 1 {
				return false
			}
			e = parts[0]
		case facts.OpParam, facts.OpParamWith:
			return isInferred(q, scope{file: f, in: ref.In}, n)
		default:
			return false
		}
	}
}

// isInferred reports whether a parameter is of a type parameter of its function, or a list of
// such, that only the argument for it can say.
func isInferred(q *Query, s scope, n facts.Node) bool {
	e := callable(q, s, q.eval(s, n.Of))
	if e.Kind != Function || len(e.Args) > 0 || len(e.Symbols) == 0 {
		return false
	}
	var values []Entity
	var result Entity
	if parts := n.Parts(); len(parts) > 0 {
		values, result = given(q, s, parts[1:]), q.eval(s.ofTypes(), parts[0])
	}
	for _, id := range e.Symbols[:min(len(e.Symbols), mostSignatures)] {
		f := q.Symbol(id)
		if n.N >= len(f.Args) {
			return false
		}
		of := f.Args[n.N].Node()
		if of.Op == facts.OpList {
			of = of.Part().Node()
		}
		i := slices.Index(f.Params, of.Name)
		if of.Op != facts.OpName || i < 0 {
			return false
		}
		in := inference{q, scope{file: id.File, in: int(id.Index)}.declared(q), f.Params, nil}
		in.args = infer(q, in.at, Signature{f.Params, f.Bounds, f.ParameterTypes, nil}, values)
		if len(f.Results) > 0 && in.args[i].Kind == Unknown {
			in.unify(f.Results[0], Instance(result), 0)
		}
		if in.args[i].Kind != Unknown && in.args[i].Kind != External {
			return false
		}
	}
	return true
}

// certain reports whether it is known of all arguments that parameters take them,
// which may take them.
func certain(params, given []string) bool {
	for i, g := range given {
		p := strings.TrimLeft(params[min(i, len(params)-1)], "=.")
		if g == "" || p == "?" {
			return false
		}
	}
	return true
}

// scriptConverts follows what is assignable in TypeScript, of what the text says.
func scriptConverts(given, param string) bool {
	if given == "null" || given == "undefined" {
		return true
	}
	for p := range strings.SplitSeq(param, "|") {
		switch {
		case p == given, p == "any", strings.HasPrefix(given, "'") && p == "string":
			return true
		case p == "object", p == "{}":
			if given == "[]" || given == "->" || given == "new" || given == "{}" {
				return true
			}
		case given == "new" && p == "[]":
			return true
		}
	}
	return false
}
