package swift

import (
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

type ownersKey struct {
	file resolve.FileID
	of   facts.Expr
}

// ownersOf are the types that an extension is of, by the names that it is written with; none
// of one outside of the repository.
func ownersOf(q *resolve.Query, f resolve.FileID, of facts.Expr) []resolve.SymbolID {
	return resolve.Once(q, ownersKey{f, of.Base()}, func() []resolve.SymbolID {
		return typesNamed(q, f, strings.Split(of.Base().String(), "."), 0)
	})
}

// maxAliases is how many aliases are followed.
const maxAliases = 4

// typesNamed are the types that names mean, each in the one before, as a file outside of types may
// write them. It asks for no members, which are found by it.
func typesNamed(q *resolve.Query, f resolve.FileID, names []string, depth int) []resolve.SymbolID {
	if len(names) > 1 && len(modulesOf(q).files[names[0]]) > 0 {
		names = names[1:]
	}
	types := fitting(q, topsOf(q, f, names[0]), names[0], true)
	types = withoutAliases(q, types, depth)
	for _, name := range names[1:] {
		var next []resolve.SymbolID
		for _, id := range q.World().Defs(name) {
			s := q.Symbol(id)
			if !resolve.IsType(s) || q.File(id.File).Language != languageName {
				continue
			}
			if slices.ContainsFunc(types, func(t resolve.SymbolID) bool {
				near := t.File == id.File || moduleOf(q, t.File) == moduleOf(q, id.File) || s.Owner != facts.Nothing
				return near && s.Qualified == q.Symbol(t).Qualified+"."+name
			}) {
				next = append(next, id)
			}
		}
		types = withoutAliases(q, next, depth)
	}
	return types
}

// withoutAliases are types without other names of them.
func withoutAliases(q *resolve.Query, types []resolve.SymbolID, depth int) (out []resolve.SymbolID) {
	for _, id := range types {
		s := q.Symbol(id)
		if s.Kind != "type" || s.Type == facts.Nothing {
			out = append(out, id)
			continue
		}
		names := strings.Split(s.Type.Base().String(), ".")
		if depth < maxAliases && !strings.ContainsAny(names[0], "~^@#?{(<") {
			out = append(out, typesNamed(q, id.File, names, depth+1)...)
		}
	}
	return out
}

type ownedKey string

// ownedBy are the members of a name by the type that extensions declare them for.
func ownedBy(q *resolve.Query, name string) map[resolve.SymbolID][]resolve.SymbolID {
	return resolve.Once(q, ownedKey(name), func() map[resolve.SymbolID][]resolve.SymbolID {
		out := map[resolve.SymbolID][]resolve.SymbolID{}
		for _, id := range q.World().Defs(name) {
			s := q.Symbol(id)
			if q.File(id.File).Language != languageName {
				continue
			}
			if s.Owner == facts.Nothing {
				if s.Parent >= 0 {
					at := resolve.SymbolID{File: id.File, Index: int32(s.Parent)} //nolint:gosec // an index
					out[at] = append(out[at], id)
				}
				continue
			}
			for _, t := range ownersOf(q, id.File, s.Owner) {
				out[t] = append(out[t], id)
			}
		}
		return out
	})
}

// Own implements Language: members that a type or one of its extensions declares, by a name
// with labels those that can be called with them.
func (Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	plain, _, _ := facts.Labels(name)
	return fitting(q, ownedBy(q, plain)[typ], name, false)
}

// anyCall is a name by which functions are found whatever they are called with.
func anyCall(name string) string { return facts.Labelled(name, []string{"*"}) }

type conformsKey struct{}

// A conformance is what an extension says that its type is.
type conformance struct {
	file resolve.FileID
	to   string
}

// conformancesOf are those of all extensions, by type.
func conformancesOf(q *resolve.Query) map[resolve.SymbolID][]conformance {
	return resolve.Once(q, conformsKey{}, func() map[resolve.SymbolID][]conformance {
		out := map[resolve.SymbolID][]conformance{}
		for _, f := range q.World().Language(languageName) {
			imports := q.File(f).Imports
			for i := range imports {
				if imports[i].Local != facts.Extension {
					continue
				}
				for _, t := range ownersOf(q, f, facts.Dotted(imports[i].Name)) {
					out[t] = append(out[t], conformance{f, imports[i].Path})
				}
			}
		}
		return out
	})
}

type foreignKey struct{}

// foreignConformances are the protocols that types outside of the repository are said to be.
func foreignConformances(q *resolve.Query) map[string][]resolve.SymbolID {
	return resolve.Once(q, foreignKey{}, func() map[string][]resolve.SymbolID {
		out := map[string][]resolve.SymbolID{}
		for _, f := range q.World().Language(languageName) {
			imports := q.File(f).Imports
			for i := range imports {
				x := &imports[i]
				if x.Local == facts.Extension && len(ownersOf(q, f, facts.Dotted(x.Name))) == 0 {
					out[x.Name] = append(out[x.Name], ownersOf(q, f, facts.Dotted(x.Path))...)
				}
			}
		}
		return out
	})
}

// basesOf are what a type is made from, by its declaration and its extensions.
func basesOf(q *resolve.Query, e resolve.Entity) (out []resolve.Entity) {
	for _, id := range e.Symbols {
		out = append(out, q.BasesOf(id, e.Args)...)
		for _, c := range conformancesOf(q)[id] {
			if list := ownersOf(q, c.file, facts.Dotted(c.to)); len(list) > 0 {
				out = append(out, resolve.Entity{Kind: resolve.TypeName, Symbols: list})
			} else {
				out = append(out, resolve.Entity{Kind: resolve.External, Foreign: c.to})
			}
		}
	}
	return out
}

// Implements implements Language: protocols that extensions say.
func (Language) Implements(q *resolve.Query, typ resolve.SymbolID) (out []resolve.SymbolID) {
	for _, c := range conformancesOf(q)[typ] {
		for _, t := range ownersOf(q, c.file, facts.Dotted(c.to)) {
			if t != typ && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// Line implements Language: the type, the classes above it, then protocols.
func (Language) Line(q *resolve.Query, e resolve.Entity) iter.Seq[resolve.Entity] {
	return func(yield func(resolve.Entity) bool) {
		if !yield(e) {
			return
		}
		seen := map[resolve.SymbolID]bool{}
		for _, id := range e.Symbols {
			seen[id] = true
		}
		var protocols []resolve.Entity
		level := []resolve.Entity{e}
		for depth := 0; len(level) > 0 && depth < resolve.MaxLevels && len(seen) < resolve.MaxTypes; depth++ {
			var next []resolve.Entity
			for _, t := range level {
				for _, b := range flat(basesOf(q, t)) {
					switch {
					case b.Kind != resolve.TypeName || len(b.Symbols) == 0:
						if b.Kind != resolve.Unknown {
							protocols = append(protocols, resolve.Entity{Kind: resolve.External, Foreign: b.Foreign})
						}
					case seen[b.Symbols[0]]:
					default:
						seen[b.Symbols[0]] = true
						next = append(next, b)
						if q.Symbol(b.Symbols[0]).Kind != "class" {
							protocols = append(protocols, b)
						} else if !yield(b) {
							return
						}
					}
				}
			}
			level = next
		}
		for _, p := range protocols {
			if !yield(p) {
				return
			}
		}
	}
}

// flat takes apart what is of several types at once.
func flat(list []resolve.Entity) (out []resolve.Entity) {
	for _, e := range list {
		if e.Kind == resolve.Union {
			out = append(out, flat(e.Args)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}
