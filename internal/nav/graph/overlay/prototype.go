package overlay

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Prototype reports whether one function of C or C++ only declares another one: in a
// header, or earlier in the file that defines it. What calls something is no prototype.
func (v *View) Prototype(a, b resolve.SymbolID) bool {
	w := v.w
	if a == b || !graph.IsCode(w.Kind(a)) || !graph.IsCode(w.Kind(b)) {
		return false
	}
	from, to := w.Path(a.File), w.Path(b.File)
	if a.File == b.File {
		if a.Index > b.Index || !resolve.IsHeader(to) && !resolve.IsSource(to) {
			return false
		}
	} else if !resolve.IsHeader(from) || !resolve.IsSource(to) {
		return false
	}
	x, y := w.Symbol(a), w.Symbol(b)
	if x.Qualified != y.Qualified || path.Ext(to) != ".c" && (x.Signature == "" ||
		signature(x.Signature) != signature(y.Signature)) {
		return false
	}
	return !slices.ContainsFunc(v.UsedBy(a), func(e graph.Edge) bool { return graph.Kinds[e.Kind] != string(facts.Type) })
}

// signature is one without marks of what may be left out, which a declaration alone has.
func signature(s string) string { return strings.ReplaceAll(s, "=", "") }

// Defined leaves out of some symbols those that another one of them defines.
func (v *View) Defined(all []resolve.SymbolID) []resolve.SymbolID {
	w := v.w
	if len(all) < 2 || !resolve.IsHeader(w.Path(all[0].File)) && !resolve.IsSource(w.Path(all[0].File)) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(a resolve.SymbolID) bool {
		return slices.ContainsFunc(all, func(b resolve.SymbolID) bool { return v.Prototype(a, b) })
	})
}
