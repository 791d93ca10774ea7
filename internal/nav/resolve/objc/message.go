package objc

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Reference implements Language.
func (l Language) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if !ref.Bare {
		return l.message(q, f, ref), true
	}
	named := func() resolve.Found { return typeNamed(q, f, ref) }
	valued := func() resolve.Found {
		if list := variable(q, f, ref.In, ref.Name); len(list) > 0 {
			return resolve.Found{Symbols: list, Tier: resolve.TierA}
		}
		return l.values(q, f, ref.Name)
	}
	first, then := valued, named
	if ref.Kind == facts.Type || ref.Kind == facts.Extends || ref.Kind == facts.Implements {
		first, then = named, valued
	}
	found := first()
	if len(found.Symbols) == 0 && ref.Kind != facts.Implements && ref.Kind != facts.Extends {
		// a macro gives a class of one system the name that it has in another
		if found = then(); ref.Kind == facts.Type && (found.Tier > resolve.TierC || isSystem(ref.Name)) {
			found.Symbols = nil
		}
	}
	if len(found.Symbols) == 0 {
		found.External = true
	}
	return found, true
}

// typeNamed is the type that a reference means: a class before a protocol, but where only that can stand.
func typeNamed(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	all := types(q, ref.Name)
	isProtocol := func(s *facts.Symbol) bool { return s.Kind == "interface" }
	kinds := []func(s *facts.Symbol) bool{
		isMain, isProtocol,
		func(s *facts.Symbol) bool { return s.Kind != "class" && s.Kind != "extension" && s.Kind != "interface" },
		func(s *facts.Symbol) bool { return s.Kind == "class" },
	}
	if ref.Kind == facts.Implements || ref.Arguments == facts.Protocol {
		kinds = kinds[1:2]
	}
	for _, is := range kinds {
		list := slices.DeleteFunc(slices.Clone(all), func(id resolve.SymbolID) bool { return !is(q.Symbol(id)) })
		if len(list) > 0 {
			return seenFrom(q, f, list)
		}
	}
	return resolve.Found{External: true}
}

// seenFrom are those of some types that a file declares, that it imports, or all: classes have one namespace.
func seenFrom(q *resolve.Query, f resolve.FileID, all []resolve.SymbolID) resolve.Found {
	var own, seen []resolve.SymbolID
	for _, id := range all {
		switch {
		case id.File == f:
			own = append(own, id)
		case imported(q, f)[id.File]:
			seen = append(seen, id)
		}
	}
	switch {
	case len(own) > 0:
		return resolve.Found{Symbols: own, Tier: resolve.TierA}
	case len(seen) > 0:
		return resolve.Found{Symbols: seen, Tier: resolve.TierB}
	case len(all) > resolve.MaxTargets:
		return resolve.Found{}
	case len(all) > 1:
		return resolve.Found{Symbols: all, Tier: resolve.TierF}
	}
	return resolve.Found{Symbols: all, Tier: resolve.TierD}
}

// OwnOf implements Sided: the methods and properties of a class, of all its categories, by the name of the class.
func (l Language) OwnOf(q *resolve.Query, e resolve.Entity, name string) (list []resolve.SymbolID) {
	for _, typ := range e.Symbols {
		s := q.Symbol(typ)
		if name == facts.Protocol {
			return slices.DeleteFunc(types(q, s.Name), func(id resolve.SymbolID) bool {
				return q.Symbol(id).Kind != "interface"
			})
		}
		for _, id := range ownOf(q, side{s.Name, s.Kind == "interface", e.Kind == resolve.Value}, name) {
			if !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// Own implements Language.
func (l Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	e := resolve.Entity{Kind: resolve.Value, Symbols: []resolve.SymbolID{typ}}
	if list := l.OwnOf(q, e, name); len(list) > 0 {
		return list
	}
	e.Kind = resolve.TypeName
	return l.OwnOf(q, e, name)
}

// ownOf are members of a name of a class or protocol, of its objects or of itself.
func ownOf(q *resolve.Query, x side, name string) []resolve.SymbolID {
	list := membersOf(q, x, name, func(s *facts.Symbol) bool { return s.Name == name })
	if len(list) > 0 {
		return list
	}
	property := func(s *facts.Symbol) bool { return s.Kind == "property" }
	if own, ok := strings.CutPrefix(name, "_"); ok {
		return membersOf(q, x, own, property)
	}
	rest, sets := strings.CutPrefix(name, "set")
	rest, takes := strings.CutSuffix(rest, ":")
	if !sets || !takes || rest == "" || strings.Contains(rest, ":") {
		return nil
	}
	if list = membersOf(q, x, rest, property); len(list) > 0 {
		return list
	}
	return membersOf(q, x, strings.ToLower(rest[:1])+rest[1:], property)
}

// A side is a class or protocol, its objects or itself.
type side struct {
	class            string
	protocol, object bool
}

// membersOf are the members of a name that are as asked.
func membersOf(q *resolve.Query, x side, name string, is func(s *facts.Symbol) bool) (list []resolve.SymbolID) {
	for _, id := range q.World().Defs(name) {
		s, file := q.Symbol(id), q.File(id.File)
		if s.Parent < 0 || !resolve.IsObjC(file.Language) || s.Static == x.object || !is(s) {
			continue
		}
		of := &file.Symbols[s.Parent]
		if of.Name == x.class && (of.Kind == "interface") == x.protocol &&
			(x.protocol || of.Kind == "class" || of.Kind == "extension") {
			list = append(list, id)
		}
	}
	return list
}

// Lacking implements Language: what categories of classes of the system declare, which others of it inherit.
func (l Language) Lacking(q *resolve.Query, _ resolve.FileID, e resolve.Entity, name string) resolve.Found {
	if e.Kind == resolve.TypeName || e.Kind == resolve.Value || e.Kind == resolve.External && e.Foreign != "" {
		for _, class := range foreignOf(q, e) {
			if list := ownOf(q, side{class, false, e.Kind != resolve.TypeName}, name); len(list) > 0 {
				return resolve.Found{Symbols: list, Tier: resolve.TierC}
			}
		}
	}
	if e.Kind == resolve.TypeName { // the class of all objects has its methods for classes too
		if list := ownOf(q, side{"NSObject", false, true}, name); len(list) > 0 && len(foreignOf(q, e)) > 0 {
			return resolve.Found{Symbols: list, Tier: resolve.TierC}
		}
	}
	return resolve.Found{}
}

// foreignOf are the classes of the system that something is made from, the nearest first, as far as they are known.
func foreignOf(q *resolve.Query, e resolve.Entity) (names []string) {
	name := e.Foreign
	if len(e.Symbols) > 0 {
		name = q.Symbol(e.Symbols[0]).Name
	}
	for range resolve.MaxLevels {
		list := types(q, name)
		declared := slices.IndexFunc(list, func(id resolve.SymbolID) bool { return isMain(q.Symbol(id)) })
		if declared < 0 {
			break
		}
		next := ""
		for _, b := range q.Symbol(list[declared]).Bases {
			if b.Kind == facts.Extends {
				next = b.Of.LastName()
			}
		}
		if next == "" {
			return nil
		}
		name = next
	}
	for ; name != "" && len(names) < resolve.MaxLevels; name = above[name] {
		names = append(names, name)
	}
	return names
}

// message finds the method that is sent, or the property that is taken.
func (l Language) message(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	e := resolve.Entity{}
	if ref.Of != facts.Nothing {
		e = q.Eval(f, ref.In, ref.Of)
	}
	if list := l.sentTo(q, f, e, ref); len(list) > 0 {
		return resolve.Found{Symbols: list, Tier: resolve.TierC}
	}
	owners := ownersOf(q, ref.Name)
	if len(owners) != 1 || isCommon(ref.Name) {
		return resolve.Found{External: e.Kind != resolve.Unknown}
	}
	if e.Kind != resolve.Unknown && ref.Arguments != facts.Selector {
		known, plain := foreignOf(q, e), !strings.Contains(ref.Name, "_")
		if owners[0].declared || len(known) > 0 && (plain || known[len(known)-1] == "NSObject") ||
			plain && strings.Count(ref.Name, ":") < 2 {
			return resolve.Found{External: true}
		}
	}
	return resolve.Found{Symbols: owners[0].members, Tier: resolve.TierD}
}

// sentTo are the members of something that a reference means.
func (l Language) sentTo(q *resolve.Query, f resolve.FileID, e resolve.Entity, ref *facts.Ref) []resolve.SymbolID {
	list := q.Member(f, e, ref.Name).Symbols
	if ref.Kind == facts.Call || ref.Arguments == facts.Selector { // variables are no methods
		list = slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return q.Symbol(id).Kind == "field" })
	}
	if ref.Kind != facts.Write {
		return list
	}
	isProperty := func(id resolve.SymbolID) bool { return !resolve.IsFunction(q.Symbol(id)) }
	if slices.ContainsFunc(list, isProperty) {
		return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return !isProperty(id) })
	}
	if setters := q.Member(f, e, facts.ObjCSetter(ref.Name)).Symbols; len(setters) > 0 {
		return setters
	}
	return list
}

// An owner is a class or protocol, with its members of some name.
type owner struct {
	name     string
	declared bool // in the repository, and not only extended
	members  []resolve.SymbolID
}

// ownersOf are the classes that have a member of a name.
func ownersOf(q *resolve.Query, name string) (all []owner) {
	for _, id := range q.World().Defs(name) {
		s, file := q.Symbol(id), q.File(id.File)
		if s.Parent < 0 || !resolve.IsObjC(file.Language) || s.Kind == "field" || s.Kind == "const" {
			continue
		}
		of := &file.Symbols[s.Parent]
		i := slices.IndexFunc(all, func(o owner) bool { return o.name == of.Name })
		if i < 0 {
			i = len(all)
			declared := of.Kind == "interface" || slices.ContainsFunc(types(q, of.Name), func(id resolve.SymbolID) bool {
				return isMain(q.Symbol(id))
			})
			all = append(all, owner{name: of.Name, declared: declared})
		}
		all[i].members = append(all[i].members, id)
	}
	return all
}

// isCommon reports whether being the only declaration of a name says nothing: others have such methods.
func isCommon(name string) bool {
	if commonSelectors[name] {
		return true
	}
	if strings.Contains(name, ":") {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '_' })
}
