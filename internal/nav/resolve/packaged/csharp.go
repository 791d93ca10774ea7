package packaged

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// csharpLanguage is a packagedLanguage whose types may be declared in parts.
type csharpLanguage struct{ packagedLanguage }

// csharpConfidence is the share of each tier that Roslyn says too, in seven repositories; the last is what other
// languages have.
var csharpConfidence = map[resolve.Tier]float32{
	resolve.TierA: .997, resolve.TierB: .996, resolve.TierC: .992, resolve.TierD: .97, resolve.TierE: .35,
	resolve.TierF: .35,
}

// Confidence implements Language by what was measured for C#.
func (csharpLanguage) Confidence(t resolve.Tier) float32 { return csharpConfidence[t] }

// Own implements Language: what any part of a type declares, that of its project with as many type parameters.
func (l csharpLanguage) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	own, file := q.Symbol(typ), q.File(typ.File)
	in := l.projectOf(q, path.Dir(file.Path))
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s, f := q.Symbol(id), q.File(id.File)
		if isExplicit(s) && own.Kind != "interface" {
			continue
		}
		if s.Parent < 0 || s.Qualified != own.Qualified+"."+name || f.Language != l.Name || f.Package != file.Package {
			continue
		}
		part := &f.Symbols[s.Parent]
		if len(part.Params) == len(own.Params) && (id.File == typ.File || l.projectOf(q, path.Dir(f.Path)) == in) {
			out = append(out, id)
		}
	}
	return out
}

// isExplicit reports whether a member is there for an interface only, and not known by the name of the type.
func isExplicit(s *facts.Symbol) bool {
	return (resolve.IsFunction(s) || s.Kind == "property") && len(s.Bases) > 0
}

// beside are a type and those of its name that are declared where it is.
func beside(l packagedLanguage, q *resolve.Query, id resolve.SymbolID) []resolve.SymbolID {
	s, f := q.Symbol(id), q.File(id.File)
	if s.Parent < 0 {
		return l.nearest(q, id.File, l.types(q, f.Package, s.Name))
	}
	up := resolve.SymbolID{File: id.File, Index: int32(s.Parent)} //nolint:gosec // an index
	return slices.DeleteFunc(q.Own(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{up}}, s.Name),
		func(m resolve.SymbolID) bool { return !resolve.IsType(q.Symbol(m)) })
}

type partsKey struct{ typ resolve.SymbolID }

// Parts implements Parted: the other parts of a type that have bases.
func (l csharpLanguage) Parts(q *resolve.Query, typ resolve.SymbolID) []resolve.SymbolID {
	own, file := q.Symbol(typ), q.File(typ.File)
	if !resolve.IsType(own) || len(q.World().Defs(own.Name)) < 2 {
		return nil
	}
	return resolve.Once(q, partsKey{typ}, func() (parts []resolve.SymbolID) {
		in := l.projectOf(q, path.Dir(file.Path))
		for _, id := range q.World().Defs(own.Name) {
			s, f := q.Symbol(id), q.File(id.File)
			if id != typ && resolve.IsType(s) && len(s.Bases) > 0 && s.Qualified == own.Qualified && f.Language == l.Name &&
				f.Package == file.Package && len(s.Params) == len(own.Params) && s.Kind == own.Kind &&
				(id.File == typ.File || l.projectOf(q, path.Dir(f.Path)) == in) {
				parts = append(parts, id)
			}
		}
		return parts
	})
}

// Bare implements Language: statements outside of types have functions, which their file alone knows.
func (l csharpLanguage) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	found := l.packagedLanguage.Bare(q, f, in, name)
	if len(found.Symbols) > 0 {
		return found
	}
	for i := range q.File(f).Symbols {
		if s := &q.File(f).Symbols[i]; s.Name == name && s.Parent < 0 && resolve.IsFunction(s) {
			found.Symbols = append(found.Symbols, resolve.SymbolID{File: f, Index: int32(i)})
		}
	}
	if len(found.Symbols) > 0 {
		found.Tier, found.External = resolve.TierA, false
	}
	return found
}

// Reference implements Language: [Fact] is the class FactAttribute, or Fact where there is none.
func (l csharpLanguage) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if ref.Arguments != facts.Attribute {
		return resolve.Found{}, false
	}
	find := func(name string) resolve.Found {
		if ref.Of != facts.Nothing {
			return q.Member(f, q.Eval(f, ref.In, ref.Of), name)
		}
		found, _ := l.Type(q, f, ref.In, name)
		return found
	}
	if found := find(ref.Name + "Attribute"); len(found.Symbols) > 0 {
		return found, true
	}
	return find(ref.Name), true
}

// Lacking implements Language: extension methods, of what is exactly the type or is made
// from it; those of a type parameter may be called of anything, those of a type that is not
// of the repository of anything that is not either.
func (l csharpLanguage) Lacking(
	q *resolve.Query, from resolve.FileID, e resolve.Entity, name string,
) resolve.Found {
	outside := e.Kind == resolve.External && !l.Common(name)
	listed := (e.Kind == resolve.List || e.Kind == resolve.Map) && !l.Common(name)
	if e.Kind != resolve.Value && !outside && !listed {
		return resolve.Found{}
	}
	var own, any []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Under == facts.Nothing || !resolve.IsFunction(s) || q.File(id.File).Language != l.Name || !l.sees(q, from, id) {
			continue
		}
		if outside && !s.Exported && q.File(id.File).Package != q.File(from).Package {
			continue // it may well be private
		}
		t := q.Eval(id.File, int(id.Index), s.Under)
		if listed {
			switch {
			case t.Kind == e.Kind:
				own = append(own, id)
			case slices.Contains(s.Params, s.Under.LastName()):
				any = append(any, id)
			}
			continue
		}
		if t.Kind != resolve.TypeName {
			t = q.Eval(id.File, s.Parent, s.Under.Base())
		}
		switch {
		case slices.Contains(s.Params, s.Under.LastName()), outside && t.Kind == resolve.External:
			any = append(any, id)
		case t.Kind == resolve.TypeName && isMadeFrom(q, e, t.Symbols):
			own = append(own, id)
		}
	}
	if len(own) > 0 {
		return resolve.Found{Symbols: own, Tier: resolve.TierC}
	}
	return resolve.Found{Symbols: any, Tier: resolve.TierD}
}

// sees reports whether a file is in the namespace of a symbol, or below it, or uses it.
func (l csharpLanguage) sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	pkg, own := q.File(id.File).Package, q.File(from).Package
	if pkg == "" || own == pkg || strings.HasPrefix(own, pkg+l.separator) {
		return true
	}
	return slices.ContainsFunc(l.imports(q, from), func(x facts.Import) bool { return x.Path == pkg })
}

type (
	projectsKey struct{}
	usingsKey   struct{ folder string }
)

// A project says what all files in and below its folder use.
type project struct {
	folder string
	whole  bool // it is one; else it adds to all those below
	usings []facts.Import
}

// projects are those of the repository, and what is said for several of them.
func (l packagedLanguage) projects(q *resolve.Query) []project {
	return resolve.Once(q, projectsKey{}, func() (all []project) {
		for _, id := range q.World().Language("XML") {
			f := q.File(id)
			p := project{folder: path.Dir(f.Path), whole: strings.HasSuffix(f.Path, ".csproj")}
			for _, x := range f.Imports {
				using := facts.Import{Path: x.Path, Name: "*"}
				if x.Name != "" && x.Name != "static" {
					using.Path, using.Name = l.cutLast(x.Path)
					using.Local = x.Name
				}
				p.usings = append(p.usings, using)
			}
			all = append(all, p)
		}
		return all
	})
}

type projectOfKey struct{ folder string }

// projectOf is the folder of the project that the files of a folder are of, "" if there is none.
func (l packagedLanguage) projectOf(q *resolve.Query, folder string) string {
	return resolve.Once(q, projectOfKey{folder}, func() (best string) {
		for _, p := range l.projects(q) {
			if p.whole && isBelow(folder, p.folder) && len(p.folder) > len(best) {
				best = p.folder
			}
		}
		return best
	})
}

// scopeOf is the folder that what is said in a folder is said for: that of its project, or itself.
func scopeOf(project, folder string) string {
	return cmp.Or(project, strings.TrimSuffix(folder, "/Properties"))
}

// nearest are of several types of one name those of the project of a file, if there are some.
func (l packagedLanguage) nearest(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if !l.around || len(list) < 2 {
		return list
	}
	in := l.projectOf(q, path.Dir(q.File(f).Path))
	own := slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		return l.projectOf(q, path.Dir(q.File(id.File).Path)) != in
	})
	if len(own) == 0 {
		return list
	}
	return own
}

// isBelow reports whether a folder is another one or is in it.
func isBelow(folder, other string) bool {
	return other == "." || folder == other || strings.HasPrefix(folder, other+"/")
}

type globalsKey struct{}

// globals are what "global using" makes known, by folder of the project.
func (l packagedLanguage) globals(q *resolve.Query) map[string][]facts.Import {
	return resolve.Once(q, globalsKey{}, func() map[string][]facts.Import {
		all := map[string][]facts.Import{}
		for _, id := range q.World().Language(l.Name) {
			f := q.File(id)
			for _, x := range f.Imports {
				if x.Export {
					in := scopeOf(l.projectOf(q, path.Dir(f.Path)), path.Dir(f.Path))
					all[in] = append(all[in], x)
				}
			}
		}
		return all
	})
}

// imports are what a file makes known, in C# with what its project does for all of its files.
func (l packagedLanguage) imports(q *resolve.Query, f resolve.FileID) []facts.Import {
	if !l.around {
		return q.File(f).Imports
	}
	own := resolve.Once(q, ownUsingsKey{f}, func() []facts.Import { return l.whole(q, q.File(f)) })
	folder := path.Dir(q.File(f).Path)
	more := resolve.Once(q, usingsKey{folder}, func() (more []facts.Import) {
		in := scopeOf(l.projectOf(q, folder), folder)
		for _, p := range l.projects(q) {
			if p.folder == in || !p.whole && isBelow(folder, p.folder) {
				more = append(more, p.usings...)
			}
		}
		all := l.globals(q)
		for _, of := range slices.Sorted(maps.Keys(all)) {
			if of == in || in == folder && isBelow(folder, of) {
				more = append(more, all[of]...)
			}
		}
		return more
	})
	if len(more) == 0 {
		return own
	}
	return slices.Concat(own, more)
}

type ownUsingsKey struct{ file resolve.FileID }

// whole are the imports of a file whose namespaces are said as a whole: within A.B, "using C" may mean A.B.C or A.C.
func (l packagedLanguage) whole(q *resolve.Query, f *facts.File) []facts.Import {
	out := f.Imports
	known := l.packages(q)
	for i, x := range f.Imports {
		for pkg, more := f.Package, true; more && pkg != "" && known[x.Path] == nil; pkg, more = l.outer(pkg) {
			if inner := pkg + l.separator + x.Path; known[inner] != nil {
				if &out[0] == &f.Imports[0] {
					out = slices.Clone(out)
				}
				out[i].Path = inner
				break
			}
		}
	}
	return out
}

// isMadeFrom reports whether a value is one of some types or of one that is made from
// them.
func isMadeFrom(q *resolve.Query, e resolve.Entity, types []resolve.SymbolID) bool {
	seen := map[resolve.SymbolID]bool{}
	for next := slices.Clone(e.Symbols); len(next) > 0 && len(seen) < resolve.MaxTypes; next = next[1:] {
		id := next[0]
		if slices.Contains(types, id) {
			return true
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		for _, b := range q.BasesOf(id, nil) {
			next = append(next, b.Symbols...)
		}
	}
	return false
}
