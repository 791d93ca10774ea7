// Package elixir finds what names of Elixir stand for: modules, aliases, imports.
package elixir

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/byname"
)

// Language is that of Elixir.
var Language = elixirLanguage{byname.Of("Elixir")}

// elixirLanguage finds names of Elixir. The parts of a module's name have
// backslashes between.
type elixirLanguage struct{ byname.Language }

// Bare implements Language: modules; functions of the modules around, then those
// of imported ones.
func (l elixirLanguage) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) {
		return l.module(q, f, in, strings.ReplaceAll(name, `\`, "."))
	}
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if !isModule(symbols[i].Kind) {
			continue
		}
		list := l.Own(q, resolve.SymbolID{File: f, Index: int32(i)}, name) //nolint:gosec // an index
		if in < len(symbols) && resolve.IsFunction(&symbols[in]) {
			list = slices.DeleteFunc(list, func(id resolve.SymbolID) bool { return q.Symbol(id).Kind == "type" })
		}
		if len(list) > 0 {
			return resolve.Found{Symbols: list, Tier: resolve.TierA}
		}
	}
	for i := range q.File(f).Imports {
		x := &q.File(f).Imports[i]
		if x.Name != "*" || x.In >= 0 && !l.within(q, f, in, x.In) {
			continue
		}
		for _, m := range l.module(q, f, in, x.Path).Symbols {
			list := slices.DeleteFunc(l.Own(q, m, name), func(id resolve.SymbolID) bool { return q.Symbol(id).Kind == "type" })
			if len(list) > 0 {
				return resolve.Found{Symbols: list, Tier: resolve.TierB}
			}
		}
	}
	return resolve.Found{External: true}
}

// within reports whether a symbol is another one or in it.
func (elixirLanguage) within(q *resolve.Query, f resolve.FileID, in, outer int) bool {
	symbols := q.File(f).Symbols
	for in > outer && in < len(symbols) {
		in = symbols[in].Parent
	}
	return in == outer
}

// module finds a module by its name as it is written: the first part may be an
// alias, or the name of one in a module around.
func (l elixirLanguage) module(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
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
			return resolve.Found{Symbols: list, Tier: resolve.TierB}
		}
		return resolve.Found{External: true}
	}
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		var list []resolve.SymbolID
		for _, id := range index[symbols[i].Qualified+"."+name] {
			if id.File == f && l.within(q, f, int(id.Index), i) { // others are named as a whole
				list = append(list, id)
			}
		}
		if list != nil {
			return resolve.Found{Symbols: list, Tier: resolve.TierA}
		}
	}
	if list := index[name]; list != nil {
		return resolve.Found{Symbols: list, Tier: resolve.TierB}
	}
	return resolve.Found{External: true}
}

// isModule reports whether a kind is one of modules: those and protocols.
func isModule(kind string) bool { return kind == "module" || kind == "interface" }

type elixirIndexKey struct{}

// index has all modules by their names.
func (l elixirLanguage) index(q *resolve.Query) map[string][]resolve.SymbolID {
	return resolve.Once(q, elixirIndexKey{}, func() map[string][]resolve.SymbolID {
		out := map[string][]resolve.SymbolID{}
		for _, f := range q.World().Language(l.Name) {
			symbols := q.File(f).Symbols
			for i := range symbols {
				if s := &symbols[i]; isModule(s.Kind) {
					out[s.Qualified] = append(out[s.Qualified], resolve.SymbolID{File: f, Index: int32(i)}) //nolint:gosec // an index
				}
			}
		}
		return out
	})
}

// Own implements Language: of the clauses of a function the first stands for it. A
// module is known in itself by its last name.
func (l elixirLanguage) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	t := q.Symbol(typ)
	if t.Name == name {
		return []resolve.SymbolID{typ}
	}
	var out []resolve.SymbolID
	seen := map[string]bool{}
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Qualified != t.Qualified+"."+name || q.File(id.File).Language != l.Name || isModule(s.Kind) {
			continue
		}
		if clause := q.File(id.File).Path + strings.ReplaceAll(s.Signature, "=", ""); !seen[clause] {
			seen[clause] = true
			out = append(out, id)
		}
	}
	return out
}

// Import implements Language: the files of the module.
func (l elixirLanguage) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	name := x.Path
	if x.Name != "*" {
		name = strings.TrimPrefix(x.Path+"."+x.Name, ".")
	}
	var out []resolve.FileID
	for _, id := range l.index(q)[name] {
		out = append(out, id.File)
	}
	return out
}

// Module implements Language: what is imported.
func (l elixirLanguage) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(l.Import(q, f, i))
}
