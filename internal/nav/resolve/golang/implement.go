package golang

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// implements finds the interfaces of the repository with
// at least one method that the methods of a type, of its pointer included,
// satisfy.
func implements(q *resolve.Query, typ resolve.SymbolID) []resolve.SymbolID {
	if s := q.Symbol(typ); s.Parent >= 0 || s.Type != facts.Nothing || len(s.Params) > 0 {
		return nil // aliases are their types; of generic types no instance is known
	}
	set := goMethodSet(q, typ)
	if len(set) == 0 {
		return nil
	}
	index := goInterfaces(q)
	var out []resolve.SymbolID
	seen := map[resolve.SymbolID]bool{typ: true}
	for key := range set {
		for _, i := range index[key] {
			if !seen[i] {
				seen[i] = true
				if goSatisfies(q, set, i) && goTogether(q, typ.File, i.File) {
					out = append(out, i)
				}
			}
		}
	}
	slices.SortFunc(out, q.Compare)
	return out
}

// goSatisfies reports whether a method set has all methods of an interface.
func goSatisfies(q *resolve.Query, set goMethods, i resolve.SymbolID) bool {
	for key, m := range goMethodSet(q, i) {
		if set[key].shape != m.shape {
			return false
		}
	}
	return true
}

type goInterfacesKey struct{}

// goInterfaces are the interfaces by one of their methods: by the one that
// fewest interfaces have.
func goInterfaces(q *resolve.Query) map[string][]resolve.SymbolID {
	return resolve.Once(q, goInterfacesKey{}, func() map[string][]resolve.SymbolID {
		var all []resolve.SymbolID
		count := map[string]int{}
		for _, f := range q.World().Language("Go") {
			symbols := q.File(f).Symbols
			for i := range symbols {
				id := resolve.SymbolID{File: f, Index: int32(i)}
				if symbols[i].Kind != "interface" || symbols[i].Parent >= 0 || len(symbols[i].Params) > 0 ||
					symbols[i].Under != facts.Nothing {
					continue
				}
				if set := goMethodSet(q, id); len(set) > 0 {
					all = append(all, id)
					for key := range set {
						count[key]++
					}
				}
			}
		}
		index := map[string][]resolve.SymbolID{}
		for _, id := range all {
			best := ""
			for key := range goMethodSet(q, id) {
				if best == "" || count[key] < count[best] || count[key] == count[best] && key < best {
					best = key
				}
			}
			index[best] = append(index[best], id)
		}
		return index
	})
}

type goMethodSetKey resolve.SymbolID

// goMethodSet are the methods of a type with those that are promoted. A type
// that embeds something outside of the repository that is not known may have
// more; an interface that does is left without any, so that nothing is said to
// satisfy it.
func goMethodSet(q *resolve.Query, typ resolve.SymbolID) goMethods {
	return resolve.Once(q, goMethodSetKey(typ), func() goMethods {
		set := goMethods{}
		isInterface := q.Symbol(typ).Kind == "interface"
		level, seen := []resolve.SymbolID{typ}, map[resolve.SymbolID]bool{typ: true}
		var outside []goMethods
		for depth := 0; len(level)+len(outside) > 0 && depth < resolve.MaxLevels; depth++ {
			var next []resolve.SymbolID
			found := goMethods{}
			for i, std := range outside { // the bases of the level before
				for key, m := range std {
					m.of = resolve.SymbolID{File: -1, Index: int32(i)}
					found.add(key, m, isInterface)
				}
			}
			outside = nil
			for _, t := range level {
				for _, m := range goOwnMethods(q, t) {
					key := goMethodKey(q, m)
					found.add(key, goMethod{m, goShape(q, m), t}, isInterface)
				}
				for _, b := range q.Symbol(t).Bases {
					e := q.Eval(t.File, int(t.Index), b.Of)
					if e.Kind != resolve.TypeName {
						std, known := goStdOf(q, t.File, b.Of)
						if isInterface && !known {
							return goMethods{}
						}
						outside = append(outside, std)
					}
					for _, id := range e.Symbols {
						if !seen[id] && len(e.Args) == 0 {
							seen[id] = true
							next = append(next, id)
						}
					}
				}
			}
			for key, m := range found {
				if _, hidden := set[key]; !hidden {
					set[key] = m
				}
			}
			level = next
		}
		return set
	})
}

// add adds a method of a type at the level of a struct where that is found. Two
// of different types hide each other, but in interfaces.
func (set goMethods) add(key string, m goMethod, isInterface bool) {
	if before, twice := set[key]; twice && before.of != m.of && !isInterface {
		m.shape = "ambiguous"
	}
	set[key] = m
}

// goOwnMethods are the methods that a type declares itself.
func goOwnMethods(q *resolve.Query, typ resolve.SymbolID) []resolve.SymbolID {
	symbols := q.File(typ.File).Symbols
	var out []resolve.SymbolID
	for i := int(typ.Index) + 1; i < len(symbols) && symbols[i].Parent >= int(typ.Index); i++ {
		if symbols[i].Parent == int(typ.Index) && symbols[i].Kind == "method" {
			out = append(out, resolve.SymbolID{File: typ.File, Index: int32(i)})
		}
	}
	for _, m := range goPackageOf(q, typ.File).of[symbols[typ.Index].Name] {
		if goTogether(q, typ.File, m.File) {
			out = append(out, m)
		}
	}
	return out
}
