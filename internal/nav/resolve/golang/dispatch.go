package golang

import (
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// The share of the methods which a call through an interface of the standard library
// may reach that variable type analysis says it does (bench/graph/calls): of interfaces
// of one or two methods, as io.Writer, and of larger ones, as http.ResponseWriter.
const (
	dispatchSmall = 0.4
	dispatchLarge = 0.75
	smallMethods  = 2
)

// dispatched are the methods of types that satisfy the interface of the standard
// library which the receiver is, or the interface of the repository that embeds it.
// Tests' own types are reached by tests only.
func dispatched(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Resolution {
	if ref.Of == facts.Nothing {
		return resolve.Resolution{}
	}
	e := q.Eval(f, ref.In, ref.Of)
	var out []resolve.SymbolID
	var of goMethods // the interface
	switch e.Kind {
	case resolve.External:
		name := goStdType(e.Name)
		if set, ok := goStd().sets[name]; ok && name != goMutex {
			out, of = goReached(q, goReachedKey{name, resolve.SymbolID{}, ref.Name}, set), set
		}
	case resolve.Value:
		if len(e.Symbols) == 1 {
			out, of = goReachedBy(q, e.Symbols[0], ref.Name)
		}
	}
	test := isGoTest(q.File(f).Path)
	out = slices.DeleteFunc(slices.Clone(out), func(m resolve.SymbolID) bool {
		return !test && isGoTest(q.File(m.File).Path) || !goTogether(q, f, m.File)
	})
	res := resolve.Resolution{Targets: out, Tier: resolve.TierD, Confidence: dispatchLarge}
	if len(of) <= smallMethods {
		res.Confidence = dispatchSmall
	}
	return res
}

// goReachedBy are the methods that a call on a value of a type of the repository
// reaches, where that has the method from an interface outside of it, and the methods
// of that interface.
func goReachedBy(q *resolve.Query, typ resolve.SymbolID, name string) ([]resolve.SymbolID, goMethods) {
	set := goMethodSet(q, typ)
	if m, has := set[name]; !has || m.id.File >= 0 {
		return nil, nil
	}
	if q.Symbol(typ).Kind == "interface" {
		return goReached(q, goReachedKey{"", typ, name}, set), set
	}
	for _, b := range q.Symbol(typ).Bases {
		if of, known := goStdOf(q, typ.File, b.Of); known && of[name].shape != "" && b.Of.LastName() != "Mutex" {
			return goReached(q, goReachedKey{b.Of.String(), typ, name}, of), of
		}
	}
	return nil, nil
}

// goReachedKey is an interface, by its name or as a type of the repository, and a
// method of it.
type goReachedKey struct {
	iface string
	typ   resolve.SymbolID
	name  string
}

// goReached are the methods of a name of types with a method set.
func goReached(q *resolve.Query, key goReachedKey, set goMethods) []resolve.SymbolID {
	return resolve.Once(q, key, func() (out []resolve.SymbolID) {
		for _, m := range q.World().Defs(key.name) {
			s := q.Symbol(m)
			if s.Owner == facts.Nothing || q.File(m.File).Language != "Go" || goShape(q, m) != set[key.name].shape {
				continue
			}
			if owner := q.OwnerOf(m); len(owner.Symbols) > 0 && goHasAll(goMethodSet(q, owner.Symbols[0]), set) {
				out = append(out, m)
			}
		}
		return out
	})
}

// goHasAll reports whether a method set has all methods of another one.
func goHasAll(set, of goMethods) bool {
	for name, m := range of {
		if set[name].shape != m.shape {
			return false
		}
	}
	return true
}

// satisfying are the types that satisfy an interface of the standard library.
func satisfying(q *resolve.Query, pkg, name string) (types []resolve.SymbolID, path string) {
	var set goMethods
	for _, p := range slices.Sorted(maps.Keys(goStd().packages)) {
		if of, ok := goStd().sets[p+"."+name]; ok && (p == pkg || set == nil && strings.HasSuffix(p, "/"+pkg)) {
			set, path = of, p
		}
	}
	if set == nil {
		return nil, ""
	}
	for _, f := range q.World().Language("Go") {
		symbols := q.File(f).Symbols
		for i := range symbols {
			s := &symbols[i]
			if !resolve.IsType(s) || s.Parent >= 0 || s.Type != facts.Nothing || len(s.Params) > 0 {
				continue
			}
			typ := resolve.SymbolID{File: f, Index: int32(i)} //nolint:gosec // few in a file
			if goHasAll(goMethodSet(q, typ), set) {
				types = append(types, typ)
			}
		}
	}
	return types, path
}
