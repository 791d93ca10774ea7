package packaged

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// csharpLanguage is a packagedLanguage whose types may be declared in parts.
type csharpLanguage struct{ packagedLanguage }

// Own implements Language: what any part of a type declares.
func (l csharpLanguage) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	around, pkg := q.Symbol(typ).Qualified+".", q.File(typ.File).Package
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s, file := q.Symbol(id), q.File(id.File)
		if s.Parent >= 0 && s.Qualified == around+name && file.Language == l.Name && file.Package == pkg {
			out = append(out, id)
		}
	}
	return out
}

// Lacking implements Language: extension methods, of what is exactly the type or is made
// from it; those of a type parameter may be called of anything, those of a type that is not
// of the repository of anything that is not either.
func (l csharpLanguage) Lacking(
	q *resolve.Query, from resolve.FileID, e resolve.Entity, name string,
) resolve.Found {
	outside := e.Kind == resolve.External && !l.Common(name)
	if e.Kind != resolve.Value && !outside {
		return resolve.Found{}
	}
	var own, any []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Under == facts.Nothing || !resolve.IsFunction(s) || q.File(id.File).Language != l.Name || !l.sees(q, from, id) {
			continue
		}
		if outside && !s.Exported && q.File(id.File).Package != q.File(from).Package {
			continue // it may well be private
		}
		switch t := q.Eval(id.File, s.Parent, s.Under.Base()); {
		case slices.Contains(s.Params, s.Under.LastName()), outside && t.Kind == resolve.External:
			any = append(any, id)
		case t.Kind == resolve.TypeName && isMadeFrom(q, e, t.Symbols):
			own = append(own, id)
		}
	}
	if len(own) > 0 {
		return resolve.Found{Symbols: own, Tier: resolve.TierC}
	}
	return resolve.Found{Symbols: any, Tier: resolve.TierD}
}

// sees reports whether a file is in the namespace of a symbol, or below it, or uses it.
func (l csharpLanguage) sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	pkg, own := q.File(id.File).Package, q.File(from)
	if pkg == "" || own.Package == pkg || strings.HasPrefix(own.Package, pkg+l.separator) {
		return true
	}
	used := func(x facts.Import) bool { return x.Path == pkg }
	return slices.ContainsFunc(own.Imports, used) || slices.ContainsFunc(l.globals(q), used)
}

type globalsKey struct{}

// globals are what "global using" makes known in all files.
func (l csharpLanguage) globals(q *resolve.Query) []facts.Import {
	return resolve.Once(q, globalsKey{}, func() (all []facts.Import) {
		for _, id := range q.World().Language(l.Name) {
			if f := q.File(id); len(f.Symbols) == 0 { // such files have nothing else
				all = append(all, f.Imports...)
			}
		}
		return all
	})
}

// isMadeFrom reports whether a value is one of some types or of one that is made from
// them.
func isMadeFrom(q *resolve.Query, e resolve.Entity, types []resolve.SymbolID) bool {
	seen := map[resolve.SymbolID]bool{}
	for next := slices.Clone(e.Symbols); len(next) > 0 && len(seen) < resolve.MaxTypes; next = next[1:] {
		id := next[0]
		if slices.Contains(types, id) {
			return true
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		for _, b := range q.BasesOf(id, nil) {
			next = append(next, b.Symbols...)
		}
	}
	return false
}
