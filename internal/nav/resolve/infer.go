package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Signature is a generic function, in the terms of facts.Symbol. Its types
// are made of its parameters and of what the grammar has itself only.
type Signature struct {
	Params                          []string
	Bounds, ParameterTypes, Results []facts.Expr
}

// Maps is the Name of a Func that gives a list of what the function gives that is its last argument.
const Maps = "map"

// callWith is the n-th result of calling e with arguments, which say what type
// parameters are.
func callWith(q *Query, s scope, callee facts.Expr, n int, args []facts.Expr) Entity {
	e := evalCallee(q, s, callee)
	if len(args) > 0 {
		e = callable(q, s, e)
	}
	if language := q.File(s.file).Language; language == "Java" || language == "Kotlin" {
		e = ofNumber(q, s, e, args)
	}
	switch {
	case len(args) == 0:
	case e.Kind == Func && e.Name == Maps:
		if last := q.eval(s, args[len(args)-1]); last.Kind == Func && len(last.Args) > 0 {
			return Entity{Kind: List, Args: last.Args[:1]}
		}
	case e.Kind == TypeName && len(e.Symbols) > 0 && len(e.Args) == 0 && len(q.Symbol(e.Symbols[0]).Params) > 0:
		if l, ok := q.LanguageOf(s.file).(Maker); ok {
			e.Args = l.Made(q, e, callee, all(q, s, args))
		}
	case e.Kind == Function && len(e.Args) == 0 && len(e.Symbols) > 0:
		values := given(q, s, args)
		if len(e.Symbols) > 1 && q.isStructural(s.file) {
			e.Symbols = taking(q, e.Symbols, values)
		}
		f := q.Symbol(e.Symbols[0])
		values = placed(q, e, values)
		if len(f.Params) > 0 && len(f.ParameterTypes) > 0 {
			at := scope{file: e.Symbols[0].File, in: int(e.Symbols[0].Index)}
			e.Args = infer(q, at, Signature{f.Params, f.Bounds, f.ParameterTypes, nil}, values)
		}
	case e.Kind == External && e.Name != "":
		return known(q, s.file, e, n, all(q, s, args))
	}
	return q.Call(s.file, e, n)
}

// ofNumber leaves out overloads, and fields of the name, that do not take a
// number of arguments, or these.
func ofNumber(q *Query, s scope, e Entity, args []facts.Expr) Entity {
	if e.Kind == Union {
		if i := slices.IndexFunc(e.Args, func(a Entity) bool { return a.Kind == Function }); i >= 0 {
			e = e.Args[i]
		}
	}
	if e.Kind == Function && len(e.Symbols) > 1 {
		ref := &facts.Ref{Kind: facts.Call, In: s.in, Args: len(args) + 1, Arguments: passed(args)}
		e.Symbols = overloads(q, s.file, ref, e.Symbols)
	}
	return e
}

// passed are arguments as Ref.Arguments has them.
func passed(args []facts.Expr) string {
	texts := make([]string, len(args))
	for i, a := range args {
		switch n := a.Node(); {
		case n.Op == facts.OpFunc && len(n.Parts()) > 1:
			of := n.Parts()[1].Node()
			texts[i] = "->" + strconv.Itoa(len(of.Parts()))
		case n.Op == facts.OpFunc && len(n.Parts()) == 1:
			texts[i] = "->"
		case n.Op == facts.OpValue && n.Of.Root() == facts.OpList: // an array, or a class
		case a.Known():
			texts[i] = facts.GivenAs(a)
		}
	}
	return strings.Join(texts, ",")
}

// callable is the function that calling a value calls.
func callable(q *Query, s scope, e Entity) Entity {
	if e.Kind == Value && q.isStructural(s.file) {
		if found := q.Inherited(e, "()"); len(found.Symbols) > 0 {
			return Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv}
		}
	}
	return e
}

// given are the values that a function is called with. Literals say what they are.
func given(q *Query, s scope, args []facts.Expr) []Entity {
	out := all(q, s, args)
	for i, e := range args {
		if text, ok := e.LiteralText(); ok {
			out[i].Name = ":" + text
		}
	}
	return out
}

// argumentWith is what the n-th parameter of a function is where it is called with
// values, and is to give something.
func argumentWith(q *Query, s scope, n facts.Node) Entity {
	e, parts := callable(q, s, evalCallee(q, s, n.Of)), n.Parts()
	if e.Kind != Function || len(e.Args) > 0 || len(e.Symbols) == 0 {
		return argument(q, s.file, e, n.N)
	}
	values, result := given(q, s, parts[1:]), q.eval(s.ofTypes(), parts[0])
	switch {
	case len(e.Symbols) < 2 || len(values) == 0:
	case q.File(s.file).Language == "Java":
		e = ofNumber(q, s, e, parts[1:])
	default:
		e.Symbols = taking(q, e.Symbols, values)
	}
	var out Entity
	for _, id := range e.Symbols[:min(len(e.Symbols), mostSignatures)] {
		f, one := q.Symbol(id), e
		if len(f.Params) > 0 && len(f.ParameterTypes) > 0 {
			in := inference{q, scope{file: id.File, in: int(id.Index)}.declared(q), f.Params, nil}
			one.Args = infer(q, in.at, Signature{f.Params, f.Bounds, f.ParameterTypes, nil}, placed(q, e, values))
			for i, a := range one.Args {
				if _, literal := a.literal(); a.Kind == External && !literal {
					one.Args[i] = Entity{} // what it must be says more
				}
			}
			if in.args = one.Args; len(f.Results) > 0 {
				in.unify(f.Results[0], Instance(result), 0)
			}
		}
		out = Merge(out, parameterOf(q, id, one, n.N))
	}
	return out
}

// known is the n-th result of calling something outside of the repository.
func known(q *Query, f FileID, e Entity, n int, values []Entity) Entity {
	if e.Name == "" {
		result, _ := strings.CutSuffix(e.Foreign, called)
		if result == e.Foreign || n > 0 {
			result = ""
		}
		return Entity{Kind: External, Foreign: result}
	}
	sig := q.LanguageOf(f).Known(q, f, e.Name)
	if sig == nil || n >= len(sig.Results) {
		return Entity{Kind: External}
	}
	at := scope{file: f, in: -1, bind: []binding{}}
	if e.Args == nil {
		e.Args = infer(q, at, *sig, values)
	}
	at.bind = bind(at.bind, sig.Params, e.Args)
	return Instance(q.eval(at, sig.Results[n]))
}

// An inference finds what type parameters are.
type inference struct {
	q      *Query
	at     scope // of what the types are written in
	params []string
	args   []Entity
}

// placed are values with which a function is called in the order of its parameters.
func placed(q *Query, e Entity, values []Entity) []Entity {
	f := q.Symbol(e.Symbols[0])
	if last := len(values) - 1; q.File(e.Symbols[0].File).Language == "Kotlin" && last >= 0 &&
		last < len(f.ParameterTypes)-1 && values[last].Kind == Func { // behind parameters that have a default
		out := make([]Entity, len(f.ParameterTypes))
		copy(out, values[:last])
		out[len(out)-1] = values[last]
		return out
	}
	l, ok := q.LanguageOf(e.Symbols[0].File).(Labeller)
	if !ok || e.Name == "" {
		return values
	}
	out := make([]Entity, len(f.Args))
	for i, at := range l.Places(f, e.Name) {
		if i < len(values) && at < len(out) && out[at].Kind == Unknown {
			out[at] = values[i]
		}
	}
	return out
}

// InferOf are the type parameters of a type that the values tell which a function of it is called
// with by a name.
func InferOf(q *Query, typ, function SymbolID, name string, values []Entity) []Entity {
	t, f := q.Symbol(typ), q.Symbol(function)
	at := scope{file: function.File, in: int(function.Index)}
	values = placed(q, Entity{Symbols: []SymbolID{function}, Name: name}, values)
	return infer(q, at, Signature{Params: t.Params, Bounds: t.Bounds, ParameterTypes: f.Args}, values)
}

// infer finds the type arguments of a generic function from the values that
// it is called with; what is not known is Unknown.
func infer(q *Query, at scope, sig Signature, values []Entity) []Entity {
	in := inference{q, at.declared(q), sig.Params, make([]Entity, len(sig.Params))}
	for i, v := range values {
		if len(sig.ParameterTypes) == 0 {
			break
		}
		in.unify(sig.ParameterTypes[min(i, len(sig.ParameterTypes)-1)], v, 0)
	}
	for i, b := range sig.Bounds {
		if i < len(in.args) && in.args[i].Kind != Unknown {
			if n := b.Node(); n.Op == facts.OpDefault {
				b = n.Parts()[0]
			}
			in.unify(b, in.args[i], 0)
		}
	}
	return in.args
}

// maxUnify is how deep types are compared.
const maxUnify = 6

// unify compares a type as it is written with a value, and notes what the
// parameters in it must be.
func (in *inference) unify(pattern facts.Expr, v Entity, depth int) {
	if !pattern.Known() || v.Kind == Unknown || depth > maxUnify {
		return
	}
	n := pattern.Node()
	if i := in.parameter(n); i >= 0 {
		if in.args[i].Kind == Unknown || in.args[i].Kind == External {
			in.args[i] = asType(v)
		}
		return
	}
	switch n.Op {
	case facts.OpGeneric:
		in.named(n.Of, n.Parts(), v, depth)
		return
	case facts.OpPick, facts.OpOmit:
		in.all(n.Parts()[:1], []Entity{v}, depth)
		return
	}
	kind, composite := composites[n.Op]
	if !composite {
		return
	}
	parts := n.Parts()
	if kind == Class && v.Kind == TypeName { // X::class of PHP
		in.all(parts, []Entity{Instance(v)}, depth)
		return
	}
	if kind == Union && v.Kind != Union && in.q.isStructural(in.at.file) {
		in.oneOf(parts, v, depth)
		return
	}
	if kind == Func && v.Kind == TypeName && len(parts) > 0 && in.q.isStructural(in.at.file) { // a class for a constructor
		in.unify(parts[0], Instance(v), depth+1)
		return
	}
	single := v
	v = in.q.underlying(v)
	switch {
	case kind == Func && v.Kind == Function:
		for n, p := range parts {
			in.unify(p, in.q.Call(in.at.file, v, n), depth+1)
		}
	case v.Kind == kind:
		in.all(parts, v.Args, depth)
	case kind == List && v.Kind == External && len(parts) == 1: // a variadic parameter takes single values too
		in.unify(parts[0], v, depth+1)
	case kind == List && v.Kind == Unknown && len(parts) == 1 && !in.q.isStructural(in.at.file):
		in.unify(parts[0], single, depth+1)
	}
}

// parameter is the index of the type parameter that a type is, or -1.
func (in *inference) parameter(n facts.Node) int {
	if n.Op != facts.OpName {
		return -1
	}
	return slices.Index(in.params, n.Name)
}

// oneOf compares a value with the parts of a union: a part that is a parameter
// itself is what no other part says.
func (in *inference) oneOf(parts []facts.Expr, v Entity, depth int) {
	for _, p := range parts {
		if in.parameter(p.Node()) < 0 {
			in.unify(p, v, depth+1)
		}
	}
	for _, p := range parts {
		if in.parameter(p.Node()) >= 0 {
			in.unify(p, v, depth+1)
		}
	}
}

func (in *inference) all(patterns []facts.Expr, values []Entity, depth int) {
	for i, p := range patterns {
		if i < len(values) {
			in.unify(p, values[i], depth+1)
		}
	}
}

// named compares a generic type with a value of it, or of what it is defined
// by: an iter.Seq2<K;V> with a function.
func (in *inference) named(name facts.Expr, parts []facts.Expr, v Entity, depth int) {
	q := in.q
	t := q.eval(in.at, name)
	if t.Kind != TypeName || len(t.Symbols) == 0 {
		return
	}
	if (v.Kind == Value || v.Kind == TypeName) && slices.Equal(t.Symbols, v.Symbols) {
		in.all(parts, v.Args, depth)
		return
	}
	id := t.Symbols[0]
	if v.Kind == Value && q.isStructural(id.File) && len(v.Symbols) > 0 && !isAlias(q, id) {
		if base, ok := seenAs(q, v, t.Symbols); ok {
			in.all(parts, base.Args, depth)
			return
		}
	}
	def := q.Symbol(id)
	under := def.Under
	if under == facts.Nothing && isAlias(q, id) {
		under = def.Type
	}
	if v.Kind == TypeName && q.isStructural(id.File) { // a class for what has a construct signature
		for _, m := range q.Own(t, "()") {
			if results := q.Symbol(m).Results; len(results) > 0 && under == facts.Nothing {
				under, v = results[0], Instance(v)
			}
		}
	}
	if under == facts.Nothing || len(def.Params) == 0 {
		return
	}
	at := scope{file: id.File, in: int(id.Index)}.declared(q)
	inner := inference{q, at, def.Params, make([]Entity, len(def.Params))}
	inner.unify(under, v, depth+1)
	in.all(parts, inner.args, depth)
}

// asType is the type of a value.
func asType(v Entity) Entity {
	if v.Kind == Value {
		v.Kind = TypeName
	}
	return v
}

// seenAs is the base of a value that is one of some types, with its type arguments.
func seenAs(q *Query, v Entity, types []SymbolID) (Entity, bool) {
	seen := map[SymbolID]bool{}
	for level := []Entity{v}; len(level) > 0 && len(seen) < MaxTypes; {
		var next []Entity
		for _, t := range flat(level) {
			if t.Kind != TypeName && t.Kind != Value {
				continue
			}
			if slices.Equal(t.Symbols, types) {
				return t, true
			}
			for _, id := range t.Symbols {
				if !seen[id] {
					seen[id] = true
					next = append(next, q.BasesOf(id, t.Args)...)
				}
			}
		}
		level = next
	}
	return Entity{}, false
}

// inferred is what a name in a pattern is where a type is one: parts are the type, the
// pattern, the name.
func inferred(q *Query, s scope, parts []facts.Expr) Entity {
	if len(parts) != inferParts {
		return Entity{}
	}
	var out Entity
	s = s.declared(q)
	for _, t := range flat([]Entity{q.eval(s, parts[0])}) {
		in := inference{q, s, []string{parts[2].String()}, make([]Entity, 1)}
		in.unify(parts[1], Instance(t), 0)
		out = Merge(out, in.args[0])
	}
	if out.Kind == Unknown {
		return Entity{Kind: External}
	}
	return out
}

// inferParts is how many parts an inferred type has.
const inferParts = 3
