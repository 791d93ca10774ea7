package scala

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// reference is what a reference means, by its kind and what is called with.
func reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if ref.Is > 0 {
		return resolve.Found{}, false
	}
	types := ref.Kind == facts.Type || ref.Kind == facts.Extends || ref.Kind == facts.Implements ||
		ref.Arguments == facts.Constructs
	var found resolve.Found
	switch {
	case ref.Arguments == facts.Memberwise:
		return memberwise(q, f, ref), true
	case ref.Of != facts.Nothing:
		e := q.Eval(f, ref.In, ref.Of)
		if ref.Kind == facts.Imported {
			found = memberOf(q, f, e, ref.Name)
			found.External = len(found.Symbols) == 0
			return found, true
		}
		name := facts.MemberNamed(ref.Name)
		if types {
			name = facts.TypeNamed(ref.Name)
		}
		found = q.Member(f, e, name)
		if len(found.Symbols) == 0 && ref.Bare {
			found = find(q, ref.In, sought{f, ref.Name, types, -1})
		} else if len(found.Symbols) == 0 && !found.External && e.Kind == resolve.Unknown {
			return found, false
		}
	case ref.Bare && ref.Kind == facts.Imported:
		e := first(q, f, &facts.Import{In: ref.In}, ref.Name, -1)
		return resolve.Found{Symbols: e.Symbols, External: len(e.Symbols) == 0, Tier: resolve.TierB}, true
	case ref.Bare:
		found = find(q, ref.In, sought{f, ref.Name, types, -1})
	default:
		return found, false
	}
	found.Symbols = preferred(q, f, ref, found.Symbols)
	return found, true
}

// memberwise is the field that the name of an argument means: of a class whose parameters are fields.
func memberwise(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	e := q.Eval(f, ref.In, ref.Of)
	if e.Kind != resolve.Value || len(e.Symbols) != 1 {
		return resolve.Found{External: true}
	}
	list := slices.DeleteFunc(slices.Clone(ownedBy(q, ref.Name)[e.Symbols[0]]), func(id resolve.SymbolID) bool {
		return q.Symbol(id).Kind != "property"
	})
	return resolve.Found{Symbols: list, Tier: resolve.TierC, External: len(list) == 0}
}

// preferred are those of several declarations that a reference rather means: functions where one is
// called, of overloads those that may take the arguments.
func preferred(q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) < 2 {
		return list
	}
	keep := func(fits func(id resolve.SymbolID) bool) {
		some := slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return !fits(id) })
		if len(some) > 0 {
			list = some
		}
	}
	if ref.Kind == facts.Write {
		keep(func(id resolve.SymbolID) bool { return !resolve.IsFunction(q.Symbol(id)) })
	}
	if ref.Args == 0 {
		return list
	}
	given := strings.Split(ref.Arguments, ",")
	if ref.Args == 1 {
		given = nil
	} else if ref.Arguments == "" {
		given = make([]string, ref.Args-1)
	}
	keep(func(id resolve.SymbolID) bool { return mayTake(q.Symbol(id), given) })
	keep(func(id resolve.SymbolID) bool { return fits(q, f, ref, given, id) })
	most := 0
	for _, id := range list {
		most = max(most, exactly(q, f, ref, given, id))
	}
	keep(func(id resolve.SymbolID) bool { return exactly(q, f, ref, given, id) == most })
	return list
}

// mayTake reports whether a function may take a number of arguments, and those by name.
func mayTake(s *facts.Symbol, given []string) bool {
	params, known := resolve.Parameters(s)
	if !known || !resolve.IsFunction(s) {
		return true
	}
	needed, rest := 0, false
	for _, p := range params {
		rest = rest || strings.HasPrefix(p, "...")
		if !strings.HasPrefix(p, "=") && !strings.HasPrefix(p, "...") {
			needed++
		}
	}
	return needed <= len(given) && (rest || len(given) <= len(params))
}

// simple are types of the library that are told from others by their names.
var simple = resolve.Set("Int Long String Boolean Double Float Char Byte Short Unit")

// fits reports whether what is known of the arguments lets them be given to a function.
func fits(q *resolve.Query, f resolve.FileID, ref *facts.Ref, given []string, id resolve.SymbolID) bool {
	params, known := resolve.Parameters(q.Symbol(id))
	if !known {
		return true
	}
	for i, g := range given {
		if i >= len(params) && (len(params) == 0 || !strings.HasPrefix(params[len(params)-1], "...")) {
			break
		}
		i = min(i, len(params)-1)
		written := strings.TrimLeft(params[i], "=.")
		expr, ok := facts.Given(g)
		if !ok {
			if g == "&" && simple[written] {
				return false
			}
			continue
		}
		value, param := q.Eval(f, ref.In, expr), resolve.Parameter(q, id, i)
		switch {
		case value.Kind == resolve.External && simple[value.Foreign]:
			if written == "&" || param.Kind == resolve.Value && len(param.Symbols) > 0 && !takesAny(q, param) {
				return false
			}
			if simple[written] && written != value.Foreign && !widens[value.Foreign][written] {
				return false
			}
		case value.Kind == resolve.Value && len(value.Symbols) > 0:
			if simple[written] || written == "&" {
				return false
			}
			if param.Kind == resolve.Value && len(param.Symbols) > 0 && !takesAny(q, param) && !isA(q, value, param) {
				return false
			}
		}
	}
	return true
}

var widens = map[string]map[string]bool{
	"Int": resolve.Set("Long Double Float Byte Short Char"), "Long": resolve.Set("Double Float"),
	"Double": resolve.Set("Float"), "Char": resolve.Set("Int Long Double"), "Float": resolve.Set("Double"),
}

// takesAny reports whether a value of a type may be made of others by a conversion that its object has,
// or what it is is not told.
func takesAny(q *resolve.Query, e resolve.Entity) bool {
	for _, id := range e.Symbols {
		if q.Symbol(id).Kind == "type" {
			return true
		}
		if c, ok := companion(q, id); ok && q.Symbol(c).Kind == "object" {
			symbols := q.File(c.File).Symbols
			for i := range symbols {
				if symbols[i].Shape == facts.ImplicitView || symbols[i].Shape == facts.ImplicitClass {
					return true
				}
			}
		}
	}
	return false
}

// isA reports whether a value is of one of the types of another one.
func isA(q *resolve.Query, value, typ resolve.Entity) bool {
	for t := range (Language{}).Line(q, value) {
		if t.Kind == resolve.External || t.Kind == resolve.Unknown {
			continue
		}
		if slices.ContainsFunc(t.Symbols, func(id resolve.SymbolID) bool {
			return slices.Contains(typ.Symbols, id) || q.Symbol(id).Kind == "type"
		}) {
			return true
		}
	}
	return false
}

// exactly is for how many arguments a function has a parameter of the very type.
func exactly(q *resolve.Query, f resolve.FileID, ref *facts.Ref, given []string, id resolve.SymbolID) (n int) {
	params, known := resolve.Parameters(q.Symbol(id))
	if !known {
		return 0
	}
	for i, g := range given {
		if i >= len(params) {
			break
		}
		written := strings.TrimPrefix(params[i], "=")
		expr, ok := facts.Given(g)
		if !ok {
			if g == "&" && written == "&" {
				n++
			}
			continue
		}
		value, param := q.Eval(f, ref.In, expr), resolve.Parameter(q, id, i)
		switch {
		case value.Kind == resolve.Value && param.Kind == resolve.Value && len(value.Symbols) > 0 &&
			slices.Equal(value.Symbols, param.Symbols), value.Foreign != "" && value.Foreign == written:
			n++
		}
	}
	return n
}
