package graph

import (
	"sort"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// before is the symbol in the graph that a symbol of the view was, if it looks
// as it did and nothing that the delta cannot tell has changed.
func (v *View) before(s resolve.SymbolID) (resolve.SymbolID, bool) {
	if v.w.sameAs {
		return s, true
	}
	d, old := v.delta(), v.w.old(s.File)
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
func (v *View) moved(to []resolve.SymbolID) []resolve.SymbolID {
	if v.w.sameAs {
		return to
	}
	out := make([]resolve.SymbolID, 0, len(to))
	for _, t := range to {
		if now, ok := v.after(t); ok {
			out = append(out, now)
		}
	}
	return out
}

// after is the symbol that a symbol of the graph is now.
func (v *View) after(s resolve.SymbolID) (resolve.SymbolID, bool) {
	if s.Index < 0 {
		return s, false
	}
	if v.w.toNew != nil {
		if s.File = v.w.toNew[s.File]; s.File < 0 {
			return s, false
		}
	}
	m, changed := v.delta().moved[s.File]
	if !changed {
		return s, true
	}
	i, stayed := m.after(s.Index)
	return resolve.SymbolID{File: s.File, Index: i}, stayed
}

func (v *View) movedLinks(links []link) []link {
	if v.w.sameAs {
		return links
	}
	kept := links[:0]
	for _, l := range links {
		if ends := v.moved([]resolve.SymbolID{l.from, l.to}); len(ends) == 2 {
			l.from, l.to = ends[0], ends[1]
			kept = append(kept, l)
		}
	}
	return kept
}

// linksStay tells whether the graph's links between symbols still hold.
func (v *View) linksStay() bool {
	return v.w.sameAs || !v.delta().all && !v.delta().links
}

// affected tells whether references of a file may stand for something else than
// in the graph.
func (v *View) affected(f resolve.FileID) bool {
	if _, changed := v.w.changed[f]; changed {
		return true
	}
	if v.w.sameAs {
		return false
	}
	d := v.delta()
	return d.all || d.files[f]
}

// affectedAt tells that of the references at one place.
func (v *View) affectedAt(f resolve.FileID, line, column int) bool {
	if !v.affected(f) {
		return false
	}
	if _, changed := v.w.changed[f]; changed || v.delta().all {
		return true
	}
	file := v.w.File(f)
	i := sort.Search(len(file.Refs), func(i int) bool { return file.Refs[i].Line >= line })
	for ; i < len(file.Refs) && file.Refs[i].Line == line; i++ {
		if file.Refs[i].Column == column && v.delta().touches(file, &file.Refs[i]) {
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
	mentioned(file, ref.Of, func(name string) { found = found || d.names[name] })
	for in := ref.In; in >= 0 && !found; in = file.Symbols[in].Parent {
		found = d.names[file.Symbols[in].Name]
	}
	return found
}
