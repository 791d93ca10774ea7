package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// clikeLanguage finds names in translation units of C and C++: a file and what
// it includes. What is in no include is looked for in all files, as linkers do.
type clikeLanguage struct{}

// Bare implements Language.
func (l clikeLanguage) Bare(q *Query, f FileID, in int, name string) Found {
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		var found Found
		switch s := &symbols[i]; {
		case isType(s) || s.Kind == "namespace":
			found = q.inherited(Entity{Kind: TypeName, Symbols: []SymbolID{{f, int32(i)}}}, name) //nolint:gosec // an index
		case s.Owner != facts.Nothing && name == s.Owner.LastName():
			if t := q.owner(SymbolID{f, int32(i)}); t.Kind == TypeName { //nolint:gosec // an index
				return Found{Symbols: t.Symbols, Tier: TierB}
			}
		case s.Owner != facts.Nothing:
			found = q.ownersMember(SymbolID{f, int32(i)}, name) //nolint:gosec // an index
		}
		if len(found.Symbols) > 0 {
			return q.injected(found)
		}
	}
	if own := l.top(q, f, name); len(own) > 0 {
		// with the declarations that it implements
		if !q.Symbol(own[0]).Exported {
			return Found{Symbols: own, Tier: TierA}
		}
		return Found{Symbols: l.twins(q, own, name), Tier: TierA}
	}
	var out []SymbolID
	included := l.included(q, f)
	for _, id := range q.World().Defs(name) {
		if l.isTop(q, id) && included[id.File] {
			out = append(out, id)
		}
	}
	if len(out) > 0 {
		return Found{Symbols: l.twins(q, out, name), Tier: TierB}
	}
	for _, id := range q.World().Defs(name) {
		if l.isTop(q, id) && q.Symbol(id).Exported && l.speaks(q, id.File) && q.Symbol(id).Kind != "macro" {
			out = append(out, id)
		}
	}
	if len(out) > 0 && len(out) <= maxTargets && isFunction(q.Symbol(out[0])) {
		return Found{Symbols: out, Tier: TierE}
	}
	if in >= 0 && isMacro(&q.File(f).Symbols[in]) {
		return l.atExpansion(q, f, name)
	}
	return Found{External: true}
}

// isMacro reports whether a symbol may be a macro: one without parameters is
// called a constant.
func isMacro(s *facts.Symbol) bool { return s.Kind == "macro" || s.Kind == "const" }

// atExpansion finds a name in the body of a macro by what the files that include
// the macro's own may know: it is only looked up where the macro is used.
func (l clikeLanguage) atExpansion(q *Query, f FileID, name string) Found {
	var including, others []SymbolID
	for _, id := range q.World().Defs(name) {
		switch {
		case !l.isTop(q, id):
		case l.included(q, id.File)[f]:
			including = append(including, id)
		case q.Symbol(id).Exported && q.Symbol(id).Kind != "var":
			others = append(others, id)
		}
	}
	for _, list := range [][]SymbolID{including, others} {
		if len(list) > 0 && len(list) <= maxTargets {
			return Found{Symbols: list, Tier: TierE}
		}
	}
	return Found{External: true}
}

func (clikeLanguage) speaks(q *Query, f FileID) bool {
	lang := q.File(f).Language
	return lang == "C" || lang == "C++"
}

// isTop reports whether a symbol is known by its bare name: at the top, in a
// namespace, or a constant of an enum.
func (l clikeLanguage) isTop(q *Query, id SymbolID) bool {
	s := q.Symbol(id)
	if s.Owner != facts.Nothing || !l.speaks(q, id.File) {
		return false
	}
	if s.Parent < 0 {
		return true
	}
	up := &q.File(id.File).Symbols[s.Parent]
	return up.Kind == "namespace" || s.Kind == "const" && up.Under == facts.Nothing || isType(s)
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

func (l clikeLanguage) top(q *Query, f FileID, name string) []SymbolID {
	var out []SymbolID
	for _, id := range q.World().Defs(name) {
		if id.File == f && l.isTop(q, id) {
			out = append(out, id)
		}
	}
	return out
}

// twins adds the other declarations of a function or variable that is known in
// all files: to one in a header those with a body or value, to one of these those
// in headers. Variables must be in a file that includes the header: many programs
// may have one that is called so.
func (l clikeLanguage) twins(q *Query, list []SymbolID, name string) []SymbolID {
	first := list[0]
	if !linked(q.Symbol(first)) {
		return list
	}
	out := list
	header := isHeader(q.File(first.File).Path)
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Kind == "var" != (q.Symbol(first).Kind == "var") || !linked(s) || !l.isTop(q, id) || len(out) >= maxTargets ||
			slices.Contains(out, id) || header == isHeader(q.File(id.File).Path) {
			continue
		}
		if s.Kind == "var" && !l.included(q, first.File)[id.File] && !l.included(q, id.File)[first.File] {
			continue
		}
		out = append(append([]SymbolID{}, out...), id)
	}
	return out
}

// linked reports whether linkers know a function or variable in other files.
func linked(s *facts.Symbol) bool {
	return s.Exported && (s.Kind == "var" || isFunction(s) && s.Kind != "macro")
}

func isHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hh", ".hpp", ".hxx", ".h++":
		return true
	}
	return false
}

// injected is what was found of a type by a bare name, with the type itself for
// its constructors: a class has its own name as a member, which derived ones
// inherit.
func (q *Query) injected(found Found) Found {
	if !slices.ContainsFunc(found.Symbols, q.constructs) {
		return found
	}
	var out []SymbolID
	for _, id := range found.Symbols {
		types := []SymbolID{id}
		if q.constructs(id) {
			types = q.constructed(id)
		}
		for _, t := range types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	found.Symbols = out
	return found
}

// constructed are the types that a constructor is of.
func (q *Query) constructed(id SymbolID) []SymbolID {
	if s := q.Symbol(id); s.Owner == facts.Nothing {
		return []SymbolID{{id.File, int32(s.Parent)}} //nolint:gosec // an index
	}
	return q.owner(id).Symbols
}

// ownersMember finds a member of the type that a function is declared for.
func (q *Query) ownersMember(id SymbolID, name string) Found {
	if t := q.owner(id); t.Kind == TypeName {
		return q.inherited(t, name)
	}
	return Found{}
}

type includedKey struct{ f FileID }

// maxIncluded bounds the files of one translation unit.
const maxIncluded = 2000

// included are the files that a file includes, and those that these include.
func (l clikeLanguage) included(q *Query, f FileID) map[FileID]bool {
	return Once(q, includedKey{f}, func() map[FileID]bool {
		out := map[FileID]bool{}
		todo := []FileID{f}
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
// one closest to the file that includes it.
func (l clikeLanguage) Import(q *Query, f FileID, i int) []FileID {
	x := &q.File(f).Imports[i]
	dir := folderOf(q.File(f).Path)
	if !x.System {
		if id, ok := q.World().ByPath(cleanDir(path.Join(dir, x.Path))); ok {
			return []FileID{id}
		}
	}
	headers := Once(q, headersKey{}, func() map[string][]FileID {
		out := map[string][]FileID{}
		for _, lang := range []string{"C", "C++"} {
			for _, id := range q.World().Language(lang) {
				base := path.Base(q.File(id).Path)
				out[base] = append(out[base], id)
			}
		}
		return out
	})
	best, most := FileID(-1), -1
	suffix := "/" + strings.TrimPrefix(path.Clean("/"+x.Path), "/")
	if x.System && !strings.Contains(x.Path, "/") {
		return nil
	}
	for _, id := range headers[path.Base(x.Path)] {
		p := q.File(id).Path
		if strings.HasSuffix("/"+p, suffix) {
			if n := shared(folderOf(p), dir); n > most {
				best, most = id, n
			}
		}
	}
	if best < 0 {
		return nil
	}
	return []FileID{best}
}

// Member implements Language. There are no modules.
func (clikeLanguage) Member(*Query, FileID, []FileID, string) Found { return Found{} }

// Own implements Owning: the members of a type, and of all parts of a
// namespace.
func (l clikeLanguage) Own(q *Query, typ SymbolID, name string) []SymbolID {
	t := q.Symbol(typ)
	var out []SymbolID
	for _, m := range q.World().Defs(name) {
		s := q.Symbol(m)
		switch {
		case s.Owner != facts.Nothing:
			if base := s.Owner.LastName(); base == t.Name && l.speaks(q, m.File) {
				if o := q.owner(m); o.Kind == TypeName && slices.Contains(o.Symbols, typ) {
					out = append(out, m)
				}
			}
		case m.File == typ.File && s.Parent == int(typ.Index):
			out = append(out, m)
		case s.Parent >= 0:
			around, leaked := leaks(q.File(m.File), s)
			if !leaked {
				around = s.Parent
			}
			up := &q.File(m.File).Symbols[around]
			if leaked && m.File == typ.File && around == int(typ.Index) || t.Kind == "namespace" && up.Kind == "namespace" && up.Name == t.Name && l.speaks(q, m.File) {
				out = append(out, m)
			}
		}
	}
	return out
}

func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

var clikeCommon = set(`size begin end data empty push_back pop_back front back insert erase find clear get reset at c_str str length append name value first second
next prev type key id count len ptr flags state list head tail init free close open read write start stop run lock unlock swap emplace emplace_back resize reserve`)

// Common implements Guessing.
func (clikeLanguage) Common(name string) bool { return clikeCommon[name] }

// Builtin implements Providing: methods of containers.
func (clikeLanguage) Builtin(_ *Query, e Entity, name string) Found {
	gives := func(t Entity) Found {
		return Found{Entity: &Entity{Kind: Func, Args: []Entity{t}}, External: true}
	}
	switch {
	case e.Kind == List && (name == "front" || name == "back" || name == "at" || name == "top"):
		return gives(e.arg(0))
	case e.Kind == Map && name == "at":
		return gives(e.arg(1))
	}
	return Found{}
}
