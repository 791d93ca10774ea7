// Package clike finds what names of C and C++ stand for: what a file includes, and
// what linkers join.
package clike

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language finds names in translation units of C and C++: a file and what
// it includes. What is in no include is looked for in all files, as linkers do.
type Language struct {
	resolve.Default

	until int // 1 + the first using declaration of a file that is not looked into; 0 if all are
}

// Bare implements Language.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if name == "::" {
		return resolve.Found{Files: []resolve.FileID{f}, Tier: resolve.TierA}
	}
	return l.find(q, f, in, name, false)
}

// Type implements Language: members of types around that are no types are meant if there
// is nothing else, as values stand where the grammar sees types.
func (l Language) Type(q *resolve.Query, f resolve.FileID, in int, name string) (resolve.Found, bool) {
	if name == "::" {
		return l.Bare(q, f, in, name), true
	}
	found := l.find(q, f, in, name, true)
	if len(found.Symbols) == 0 {
		found = l.find(q, f, in, name, false)
	}
	return found, true
}

func (l Language) find(q *resolve.Query, f resolve.FileID, in int, name string, types bool) resolve.Found {
	found, hidden := l.around(q, f, in, name, types)
	if len(found.Symbols) > 0 {
		return found
	}
	own, included := l.top(q, f, name), l.included(q, f)
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		if l.isTop(q, id) && included[id.File] {
			out = append(out, id)
		}
	}
	if generalIn(q, own) || generalIn(q, out) {
		own, out = general(q, own), general(q, out)
	}
	if used := used(l, q, f, in, name); len(used) > 0 {
		global := append(inNoNamespace(q, own), inNoNamespace(q, out)...)
		return resolve.Found{Symbols: l.Narrow(q, f, append(global, used...)), Tier: resolve.TierB}
	}
	// What is in no namespace is meant before what is in another one than those around.
	if global := inNoNamespace(q, own); len(global) > 0 {
		own = global
	} else if global := inNoNamespace(q, out); len(global) > 0 {
		own, out = nil, global
	}
	if len(own) > 0 { // with the declarations that it implements
		if !q.Symbol(own[0]).Exported {
			return resolve.Found{Symbols: own, Tier: resolve.TierA}
		}
		return resolve.Found{Symbols: l.twins(q, own, name), Tier: resolve.TierA}
	}
	if len(out) > 0 {
		return resolve.Found{Symbols: l.twins(q, out, name), Tier: resolve.TierB}
	}
	if len(hidden.Symbols) > 0 {
		return hidden
	}
	for _, id := range q.World().Defs(name) {
		if l.isTop(q, id) && q.Symbol(id).Exported && l.speaks(q, id.File) && q.Symbol(id).Kind != "macro" {
			out = append(out, id)
		}
	}
	if len(out) > 0 && len(out) <= resolve.MaxTargets && resolve.IsFunction(q.Symbol(out[0])) {
		return resolve.Found{Symbols: out, Tier: resolve.TierE}
	}
	for i, symbols := in, q.File(f).Symbols; i >= 0; i = symbols[i].Parent {
		if isMacro(&symbols[i]) {
			return l.atExpansion(q, f, name)
		}
	}
	return l.before(q, f, name)
}

// around finds a name in what a symbol is in: types with their bases, the type that a
// function is a member of, namespaces. hidden is what only parts of a namespace have that
// the file does not include.
func (l Language) around(
	q *resolve.Query, f resolve.FileID, in int, name string, types bool,
) (found, hidden resolve.Found) {
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		found = l.inside(q, resolve.SymbolID{File: f, Index: int32(i)}, name) //nolint:gosec // an index
		if len(found.Symbols) == 0 {
			continue
		}
		if symbols[i].Kind == "namespace" && !l.sees(q, f, found.Symbols) {
			if len(hidden.Symbols) == 0 {
				hidden = found
			}
			continue
		}
		found = q.Injected(found)
		s := q.Symbol(found.Symbols[0])
		if !types || resolve.IsType(s) || s.Kind == "namespace" || s.Kind == "macro" ||
			s.Parent < 0 && s.Owner == facts.Nothing {
			return found, hidden
		}
	}
	return resolve.Found{}, hidden
}

// inside finds a name that a symbol has for what is in it.
func (l Language) inside(q *resolve.Query, id resolve.SymbolID, name string) resolve.Found {
	switch s := q.Symbol(id); {
	case resolve.IsType(s) || s.Kind == "namespace":
		return q.Inherited(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}, name)
	case s.Owner != facts.Nothing && name == s.Owner.LastName():
		if t := q.OwnerOf(id); t.Kind == resolve.TypeName {
			return resolve.Found{Symbols: t.Symbols, Tier: resolve.TierB}
		}
		return ownersMember(q, id, name)
	case s.Owner != facts.Nothing:
		return ownersMember(q, id, name)
	case s.Under != facts.Nothing && resolve.IsFunction(s): // of a test, the class of its fixture
		if t := q.Eval(id.File, s.Parent, s.Under); t.Kind == resolve.TypeName {
			return q.Inherited(t, name)
		}
	}
	return resolve.Found{}
}

// isMacro reports whether a symbol may be a macro: one without parameters is
// called a constant.
func isMacro(s *facts.Symbol) bool { return s.Kind == "macro" || s.Kind == "const" }

// atExpansion finds a name in the body of a macro by what the files that include
// the macro's own may know: it is only looked up where the macro is used.
func (l Language) atExpansion(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	var including, others []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		switch {
		case !l.isTop(q, id):
		case l.included(q, id.File)[f]:
			including = append(including, id)
		case q.Symbol(id).Exported && q.Symbol(id).Kind != "var":
			others = append(others, id)
		}
	}
	for _, list := range [][]resolve.SymbolID{including, others} {
		if len(list) > 0 && len(list) <= resolve.MaxTargets {
			return resolve.Found{Symbols: list, Tier: resolve.TierE}
		}
	}
	return resolve.Found{External: true}
}

func (Language) speaks(q *resolve.Query, f resolve.FileID) bool {
	lang := q.File(f).Language
	return lang == "C" || lang == "C++"
}

// isTop reports whether a symbol is known by its bare name: at the top, in a
// namespace, or a constant of an enum. In C types of types are, too.
func (l Language) isTop(q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	if s.Owner != facts.Nothing || !l.speaks(q, id.File) {
		return false
	}
	if s.Parent < 0 {
		return true
	}
	up := &q.File(id.File).Symbols[s.Parent]
	if isFriend(q.File(id.File), s) {
		return !s.Prototype && (up.Parent < 0 || q.File(id.File).Symbols[up.Parent].Kind == "namespace")
	}
	if s.Kind == "const" && up.Kind == "enum" && up.Under == facts.Nothing && q.File(id.File).Language == "C++" {
		return up.Parent < 0 || q.File(id.File).Symbols[up.Parent].Kind == "namespace"
	}
	return up.Kind == "namespace" || s.Kind == "namespace" && isMacro(up) || q.File(id.File).Language == "C" &&
		(s.Kind == "const" && up.Under == facts.Nothing || resolve.IsType(s))
}

// isFriend reports whether a function is defined in a class as a friend of it: it is one
// of the namespace around.
func isFriend(f *facts.File, s *facts.Symbol) bool {
	return s.Kind == "func" && s.Parent >= 0 && resolve.IsType(&f.Symbols[s.Parent])
}

// inNoNamespace are those of some symbols that are in no namespace.
func inNoNamespace(q *resolve.Query, list []resolve.SymbolID) (out []resolve.SymbolID) {
	for _, id := range list {
		symbols, in := q.File(id.File).Symbols, q.Symbol(id).Parent
		for in >= 0 && symbols[in].Kind != "namespace" {
			in = symbols[in].Parent
		}
		if in < 0 {
			out = append(out, id)
		}
	}
	return out
}

// leaks reports whether a symbol is a member of an enum that is known around it
// too, and returns what is around.
func leaks(f *facts.File, s *facts.Symbol) (around int, ok bool) {
	if s.Kind != "const" || s.Parent < 0 {
		return -1, false
	}
	up := &f.Symbols[s.Parent]
	return up.Parent, up.Kind == "enum" && up.Under == facts.Nothing && up.Parent >= 0
}

func (l Language) top(q *resolve.Query, f resolve.FileID, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		if id.File == f && l.isTop(q, id) {
			out = append(out, id)
		}
	}
	return out
}

// maxTwins bounds the declarations of one name: overloads, each declared and defined.
const maxTwins = 16

// twins adds the other declarations of a function or variable that is known in
// all files: to one in a header those with a body or value, to one of these those
// in headers, and to prototypes alone what has a body. Variables must be in a file
// that includes the header: many programs may have one that is called so.
func (l Language) twins(q *resolve.Query, list []resolve.SymbolID, name string) []resolve.SymbolID {
	first := list[0]
	if !linked(q, first) {
		return list
	}
	out := list
	header := resolve.IsHeader(q.File(first.File).Path)
	declared := !slices.ContainsFunc(list, func(id resolve.SymbolID) bool { return !q.Symbol(id).Prototype })
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if resolve.IsFunction(s) != resolve.IsFunction(q.Symbol(first)) || !linked(q, id) || !l.isTop(q, id) ||
			len(out) >= maxTwins ||
			slices.Contains(out, id) || header == resolve.IsHeader(q.File(id.File).Path) && (!declared || s.Prototype) {
			continue
		}
		if !resolve.IsFunction(s) && !l.included(q, first.File)[id.File] && !l.included(q, id.File)[first.File] {
			continue
		}
		out = append(append([]resolve.SymbolID{}, out...), id)
	}
	return out
}

// linked reports whether linkers know a function or variable in other files.
// What is const in C has a type, which a macro without parameters has not.
func linked(q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	isConst := s.Kind == "const" && s.Parent < 0 && s.Type != facts.Nothing && q.File(id.File).Language == "C"
	return s.Exported && (s.Kind == "var" || isConst || resolve.IsFunction(s) && s.Kind != "macro")
}

// ownersMember finds a member of the type that a function is declared for.
func ownersMember(q *resolve.Query, id resolve.SymbolID, name string) resolve.Found {
	if t := q.OwnerOf(id); t.Kind == resolve.TypeName {
		return q.Inherited(t, name)
	}
	return resolve.Found{}
}

type includedKey struct{ f resolve.FileID }

// maxIncluded bounds the files of one translation unit.
const maxIncluded = 2000

// included are the files that a file includes, and those that these include.
func (l Language) included(q *resolve.Query, f resolve.FileID) map[resolve.FileID]bool {
	return resolve.Once(q, includedKey{f}, func() map[resolve.FileID]bool {
		out := map[resolve.FileID]bool{}
		todo := []resolve.FileID{f}
		for len(todo) > 0 && len(out) < maxIncluded {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for i := range q.File(next).Imports {
				for _, id := range l.Import(q, next, i) {
					if !out[id] && id != f {
						out[id] = true
						todo = append(todo, id)
					}
				}
			}
		}
		return out
	})
}

type headersKey struct{}

// Import implements Language: the file whose path ends as it is written, the
// one closest to the file that includes it; none of what is used.
func (l Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	if isUsing(x) {
		return nil
	}
	dir := resolve.FolderOf(q.File(f).Path)
	if !x.System {
		if id, ok := q.World().ByPath(resolve.CleanDir(path.Join(dir, x.Path))); ok {
			return []resolve.FileID{id}
		}
	}
	headers := resolve.Once(q, headersKey{}, func() map[string][]resolve.FileID {
		out := map[string][]resolve.FileID{}
		for _, lang := range []string{"C", "C++"} {
			for _, id := range q.World().Language(lang) {
				base := path.Base(q.File(id).Path)
				out[base] = append(out[base], id)
			}
		}
		return out
	})
	at := place{part: resolve.Part(dir), dir: dir, include: path.Clean("/" + x.Path)}
	if x.System && !strings.Contains(x.Path, "/") {
		if resolve.IsStandardHeader(x.Path) {
			return nil
		}
		at.onlyRoots = true
	}
	best, most := resolve.FileID(-1), 0
	for _, id := range headers[path.Base(x.Path)] {
		if n := at.fits(q.File(id).Path); n > most {
			best, most = id, n
		}
	}
	if best < 0 {
		return nil
	}
	return []resolve.FileID{best}
}

// A place is where something is included, and how.
type place struct {
	part, dir string
	include   string // with a slash before it
	onlyRoots bool
}

// fits is how well a file is what is meant, 0 if it is not: in the same
// repository, then in a folder close by, then in one that headers are looked for
// in. Files of other repositories are known from there only.
func (at place) fits(p string) int {
	dir, ok := strings.CutSuffix("/"+p, at.include)
	dir = strings.TrimPrefix(dir, "/")
	root, near := resolve.IsIncludeRoot(dir), resolve.Part(p) == at.part
	if !ok || !root && (at.onlyRoots || !near) {
		return 0
	}
	n := 1 + 2*resolve.Shared(resolve.FolderOf(p), at.dir)
	if near {
		n += 1 << 20
	}
	if root {
		n++
	}
	return n
}

// Member implements Language: there are no modules, but what is in no namespace is known
// as that of a file. What is not seen there is of the system.
func (l Language) Member(q *resolve.Query, from resolve.FileID, _ []resolve.FileID, name string) resolve.Found {
	list := inNoNamespace(q, l.top(q, from, name))
	for _, id := range q.World().Defs(name) {
		if id.File != from && l.isTop(q, id) && l.included(q, from)[id.File] {
			list = append(list, inNoNamespace(q, []resolve.SymbolID{id})...)
		}
	}
	if len(list) == 0 {
		list = used(l, q, from, -1, name)
	}
	if len(list) == 0 {
		return resolve.Found{External: true}
	}
	return resolve.Found{Symbols: l.twins(q, list, name), Tier: resolve.TierB}
}

// Chosen implements Language by [over.match.best]; in C one name is one function.
func (Language) Chosen(
	q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID,
) []resolve.SymbolID {
	if q.File(f).Language != "C++" {
		return nil
	}
	return chosen(q, f, ref, list)
}

// Own implements Language: the members of a type, and of all parts of a
// namespace.
func (l Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	t := q.Symbol(typ)
	var out []resolve.SymbolID
	for _, m := range q.World().Defs(name) {
		s := q.Symbol(m)
		switch {
		case s.Owner != facts.Nothing:
			if base := s.Owner.LastName(); base == t.Name && l.speaks(q, m.File) {
				if o := q.OwnerOf(m); o.Kind == resolve.TypeName && slices.Contains(o.Symbols, typ) {
					out = append(out, m)
				}
			}
		case isFriend(q.File(m.File), s):
		case m.File == typ.File && s.Parent == int(typ.Index):
			out = append(out, m)
		case t.Kind == "namespace" && behind(l, q, t.Name, m):
			out = append(out, m)
		case s.Kind == "field" && s.Parent >= 0 && isMacro(&q.File(m.File).Symbols[s.Parent]):
			if splices(l, q, typ, resolve.SymbolID{File: m.File, Index: int32(s.Parent)}) { //nolint:gosec // an index
				out = append(out, m)
			}
		case s.Parent >= 0:
			around, leaked := leaks(q.File(m.File), s)
			if !leaked {
				around = s.Parent
			}
			up := &q.File(m.File).Symbols[around]
			if leaked && m.File == typ.File && around == int(typ.Index) || t.Kind == "namespace" && up.Kind == "namespace" &&
				up.Name == t.Name && l.speaks(q, m.File) {
				out = append(out, m)
			}
		}
	}
	return append(out, handedOn(l, q, typ, name)...)
}

var clikeCommon = resolve.Set(`
size begin end data empty push_back pop_back front back insert erase find clear get reset at c_str str length
append name value first second next prev type key id count len ptr flags state list head tail init free close
open read write start stop run lock unlock swap emplace emplace_back resize reserve`)

// Common implements Language.
func (Language) Common(name string) bool { return clikeCommon[name] }

// Module implements Language: what is imported.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	if isUsing(&q.File(f).Imports[i]) {
		e := usedOf(l, q, f, i)
		return resolve.Found{Entity: &e, Tier: resolve.TierB, External: e.Kind == resolve.External}
	}
	return resolve.ModuleOf(l.Import(q, f, i))
}
