package resolve

import (
	"slices"
	"strings"
)

// A Signature is a generic function, in the terms of facts.Symbol. Its types
// are made of its parameters and of what the grammar has itself only.
type Signature struct {
	Params, Bounds, Takes, Results []string
}

// callWith is the n-th result of calling e with arguments, which say what type
// parameters are.
func (q *Query) callWith(s scope, e Entity, n int, args []string) Entity {
	switch {
	case len(args) == 0:
	case e.Kind == Function && len(e.Args) == 0 && len(e.Symbols) > 0:
		f := q.Symbol(e.Symbols[0])
		if len(f.Params) > 0 && len(f.Takes) > 0 {
			at := scope{file: e.Symbols[0].File, in: int(e.Symbols[0].Index)}
			e.Args = q.infer(at, Signature{f.Params, f.Bounds, f.Takes, nil}, q.values(s, args))
		}
	case e.Kind == External && e.Name != "":
		return q.known(s.file, e, n, q.values(s, args))
	}
	return q.call(s.file, e, n)
}

func (q *Query) values(s scope, args []string) []Entity {
	out := make([]Entity, len(args))
	for i, a := range args {
		out[i] = q.eval(s, a)
	}
	return out
}

// known is the n-th result of calling something outside of the repository.
func (q *Query) known(f FileID, e Entity, n int, values []Entity) Entity {
	k, ok := q.language(f).(Knowing)
	if !ok || e.Name == "" {
		return Entity{Kind: External}
	}
	sig := k.Known(q, f, e.Name)
	if sig == nil || n >= len(sig.Results) {
		return Entity{Kind: External}
	}
	at := scope{file: f, in: -1, bind: []binding{}}
	if e.Args == nil {
		e.Args = q.infer(at, *sig, values)
	}
	at.bind = bind(at.bind, sig.Params, e.Args)
	return instance(q.eval(at, sig.Results[n]))
}

// infer finds the type arguments of a generic function from the values that
// it is called with; what is not known is Unknown.
func (q *Query) infer(s scope, sig Signature, values []Entity) []Entity {
	args := make([]Entity, len(sig.Params))
	for i, v := range values {
		if len(sig.Takes) == 0 {
			break
		}
		q.unify(s, sig.Params, args, sig.Takes[min(i, len(sig.Takes)-1)], v, 0)
	}
	for i, b := range sig.Bounds {
		if i < len(args) && args[i].Kind != Unknown {
			q.unify(s, sig.Params, args, b, args[i], 0)
		}
	}
	return args
}

// unify compares a type as it is written with a value, and notes what the
// parameters in it must be.
func (q *Query) unify(s scope, params []string, args []Entity, pattern string, v Entity, depth int) {
	if pattern == "" || v.Kind == Unknown || depth > 6 {
		return
	}
	if i := slices.Index(params, pattern); i >= 0 {
		if args[i].Kind == Unknown || args[i].Kind == External {
			args[i] = asType(v)
		}
		return
	}
	i := strings.IndexByte(pattern, '<')
	if i < 0 || !strings.HasSuffix(pattern, ">") {
		return
	}
	parts := split(pattern[i+1 : len(pattern)-1])
	kind, composite := composites[pattern[:i]]
	if !composite {
		if v.Kind == Value || v.Kind == TypeName {
			if t := q.eval(s, pattern[:i]); t.Kind == TypeName && slices.Equal(t.Symbols, v.Symbols) {
				q.unifyAll(s, params, args, parts, v.Args, depth)
				return
			}
		}
		q.unifyUnder(s, params, args, pattern, v, depth)
		return
	}
	if v.Kind == Value || v.Kind == TypeName {
		v = q.underlying(v)
	}
	switch {
	case kind == Func && v.Kind == Function:
		for n, p := range parts {
			q.unify(s, params, args, p, q.call(s.file, v, n), depth+1)
		}
	case v.Kind == kind:
		q.unifyAll(s, params, args, parts, v.Args, depth)
	case kind == List && v.Kind == External && len(parts) == 1: // a variadic parameter takes single values too
		q.unify(s, params, args, parts[0], v, depth+1)
	}
}

func (q *Query) unifyAll(s scope, params []string, args []Entity, patterns []string, values []Entity, depth int) {
	for i, p := range patterns {
		if i < len(values) {
			q.unify(s, params, args, p, values[i], depth+1)
		}
	}
}

// asType is the type of a value.
func asType(v Entity) Entity {
	if v.Kind == Value {
		v.Kind = TypeName
	}
	return v
}

// unifyUnder compares a generic type with a value of what it is defined by: an
// iter.Seq2<K;V> with a function.
func (q *Query) unifyUnder(s scope, params []string, args []Entity, pattern string, v Entity, depth int) {
	i := strings.IndexByte(pattern, '<')
	t := q.eval(s, pattern[:i])
	if t.Kind != TypeName || len(t.Symbols) != 1 {
		return
	}
	id := t.Symbols[0]
	def := q.Symbol(id)
	if def.Under == "" || len(def.Params) == 0 {
		return
	}
	inner := make([]Entity, len(def.Params))
	q.unify(scope{file: id.File, in: int(id.Index)}, def.Params, inner, def.Under, v, depth+1)
	q.unifyAll(s, params, args, split(pattern[i+1:len(pattern)-1]), inner, depth)
}
