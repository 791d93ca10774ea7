package rust

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A reach is how far a lookup goes for what modules take from others by globs,
// `use m::*`. What the path of a glob names must be found out with less reach than
// what the glob gives, as modules take from each other in circles.
type reach int8

// Of modules that take from each other in circles there are hundreds in some
// crates: each is looked at once for a name.
const (
	declared reach = iota - 2 // no globs
	plain                     // globs whose paths need no globs
	all                       // globs whose paths need plain ones at most
)

// names finds a name in a module: the file, or one of its symbols. Private is
// whether names count that are imported for the module itself only.
func (l Language) names(q *resolve.Query, f resolve.FileID, module int, name string, private bool) resolve.Found {
	id := activity(f, module)
	if !q.Enter(id, name) {
		return resolve.Found{}
	}
	defer q.Leave(id, name)
	found := l.direct(q, f, module, name, private)
	if found.None() && l.reach > declared {
		return l.taken(q, place{f, module, private}, name)
	}
	return found
}

func activity(f resolve.FileID, module int) resolve.SymbolID {
	return resolve.SymbolID{File: f, Index: int32(-2 - module)} //nolint:gosec // an index
}

// direct finds a name that a module declares or imports by itself.
func (l Language) direct(q *resolve.Query, f resolve.FileID, module int, name string, private bool) resolve.Found {
	var own []resolve.SymbolID
	for _, d := range q.World().Defs(name) {
		if d.File != f {
			continue
		}
		if s := q.Symbol(d); s.Parent == module && s.Kind != "field" && s.Kind != "method" && !associated(q, d) {
			own = append(own, d)
		}
	}
	file := q.File(f)
	if len(own) > 0 {
		found := resolve.Found{Symbols: own, Tier: resolve.TierA}
		if resolve.IsFunction(q.Symbol(own[0])) && slices.ContainsFunc(file.Imports, func(x facts.Import) bool {
			return x.Name == "" && x.Path == "self::"+name && sees(file, x.In, module)
		}) {
			if sub := l.submodule(q, f, module, name); sub >= 0 { // mod sub; fn sub() {}
				found = besides(q, f, []resolve.FileID{sub}, found)
				found.Tier = resolve.TierA
			}
		}
		return found
	}
	var first resolve.Found
	for i := range file.Imports {
		x := &file.Imports[i]
		if x.Name == "*" || rustLocal(x) != name || !private && !x.Export || !sees(file, x.In, module) {
			continue
		}
		found := l.imports(q, f, x)
		switch {
		case found.None():
			continue
		case first.None():
			first = found
			first.Tier = resolve.TierB
		case first.Files != nil && len(found.Symbols) > 0:
			return besides(q, f, first.Files, found)
		case found.Files != nil && len(first.Symbols) > 0: // use sub::sub; mod sub;
			return besides(q, f, found.Files, first)
		}
		if first.Files == nil && (len(first.Symbols) == 0 || !resolve.IsFunction(q.Symbol(first.Symbols[0]))) {
			break
		}
	}
	return first
}

// associated reports whether a symbol belongs to a type that it is not declared in: its name
// says so where that is none of the repository, as in an impl for &Vec<T>.
func associated(q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	if s.Owner != facts.Nothing || s.Kind != "type" && s.Kind != "const" {
		return s.Owner != facts.Nothing
	}
	within := s.Name
	if s.Parent >= 0 {
		within = q.File(id.File).Symbols[s.Parent].Qualified + "." + s.Name
	}
	return s.Qualified != within
}

// besides is a function that is taken from a module of its name: both are known by it.
func besides(q *resolve.Query, f resolve.FileID, files []resolve.FileID, found resolve.Found) resolve.Found {
	module := resolve.Entity{Kind: resolve.Module, Files: files}
	found.Entity = &resolve.Entity{Kind: resolve.Union, Args: []resolve.Entity{q.Entity(f, found), module}}
	found.Tier = resolve.TierB
	return found
}

// A place is a module as another one sees it.
type place struct {
	file    resolve.FileID
	module  int // or -1
	private bool
}

// taken finds a name that a module has from others by globs: of several the one that
// is the fewest globs away.
func (l Language) taken(q *resolve.Query, start place, name string) resolve.Found {
	seen, next := map[place]bool{start: true}, []place{start}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		file := q.File(at.file)
		for i := range file.Imports {
			x := &file.Imports[i]
			if x.Name != "*" || !at.private && !x.Export || !sees(file, x.In, at.module) {
				continue
			}
			e := l.glob(q, at.file, i)
			to, ok := l.module(q, at.file, e)
			if !ok && e.Kind == resolve.TypeName && l.reach == all { // variants
				if found := q.Member(at.file, e, name); len(found.Symbols) > 0 {
					found.Tier = resolve.TierB
					return found
				}
			}
			if !ok || seen[to] {
				continue
			}
			seen[to] = true
			if found := l.given(q, at.file, to, name); len(found.Symbols) > 0 || found.Files != nil {
				return found
			}
			next = append(next, to)
		}
	}
	return resolve.Found{}
}

// module is the module that an entity is, as a file sees it.
func (l Language) module(q *resolve.Query, from resolve.FileID, e resolve.Entity) (place, bool) {
	switch {
	case e.Kind == resolve.Module && len(e.Files) > 0:
		return place{e.Files[0], -1, root(q, from) == root(q, e.Files[0])}, true
	case e.Kind == resolve.TypeName && len(e.Symbols) > 0 && q.Symbol(e.Symbols[0]).Kind == "module":
		return place{e.Symbols[0].File, int(e.Symbols[0].Index), true}, true
	}
	return place{}, false
}

// given is what a module gives to a file by itself.
func (l Language) given(q *resolve.Query, from resolve.FileID, to place, name string) resolve.Found {
	id := activity(to.file, to.module)
	if !q.Enter(id, name) {
		return resolve.Found{}
	}
	defer q.Leave(id, name)
	found := l.direct(q, to.file, to.module, name, to.private)
	if to.module < 0 && !to.private {
		found = handedOn(q, found)
	}
	if found.None() && to.module < 0 && to.file == root(q, to.file) {
		found = l.macro(q, from, to.file, name)
	}
	found.Tier = resolve.TierB
	return found
}

// handedOn leaves out what crates don't give to others.
func handedOn(q *resolve.Query, found resolve.Found) resolve.Found {
	found.Symbols = slices.DeleteFunc(slices.Clone(found.Symbols),
		func(id resolve.SymbolID) bool { return q.Symbol(id).Kind == "macro" && !q.Symbol(id).Exported })
	return found
}

type globKey struct {
	file resolve.FileID
	i    int32
	reach
}

// glob is what the path of a glob names.
func (l Language) glob(q *resolve.Query, f resolve.FileID, i int) resolve.Entity {
	return resolve.Once(q, globKey{f, int32(i), l.reach}, func() resolve.Entity { //nolint:gosec // an index
		x, most := &q.File(f).Imports[i], l.reach-1
		for l.reach = declared; ; l.reach++ {
			if e := l.pathEntity(q.Anew(), f, x.In, x.Path); l.reach == most || known(e) {
				return e
			}
		}
	})
}

func known(e resolve.Entity) bool { return e.Kind == resolve.Module || e.Kind == resolve.TypeName }

type beginKey struct {
	file resolve.FileID
	in   int32
	name string
}

// begin is what the first name of a path in an import is found to be.
func (l Language) begin(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	return resolve.Once(q, beginKey{f, int32(in), name}, func() resolve.Found { //nolint:gosec // an index
		l.reach = declared
		found := l.Bare(q.Anew(), f, in, name)
		if len(found.Symbols) == 0 && found.Files == nil {
			l.reach = plain
			found = l.Bare(q.Anew(), f, in, name)
		}
		return found
	})
}

// entity is the value of what was found in a path, with less reach only that of modules and
// types, and of what is another name of one by a path.
func entity(l Language, q *resolve.Query, f resolve.FileID, found resolve.Found) resolve.Entity {
	if e := found.Entity; e != nil && e.Kind == resolve.Union { // of a function and a module of its name
		for _, e := range e.Args {
			if e.Kind == resolve.Module {
				return e
			}
		}
	}
	if l.reach == all {
		return q.Entity(f, found)
	}
	for _, id := range found.Symbols {
		if s := q.Symbol(id); s.Kind == "module" || resolve.IsType(s) && s.Type == facts.Nothing {
			return resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}
		} else if resolve.IsType(s) {
			return alias(l, q, id)
		}
	}
	switch {
	case found.Files != nil:
		return resolve.Entity{Kind: resolve.Module, Files: found.Files}
	case found.External:
		return resolve.Entity{Kind: resolve.External}
	}
	return resolve.Entity{}
}

// alias is what a type is another name of.
func alias(l Language, q *resolve.Query, id resolve.SymbolID) resolve.Entity {
	s := q.Symbol(id)
	names, ok := pathOf(s.Type)
	if !ok || !q.Enter(id, "alias") {
		return resolve.Entity{}
	}
	defer q.Leave(id, "alias")
	return l.pathEntity(q, id.File, s.Parent, names)
}

// pathOf is a type as a path of names, without type arguments.
func pathOf(t facts.Expr) (string, bool) {
	switch n := t.Base().Node(); n.Op {
	case facts.OpName:
		return n.Name, true
	case facts.OpMember:
		of, ok := pathOf(n.Of)
		return of + "::" + n.Name, ok
	}
	return "", false
}

// member is what an entity has, with less reach only what modules have.
func (l Language) member(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string) resolve.Found {
	if l.reach == all {
		return q.Member(f, e, name)
	}
	to, ok := l.module(q, f, e)
	switch {
	case ok && to.module >= 0:
		return l.names(q, to.file, to.module, name, true)
	case ok:
		return l.Member(q, f, e.Files, name)
	}
	return resolve.Found{External: e.Kind == resolve.External}
}
