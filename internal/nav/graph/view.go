package graph

import (
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A View answers questions about a graph with an Overlay. It never changes and
// may be used concurrently.
type View struct {
	g *Graph
	w *World
	r Resolver // nil without an overlay

	resolver func() Resolver // that of the view's world; nil if there is none
	changed  func() *fresh
	delta    func() *delta
	types    func() map[resolve.SymbolID][]link // links to types, by what they lead to
	headers  func() map[string][]string         // of C and C++, by the last parts of their paths
	outer    func() []string                    // what is included and is not here

	mu    sync.Mutex
	named map[string]func() map[resolve.SymbolID][]edge
}

// With lays an overlay over the graph. resolver is asked for a Resolver when
// something changed, or when something is asked that the graph does not keep.
func (g *Graph) With(o Overlay, resolver func(resolve.World) Resolver) *View {
	v := &View{
		g: g, w: newWorld(g, o),
		named: map[string]func() map[resolve.SymbolID][]edge{},
	}
	v.resolver = sync.OnceValue(func() Resolver {
		if resolver == nil {
			return nil
		}
		return resolver(v.w)
	})
	if len(v.w.changed) > 0 || !v.w.sameAs {
		v.r = v.resolver()
	}
	v.changed = sync.OnceValue(v.readChanged)
	v.delta = sync.OnceValue(func() *delta { return newDelta(v) })
	v.types = sync.OnceValue(v.linkTypes)
	v.headers, v.outer = sync.OnceValue(v.readHeaders), sync.OnceValue(v.readIncludes)
	return v
}

// World is what the view's files say.
func (v *View) World() *World { return v.w }

// fresh is what has to be known of the changed files before anything is asked.
type fresh struct {
	aliases  map[string][]string         // of their imports
	odd      map[resolve.SymbolID][]edge // by target, of references whose names don't tell what they may stand for
	mentions map[string][]string         // names of their symbols, by names that those mention
	isOdd    map[resolve.FileID]oddNames
}

// oddNames are the names in a file that imports give, which may be others than
// those of what they stand for.
type oddNames map[string]bool

func (v *View) readChanged() *fresh {
	c := &fresh{
		aliases: map[string][]string{}, mentions: map[string][]string{}, odd: map[resolve.SymbolID][]edge{},
		isOdd: map[resolve.FileID]oddNames{},
	}
	for _, f := range v.w.changedFiles() {
		file, odd := v.w.changed[f], oddNames{}
		importAliases(file, func(name, as string) {
			c.aliases[name] = append(c.aliases[name], as)
			odd[as] = true
		})
		for i := range file.Symbols {
			s := &file.Symbols[i]
			eachSymbolExpr(s, func(expr facts.Expr) {
				mentioned(file, expr, func(name string) { c.mentions[name] = append(c.mentions[name], s.Name) })
			})
		}
		for i := range file.Refs {
			name := file.Refs[i].Name
			if _, known := odd[name]; !known {
				// No declaration has this name: what it stands for has another one.
				odd[name] = len(v.w.Defs(name)) == 0
			}
			if odd[name] {
				v.resolve(f, i, c.odd)
			}
		}
		c.isOdd[f] = odd
	}
	return c
}

// resolve adds what a reference stands for.
func (v *View) resolve(f resolve.FileID, i int, found map[resolve.SymbolID][]edge) {
	if e, ok := edgeOf(f, &v.w.File(f).Refs[i], v.r.Ref(f, i)); ok {
		for _, to := range e.to {
			found[to] = append(found[to], e)
		}
	}
}

// uses are the places that a symbol is a target of, in order.
func (v *View) uses(s resolve.SymbolID) []edge {
	if v.r == nil {
		return v.g.uses(s)
	}
	all := slices.Clone(v.changed().odd[s])
	if old, stayed := v.before(s); stayed {
		for _, e := range v.g.uses(old) {
			if f, same := v.w.now(e.file); same && !v.affectedAt(f, int(e.line), int(e.column)) {
				e.file = f
				all = append(all, e)
			}
		}
	}
	for _, name := range v.names(v.symbol(s).Name) {
		all = append(all, v.usesNamed(name)[s]...)
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

// usesNamed resolves all references of a name that may have changed what they
// stand for, and keeps what it found.
func (v *View) usesNamed(name string) map[resolve.SymbolID][]edge {
	v.mu.Lock()
	found, ok := v.named[name]
	if !ok {
		found = sync.OnceValue(func() map[resolve.SymbolID][]edge { return v.resolveNamed(name) })
		v.named[name] = found
	}
	v.mu.Unlock()
	return found()
}

func (v *View) resolveNamed(name string) map[resolve.SymbolID][]edge {
	found := map[resolve.SymbolID][]edge{}
	for _, f := range v.w.changedFiles() {
		if !v.changed().isOdd[f][name] {
			v.resolveIn(f, name, found)
		}
	}
	if n, ok := v.g.name(name); ok {
		for _, old := range rows(v.g.refStarts, v.g.refFiles, int(n)) {
			if f, same := v.w.now(old); same && v.affected(f) {
				v.resolveIn(f, name, found)
			}
		}
	}
	return found
}

// resolveIn resolves the references of a name in a file.
func (v *View) resolveIn(f resolve.FileID, name string, found map[resolve.SymbolID][]edge) {
	refs := v.w.File(f).Refs
	for i := range refs {
		if refs[i].Name == name && v.affectedAt(f, refs[i].Line, refs[i].Column) {
			v.resolve(f, i, found)
		}
	}
}

// usedBy are the uses of others by a symbol, in order.
func (v *View) usedBy(s resolve.SymbolID) []edge {
	var all []edge
	if !v.affected(s.File) {
		stored := v.g.edges(v.w.old(s.File))
		for n := range stored.list {
			if stored.list[n].from != s.Index {
				continue
			}
			if e := stored.edge(s.File, n); e.kind != kindImports || e.to[0].Index >= 0 {
				if e.to = v.moved(e.to); len(e.to) > 0 {
					all = append(all, e)
				}
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
	if v.linksStay() {
		if old, stayed := v.before(s); stayed {
			return v.movedLinks(v.g.linksFrom(old))
		}
		return nil
	}
	return linksOf(v.r, v.w, s)
}

// linksTo are the links to a symbol, in order of where they come from.
func (v *View) linksTo(s resolve.SymbolID) []link {
	if v.linksStay() {
		if old, stayed := v.before(s); stayed {
			return v.movedLinks(v.g.linksTo(old))
		}
		return nil
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
