package packaged

import "github.com/ragnav/ragnav/internal/nav/resolve"

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
