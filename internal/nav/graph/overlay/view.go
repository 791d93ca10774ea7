package overlay

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
)

// A View answers who uses what in a graph with an Overlay. It never changes and
// may be used concurrently. What may take long ends with its context, and has then not
// found all: whoever makes an answer of it looks at the context before handing it over.
type View struct {
	g *graph.Graph
	w *World
	r graph.Resolver // nil without an overlay

	resolver func() graph.Resolver // that of the view's world; nil if there is none
	edits    *edits
	gone     []string // as Changes say
	headers  *Headers
	odd      *parallel.Once[*oddities]
	asked    atomic.Int32                                      // names that changed files were looked at for
	changed  func() map[string][]resolve.FileID                // by the names in them
	types    *parallel.Once[map[resolve.SymbolID][]graph.Link] // links to types, by what they lead to

	named      ByName
	dispatched ByName // by the method's name
}

// ByName are edges of references of a name, by what these stand for. They are found when
// they are first asked for. The zero value knows none.
type ByName struct {
	mu    sync.Mutex
	edges map[string]*parallel.Once[Edges]
}

// Edges are edges by what they lead to.
type Edges map[resolve.SymbolID][]graph.Edge

// Of are those of a name, which find finds.
func (n *ByName) Of(ctx context.Context, name string, find func(context.Context, string) Edges) Edges {
	n.mu.Lock()
	found := n.edges[name]
	if found == nil {
		if n.edges == nil {
			n.edges = map[string]*parallel.Once[Edges]{}
		}
		found = parallel.NewOnce(func(ctx context.Context) Edges { return find(ctx, name) })
		n.edges[name] = found
	}
	n.mu.Unlock()
	return found.Get(ctx)
}

// Lay lays an overlay over a graph. resolver is asked for a Resolver when
// something changed, or when something is asked that the graph does not keep.
func Lay(g *graph.Graph, o Changes, resolver func(resolve.World) graph.Resolver) *View {
	w := NewWorld(g, o)
	v := &View{g: g, w: w, edits: newEdits(g, w), gone: o.Gone, headers: headersOf(w)}
	v.changed = sync.OnceValue(func() map[string][]resolve.FileID { return byName(w) })
	v.resolver = sync.OnceValue(func() graph.Resolver {
		if resolver == nil {
			return nil
		}
		return resolver(v.w)
	})
	if len(v.w.changed) > 0 || !v.w.sameAs {
		v.r = v.resolver()
	}
	v.odd = parallel.NewOnce(v.readOdd)
	v.types = parallel.NewOnce(v.linkTypes)
	return v
}

// World is what the view's files say.
func (v *View) World() *World { return v.w }

// Headers are the view's files of C and C++.
func (v *View) Headers() *Headers { return v.headers }

// Resolver is that of the view's world, or nil.
func (v *View) Resolver() graph.Resolver { return v.resolver() }

// Counts are how many edges of the graph lead to each symbol of a file, 0 where
// one is new or looks different.
func (v *View) Counts(f resolve.FileID) []uint32 {
	counts := make([]uint32, v.w.Symbols(f))
	old := v.w.Old(f)
	if old < 0 {
		return counts
	}
	stored := v.g.Edges.UseCounts(old)
	for i := range counts {
		if was, stayed := v.edits.before(resolve.SymbolID{File: f, Index: int32(i)}); stayed {
			counts[i] = stored[was.Index]
		}
	}
	return counts
}

// oddities are the references of changed files whose names don't tell what they
// may stand for.
type oddities struct {
	edges Edges
	in    map[resolve.FileID]oddNames
}

// oddNames are the names in a file that imports give, which may be others than
// those of what they stand for.
type oddNames map[string]bool

func (v *View) readOdd(ctx context.Context) *oddities {
	c := &oddities{edges: Edges{}, in: map[resolve.FileID]oddNames{}}
	for _, f := range v.w.ChangedFiles() {
		file, odd, meant := v.w.changed[f], oddNames{}, RefsOf(v.r, f)
		graph.ImportAliases(file, func(_, as string) { odd[as] = true })
		for i := range file.Refs {
			name := file.Refs[i].Name
			if _, known := odd[name]; !known {
				// No declaration has this name: what it stands for has another one.
				odd[name] = len(v.w.Defs(name)) == 0
			}
			if odd[name] && ctx.Err() == nil {
				v.resolve(f, i, meant, c.edges)
			}
		}
		c.in[f] = odd
	}
	return c
}

// RefsOf returns what a resolver says of the references of a file. It is not for concurrent use.
func RefsOf(r graph.Resolver, f resolve.FileID) func(i int) resolve.Resolution {
	if own, ok := r.(*resolve.Resolver); ok {
		return own.OfFile(f)
	}
	return func(i int) resolve.Resolution { return r.Ref(f, i) }
}

// resolve adds what a reference stands for, as meant tells of its file.
func (v *View) resolve(f resolve.FileID, i int, meant func(i int) resolve.Resolution, found Edges) {
	if e, ok := EdgeOf(f, &v.w.File(f).Refs[i], meant(i)); ok {
		for _, to := range e.To {
			found[to] = append(found[to], e)
		}
	}
}

// UsesOf are the places that a symbol is a target of, in order.
func (v *View) UsesOf(ctx context.Context, s resolve.SymbolID) []graph.Edge {
	if v.r == nil {
		return v.g.Edges.To(s)
	}
	odd := v.odd.Get(ctx)
	if odd == nil {
		return nil
	}
	all := slices.Clone(odd.edges[s])
	if old, stayed := v.edits.before(s); stayed {
		for _, e := range v.g.Edges.To(old) {
			if f, same := v.w.now(e.File); same && !v.edits.affectedAt(f, int(e.Line), int(e.Column)) {
				e.File, e.To = f, v.edits.moved(e.To)
				all = append(all, e)
			}
		}
	}
	names := v.NamesOf(v.w.Symbol(s).Name)
	for _, name := range v.calledBy(s) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		all = append(all, v.named.Of(ctx, name, v.resolveNamed)[s]...)
	}
	slices.SortStableFunc(all, graph.CompareEdges)
	return all
}

// calledBy are names by which a symbol is called beside its own, in its language.
func (v *View) calledBy(s resolve.SymbolID) []string {
	symbol := v.w.Symbol(s)
	switch language := v.w.File(s.File).Language; language {
	case "Java", "Kotlin":
		return facts.JavaNames(language, symbol)
	case "Ruby":
		return graph.RubyNames(symbol)
	case "Objective-C", "Objective-C++":
		return facts.ObjCNames(symbol)
	}
	return nil
}

// Uses are those of a symbol.
func (v *View) Uses(ctx context.Context, s resolve.SymbolID) Uses {
	if v.r == nil {
		return Uses{stored: v.g.Edges.Uses(s)}
	}
	return Uses{found: v.UsesOf(ctx, s)}
}

// NamesOf are those under which something of a name may be referred to.
func (v *View) NamesOf(name string) []string {
	all, seen := []string{name}, map[string]bool{name: true}
	for _, other := range graph.OtherNames(name) {
		all, seen[other] = append(all, other), true
	}
	for next := all; len(next) > 0; {
		var more []string
		add := func(as string) {
			if !seen[as] {
				seen[as] = true
				more = append(more, as)
			}
		}
		for _, n := range next {
			v.g.Names.Aliases(n, add)
			for _, as := range v.edits.said().aliases[n] {
				add(as)
			}
		}
		all, next = append(all, more...), more
	}
	return all
}

// resolveNamed resolves all references of a name that may have changed what they
// stand for.
func (v *View) resolveNamed(ctx context.Context, name string) Edges {
	found, odd := Edges{}, v.odd.Get(ctx)
	if odd == nil {
		return nil
	}
	for _, f := range v.changedWith(name) {
		if !odd.in[f][name] {
			v.resolveIn(ctx, f, name, nil, found)
		}
	}
	var left *successors
	if v.gone != nil {
		left = successorsOf(v, name)
	}
	for _, old := range v.g.Names.Files(name) {
		if f, same := v.w.now(old); same && v.edits.affected(f) {
			v.resolveIn(ctx, f, name, left, found)
		}
	}
	return found
}

// fewNames is for how many names the changed files are read, before they are listed
// by all names that are in them: most questions are about one or two.
const fewNames = 8

// changedWith are the changed files that may have references of a name.
func (v *View) changedWith(name string) []resolve.FileID {
	if v.asked.Add(1) <= fewNames {
		return v.w.ChangedFiles()
	}
	return v.changed()[name]
}

// byName are the changed files by the names that are referred to in them.
func byName(w *World) map[string][]resolve.FileID {
	all := map[string][]resolve.FileID{}
	for _, f := range w.ChangedFiles() {
		refs := w.File(f).Refs
		for i := range refs {
			in := all[refs[i].Name]
			if n := len(in); n == 0 || in[n-1] != f {
				all[refs[i].Name] = append(in, f)
			}
		}
	}
	return all
}

// resolveIn resolves the references of a name in a file.
func (v *View) resolveIn(ctx context.Context, f resolve.FileID, name string, left *successors, found Edges) {
	if ctx.Err() != nil {
		return
	}
	refs, meant := v.w.File(f).Refs, RefsOf(v.r, f)
	for i := range refs {
		if refs[i].Name == name && ctx.Err() == nil && v.edits.affectedAt(f, refs[i].Line, refs[i].Column) &&
			(left == nil || !left.spare(f, &refs[i])) {
			v.resolve(f, i, meant, found)
		}
	}
}

// UsedBy are the uses of others by a symbol, in order.
func (v *View) UsedBy(s resolve.SymbolID) []graph.Edge {
	var all []graph.Edge
	if !v.edits.affected(s.File) {
		stored := v.g.Edges.Of(v.w.Old(s.File))
		for n := range stored.Len() {
			if e := stored.At(s.File, n); e.From == s.Index && (e.Kind != graph.KindImports || e.To[0].Index >= 0) {
				if e.To = v.edits.moved(e.To); len(e.To) > 0 {
					all = append(all, e)
				}
			}
		}
		return all
	}
	refs, meant := v.w.File(s.File).Refs, RefsOf(v.r, s.File)
	for i := range refs {
		if refs[i].In != int(s.Index) {
			continue
		}
		if e, ok := EdgeOf(s.File, &refs[i], meant(i)); ok {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, graph.CompareEdges)
	return all
}

// A Teller is a resolver that knows of links what the facts don't say.
type Teller interface {
	// TellsLinks reports whether it does of a file as it was in the graph.
	TellsLinks(path string) bool
	// Told are the symbols that a symbol implements or overrides, among what else
	// Bases and Overrides say.
	Told(s resolve.SymbolID) []resolve.SymbolID
}

// linksStay reports whether the graph's links between symbols still hold. What was
// told of a file holds as long as that does not change at all.
func (v *View) linksStay() bool {
	if !v.edits.linksStay() {
		return false
	}
	teller, ok := v.r.(Teller)
	return !ok || !slices.ContainsFunc(v.w.ChangedFiles(), func(f resolve.FileID) bool {
		return teller.TellsLinks(v.w.changed[f].Path)
	})
}

// LinksFrom are the links from a symbol, in order of what they lead to.
func (v *View) LinksFrom(s resolve.SymbolID) []graph.Link {
	if v.linksStay() {
		if old, stayed := v.edits.before(s); stayed {
			return v.edits.movedLinks(v.g.Links.From(old))
		}
		return nil
	}
	return LinksOf(v.r, v.w, s)
}

// LinksTo are the links to a symbol, in order of where they come from.
func (v *View) LinksTo(ctx context.Context, s resolve.SymbolID) []graph.Link {
	if v.linksStay() {
		if old, stayed := v.edits.before(s); stayed {
			return v.edits.movedLinks(v.g.Links.To(old))
		}
		return nil
	}
	symbol := v.w.Symbol(s)
	_, told := v.r.(Teller)
	if !told && symbol.Kind != "interface" && symbol.Parent < 0 && languageOf(v.w, s.File) == "Go" {
		return nil // types satisfy interfaces, and methods those of interfaces
	}
	if graph.CanHaveBases(symbol) {
		return v.types.Get(ctx)[s]
	}
	if !graph.CanOverride(symbol) {
		return nil
	}
	var all []graph.Link
	// What overrides a method has its name.
	for _, d := range v.w.Defs(symbol.Name) {
		if ctx.Err() != nil {
			return all
		}
		for _, l := range LinksOf(v.r, v.w, d) {
			if l.To == s {
				all = append(all, l)
			}
		}
	}
	return all
}

// linkTypes finds all links between types.
func (v *View) linkTypes(ctx context.Context) map[resolve.SymbolID][]graph.Link {
	all := map[resolve.SymbolID][]graph.Link{}
	for f := range resolve.FileID(v.w.Len()) {
		if ctx.Err() != nil {
			return all
		}
		if !linksTypes(v.r, languageOf(v.w, f)) {
			continue
		}
		symbols := v.w.Declared(f).Symbols
		for i := range symbols {
			if !graph.CanHaveBases(&symbols[i]) {
				continue
			}
			for _, l := range LinksOf(v.r, v.w, resolve.SymbolID{File: f, Index: int32(i)}) {
				all[l.To] = append(all[l.To], l)
			}
		}
	}
	return all
}

// StoredAt are the edges of the graph at a reference's place, and whether they
// hold: of what changed they do not.
func (v *View) StoredAt(f resolve.FileID, ref *facts.Ref) (edges []graph.Edge, hold bool) {
	if v.edits.affectedAt(f, ref.Line, ref.Column) {
		return nil, false
	}
	for _, e := range v.stored(f, ref) {
		if e.To = v.edits.moved(e.To); len(e.To) > 0 {
			edges = append(edges, e)
		}
	}
	return edges, true
}

// stored are the edges of the graph at a reference's place, with targets as they are there.
func (v *View) stored(f resolve.FileID, ref *facts.Ref) (edges []graph.Edge) {
	all := v.g.Edges.Of(v.w.Old(f))
	for n := all.From(ref.Line, ref.Column); n < all.Len(); n++ {
		e := all.At(f, n)
		if int(e.Line) != ref.Line || int(e.Column) != ref.Column {
			break
		}
		if e.Kind != graph.KindImports || e.To[0].Index >= 0 {
			edges = append(edges, e)
		}
	}
	return edges
}

// FilesWith are the files with references of a name, and all changed ones.
func (v *View) FilesWith(name string) []resolve.FileID {
	files := v.w.ChangedFiles()
	for _, old := range v.g.Names.Files(name) {
		if f, same := v.w.now(old); same {
			files = append(files, f)
		}
	}
	return files
}

// EdgesIn are the edges in a file, in order of position.
func (v *View) EdgesIn(f resolve.FileID) []graph.Edge {
	if v.edits.affected(f) {
		edges, _ := usesOf(v.r, v.w, f)
		return edges
	}
	edges := slices.Collect(v.g.Edges.Of(v.w.Old(f)).All(f))
	for i := range edges {
		edges[i].To = v.edits.moved(edges[i].To)
	}
	return edges
}
