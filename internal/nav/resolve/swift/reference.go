package swift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// reference is what a reference means: functions are told by the labels of their arguments.
func reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if ref.Arguments == facts.Memberwise {
		return memberwiseProperty(q, f, ref), true
	}
	name := ref.Name
	labels, given := called(ref)
	if ref.Args > 0 {
		name = facts.Labelled(name, labels)
	}
	var found resolve.Found
	var e resolve.Entity
	switch {
	case ref.Of != facts.Nothing:
		e = q.Eval(f, ref.In, ref.Of)
		found = q.Member(f, e, name)
		found.Symbols = seenFrom(q, f, found.Symbols)
		if len(found.Symbols) == 0 && !found.External && e.Kind == resolve.Unknown {
			return found, false
		}
	case !ref.Bare:
		return found, false
	case ref.Kind == facts.Type, ref.Kind == facts.Extends, ref.Kind == facts.Implements:
		found = find(q, f, ref.In, name, true)
		if ref.Kind == facts.Type && len(found.Symbols) == 0 { // a constant that looks like one
			found = find(q, f, ref.In, name, false)
		}
	default:
		found = find(q, f, ref.In, name, false)
	}
	if e.Kind == resolve.External && len(found.Symbols) > 0 {
		found.Symbols = ofType(q, found.Symbols, isTypeName(ref.Of))
		found.External = true
	}
	if len(found.Symbols) > 1 {
		found.Symbols = preferred(q, site{f, ref, labels, given}, e, found.Symbols)
	}
	return found, true
}

// memberwiseProperty is the property that the label of an argument means: of a struct that declares no
// initializer itself.
func memberwiseProperty(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	e := q.Eval(f, ref.In, ref.Of)
	if e.Kind != resolve.Value || len(e.Symbols) != 1 || q.Symbol(e.Symbols[0]).Kind != "struct" {
		return resolve.Found{External: true}
	}
	declares := slices.ContainsFunc(ownedBy(q, "init")[e.Symbols[0]], func(id resolve.SymbolID) bool {
		return q.Symbol(id).Owner == facts.Nothing
	})
	list := slices.DeleteFunc(slices.Clone(ownedBy(q, ref.Name)[e.Symbols[0]]), func(id resolve.SymbolID) bool {
		s := q.Symbol(id)
		return s.Kind != "property" || s.Owner != facts.Nothing || s.Static
	})
	if declares || len(list) == 0 {
		return resolve.Found{External: true}
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierC}
}

// isTypeName reports whether an expression is a type rather than a value.
func isTypeName(e facts.Expr) bool {
	n := e.Node()
	return n.Op == facts.OpTypeOf || n.Op == facts.OpName && n.Name[0] >= 'A' && n.Name[0] <= 'Z'
}

// ofType leaves out what is a member of values, of members of a type, or the other way.
func ofType(q *resolve.Query, list []resolve.SymbolID, typ bool) []resolve.SymbolID {
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		s := q.Symbol(id)
		return s.Static != typ && !resolve.IsType(s)
	})
}

// A site is where something is called: the labels of the arguments, and what is known of each.
type site struct {
	file          resolve.FileID
	ref           *facts.Ref
	labels, given []string
}

// called are the labels of the arguments of a call, and what is known of each.
func called(ref *facts.Ref) (labels, given []string) {
	if ref.Args < 2 {
		return nil, nil
	}
	parts := strings.Split(ref.Arguments, ",")
	for i := 0; i+1 < len(parts); i += 2 {
		labels, given = append(labels, parts[i]), append(given, parts[i+1])
	}
	return labels, given
}

// preferred are those of several declarations that a reference rather means: of a type what is
// static, of a value what is not; functions where one is called; by what arguments are.
func preferred(q *resolve.Query, at site, e resolve.Entity, list []resolve.SymbolID) []resolve.SymbolID {
	f, ref, labels := at.file, at.ref, at.labels
	keep := func(fits func(id resolve.SymbolID) bool) {
		some := slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return !fits(id) })
		if len(some) > 0 {
			list = some
		}
	}
	switch e.Kind {
	case resolve.TypeName:
		keep(func(id resolve.SymbolID) bool { return q.Symbol(id).Static || resolve.IsType(q.Symbol(id)) })
	case resolve.Value:
		keep(func(id resolve.SymbolID) bool { return !q.Symbol(id).Static })
	}
	switch ref.Kind {
	case facts.Call:
		keep(func(id resolve.SymbolID) bool {
			s := q.Symbol(id)
			return resolve.IsFunction(s) || resolve.IsType(s) || s.Kind == "const"
		})
		keep(func(id resolve.SymbolID) bool { return fitsArguments(q, at, id) })
		keep(func(id resolve.SymbolID) bool { return q.Symbol(id).Shape != facts.Disfavored })
		most := 0
		for _, id := range list {
			most = max(most, exactly(q, at, id))
		}
		keep(func(id resolve.SymbolID) bool { return exactly(q, at, id) == most })
		all := list
		keep(func(id resolve.SymbolID) bool {
			return !slices.ContainsFunc(all, func(other resolve.SymbolID) bool {
				return leavesLess(q.Symbol(other), q.Symbol(id), labels)
			})
		})
	case facts.Read, facts.Write:
		keep(func(id resolve.SymbolID) bool { return !resolve.IsFunction(q.Symbol(id)) })
	}
	keep(func(id resolve.SymbolID) bool {
		return moduleOf(q, id.File) == moduleOf(q, f) || q.Symbol(id).Owner == facts.Nothing
	})
	keep(func(id resolve.SymbolID) bool { return !isDefault(q, id, list) })
	return list
}

// isDefault reports whether a member of an extension is what one of some members, which a
// protocol requires, is without another implementation: the requirement is what is meant.
func isDefault(q *resolve.Query, id resolve.SymbolID, list []resolve.SymbolID) bool {
	s := q.Symbol(id)
	if s.Owner == facts.Nothing {
		return false
	}
	owners := ownersOf(q, id.File, s.Owner)
	return slices.ContainsFunc(list, func(other resolve.SymbolID) bool {
		o := q.Symbol(other)
		return o.Owner == facts.Nothing && o.Parent >= 0 && plainSignature(o) == plainSignature(s) &&
			slices.Contains(owners, resolve.SymbolID{File: other.File, Index: int32(o.Parent)}) //nolint:gosec // an index
	})
}

// plainSignature is the Signature of a function without what may be left out.
func plainSignature(s *facts.Symbol) string {
	labels := []string{}
	list, _ := parameters(s)
	for _, p := range list {
		labels = append(labels, p.label)
	}
	return strings.Join(labels, ":")
}

// leavesLess reports whether a function is given for more of its parameters by a call than another
// one, which takes the same: it is preferred.
func leavesLess(s, other *facts.Symbol, labels []string) bool {
	list, known := parameters(s)
	others, knownToo := parameters(other)
	to, ok := assigned(list, labels)
	toOther, okToo := assigned(others, labels)
	if !known || !knownToo || !ok || !okToo || len(list) >= len(others) {
		return false
	}
	for i := range labels {
		a, b := to[i], toOther[i]
		if list[a].typ != others[b].typ || a < len(s.Args) && b < len(other.Args) && s.Args[a] != other.Args[b] {
			return false
		}
	}
	return true
}

// fitsArguments reports whether what is known of the arguments lets them be given to a function.
func fitsArguments(q *resolve.Query, at site, id resolve.SymbolID) bool {
	f, ref, labels, given := at.file, at.ref, at.labels, at.given
	list, known := parameters(q.Symbol(id))
	to, ok := assigned(list, labels)
	if !known || !ok {
		return true
	}
	for i, g := range given {
		expr, ok := facts.Given(g)
		if !ok {
			if strings.HasPrefix(g, "&") && !takesClosure(list[to[i]].typ, g) {
				return false
			}
			continue
		}
		if !mayBeGiven(q, q.Eval(f, ref.In, expr), resolve.Parameter(q, id, to[i]), list[to[i]].typ) {
			return false
		}
	}
	return true
}

// takesClosure reports whether a closure with a number of parameters may be given for a parameter.
func takesClosure(written, given string) bool {
	if !strings.HasPrefix(written, "&") {
		return !isPlainType(written)
	}
	n, more := strings.CutSuffix(given[1:], "+")
	has, err := strconv.Atoi(written[1:])
	least, err2 := strconv.Atoi(n)
	return err != nil || err2 != nil || least == has || more && least < has
}

// exactly is for how many arguments a function has a parameter of the very type.
func exactly(q *resolve.Query, at site, id resolve.SymbolID) (n int) {
	f, ref, labels, given := at.file, at.ref, at.labels, at.given
	list, known := parameters(q.Symbol(id))
	to, ok := assigned(list, labels)
	if !known || !ok {
		return 0
	}
	for i, g := range given {
		written := list[to[i]].typ
		if strings.HasPrefix(g, "&") && strings.HasPrefix(written, "&") {
			n++
			continue
		}
		expr, ok := facts.Given(g)
		if !ok {
			continue
		}
		value := q.Eval(f, ref.In, expr)
		param := resolve.Parameter(q, id, to[i])
		switch {
		case value.Kind == resolve.Value && param.Kind == resolve.Value && slices.Equal(value.Symbols, param.Symbols):
			n++
		case value.Kind == resolve.External && value.Foreign != "" && value.Foreign == written:
			n++
		case value.Kind == resolve.List && written == "[]", value.Kind == resolve.Map && written == "[:]":
			n++
		}
	}
	return n
}

// isPlainType reports whether a type of the standard library is none of functions.
func isPlainType(name string) bool { return plainTypes[name] || name == "[]" || name == "[:]" }

var plainTypes = resolve.Set(`
String Int Double Bool Float UInt Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Character Substring Data URL Date
UUID`)

// mayBeGiven reports whether a value may be given for a parameter, whose type is written so.
func mayBeGiven(q *resolve.Query, value, param resolve.Entity, written string) bool {
	name := value.Foreign
	switch {
	case value.Kind == resolve.Value && len(value.Symbols) > 0:
		if isPlainType(written) {
			return false
		}
		if param.Kind != resolve.Value || len(param.Symbols) == 0 {
			return true
		}
		kind := q.Symbol(param.Symbols[0]).Kind
		if kind == "type" || q.Symbol(value.Symbols[0]).Kind == "type" {
			return true
		}
		return slices.ContainsFunc(param.Symbols, func(t resolve.SymbolID) bool { return isOfType(q, value, t) })
	case value.Kind == resolve.External && plainTypes[name] && plainTypes[written]:
		return name == written || literalFor[name][written]
	case value.Kind == resolve.External && plainTypes[name]:
		if written == "[]" || written == "[:]" || strings.HasPrefix(written, "&") {
			return false
		}
		if param.Kind != resolve.Value || len(param.Symbols) == 0 {
			return true
		}
		kind := q.Symbol(param.Symbols[0]).Kind
		return kind == "protocol" || kind == "type" || isFromLiteral(q, param)
	case value.Kind == resolve.List || value.Kind == resolve.Map:
		if param.Kind == resolve.Value && len(param.Symbols) > 0 && q.Symbol(param.Symbols[0]).Kind != "type" {
			return isFromLiteral(q, param)
		}
		return !plainTypes[written] && !strings.HasPrefix(written, "&")
	}
	return true
}

// literalFor are types that a literal of another one may be of.
var literalFor = map[string]map[string]bool{
	"Int":    resolve.Set("Double Float UInt Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64"),
	"Double": resolve.Set("Float"),
	"String": resolve.Set("Character Substring"),
}

// isFromLiteral reports whether a value of a type may be written as a literal.
func isFromLiteral(q *resolve.Query, e resolve.Entity) bool {
	for t := range (Language{}).Line(q, resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols}) {
		if strings.HasPrefix(t.Foreign, "ExpressibleBy") {
			return true
		}
	}
	return false
}

// isOfType reports whether a value is of a type.
func isOfType(q *resolve.Query, value resolve.Entity, typ resolve.SymbolID) bool {
	for t := range (Language{}).Line(q, resolve.Entity{Kind: resolve.TypeName, Symbols: value.Symbols, Args: value.Args}) {
		if slices.Contains(t.Symbols, typ) {
			return true
		}
	}
	return false
}
