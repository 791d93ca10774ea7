package resolve

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// elixirLanguage finds names of Elixir. The parts of a module's name have
// backslashes between.
type elixirLanguage struct{ genericLanguage }

// Bare implements Language: modules; functions of the modules around, then those
// of imported ones.
func (l elixirLanguage) Bare(q *Query, f FileID, in int, name string) Found {
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) {
		return l.module(q, f, in, strings.ReplaceAll(name, `\`, "."))
	}
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if symbols[i].Kind != "module" {
			continue
		}
		if list := l.Own(q, SymbolID{f, int32(i)}, name); list != nil { //nolint:gosec // an index
			return Found{Symbols: list, Tier: TierA}
		}
	}
	for i := range q.File(f).Imports {
		x := &q.File(f).Imports[i]
		if x.Name != "*" || x.In >= 0 && !l.within(q, f, in, x.In) {
			continue
		}
		for _, m := range l.module(q, f, in, x.Path).Symbols {
			if list := l.Own(q, m, name); list != nil {
				return Found{Symbols: list, Tier: TierB}
			}
		}
	}
	return Found{External: true}
}

// within reports whether a symbol is another one or in it.
func (elixirLanguage) within(q *Query, f FileID, in, outer int) bool {
	symbols := q.File(f).Symbols
	for in > outer && in < len(symbols) {
		in = symbols[in].Parent
	}
	return in == outer
}

// module finds a module by its name as it is written: the first part may be an
// alias, or the name of one in a module around.
func (l elixirLanguage) module(q *Query, f FileID, in int, name string) Found {
	first, rest, _ := strings.Cut(name, ".")
	if rest != "" {
		rest = "." + rest
	}
	index, symbols := l.index(q), q.File(f).Symbols
	for _, x := range q.File(f).Imports {
		if x.Name == "*" || x.Local != first && (x.Local != "" || x.Name != first) || x.In >= 0 && !l.within(q, f, in, x.In) {
			continue
		}
		whole := strings.TrimPrefix(x.Path+"."+x.Name, ".") + rest
		if list := index[whole]; list != nil {
			return Found{Symbols: list, Tier: TierB}
		}
		return Found{External: true}
	}
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if list := index[symbols[i].Qualified+"."+name]; list != nil {
			return Found{Symbols: list, Tier: TierA}
		}
	}
	if list := index[name]; list != nil {
		return Found{Symbols: list, Tier: TierB}
	}
	return Found{External: true}
}

type elixirIndexKey struct{}

// index has all modules by their names.
func (l elixirLanguage) index(q *Query) map[string][]SymbolID {
	return Once(q, elixirIndexKey{}, func() map[string][]SymbolID {
		out := map[string][]SymbolID{}
		for _, f := range q.World().Language(l.name) {
			symbols := q.File(f).Symbols
			for i := range symbols {
				if s := &symbols[i]; s.Kind == "module" {
					out[s.Qualified] = append(out[s.Qualified], SymbolID{f, int32(i)}) //nolint:gosec // an index
				}
			}
		}
		return out
	})
}

// Own implements Owning: of the clauses of a function the first stands for it. A
// module is known in itself by its last name.
func (l elixirLanguage) Own(q *Query, typ SymbolID, name string) []SymbolID {
	t := q.Symbol(typ)
	if t.Name == name {
		return []SymbolID{typ}
	}
	var out []SymbolID
	seen := map[string]bool{}
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Qualified != t.Qualified+"."+name || q.File(id.File).Language != l.name || s.Kind == "module" {
			continue
		}
		if clause := q.File(id.File).Path + s.Accepts; !seen[clause] {
			seen[clause] = true
			out = append(out, id)
		}
	}
	return out
}

// Import implements Language: the files of the module.
func (l elixirLanguage) Import(q *Query, f FileID, i int) []FileID {
	x := &q.File(f).Imports[i]
	name := x.Path
	if x.Name != "*" {
		name = strings.TrimPrefix(x.Path+"."+x.Name, ".")
	}
	var out []FileID
	for _, id := range l.index(q)[name] {
		out = append(out, id.File)
	}
	return out
}
