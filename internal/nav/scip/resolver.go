package scip

import (
	"slices"
	"sort"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A World also knows the hashes of texts.
type World interface {
	resolve.World
	Hash(f resolve.FileID) (hash graph.Hash, known bool)
}

// bind finds the declarations that stand at the places which the indexes name,
// in the files that are as they were.
func (t *Table) bind(w World) {
	if t.bound {
		return
	}
	t.bound = true
	r := resolver{table: t, world: w}
	places := make([]map[[2]int32]int, len(t.files))
	for i := range t.symbols {
		s := &t.symbols[i]
		kept := s.targets[:0]
		for _, to := range s.targets {
			f, ok := w.ByPath(t.files[to.file].path)
			if !ok || !r.isSame(f, int(to.file)) {
				continue
			}
			file := w.File(f)
			if places[to.file] == nil {
				places[to.file] = placesOf(file)
			}
			n, ok := places[to.file][[2]int32{to.line, to.column}]
			if !ok || len(file.Symbols[n].Name) != int(to.length) {
				continue
			}
			to.qualified, to.nth = file.Symbols[n].Qualified, nth(file, n)
			kept = append(kept, to)
		}
		s.targets = slices.Clip(kept)
	}
}

func placesOf(f *facts.File) map[[2]int32]int {
	all := make(map[[2]int32]int, len(f.Symbols))
	for i := range f.Symbols {
		all[[2]int32{int32(f.Symbols[i].Line), int32(f.Symbols[i].Column)}] = i //nolint:gosec // of a text
	}
	return all
}

// nth is the place of a symbol among those of its file with its qualified name.
func nth(f *facts.File, n int) (count int32) {
	for i := range n {
		if f.Symbols[i].Qualified == f.Symbols[n].Qualified {
			count++
		}
	}
	return count
}

// Over resolves the references of a world by the table, and what that does not
// know by inner: all of it without a table. The first world completes a new table.
func (t *Table) Over(inner func(resolve.World) graph.Resolver) func(resolve.World) graph.Resolver {
	if t == nil {
		return inner
	}
	return func(w resolve.World) graph.Resolver {
		known, ok := w.(World)
		if !ok {
			return inner(w)
		}
		t.bind(known)
		return &resolver{Resolver: inner(w), table: t, world: known}
	}
}

type resolver struct {
	graph.Resolver

	table *Table
	world World
	named sync.Map // of files, resolve.FileID to map[string][]int32: symbols by qualified name
}

// Ref implements graph.Resolver.
func (r *resolver) Ref(f resolve.FileID, i int) resolve.Resolution {
	found := r.Resolver.Ref(f, i)
	if uses := r.uses(f); uses != nil {
		return r.check(f, i, uses, found)
	}
	return found
}

// Refs implements graph.Resolver.
func (r *resolver) Refs(f resolve.FileID) []resolve.Resolution {
	list := r.Resolver.Refs(f)
	uses := r.uses(f)
	if uses == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i] = r.check(f, i, uses, list[i])
	}
	return list
}

// uses are those of a file that is as it was.
func (r *resolver) uses(f resolve.FileID) []use {
	n, ok := r.table.find(r.path(f))
	if !ok || !r.isSame(f, n) {
		return nil
	}
	return r.table.files[n].uses
}

func (r *resolver) path(f resolve.FileID) string { return r.world.Declared(f).Path }

func (r *resolver) isSame(f resolve.FileID, n int) bool {
	hash, known := r.world.Hash(f)
	return known && Hash(hash) == r.table.files[n].hash
}

// check is what a reference stands for by the table, if it knows, else what was
// found.
func (r *resolver) check(f resolve.FileID, i int, uses []use, found resolve.Resolution) resolve.Resolution {
	file := r.world.File(f)
	ref := &file.Refs[i]
	line, column := int32(ref.Line), int32(ref.Column) //nolint:gosec // of a text
	at := sort.Search(len(uses), func(i int) bool { return compareUses(uses[i], use{line, column, 0}) >= 0 })
	var targets []resolve.SymbolID
	known, outside := false, true
	for ; at < len(uses) && uses[at].line == line && uses[at].column == column; at++ {
		s := &r.table.symbols[uses[at].symbol]
		if s.name != "" && s.name != ref.Name && !renames(file, ref.Name) {
			continue // it tells of another text
		}
		known, outside = true, outside && !s.declared
		targets = append(targets, r.targets(s)...)
	}
	switch {
	case !known:
		return found
	case len(targets) == 0 && found.Tier.Follows():
		return found // of what it says nothing
	case len(targets) == 0:
		return resolve.Resolution{External: outside}
	}
	return exact(file, ref, targets, found, r.world)
}

// exact is what a reference stands for when an index says so. Of several symbols,
// as a class and its constructor, it is what was found of itself, if that is
// among them.
func exact(file *facts.File, ref *facts.Ref, targets []resolve.SymbolID, found resolve.Resolution,
	w resolve.World,
) resolve.Resolution {
	out := resolve.Resolution{Tier: resolve.TierPrecise, Confidence: 1}
	for _, t := range found.Targets {
		if slices.Contains(targets, t) {
			out.Targets = append(out.Targets, t)
		}
	}
	if len(out.Targets) > 0 {
		out.Conversion, out.Construction, out.Constant = found.Conversion, found.Construction, found.Constant
		return out
	}
	slices.SortFunc(targets, compareSymbols)
	out.Targets = slices.Compact(targets)
	first := w.File(out.Targets[0].File).Symbols[out.Targets[0].Index].Kind
	out.Conversion = ref.Kind == facts.Call && file.Language == "Go" && first != "func" && first != "method" &&
		first != "var" && first != "field"
	return out
}

func compareSymbols(a, b resolve.SymbolID) int {
	if a.File != b.File {
		return int(a.File - b.File)
	}
	return int(a.Index - b.Index)
}

// renames reports whether an import of a file gives something a name.
func renames(f *facts.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(m facts.Import) bool { return m.Local == name })
}

// targets are the declarations of a symbol that are there.
func (r *resolver) targets(s *symbol) (all []resolve.SymbolID) {
	for _, to := range s.targets {
		f, ok := r.world.ByPath(r.table.files[to.file].path)
		if !ok {
			continue
		}
		if list := r.symbols(f)[to.qualified]; int(to.nth) < len(list) {
			all = append(all, resolve.SymbolID{File: f, Index: list[to.nth]})
		}
	}
	return all
}

// symbols are those of a file by their qualified names.
func (r *resolver) symbols(f resolve.FileID) map[string][]int32 {
	if known, ok := r.named.Load(f); ok {
		return known.(map[string][]int32)
	}
	file := r.world.File(f)
	all := make(map[string][]int32, len(file.Symbols))
	for i := range file.Symbols {
		all[file.Symbols[i].Qualified] = append(all[file.Symbols[i].Qualified], int32(i)) //nolint:gosec // of a text
	}
	r.named.Store(f, all)
	return all
}
