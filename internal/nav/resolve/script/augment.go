package script

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

type augmentedKey struct{}

// augmented are the interfaces of other files that "declare module" adds members to,
// each with the declarations that do.
func augmented(q *resolve.Query) map[resolve.SymbolID][]resolve.SymbolID {
	return resolve.Once(q, augmentedKey{}, func() map[resolve.SymbolID][]resolve.SymbolID {
		out := map[resolve.SymbolID][]resolve.SymbolID{}
		for _, language := range [...]string{"TypeScript", "TSX", "Vue", "Svelte", "Astro"} {
			for _, f := range q.World().Language(language) {
				imports := q.File(f).Imports
				for i := range imports {
					if imports[i].Local != facts.Augmented {
						continue
					}
					for _, id := range (Language{}).imports(q.Anew(), f, i).Symbols {
						if more, ok := declaredAt(q, f, &imports[i]); ok && id != more && q.Symbol(id).Kind == "interface" {
							out[id] = append(out[id], more)
						}
					}
				}
			}
		}
		return out
	})
}

// declaredAt is the symbol of a file where an import is.
func declaredAt(q *resolve.Query, f resolve.FileID, x *facts.Import) (resolve.SymbolID, bool) {
	i := slices.IndexFunc(q.File(f).Symbols,
		func(s facts.Symbol) bool { return s.Line == x.Line && s.Column == x.Column })
	return resolve.SymbolID{File: f, Index: int32(i)}, i >= 0 //nolint:gosec // an index
}
