package scala

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A package is an Entity that is External, and its name is behind this mark.
const packageMark = "package "

func packageEntity(name string) resolve.Entity {
	return resolve.Entity{Kind: resolve.External, Foreign: packageMark + name}
}

// packageNamed is the name of a package, "" of what is none.
func packageNamed(e resolve.Entity) string {
	name, ok := strings.CutPrefix(e.Foreign, packageMark)
	if !ok || e.Kind != resolve.External {
		return ""
	}
	return name
}

type packages struct {
	files   map[string][]resolve.FileID
	objects map[string][]resolve.SymbolID // package objects
	known   map[string]bool               // with those around them
}

type packagesKey struct{}

// packagesOf are those of the files of Scala, and of Java beside it.
func packagesOf(q *resolve.Query) *packages {
	return resolve.Once(q, packagesKey{}, func() *packages {
		p := &packages{map[string][]resolve.FileID{}, map[string][]resolve.SymbolID{}, map[string]bool{}}
		for _, language := range []string{languageName, "Java"} {
			for _, f := range q.World().Language(language) {
				name := resolve.PackageOf(q, f)
				p.add(name, f)
				if language != languageName {
					continue
				}
				symbols := q.File(f).Symbols
				for i := range symbols {
					if symbols[i].Shape == facts.PackageObject && symbols[i].Parent < 0 {
						of := joined(name, symbols[i].Name)
						p.note(of)
						p.objects[of] = append(p.objects[of], resolve.SymbolID{File: f, Index: int32(i)}) //nolint:gosec // an index
					}
				}
			}
		}
		return p
	})
}

func (p *packages) add(name string, f resolve.FileID) {
	p.files[name] = append(p.files[name], f)
	p.note(name)
}

func (p *packages) note(name string) {
	for name != "" {
		p.known[name] = true
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "." + b
}

// inPackage is what a package has by a name: what files declare, what its object has, or a package.
func inPackage(q *resolve.Query, from resolve.FileID, name, member string, types bool) resolve.Found {
	var list []resolve.SymbolID
	for _, id := range q.World().Defs(member) {
		s := q.Symbol(id)
		if s.Parent < 0 && s.Shape != facts.PackageObject && isJVM(q, id.File) && resolve.PackageOf(q, id.File) == name {
			list = append(list, id)
		}
	}
	if list = ofMeaning(q, list, types); len(list) > 0 {
		return resolve.Found{Symbols: nearest(q, from, list), Tier: resolve.TierB}
	}
	for _, id := range packagesOf(q).objects[name] {
		object := resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}
		if found := inType(q, object, member, types); len(found.Symbols) > 0 {
			found.Tier = resolve.TierB
			return found
		}
	}
	if sub := joined(name, member); !types && packagesOf(q).known[sub] {
		e := packageEntity(sub)
		return resolve.Found{Entity: &e, External: true}
	}
	return resolve.Found{}
}

func isJVM(q *resolve.Query, f resolve.FileID) bool {
	return q.File(f).Language == languageName || q.File(f).Language == "Java"
}

// nearest are those of several declarations that are closest to a file: a source for one version of
// the language or one platform is beside others.
func nearest(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) < 2 || !slices.ContainsFunc(list, func(id resolve.SymbolID) bool { return id.File != list[0].File }) {
		return list
	}
	return resolve.Nearest(q, f, list)
}

// inType is what a type has by a name, its own or inherited.
func inType(q *resolve.Query, e resolve.Entity, name string, types bool) resolve.Found {
	if types {
		name = facts.TypeNamed(name)
	} else {
		name = facts.MemberNamed(name)
	}
	if len(e.Symbols) > 0 && q.SeeksBase(e.Symbols[0]) {
		return resolve.Found{Symbols: (Language{}).Own(q, e.Symbols[0], name), Tier: resolve.TierC}
	}
	return q.Inherited(e, name)
}

// A sought is a name that a file uses by itself, as a type or not; without is an import that is not
// looked at, or -1.
type sought struct {
	file    resolve.FileID
	name    string
	types   bool
	without int
}

// find is what a name means by itself: at each level around the place what the type there has, then
// what is imported there; then what the file declares, imports, and its packages have.
func find(q *resolve.Query, in int, x sought) resolve.Found {
	f, name, types := x.file, x.name, x.types
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		s := &symbols[i]
		if found := explicit(q, i, x); !found.None() {
			return found
		}
		if found := wildcard(q, i, x); !found.None() {
			return found
		}
		if !resolve.IsType(s) {
			continue
		}
		if k := slices.Index(s.Params, name); k >= 0 && types {
			return resolve.Found{Entity: &resolve.Entity{Kind: resolve.External}, Tier: resolve.TierA}
		}
		id := resolve.SymbolID{File: f, Index: int32(i)} //nolint:gosec // an index
		found := inType(q, resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}, name, types)
		if len(found.Symbols) > 0 {
			if found.Symbols[0].File == f {
				found.Tier = resolve.TierA
			}
			return found
		}
		if s.Shape == facts.PackageObject && i != in {
			if found := inPackage(q, f, joined(resolve.PackageOf(q, f), s.Name), name, types); !found.None() {
				return found
			}
		}
	}
	return atTop(q, x)
}

// atTop is find outside of all types.
func atTop(q *resolve.Query, x sought) resolve.Found {
	f, name, types := x.file, x.name, x.types
	own := slices.DeleteFunc(slices.Clone(q.World().Defs(name)), func(id resolve.SymbolID) bool {
		return id.File != f || q.Symbol(id).Parent >= 0 || q.Symbol(id).Shape == facts.PackageObject
	})
	if own = ofMeaning(q, own, types); len(own) > 0 {
		return resolve.Found{Symbols: own, Tier: resolve.TierA}
	}
	if found := explicit(q, -1, x); !found.None() {
		return found
	}
	pkg := resolve.PackageOf(q, f)
	for _, look := range []func() resolve.Found{
		func() resolve.Found { return wildcard(q, -1, x) },
		func() resolve.Found { return inPackage(q, f, pkg, name, types) },
		func() resolve.Found { return outer(q, f, name, types) },
	} {
		if found := look(); !found.None() {
			return found
		}
	}
	if !types && packagesOf(q).known[name] {
		e := packageEntity(name)
		return resolve.Found{Entity: &e, External: true}
	}
	return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.External, Foreign: foreignName(name)}}
}

func foreignName(name string) string {
	if name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		return name
	}
	return ""
}

// explicit is what an import in a symbol makes known by the name itself.
func explicit(q *resolve.Query, in int, s sought) resolve.Found {
	f, name, types, without := s.file, s.name, s.types, s.without
	imports := q.File(f).Imports
	outside := resolve.Found{}
	for i := range imports {
		x := &imports[i]
		if x.In != in || i == without || x.Name == "*" || x.Local == "_" || cmp.Or(x.Local, x.Name) != name {
			continue
		}
		if !q.Enter(resolve.SymbolID{File: f, Index: int32(-2 - i)}, name) { //nolint:gosec // an index
			continue
		}
		found := memberNamed(q, f, pathOf(q, f, i), x.Name, types)
		q.Leave(resolve.SymbolID{File: f, Index: int32(-2 - i)}, name) //nolint:gosec // an index
		if len(found.Symbols) > 0 || found.Entity != nil && !isOutside(*found.Entity) {
			found.Tier = resolve.TierB
			return found
		}
		outside = resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.External, Foreign: foreignName(x.Name)}}
	}
	return outside
}

// isOutside reports whether nothing is known but that something is not of the repository.
func isOutside(e resolve.Entity) bool { return e.Kind == resolve.External && packageNamed(e) == "" }

// wildcard is what the imports of all that something has make known in a symbol.
func wildcard(q *resolve.Query, in int, s sought) resolve.Found {
	f, name, types, without := s.file, s.name, s.types, s.without
	imports := q.File(f).Imports
	for i := len(imports) - 1; i >= 0; i-- {
		x := &imports[i]
		if x.In != in || i == without || x.Name != "*" || x.Local != "" || hides(imports, i, name) {
			continue
		}
		if !q.Enter(resolve.SymbolID{File: f, Index: int32(-2 - i)}, name) { //nolint:gosec // an index
			continue
		}
		found := memberNamed(q, f, pathOf(q, f, i), name, types)
		q.Leave(resolve.SymbolID{File: f, Index: int32(-2 - i)}, name) //nolint:gosec // an index
		if len(found.Symbols) > 0 || found.Entity != nil && !isOutside(*found.Entity) {
			found.Tier = resolve.TierB
			return found
		}
	}
	return resolve.Found{}
}

// hides reports whether an import of all that something has leaves out a name: "{a => _, _}".
func hides(imports []facts.Import, at int, name string) bool {
	return slices.ContainsFunc(imports, func(x facts.Import) bool {
		return x.Line == imports[at].Line && x.Path == imports[at].Path && x.Name == name && x.Local != ""
	})
}

// outer is what the packages around that of a file have, if it names them by themselves.
func outer(q *resolve.Query, f resolve.FileID, name string, types bool) resolve.Found {
	imports := q.File(f).Imports
	for _, x := range slices.Backward(imports) {
		if x.Local == facts.OuterPackage {
			if found := inPackage(q, f, x.Path, name, types); !found.None() {
				return found
			}
		}
	}
	return resolve.Found{}
}

// pathOf is what the path of an import means.
func pathOf(q *resolve.Query, f resolve.FileID, i int) resolve.Entity {
	x := &q.File(f).Imports[i]
	names := strings.Split(x.Path, ".")
	if x.Local == facts.OuterPackage {
		return packageEntity(x.Path)
	}
	if names[0] == "_root_" {
		names = names[1:]
	}
	if len(names) == 0 || !q.Enter(resolve.SymbolID{File: f, Index: int32(-2 - i)}, "path") { //nolint:gosec // an index
		return resolve.Entity{Kind: resolve.External}
	}
	defer q.Leave(resolve.SymbolID{File: f, Index: int32(-2 - i)}, "path") //nolint:gosec // an index
	e := first(q, f, x, names[0], i)
	for _, name := range names[1:] {
		e = q.Entity(f, memberNamed(q, f, e, name, false))
		if e.Kind == resolve.Unknown {
			return resolve.Entity{Kind: resolve.External}
		}
	}
	return e
}

// first is what the path of an import begins with: a package beside those around, or what
// the name means there.
func first(q *resolve.Query, f resolve.FileID, x *facts.Import, name string, i int) resolve.Entity {
	for pkg := resolve.PackageOf(q, f); pkg != ""; pkg = pkg[:max(strings.LastIndexByte(pkg, '.'), 0)] {
		if sub := pkg + "." + name; packagesOf(q).known[sub] && seesPackage(q, f, pkg) {
			return packageEntity(sub)
		}
	}
	if packagesOf(q).known[name] {
		return packageEntity(name)
	}
	e := q.Entity(f, find(q, x.In, sought{f, name, false, i}))
	if e.Kind == resolve.Unknown {
		return resolve.Entity{Kind: resolve.External}
	}
	return e
}

// seesPackage reports whether a file sees what a package has without its name: it is of that, or it
// is named by itself.
func seesPackage(q *resolve.Query, f resolve.FileID, pkg string) bool {
	return resolve.PackageOf(q, f) == pkg || slices.ContainsFunc(q.File(f).Imports, func(x facts.Import) bool {
		return x.Local == facts.OuterPackage && x.Path == pkg
	})
}

// memberOf is what something has by a name, a type or a value.
func memberOf(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string) resolve.Found {
	found := memberNamed(q, f, e, name, false)
	types := memberNamed(q, f, e, name, true)
	for _, id := range types.Symbols {
		if !slices.Contains(found.Symbols, id) {
			found.Symbols = append(slices.Clip(found.Symbols), id)
		}
	}
	if found.Tier == resolve.Unresolved {
		found.Tier = types.Tier
	}
	found.External = found.External && len(found.Symbols) == 0
	return found
}

func memberNamed(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string, types bool) resolve.Found {
	if pkg := packageNamed(e); pkg != "" {
		return inPackage(q, f, pkg, name, types)
	}
	if e.Kind != resolve.TypeName && e.Kind != resolve.Value {
		return resolve.Found{}
	}
	return inType(q, e, name, types)
}
