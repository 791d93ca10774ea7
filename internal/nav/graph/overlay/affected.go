package overlay

import (
	"sort"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// edits are the changed files of a world, and what of the graph still holds with
// them.
type edits struct {
	g     *graph.Graph
	w     *World
	said  func() *said
	delta func() *delta
}

// said is what the changed files say of names, without resolving any.
type said struct {
	aliases  map[string][]string // of their imports
	mentions map[string][]string // names of their symbols, by names that those mention
}

func newEdits(g *graph.Graph, w *World) *edits {
	e := &edits{g: g, w: w}
	e.said = sync.OnceValue(e.readChanged)
	e.delta = sync.OnceValue(func() *delta { return newDelta(e) })
	return e
}

func (x *edits) readChanged() *said {
	c := &said{aliases: map[string][]string{}, mentions: map[string][]string{}}
	for _, f := range x.w.ChangedFiles() {
		file := x.w.changed[f]
		graph.ImportAliases(file, func(name, as string) { c.aliases[name] = append(c.aliases[name], as) })
		graph.EachMention(file, func(name, by string) { c.mentions[name] = append(c.mentions[name], by) })
	}
	return c
}

// before is the symbol in the graph that a symbol of the view was, if it looks
// as it did and nothing that the delta cannot tell has changed.
func (x *edits) before(s resolve.SymbolID) (resolve.SymbolID, bool) {
	if x.w.sameAs {
		return s, true
	}
	d, old := x.delta(), x.w.Old(s.File)
	if d.all || old < 0 {
		return s, false
	}
	m, changed := d.moved[s.File]
	if !changed {
		return resolve.SymbolID{File: old, Index: s.Index}, true
	}
	i, stayed := m.before(s.Index)
	return resolve.SymbolID{File: old, Index: i}, stayed
}

// moved are targets of the graph as symbols of the view. Those that are gone are
// left out.
func (x *edits) moved(to []resolve.SymbolID) []resolve.SymbolID {
	if x.w.sameAs {
		return to
	}
	out := make([]resolve.SymbolID, 0, len(to))
	for _, t := range to {
		if now, ok := x.after(t); ok {
			out = append(out, now)
		}
	}
	return out
}

// after is the symbol that a symbol of the graph is now.
func (x *edits) after(s resolve.SymbolID) (resolve.SymbolID, bool) {
	if s.Index < 0 {
		return s, false
	}
	if x.w.toNew != nil {
		if s.File = x.w.toNew[s.File]; s.File < 0 {
			return s, false
		}
	}
	m, changed := x.delta().moved[s.File]
	if !changed {
		return s, true
	}
	i, stayed := m.after(s.Index)
	return resolve.SymbolID{File: s.File, Index: i}, stayed
}

func (x *edits) movedLinks(links []graph.Link) []graph.Link {
	if x.w.sameAs {
		return links
	}
	kept := links[:0]
	for _, l := range links {
		if ends := x.moved([]resolve.SymbolID{l.From, l.To}); len(ends) == 2 {
			l.From, l.To = ends[0], ends[1]
			kept = append(kept, l)
		}
	}
	return kept
}

// linksStay tells whether the graph's links between symbols still hold.
func (x *edits) linksStay() bool {
	return x.w.sameAs || !x.delta().all && !x.delta().links
}

// affected tells whether references of a file may stand for something else than
// in the graph.
func (x *edits) affected(f resolve.FileID) bool {
	if _, changed := x.w.changed[f]; changed {
		return true
	}
	if x.w.sameAs {
		return false
	}
	d := x.delta()
	return d.all || d.files[f]
}

// affectedAt tells that of the references at one place.
func (x *edits) affectedAt(f resolve.FileID, line, column int) bool {
	if !x.affected(f) {
		return false
	}
	if _, changed := x.w.changed[f]; changed || x.delta().all || x.delta().whole[f] {
		return true
	}
	file := x.w.File(f)
	i := sort.Search(len(file.Refs), func(i int) bool { return file.Refs[i].Line >= line })
	for ; i < len(file.Refs) && file.Refs[i].Line == line; i++ {
		if file.Refs[i].Column == column && x.delta().touches(file, &file.Refs[i]) {
			return true
		}
	}
	return false
}

// touches tells whether a reference mentions a name of the delta.
func (d *delta) touches(file *facts.File, ref *facts.Ref) bool {
	if d.names[ref.Name] {
		return true
	}
	found := false
	ref.Exprs(func(e facts.Expr) {
		graph.Mentioned(file, e, func(name string) { found = found || d.names[name] })
	})
	for in := ref.In; in >= 0 && !found; in = file.Symbols[in].Parent {
		found = d.names[file.Symbols[in].Name]
	}
	return found
}
