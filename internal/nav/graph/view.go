package graph

import (
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A View answers questions about a graph with an Overlay. It never changes and
// may be used concurrently.
type View struct {
	g *Graph
	w *World
	r Resolver // nil without an overlay

	changed func() *fresh
	types   func() map[resolve.SymbolID][]link // links to types, by what they lead to

	mu    sync.Mutex
	named map[string]*sync.Once
	found map[string]map[resolve.SymbolID][]edge
}

// With lays an overlay over the graph. resolver is asked for a Resolver only if
// something changed.
func (g *Graph) With(o Overlay, resolver func(resolve.World) Resolver) *View {
	v := &View{
		g: g, w: newWorld(g, o),
		named: map[string]*sync.Once{}, found: map[string]map[resolve.SymbolID][]edge{},
	}
	if len(v.w.changed) > 0 || !v.w.sameAs {
		v.r = resolver(v.w)
	}
	v.changed = sync.OnceValue(v.resolveChanged)
	v.types = sync.OnceValue(v.linkTypes)
	return v
}

// World is what the view's files say.
func (v *View) World() *World { return v.w }

// fresh is what the changed files of a view refer to.
type fresh struct {
	to      map[resolve.SymbolID][]edge
	from    map[resolve.SymbolID][]edge // Index -1: at the top of the file
	aliases map[string][]string
}

func (v *View) resolveChanged() *fresh {
	c := &fresh{to: map[resolve.SymbolID][]edge{}, from: map[resolve.SymbolID][]edge{}, aliases: map[string][]string{}}
	alias := func(name, as string) { c.aliases[name] = append(c.aliases[name], as) }
	for _, f := range v.w.changedFiles() {
		importAliases(v.w.changed[f], alias)
		edges, _ := usesOf(v.r, v.w, f)
		slices.SortStableFunc(edges, compareEdges)
		for _, e := range edges {
			from := resolve.SymbolID{File: f, Index: e.from}
			c.from[from] = append(c.from[from], e)
			for _, to := range e.to {
				c.to[to] = append(c.to[to], e)
			}
		}
	}
	return c
}

// uses are the places that a symbol is a target of, in order.
func (v *View) uses(s resolve.SymbolID) []edge {
	if v.r == nil {
		return v.g.uses(v.g.number(s))
	}
	all := slices.Clone(v.changed().to[s])
	if v.w.sameAs {
		for _, e := range v.g.uses(v.g.number(s)) {
			if _, same := v.w.now(e.file); same {
				all = append(all, e)
			}
		}
	} else {
		for _, name := range v.names(v.symbol(s).Name) {
			all = append(all, v.usesNamed(name)[s]...)
		}
	}
	slices.SortStableFunc(all, compareEdges)
	return all
}

// names are those under which something of a name may be referred to.
func (v *View) names(name string) []string {
	all, seen := []string{name}, map[string]bool{name: true}
	for next := all; len(next) > 0; {
		var more []string
		add := func(as string) {
			if !seen[as] {
				seen[as] = true
				more = append(more, as)
			}
		}
		for _, n := range next {
			v.g.aliasesOf(n, add)
			for _, as := range v.changed().aliases[n] {
				add(as)
			}
		}
		all, next = append(all, more...), more
	}
	return all
}

// usesNamed resolves all references of a name in files that did not change, and
// keeps what it found.
func (v *View) usesNamed(name string) map[resolve.SymbolID][]edge {
	v.mu.Lock()
	once, ok := v.named[name]
	if !ok {
		once = &sync.Once{}
		v.named[name] = once
	}
	v.mu.Unlock()
	once.Do(func() {
		found := v.resolveNamed(name)
		v.mu.Lock()
		v.found[name] = found
		v.mu.Unlock()
	})
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.found[name]
}

func (v *View) resolveNamed(name string) map[resolve.SymbolID][]edge {
	n, ok := v.g.name(name)
	if !ok {
		return nil
	}
	found := map[resolve.SymbolID][]edge{}
	for _, old := range rows(v.g.refStarts, v.g.refFiles, int(n)) {
		f, same := v.w.now(old)
		if !same {
			continue
		}
		refs := v.w.File(f).Refs
		for i := range refs {
			if refs[i].Name != name {
				continue
			}
			if e, ok := edgeOf(f, &refs[i], v.r.Ref(f, i)); ok {
				for _, to := range e.to {
					found[to] = append(found[to], e)
				}
			}
		}
	}
	return found
}

// usedBy are the uses of others by a symbol, in order.
func (v *View) usedBy(s resolve.SymbolID) []edge {
	if _, changed := v.w.changed[s.File]; changed {
		return v.changed().from[s]
	}
	var all []edge
	if v.w.sameAs {
		for _, n := range rows(v.g.edges.outStarts, v.g.edges.out, int(v.g.number(s))) {
			if e := v.g.edge(s.File, n); e.kind != kindImports || e.to[0].Index >= 0 {
				all = append(all, e)
			}
		}
		return all
	}
	refs := v.w.File(s.File).Refs
	for i := range refs {
		if refs[i].In != int(s.Index) {
			continue
		}
		if e, ok := edgeOf(s.File, &refs[i], v.r.Ref(s.File, i)); ok {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, compareEdges)
	return all
}

// linksFrom are the links from a symbol, in order of what they lead to.
func (v *View) linksFrom(s resolve.SymbolID) []link {
	if v.w.sameAs {
		return v.g.linksFrom(v.g.number(s))
	}
	return linksOf(v.r, v.w, s)
}

// linksTo are the links to a symbol, in order of where they come from.
func (v *View) linksTo(s resolve.SymbolID) []link {
	if v.w.sameAs {
		return v.g.linksTo(v.g.number(s))
	}
	symbol := v.symbol(s)
	if canHaveBases(symbol) {
		return v.types()[s]
	}
	if !canOverride(symbol) {
		return nil
	}
	var all []link
	// What overrides a method has its name.
	for _, d := range v.w.Defs(symbol.Name) {
		for _, l := range linksOf(v.r, v.w, d) {
			if l.to == s {
				all = append(all, l)
			}
		}
	}
	return all
}

// linkTypes finds all links between types.
func (v *View) linkTypes() map[resolve.SymbolID][]link {
	all := map[resolve.SymbolID][]link{}
	for f := range resolve.FileID(v.w.Len()) {
		symbols := v.w.File(f).Symbols
		for i := range symbols {
			if !canHaveBases(&symbols[i]) {
				continue
			}
			for _, l := range linksOf(v.r, v.w, resolve.SymbolID{File: f, Index: int32(i)}) {
				all[l.to] = append(all[l.to], l)
			}
		}
	}
	return all
}
