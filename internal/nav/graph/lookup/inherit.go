package lookup

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An Inheritance is a type that does not declare a member by which it was
// asked for, and where it has that from.
type Inheritance struct {
	Type overlay.Def
	Name string // of the member
	// Defs are the members of the nearest base that has some, in order of path and position;
	// none where something that the type is made from is outside of the repository or not known.
	Defs []overlay.Def
}

// Inherited finds what a qualified name means whose last part a type does not
// declare itself: the member that it inherits or embeds, of every type that
// is called so, in order of the types. Names are understood as Find does. A
// pick chooses among the types, or else among the members. Without a resolver
// nothing is found.
func Inherited(ctx context.Context, v *overlay.View, name string, pick Pick) []Inheritance {
	for _, as := range append([]string{name}, plainNames(name)...) {
		q := parseName(as)
		if v.Resolver() == nil || len(q.scopes) == 0 || q.nth != "" {
			continue
		}
		for _, fold := range []bool{false, true} {
			if found := inherited(ctx, v, q, fold, pick); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

func inherited(ctx context.Context, v *overlay.View, q query, fold bool, pick Pick) []Inheritance {
	last := len(q.scopes) - 1
	typ := query{path: q.path, scopes: q.scopes[:last], name: q.scopes[last], fold: fold}
	types, members := v.World().Defs(typ.name), []string{q.name}
	if fold {
		types, members = foldedDefs(v, typ.name), foldedNames(v, q.name)
	}
	all := slices.DeleteFunc(match(v, typ, types), func(d overlay.Def) bool { return !graph.IsType(d.Kind) })
	if len(all) == 0 && !fold {
		all = slices.DeleteFunc(exported(v, typ), func(d overlay.Def) bool { return !graph.IsType(d.Kind) })
	}
	if picked := pick.choose(ctx, v, all); len(picked) > 0 {
		all, pick = picked, Pick{}
	}
	var found, outside []Inheritance
	for _, d := range all {
		for _, name := range members {
			ids, open := v.Resolver().Inherited(d.Symbol, name)
			switch defs := pick.choose(ctx, v, defsOf(v, ids)); {
			case len(defs) > 0:
				found = append(found, Inheritance{Type: d, Name: name, Defs: defs})
			case open && len(ids) == 0 && !fold:
				outside = append(outside, Inheritance{Type: d, Name: name})
			}
		}
	}
	if len(found) == 0 {
		return outside
	}
	return found
}

func defsOf(v *overlay.View, ids []resolve.SymbolID) []overlay.Def {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, graph.CompareSymbols)
	var all []overlay.Def
	for _, id := range slices.Compact(ids) {
		all = append(all, v.World().Def(id))
	}
	return all
}

// foldedNames are the names of declarations that differ at most in case.
func foldedNames(v *overlay.View, name string) []string {
	names := map[string]bool{}
	for _, id := range foldedDefs(v, name) {
		names[v.World().Def(id).Name] = true
	}
	all := make([]string, 0, len(names))
	for n := range names {
		all = append(all, n)
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
