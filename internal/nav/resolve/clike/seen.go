package clike

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// sees reports whether a file declares or includes one of some symbols.
func (l Language) sees(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) bool {
	included := l.included(q, f)
	return slices.ContainsFunc(list, func(id resolve.SymbolID) bool { return id.File == f || included[id.File] })
}

// Sees implements Language: what is declared in std by other files than those that are
// included is a specialization of what the library has.
func (l Language) Sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	return !strings.HasPrefix(q.Symbol(id).Qualified, "std.") || id.File == from || l.included(q, from)[id.File]
}

// generalIn reports whether one of some symbols specializes no template.
func generalIn(q *resolve.Query, list []resolve.SymbolID) bool {
	return slices.ContainsFunc(list, func(id resolve.SymbolID) bool { return q.Symbol(id).Shape != facts.Specialized })
}

// general are those of some symbols that specialize no template: which of the others is
// meant is not known.
func general(q *resolve.Query, list []resolve.SymbolID) []resolve.SymbolID {
	special := func(id resolve.SymbolID) bool { return q.Symbol(id).Shape == facts.Specialized }
	if !slices.ContainsFunc(list, special) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), special)
}

// Narrow implements Language: what a file declares or includes, with what defines
// that in other files, if there is some of it; of a template that is declared itself not what
// specializes it.
func (l Language) Narrow(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if generalIn(q, list) {
		list = general(q, list)
	}
	included := l.included(q, f)
	var near, out []resolve.SymbolID
	for _, id := range list {
		if id.File == f || included[id.File] {
			near = append(near, id)
		}
	}
	if len(near) == 0 || len(near) == len(list) {
		return list
	}
	for _, id := range list {
		defines := func(declared resolve.SymbolID) bool { return id == declared || l.defines(q, id, declared) }
		if slices.ContainsFunc(near, defines) {
			out = append(out, id)
		}
	}
	return out
}

// defines reports whether a symbol of another file may be the definition of one that
// is declared: it is known to linkers or a member, and its file knows the declaration,
// if that is in a header. Two functions with bodies are two functions.
func (l Language) defines(q *resolve.Query, id, declared resolve.SymbolID) bool {
	s, d := q.Symbol(id), q.Symbol(declared)
	if s.Owner == facts.Nothing && !linked(q, id) || s.Qualified != d.Qualified ||
		resolve.IsFunction(s) && !s.Prototype && !d.Prototype {
		return false
	}
	return q.File(id.File).Language == "C" || l.included(q, id.File)[declared.File] ||
		!resolve.IsHeader(q.File(declared.File).Path) && d.Prototype
}

// before finds a name in a header by what files have that include it: it may only stand
// behind other includes.
func (l Language) before(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	defs := q.World().Defs(name)
	if len(defs) == 0 || !included(q.File(f).Path) {
		return resolve.Found{External: true}
	}
	by := l.includers(q, f)
	var out []resolve.SymbolID
	for _, id := range defs {
		knows := func(g resolve.FileID) bool { return g == id.File || l.included(q, g)[id.File] }
		if l.isTop(q, id) && slices.ContainsFunc(by, knows) {
			out = append(out, id)
		}
	}
	if len(out) == 0 || len(out) > resolve.MaxTargets {
		return resolve.Found{External: true}
	}
	return resolve.Found{Symbols: out, Tier: resolve.TierE}
}

// included reports whether a file is made to be included.
func included(p string) bool {
	ext := path.Ext(p)
	return resolve.IsHeader(p) || ext != ".c" && ext != ".cc" && ext != ".cpp" && ext != ".cxx"
}

type (
	includersKey struct{ f resolve.FileID }
	includedBy   struct{}
)

// maxIncluders bounds the files that are looked at of those that include one.
const maxIncluders = 64

// includers are files that include one, and those that include these.
func (l Language) includers(q *resolve.Query, f resolve.FileID) []resolve.FileID {
	direct := resolve.Once(q, includedBy{}, func() map[resolve.FileID][]resolve.FileID {
		by := map[resolve.FileID][]resolve.FileID{}
		for _, lang := range []string{"C", "C++"} {
			for _, g := range q.World().Language(lang) {
				for i := range q.File(g).Imports {
					for _, id := range l.Import(q, g, i) {
						by[id] = append(by[id], g)
					}
				}
			}
		}
		return by
	})
	return resolve.Once(q, includersKey{f}, func() []resolve.FileID {
		var out []resolve.FileID
		for next := []resolve.FileID{f}; len(next) > 0 && len(out) < maxIncluders; next = next[1:] {
			for _, g := range direct[next[0]] {
				if g != f && !slices.Contains(out, g) && len(out) < maxIncluders {
					out, next = append(out, g), append(next, g)
				}
			}
		}
		return out
	})
}
