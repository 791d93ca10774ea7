package resolve

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// overloads leaves out the functions that certainly cannot take the arguments
// of a call, by their number and by what the text says of their types. Where
// all types are those of a function, others of its type are left out too:
// languages prefer it.
func overloads(q *Query, f FileID, ref *facts.Ref, list []SymbolID) []SymbolID {
	if ref.Args == 0 || len(list) < 2 {
		return list
	}
	if q.isStructural(list[0].File) {
		return signatures(q, ref, list)
	}
	list = possible(q, ref, list)
	var exact []SymbolID
	given := arguments(ref)
	for _, id := range list {
		if params, known := Parameters(q.Symbol(id)); known && len(given) > 0 && exactly(params, given) {
			exact = append(exact, id)
		}
	}
	list = preferred(q, list, exact)
	if len(list) < 2 {
		return list
	}
	chosen := q.LanguageOf(f).Chosen(q, f, ref, list)
	if q.File(f).Language == "C++" && len(chosen) > 0 { // of all namespaces and types
		return declaredLike(q, list, chosen)
	}
	return preferred(q, list, chosen)
}

// declaredLike are those of some functions that declare one of the others.
func declaredLike(q *Query, all, some []SymbolID) []SymbolID {
	return slices.DeleteFunc(slices.Clone(all), func(id SymbolID) bool {
		return !slices.ContainsFunc(some, func(other SymbolID) bool { return plain(q.Symbol(id)) == plain(q.Symbol(other)) })
	})
}

// plain is the Signature of a function without what says which parameters may be left out,
// and without std::, which sources leave out that headers have.
func plain(s *facts.Symbol) string { return unadorned.Replace(s.Signature) }

var unadorned = strings.NewReplacer("=", "", "std::", "")

// undecided reports whether symbols are overloads of C++ of which a reference means one.
func undecided(q *Query, list []SymbolID) bool {
	first := list[0]
	return q.File(first.File).Language == "C++" && IsFunction(q.Symbol(first)) &&
		slices.ContainsFunc(list, func(id SymbolID) bool {
			return IsFunction(q.Symbol(id)) && len(q.Symbol(id).Signature) > 1 && len(q.Symbol(first).Signature) > 1 &&
				plain(q.Symbol(id)) != plain(q.Symbol(first))
		})
}

// possible are the functions that may take the arguments of a call; all if
// there is none.
func possible(q *Query, ref *facts.Ref, list []SymbolID) []SymbolID {
	var out []SymbolID
	for _, id := range list {
		if MayTake(q, ref, declaration(q, id, list)) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// declaration is the prototype of a function among others, which says what may be left
// out, or else the function.
func declaration(q *Query, id SymbolID, list []SymbolID) SymbolID {
	for _, other := range list {
		if Declares(q.Symbol(other), q.Symbol(id), other.File == id.File) {
			return other
		}
	}
	return id
}

// MayTake reports whether a function may take the arguments of a call.
func MayTake(q *Query, ref *facts.Ref, id SymbolID) bool {
	if l, ok := q.LanguageOf(id.File).(Labeller); ok {
		return ref.Args == 0 || l.Accepts(q.Symbol(id), ref)
	}
	params, known := Parameters(q.Symbol(id))
	return ref.Args == 0 || !known || takes(q.File(id.File).Language, params, arguments(ref))
}

// Parameters are the parts of the Signature of a function.
func Parameters(s *facts.Symbol) (list []string, known bool) {
	switch accepts := s.Signature; {
	case len(accepts) < 2:
		return nil, false
	case accepts == "()":
		return nil, true
	}
	return strings.Split(s.Signature[1:len(s.Signature)-1], ","), true
}

// Arguments are the parts of Ref.Arguments, one for each argument.
func Arguments(ref *facts.Ref) []string {
	if ref.Arguments == "" {
		return make([]string, ref.Args-1)
	}
	return strings.Split(ref.Arguments, ",")
}

// arguments are the types of arguments that the text says.
func arguments(ref *facts.Ref) []string {
	list := Arguments(ref)
	for i, a := range list {
		if _, ok := facts.Given(a); ok {
			list[i] = ""
		}
	}
	return list
}

// preferred leaves out what is of the type of one of some functions and has
// other parameters than they. What has the same, whether or not they may be
// left out, is another declaration of the same function.
func preferred(q *Query, all, some []SymbolID) []SymbolID {
	return slices.DeleteFunc(slices.Clone(all), func(id SymbolID) bool {
		other := false
		for _, s := range some {
			if sameLine(q, id, s) {
				if plain(q.Symbol(id)) == plain(q.Symbol(s)) {
					return false
				}
				other = true
			}
		}
		return other
	})
}

// sameLine reports whether functions are of one type or, in Java, one is of a base of the type of the other.
func sameLine(q *Query, a, b SymbolID) bool {
	x, y := q.OwnerOf(a), q.OwnerOf(b)
	if same(x, y) {
		return true
	}
	isAbove := func(x, y Entity) bool { line, _ := Above(q, x.Symbols[0]); return line[y.Symbols[0]] }
	return q.File(a.File).Language == "Java" && len(x.Symbols) == 1 && len(y.Symbols) == 1 &&
		(isAbove(x, y) || isAbove(y, x))
}

// overloadsOfLine reports whether symbols are methods of Java, of types that are made from each other.
func overloadsOfLine(q *Query, list []SymbolID) bool {
	return q.File(list[0].File).Language == "Java" && !slices.ContainsFunc(list[1:], func(id SymbolID) bool {
		return !IsFunction(q.Symbol(id)) || !sameLine(q, list[0], id)
	})
}

// inBases finds what a reference means in the bases of the type that it was found in, if
// nothing there can be meant: in Java, Kotlin and C# a method does not hide others of its name in bases,
// nor a field methods.
func inBases(q *Query, f FileID, ref *facts.Ref, found Found) Found {
	language := q.File(f).Language
	switch {
	case ref.Args == 0 && ref.Kind != facts.Read && ref.Kind != facts.Write,
		language != "Java" && language != "Kotlin" && language != "C#":
		return found
	}
	for next := found; next.Recv != nil && len(next.Symbols) > 0; {
		if mayMean(q, f, ref, next.Symbols) {
			next.Tier = found.Tier
			return withInherited(q, f, ref, next)
		}
		up := *next.Recv
		up.Super = true
		if next = q.Inherited(up, ref.Name); next.External && len(next.Symbols) == 0 {
			return next
		}
	}
	return found
}

// mayMean reports whether a reference may mean one of some members of a type: one that takes the arguments.
func mayMean(q *Query, f FileID, ref *facts.Ref, list []SymbolID) bool {
	some := slices.DeleteFunc(slices.Clone(list), func(id SymbolID) bool {
		return (IsFunction(q.Symbol(id)) != (ref.Args > 0) || !MayTake(q, ref, id)) && !isAccessor(q, ref, id)
	})
	if len(some) == 0 || ref.Args == 0 || q.File(f).Language != "C#" {
		return len(some) > 0
	}
	chosen := q.LanguageOf(f).Chosen(q, f, ref, some)
	return chosen == nil || len(chosen) > 0
}

// withInherited is what was found and, of a call of Java, the methods of its bases that it may mean too: overloads
// of a type and of its bases are weighed together (JLS 15.12.2.1).
func withInherited(q *Query, f FileID, ref *facts.Ref, found Found) Found {
	if q.File(f).Language != "Java" || ref.Args == 0 || ref.Kind != facts.Call {
		return found
	}
	next := found
	for range MaxLevels {
		if len(q.World().Defs(ref.Name)) == len(found.Symbols) || next.Recv == nil || len(next.Symbols) == 0 {
			break
		}
		up := *next.Recv
		up.Super = true
		next = q.Inherited(up, ref.Name)
		for _, id := range next.Symbols {
			if IsFunction(q.Symbol(id)) && !q.Constructs(id) && MayTake(q, ref, id) &&
				!isOverridden(q, id, next.Recv, found.Symbols) {
				found.Symbols = append(slices.Clone(found.Symbols), id)
			}
		}
	}
	return found
}

// isOverridden reports whether one of some methods may override one of a base with type arguments.
func isOverridden(q *Query, id SymbolID, base *Entity, list []SymbolID) bool {
	params, known := Parameters(q.Symbol(id))
	return slices.ContainsFunc(list, func(other SymbolID) bool {
		own, ok := Parameters(q.Symbol(other))
		switch {
		case !known || !ok:
			return true
		case len(own) != len(params):
			return false
		}
		for i, p := range params {
			if own[i] != p && own[i] != "" && !mayBe(q, id, base, other, i) {
				return false
			}
		}
		return true
	})
}

// mayBe reports whether the i-th parameter of a method of a base may be of the type of that of another method, which
// has another name: a type parameter of the base is what it is given.
func mayBe(q *Query, id SymbolID, base *Entity, other SymbolID, i int) bool {
	s := q.Symbol(id)
	if i < len(s.Args) {
		if t, ok := s.Args[i].OfValue(); ok && slices.Contains(s.Params, t.Node().Name) {
			return false // one of the method is that of the other too
		}
	}
	a, b := parameterOf(q, id, Entity{Recv: base}, i), Parameter(q, other, i)
	return a.Kind == Unknown || b.Kind == Unknown ||
		a.Kind == b.Kind && a.Foreign == b.Foreign && slices.Equal(a.Symbols, b.Symbols)
}

// isAccessor reports whether a call means the accessor of a component of a record of Java
// that the text does not write.
func isAccessor(q *Query, ref *facts.Ref, id SymbolID) bool {
	s := q.Symbol(id)
	return ref.Kind == facts.Call && ref.Args == 1 && s.Kind == "field" && !s.Static && s.Parent >= 0 &&
		q.File(id.File).Symbols[s.Parent].Kind == "record" && q.File(id.File).Language == "Java"
}

// exactly reports whether each argument is of the very type of its parameter. Parameters
// behind may be left out.
func exactly(params, given []string) bool {
	for len(params) > len(given) && strings.HasPrefix(params[len(params)-1], "=") {
		params = params[:len(params)-1]
	}
	return slices.EqualFunc(params, given, func(p, g string) bool { return g != "" && strings.TrimPrefix(p, "=") == g })
}

// TakesFunction reports whether an argument of C# may be given for a parameter, if both are functions: they have as
// many parameters, where that is known.
func TakesFunction(given, param string) bool {
	g, lambda := strings.CutPrefix(given, "->")
	p, function := strings.CutPrefix(param, "->")
	return !lambda || !function || g == "" || p == "" || g == p
}

// takes reports whether parameters may take arguments.
func takes(language string, params, given []string) bool {
	if language == "Kotlin" || language == "C#" { // arguments may be named, and in any order
		optional := func(p string) bool { return strings.HasPrefix(p, "=") || strings.HasPrefix(p, "...") }
		needed := len(params) - len(slices.DeleteFunc(slices.Clone(params), func(p string) bool { return !optional(p) }))
		rest := slices.ContainsFunc(params, func(p string) bool { return strings.HasPrefix(p, "...") })
		for i, g := range given[:min(len(given), len(params))] {
			if language == "C#" && !TakesFunction(g, strings.TrimPrefix(params[i], "=")) {
				return false
			}
		}
		return needed <= len(given) && (rest || len(given) <= len(params))
	}
	for i, p := range params {
		rest, all := strings.CutPrefix(p, "...")
		switch {
		case all && i == len(params)-1:
			// A single array is given as it is.
			return len(given) == i+1 && (given[i] == "null" || strings.HasSuffix(given[i], "[]")) ||
				!slices.ContainsFunc(given[min(i, len(given)):], func(g string) bool { return !converts(language, g, rest) })
		case all:
			return true
		case i >= len(given):
			return !slices.ContainsFunc(params[i:],
				func(p string) bool { return !strings.HasPrefix(p, "=") && !strings.HasPrefix(p, "...") })
		case !converts(language, given[i], strings.TrimPrefix(p, "=")):
			return false
		}
	}
	return len(given) <= len(params)
}

// typesOfArity is ofArity of types that were found, of which there may be more than are followed: each part is one.
func typesOfArity(q *Query, found Found, n int) Found {
	if len(found.Symbols) <= MaxSymbols || q.File(found.Symbols[0].File).Language != "C#" {
		return found
	}
	some := slices.DeleteFunc(slices.Clone(found.Symbols), func(id SymbolID) bool {
		return !IsType(q.Symbol(id)) || len(q.Symbol(id).Params) != n
	})
	if len(some) > 0 {
		found.Symbols = some
	}
	return found
}

// ofArity leaves of several types or methods of C# those that have a number of type parameters, if some do.
func ofArity(q *Query, e Entity, n int) Entity {
	if len(e.Symbols) < 2 || q.File(e.Symbols[0].File).Language != "C#" || e.Kind != TypeName && n == 0 {
		return e
	}
	some := slices.DeleteFunc(slices.Clone(e.Symbols), func(id SymbolID) bool { return len(q.Symbol(id).Params) != n })
	if len(some) > 0 {
		e.Symbols = some
	}
	return e
}
