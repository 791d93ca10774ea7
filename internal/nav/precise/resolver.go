package precise

import (
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Resolver resolves the references of w by the uses, and all else by inner. It
// may be used concurrently if inner may.
func (u *Uses) Resolver(w resolve.World, inner graph.Resolver) graph.Resolver {
	return &resolver{Resolver: inner, world: w, uses: u}
}

type resolver struct {
	graph.Resolver

	world   resolve.World
	uses    *Uses
	symbols sync.Map // of files, by place: resolve.FileID to map[place]int32
}

// Ref implements graph.Resolver.
func (r *resolver) Ref(f resolve.FileID, i int) resolve.Resolution {
	file := r.world.File(f)
	return r.check(file, &file.Refs[i], r.Resolver.Ref(f, i))
}

// Refs implements graph.Resolver.
func (r *resolver) Refs(f resolve.FileID) []resolve.Resolution {
	list, file := r.Resolver.Refs(f), r.world.File(f)
	if r.uses.files[file.Path] == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i] = r.check(file, &file.Refs[i], list[i])
	}
	return list
}

// check is what a reference stands for by the type checker, if it knows, else
// what was found.
func (r *resolver) check(file *facts.File, ref *facts.Ref, found resolve.Resolution) resolve.Resolution {
	u, known := r.uses.files[file.Path][place{int32(ref.Line), int32(ref.Column)}] //nolint:gosec // of a text
	if !known || u.name != ref.Name {                                              // not checked, or changed meanwhile
		return found
	}
	if u.path == "" {
		return resolve.Resolution{External: true}
	}
	target, ok := r.symbol(u)
	if !ok {
		return local(found)
	}
	if slices.Contains(found.Targets, target) && found.Tier.Follows() {
		found.Confidence = 1 // more targets are the same for other systems
		return found
	}
	return resolve.Resolution{
		Targets: []resolve.SymbolID{target}, Tier: u.tier, Confidence: 1, Conversion: u.typeName && ref.Kind == facts.Call,
	}
}

// local is what is left of a resolution when the type checker says that it is a
// declaration without symbol. A guess is then known to be wrong.
func local(found resolve.Resolution) resolve.Resolution {
	if len(found.Targets) > 0 && !found.Tier.Follows() {
		return resolve.Resolution{}
	}
	return found
}

// symbol finds the symbol of a declaration.
func (r *resolver) symbol(u use) (resolve.SymbolID, bool) {
	f, ok := r.world.ByPath(u.path)
	if !ok {
		return resolve.SymbolID{}, false
	}
	file := r.world.File(f)
	i, ok := r.places(f, file)[u.at]
	if !ok || file.Symbols[i].Name != u.name {
		return resolve.SymbolID{}, false
	}
	return resolve.SymbolID{File: f, Index: i}, true
}

// places are the symbols of a file by the places of their names.
func (r *resolver) places(f resolve.FileID, file *facts.File) map[place]int32 {
	if known, ok := r.symbols.Load(f); ok {
		return known.(map[place]int32)
	}
	all := make(map[place]int32, len(file.Symbols))
	for i, s := range file.Symbols {
		all[place{int32(s.Line), int32(s.Column)}] = int32(i) //nolint:gosec // of a text
	}
	r.symbols.Store(f, all)
	return all
}
