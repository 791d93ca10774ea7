package lineage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// In TypeScript an object that is written in place implements the type that is wanted
// there, and its keys the members of that. It is no symbol: its Def has the index -1 and
// is called like the one around it.

// literals are the objects that implement one of some types, or the keys of objects
// that implement one of some members, in order of path and position.
func literals(ctx context.Context, v *overlay.View, of []Related) ([]Related, error) {
	found := map[string]Related{}
	for _, to := range of {
		if !facts.Script(v.World().Declared(to.Symbol.File).Language) {
			continue
		}
		if !graph.IsType(to.Kind) {
			for _, k := range keysOf(ctx, v, to.Symbol) {
				add(found, to, k, keyDef(v, k.File, &v.World().File(k.File).Refs[k.ref]))
			}
			continue
		}
		keys := keysOfMembers(ctx, v, to.Symbol)
		above, err := Hierarchy(ctx, v, to.Def, true)
		if err != nil {
			return nil, err
		}
		other := func(k key) bool {
			r := v.Resolver()
			return r == nil || !slices.Contains(r.Taken(k.File, k.ref), to.Symbol)
		}
		if to.Kind == "class" { // of which many types are made that only have its keys
			keys = slices.DeleteFunc(keys, other)
		}
		for _, up := range above { // an object may have keys of what is inherited only
			keys = append(keys, slices.DeleteFunc(keysOfMembers(ctx, v, up.Symbol), other)...)
		}
		for _, k := range keys {
			add(found, to, k, objectDef(v, k.File, &v.World().File(k.File).Refs[k.ref]))
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Related) int {
		return cmp.Or(cmp.Compare(a.Symbol.File, b.Symbol.File), a.Line-b.Line, a.Column-b.Column)
	}), ctx.Err()
}

func add(found map[string]Related, to Related, k key, d overlay.Def) {
	if _, again := found[d.ID]; !again {
		found[d.ID] = Related{
			Def: d, Edge: graph.Kinds[graph.KindImplements], Tier: k.Tier.String(),
			Confidence: to.Confidence * k.Confidence, Depth: to.Depth + 1,
		}
	}
}

// A key is an edge from a key of an object, with the index of its reference.
type key struct {
	graph.Edge

	ref int
}

// keysOf are the keys of objects that stand for a member.
func keysOf(ctx context.Context, v *overlay.View, member resolve.SymbolID) (all []key) {
	for _, e := range v.UsesOf(ctx, member) {
		if i := keyAt(v, e); i >= 0 {
			all = append(all, key{e, i})
		}
	}
	return all
}

// keysOfMembers are those that stand for members that a type declares itself.
func keysOfMembers(ctx context.Context, v *overlay.View, t resolve.SymbolID) (all []key) {
	symbols := v.World().Declared(t.File).Symbols
	for i := range symbols {
		if symbols[i].Parent == int(t.Index) && !symbols[i].Static {
			all = append(all, keysOf(ctx, v, resolve.SymbolID{File: t.File, Index: int32(i)})...) //nolint:gosec // an index
		}
	}
	return all
}

// keyAt is the index of the reference of an edge, if it is the key of an object, or -1.
func keyAt(v *overlay.View, e graph.Edge) int {
	if e.Kind != graph.KindOf(facts.Write) {
		return -1
	}
	refs := v.World().File(e.File).Refs
	i := sort.Search(len(refs), func(i int) bool {
		return cmp.Or(refs[i].Line-int(e.Line), refs[i].Column-int(e.Column)) >= 0
	})
	for ; i < len(refs) && refs[i].Line == int(e.Line) && refs[i].Column == int(e.Column); i++ {
		if _, _, ok := refs[i].Object(); ok {
			return i
		}
	}
	return -1
}

// keyDef is the key of an object: the symbol that it declares, if the object is the value of
// one.
func keyDef(v *overlay.View, f resolve.FileID, ref *facts.Ref) overlay.Def {
	symbols := v.World().Declared(f).Symbols
	for i := range symbols {
		if symbols[i].Line == ref.Line && symbols[i].Column == ref.Column {
			return v.World().Def(resolve.SymbolID{File: f, Index: int32(i)}) //nolint:gosec // an index
		}
	}
	d := inPlace(v, f, ref, ref.Line, ref.Column)
	d.Name, d.Kind = ref.Name, "property"
	if d.Qualified != "" {
		d.Qualified += "."
	}
	d.Qualified += ref.Name
	return d
}

// objectDef is the object that a reference is a key of.
func objectDef(v *overlay.View, f resolve.FileID, ref *facts.Ref) overlay.Def {
	line, column, _ := ref.Object()
	d := inPlace(v, f, ref, line, column)
	d.Kind = "object"
	return d
}

// inPlace is what is written at a place, called like the innermost symbol around the object
// that a reference is a key of.
func inPlace(v *overlay.View, f resolve.FileID, ref *facts.Ref, line, column int) overlay.Def {
	d := overlay.Def{
		ID: fmt.Sprintf("%s:%d:%d", v.World().Path(f), line, column), File: v.World().Path(f), Line: line, Column: column,
		EndLine: line, Symbol: resolve.SymbolID{File: f, Index: -1},
	}
	fromLine, fromColumn, _ := ref.Object()
	lines := math.MaxInt
	for _, s := range v.World().Declared(f).Symbols {
		within := s.StartLine <= fromLine && fromLine <= s.EndLine && (s.Line < fromLine || s.Column < fromColumn)
		if span := s.EndLine - s.StartLine; within && span <= lines {
			d.Name, d.Qualified, lines = s.Name, s.Qualified, span
		}
	}
	return d
}

// KeyAt is the key of an object at a place.
func KeyAt(v *overlay.View, file string, line, column int) (overlay.Def, bool) {
	f, i := keyIn(v, file, func(r *facts.Ref) bool {
		return facts.Spot{Line: r.Line, Column: r.Column}.Covers(len(r.Name), line, column)
	})
	if i < 0 {
		return overlay.Def{}, false
	}
	return keyDef(v, f, &v.World().File(f).Refs[i]), true
}

// keyIn is the index of the reference in a file that is the key of an object and the one
// that is wanted, or -1.
func keyIn(v *overlay.View, file string, wanted func(*facts.Ref) bool) (resolve.FileID, int) {
	f, ok := v.World().ByPath(file)
	if !ok {
		return f, -1
	}
	refs := v.World().File(f).Refs
	for i := range refs {
		if _, _, ok := refs[i].Object(); ok && wanted(&refs[i]) {
			return f, i
		}
	}
	return f, -1
}

// keyed are the members that a key of an object implements, if that is what d is.
func keyed(v *overlay.View, d overlay.Def, seen map[resolve.SymbolID]bool) (all []Related) {
	f, i := keyIn(v, d.File, func(r *facts.Ref) bool { return r.Line == d.Line && r.Column == d.Column })
	if i < 0 {
		return nil
	}
	ref := &v.World().File(f).Refs[i]
	edges, hold := v.StoredAt(f, ref)
	if r := v.Resolver(); !hold && r != nil {
		if e, ok := overlay.EdgeOf(f, ref, r.Ref(f, i)); ok {
			edges = append(edges, e)
		}
	}
	for _, e := range edges {
		for _, to := range e.To {
			if e.Kind == graph.KindOf(facts.Write) && !seen[to] {
				seen[to] = true
				all = append(all, Related{
					Def: v.World().Def(to), Edge: graph.Kinds[graph.KindImplements], Tier: e.Tier.String(),
					Confidence: e.Confidence, Depth: 1,
				})
			}
		}
	}
	return all
}
