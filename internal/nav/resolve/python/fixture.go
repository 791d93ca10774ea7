package python

import (
	"path"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// requested finds the fixture that a parameter names: of the classes around it and what they
// inherit from, of its file, of what that imports, then of the closest conftest.py. A fixture that names
// itself means the next one.
func requested(l Language, q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	symbols := q.File(f).Symbols
	function := func(ids []resolve.SymbolID) resolve.Found {
		for _, id := range ids {
			if resolve.IsFunction(q.Symbol(id)) && (id.File != f || int(id.Index) != ref.In) {
				return resolve.Found{Symbols: []resolve.SymbolID{id}, Tier: resolve.TierB}
			}
		}
		return resolve.Found{}
	}
	for in := ref.In; in >= 0; in = symbols[in].Parent {
		if symbols[in].Kind != "class" {
			continue
		}
		//nolint:gosec // symbols of a file are few
		class := resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{{File: f, Index: int32(in)}}}
		for t := range l.Line(q, class) {
			if found := function(q.Own(t, ref.Name)); !found.None() {
				return found
			}
		}
	}
	if found := function(l.names(q, f, ref.Name).Symbols); !found.None() {
		return found
	}
	return fixture(q, f, ref.Name)
}

// fixture finds a fixture of pytest, which tests name without an import: that of the
// closest conftest.py above a file, or of the next one where it is the file itself.
func fixture(q *resolve.Query, f resolve.FileID, name string) (found resolve.Found) {
	closest := -1
	for _, id := range q.World().Defs(name) {
		s, dir := q.Symbol(id), resolve.FolderOf(q.File(id.File).Path)
		if id.File != f && s.Parent < 0 && resolve.IsFunction(s) && path.Base(q.File(id.File).Path) == "conftest.py" &&
			len(dir) > closest && resolve.IsWithin(resolve.FolderOf(q.File(f).Path), dir) {
			found, closest = resolve.Found{Symbols: []resolve.SymbolID{id}, Tier: resolve.TierB}, len(dir)
		}
	}
	return found
}
