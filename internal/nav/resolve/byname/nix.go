package byname

import (
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Nix is a language in which a file is an expression, which others have by its path. Names that a
// file binds itself are found where it is read.
type Nix struct{ Language }

// NixOf is that language.
func NixOf() Nix { return Nix{Of("Nix")} }

// Confidence implements Language by the share of each tier that was right (bench/RESULTS.md, Graph).
func (Nix) Confidence(t resolve.Tier) float32 { return lexicalConfidence[t] }

// Bare implements Language: nothing else is said by its name alone.
func (Nix) Bare(*resolve.Query, resolve.FileID, int, string) resolve.Found {
	return resolve.Found{External: true}
}

// Import implements Language: a file, or "default.nix" of a folder.
func (Nix) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	at := resolve.CleanDir(path.Join(path.Dir(q.File(f).Path), q.File(f).Imports[i].Path))
	for _, p := range []string{at, path.Join(at, "default.nix")} {
		if id, ok := q.World().ByPath(p); ok && q.File(id).Language == "Nix" {
			return []resolve.FileID{id}
		}
	}
	return nil
}

// Reference implements Language: of what is imported under a name, the one attribute of a name.
func (l Nix) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	var out []resolve.SymbolID
	for i := range q.File(f).Imports {
		if x := &q.File(f).Imports[i]; x.Local == "" || x.Local != ref.Of.String() {
			continue
		}
		files := l.Import(q, f, i)
		for _, id := range q.World().Defs(ref.Name) {
			if slices.Contains(files, id.File) && q.Symbol(id).Parent < 0 {
				out = append(out, id)
			}
		}
	}
	if len(out) != 1 {
		return resolve.Found{External: true}, true
	}
	return resolve.Found{Symbols: out, Tier: resolve.TierB}, true
}
