package overlay

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Declares reports whether a function is a prototype or a further clause, of which another
// one may be the definition.
func (v *View) Declares(s resolve.SymbolID) bool {
	return graph.IsCode(v.w.Kind(s)) && v.w.Symbol(s).Prototype
}

// Prototype reports whether one function of C or C++ only declares another one, or
// one of Elixir is a further clause of it, in the same module or implementation.
func (v *View) Prototype(a, b resolve.SymbolID) bool {
	w := v.w
	if a == b || !v.Declares(a) || !graph.IsCode(w.Kind(b)) {
		return false
	}
	s, other := w.Symbol(a), w.Symbol(b)
	if !resolve.Declares(s, other, a.File == b.File) {
		return false
	}
	return w.File(a.File).Language != "Elixir" || a.File == b.File && s.Parent == other.Parent
}

// Defined leaves out of some symbols those that another one of them defines.
func (v *View) Defined(all []resolve.SymbolID) []resolve.SymbolID {
	if len(all) < 2 || !graph.IsCode(v.w.Kind(all[0])) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(a resolve.SymbolID) bool {
		return slices.ContainsFunc(all, func(b resolve.SymbolID) bool { return v.Prototype(a, b) })
	})
}
