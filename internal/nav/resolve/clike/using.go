package clike

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// What is imported in C++ and no file: "using a::b", by the path a and the name b, and
// "using namespace a", by the path a and all names.

func isUsing(x *facts.Import) bool { return !x.Export }

type usedKey struct {
	f resolve.FileID
	i int
}

// using is what every using declaration is found out inside of: those that are not before it give
// it nothing, or two could be found out by each other without end.
var using = resolve.SymbolID{File: -1, Index: -1}

// usedOf is the namespace or type that a using declaration takes a name from, by what is known
// before it.
func usedOf(l Language, q *resolve.Query, f resolve.FileID, i int) resolve.Entity {
	return resolve.Once(q, usedKey{f, i}, func() resolve.Entity {
		q := resolve.AnewFinding(q, using, "using")
		l.until = i + 1
		x := &q.File(f).Imports[i]
		first, rest, _ := strings.Cut(x.Path, "::")
		var found resolve.Found
		if first == "" {
			first, rest, _ = strings.Cut(rest, "::")
			found = l.Member(q, f, nil, first)
		} else {
			found, _ = l.Type(q, f, x.In, first)
		}
		e := q.Entity(f, found)
		for part := range strings.SplitSeq(rest, "::") {
			if part != "" {
				e = q.Entity(f, q.Member(f, e, part))
			}
		}
		return e
	})
}

// maxUsed is how many of the imports of a file, and of the using declarations of what it includes, each
// name of it is looked for in.
const maxUsed = 1000

// used are what using directives and declarations outside of namespaces give a name at a
// place of a file: those that are around the place, and those of what the file includes.
func used(l Language, q *resolve.Query, f resolve.FileID, in int, name string) (out []resolve.SymbolID) {
	add := func(g resolve.FileID, i int) {
		x := &q.File(g).Imports[i]
		if (x.Name == name || x.Name == "*") && (l.until > 0 || !resolve.Finding(q, using, "using")) {
			if e := usedOf(l, q, g, i); e.Kind == resolve.TypeName {
				for _, id := range q.Member(g, e, name).Symbols {
					if !slices.Contains(out, id) && (l.sees(q, f, []resolve.SymbolID{id}) || q.Symbol(id).Owner != facts.Nothing) {
						out = append(out, id)
					}
				}
			}
		}
	}
	file := q.File(f)
	for i := range file.Imports[:min(len(file.Imports), maxUsed)] {
		x := &file.Imports[i]
		if isUsing(x) && (l.until == 0 || i+1 < l.until) && (x.Name == "*" || x.In < 0) && isAround(file, x.In, in) {
			add(f, i)
		}
	}
	if l.until == 0 {
		for _, u := range usedInHeaders(l, q, f) {
			add(u.f, u.i)
		}
	}
	return out
}

// isAround reports whether a symbol of a file is around another one, or that one; -1 is
// around all.
func isAround(f *facts.File, around, in int) bool {
	for in >= 0 && in != around {
		in = f.Symbols[in].Parent
	}
	return in == around
}

type headersUseKey struct{ f resolve.FileID }

// usedInHeaders are the using declarations outside of namespaces in what a file includes.
func usedInHeaders(l Language, q *resolve.Query, f resolve.FileID) []usedKey {
	return resolve.Once(q, headersUseKey{f}, func() (out []usedKey) {
		for g := range l.included(q, f) {
			for i := range q.File(g).Imports {
				if x := &q.File(g).Imports[i]; isUsing(x) && x.In < 0 {
					out = append(out, usedKey{g, i})
				}
			}
		}
		slices.SortFunc(out, func(a, b usedKey) int {
			return cmp.Or(cmp.Compare(q.File(a.f).Path, q.File(b.f).Path), cmp.Compare(a.i, b.i))
		})
		return out[:min(len(out), maxUsed)]
	})
}

type handingKey struct{}

// handedOn are what using declarations in a type or namespace give a name of it.
func handedOn(l Language, q *resolve.Query, typ resolve.SymbolID, name string) (out []resolve.SymbolID) {
	all := resolve.Once(q, handingKey{}, func() map[string][]usedKey {
		all := map[string][]usedKey{}
		for _, f := range q.World().Language("C++") {
			for i := range q.File(f).Imports {
				if x := &q.File(f).Imports[i]; isUsing(x) && x.In >= 0 && x.Name != "*" {
					all[x.Name] = append(all[x.Name], usedKey{f, i})
				}
			}
		}
		return all
	})
	t := q.Symbol(typ)
	for _, u := range all[name] {
		x := &q.File(u.f).Imports[u.i]
		in := &q.File(u.f).Symbols[x.In]
		own := u.f == typ.File && x.In == int(typ.Index)
		if !own && (t.Kind != "namespace" || in.Kind != "namespace" || in.Qualified != t.Qualified) ||
			strings.HasSuffix("::"+x.Path, "::"+name) || resolve.Finding(q, using, "using") ||
			!q.Enter(typ, "using "+name) {
			continue
		}
		if e := usedOf(l, q, u.f, u.i); e.Kind == resolve.TypeName {
			out = append(out, q.Member(u.f, e, name).Symbols...)
		}
		q.Leave(typ, "using "+name)
	}
	return out
}
