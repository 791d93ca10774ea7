// Package objc finds what names of Objective-C stand for: messages by their selectors, of the class that a receiver is
// known to be of, properties, and what headers declare.
package objc

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language is Objective-C, with C++ in it or without.
type Language struct{ resolve.Default }

// confidence is the share of each tier that was right (bench/RESULTS.md, Graph).
var confidence = map[resolve.Tier]float32{
	resolve.TierA: 0.99, resolve.TierB: 0.99, resolve.TierC: 0.98, resolve.TierD: 0.9, resolve.TierF: 0.35,
}

// Confidence implements Language.
func (Language) Confidence(t resolve.Tier) float32 { return confidence[t] }

// Common implements Language: selectors of Foundation and the like, and single words.
func (Language) Common(name string) bool { return isCommon(name) }

// Bare implements Language: variables of the class around, types, then functions and values.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if list := variable(q, f, in, name); len(list) > 0 {
		return resolve.Found{Symbols: list, Tier: resolve.TierA}
	}
	if list := types(q, name); len(list) > 0 {
		return resolve.Found{Symbols: entity(q, list), Tier: resolve.TierB}
	}
	if found := l.values(q, f, name); len(found.Symbols) > 0 {
		return found
	}
	return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.External, Foreign: name}}
}

// Member implements Language: there are no modules.
func (Language) Member(*resolve.Query, resolve.FileID, []resolve.FileID, string) resolve.Found {
	return resolve.Found{}
}

// Module implements Language.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(l.Import(q, f, i))
}

// isRead reports whether files of a language are read with those of Objective-C.
func isRead(language string) bool {
	return resolve.IsObjC(language) || language == "C" || language == "C++"
}

// isMain reports whether a symbol is a class as it is declared, or where that is missing as it is implemented.
func isMain(s *facts.Symbol) bool { return s.Kind == "class" && s.Signature != "@implementation" }

var memberKinds = resolve.Set("method property field")

var typeKinds = resolve.Set("class interface extension struct enum union type")

// types are all declarations of a type of a name, categories among them.
func types(q *resolve.Query, name string) (list []resolve.SymbolID) {
	for _, id := range q.World().Defs(name) {
		if s := q.Symbol(id); s.Parent < 0 && typeKinds[s.Kind] && isRead(q.File(id.File).Language) {
			list = append(list, id)
		}
	}
	return list
}

// entity are those of the declarations of a type that say what it is: its members are found by its name.
func entity(q *resolve.Query, list []resolve.SymbolID) []resolve.SymbolID {
	first := func(is func(s *facts.Symbol) bool) int {
		return slices.IndexFunc(list, func(id resolve.SymbolID) bool { return is(q.Symbol(id)) })
	}
	at := first(isMain)
	for _, kind := range []string{"class", "interface", "extension"} {
		if at < 0 {
			at = first(func(s *facts.Symbol) bool { return s.Kind == kind })
		}
	}
	if at < 0 {
		return list[:min(len(list), 1)]
	}
	out := []resolve.SymbolID{list[at]}
	for i, id := range list { // protocols that categories say
		s := q.Symbol(id)
		if i != at && len(s.Bases) > 0 && len(out) < resolve.MaxSymbols &&
			(s.Kind == "interface") == (q.Symbol(list[at]).Kind == "interface") {
			out = append(out, id)
		}
	}
	return out
}

// variable are the variables of the class around a place, declared or made for a property.
func variable(q *resolve.Query, f resolve.FileID, in int, name string) []resolve.SymbolID {
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		s := &symbols[i]
		if s.Kind != "class" && s.Kind != "extension" {
			continue
		}
		list := types(q, s.Name)
		if len(list) == 0 || !strings.HasPrefix(name, "_") && !hasField(q, name) {
			return nil
		}
		found := q.Inherited(resolve.Entity{Kind: resolve.Value, Symbols: entity(q, list)}, name)
		return slices.DeleteFunc(slices.Clone(found.Symbols), func(id resolve.SymbolID) bool {
			m := q.Symbol(id)
			return m.Kind != "field" && (m.Kind != "property" || m.Name == name)
		})
	}
	return nil
}

func hasField(q *resolve.Query, name string) bool {
	return slices.ContainsFunc(q.World().Defs(name), func(id resolve.SymbolID) bool {
		return q.Symbol(id).Kind == "field"
	})
}

// values are functions, macros, variables and constants: of the file, of what it imports, or what one header declares.
func (l Language) values(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	var own, seen, far, defined []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s, file := q.Symbol(id), q.File(id.File)
		switch {
		case !isRead(file.Language) || typeKinds[s.Kind] || memberKinds[s.Kind]:
		case s.Parent >= 0 && file.Symbols[s.Parent].Kind != "enum":
		case id.File == f:
			own = append(own, id)
		case imported(q, f)[id.File]:
			seen = append(seen, id)
		case resolve.IsHeader(file.Path):
			far = append(far, id)
		default:
			defined = append(defined, id)
		}
	}
	switch {
	case len(own) > 0:
		return resolve.Found{Symbols: append(own, seen...), Tier: resolve.TierA}
	case len(seen) > 0:
		if q.Symbol(seen[0]).Kind == "macro" {
			defined = nil
		}
		return resolve.Found{Symbols: append(seen, defined...), Tier: resolve.TierB}
	case len(far) == 1:
		return resolve.Found{Symbols: append(far, defined...), Tier: resolve.TierD}
	case len(far) > 1 && len(far) <= resolve.MaxTargets:
		return resolve.Found{Symbols: far, Tier: resolve.TierF}
	}
	return resolve.Found{External: true}
}

type importedKey struct{ file resolve.FileID }

// maxImported is how many headers are followed from one file.
const maxImported = 3000

// imported are the files that a file imports, and what these do.
func imported(q *resolve.Query, f resolve.FileID) map[resolve.FileID]bool {
	return resolve.Once(q, importedKey{f}, func() map[resolve.FileID]bool {
		q, all := q.Anew(), map[resolve.FileID]bool{}
		for next := []resolve.FileID{f}; len(next) > 0 && len(all) < maxImported; next = next[1:] {
			for i := range q.File(next[0]).Imports {
				for _, to := range q.LanguageOf(next[0]).Import(q, next[0], i) {
					if !all[to] {
						all[to] = true
						next = append(next, to)
					}
				}
			}
		}
		return all
	})
}

type baseKey struct{}

// Import implements Language: the file of that path from here, or those whose paths end so; of a framework's
// header its name counts.
func (Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	name := q.File(f).Imports[i].Path
	if to, ok := q.World().ByPath(path.Join(path.Dir(q.File(f).Path), name)); ok {
		return []resolve.FileID{to}
	}
	all := resolve.Once(q, baseKey{}, func() map[string][]resolve.FileID {
		out := map[string][]resolve.FileID{}
		for _, language := range []string{"C", "C++", "Objective-C", "Objective-C++"} {
			for _, f := range q.World().Language(language) {
				base := path.Base(q.File(f).Path)
				out[base] = append(out[base], f)
			}
		}
		return out
	})[path.Base(name)]
	exact := slices.DeleteFunc(slices.Clone(all), func(id resolve.FileID) bool {
		return !strings.HasSuffix("/"+q.File(id).Path, "/"+strings.TrimLeft(name, "./"))
	})
	if len(exact) > 0 {
		all = exact
	}
	return nearest(q, f, all)
}

// nearest are those of several files that share most folders with one.
func nearest(q *resolve.Query, f resolve.FileID, list []resolve.FileID) (out []resolve.FileID) {
	most := -1
	for _, id := range list {
		switch n := resolve.Shared(q.File(id).Path, q.File(f).Path); {
		case n > most:
			most, out = n, []resolve.FileID{id}
		case n == most:
			out = append(out, id)
		}
	}
	return out
}
