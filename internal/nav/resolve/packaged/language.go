// Package packaged finds what names stand for in languages whose files say of which
// package or namespace they are: Java, C#, Kotlin, PHP.
package packaged

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/byname"
)

// packagedLanguage finds names in languages whose files say of which package
// (namespace) they are, and import names of others. A package as a module is the
// list of its files, with the first one twice if there is no other.
type packagedLanguage struct {
	byname.Language

	separator string // between the parts of a package's name
	members   bool   // packages have functions and variables too
	around    bool   // what the packages around have is known
	global    bool   // so are functions without a package; members are only known by what they are of
}

// Java, Csharp, Kotlin and Php are languages of this kind.
var (
	Java   = javaLanguage{packagedLanguage{Language: byname.Of("Java"), separator: "."}}
	Csharp = csharpLanguage{packagedLanguage{Language: byname.Of("C#"), separator: ".", around: true}}
	Kotlin = kotlinLanguage{packagedLanguage{Language: byname.Of("Kotlin"), separator: ".", members: true}}
	Php    = phpLanguage{packagedLanguage{Language: byname.Of("PHP"), separator: `\`, members: true, global: true}}
)

type packageFilesKey struct{ language string }

// packages are the files of each package.
func (l packagedLanguage) packages(q *resolve.Query) map[string][]resolve.FileID {
	return resolve.Once(q, packageFilesKey{l.Name}, func() map[string][]resolve.FileID {
		out := map[string][]resolve.FileID{}
		for _, name := range languagesOf(l.Name) {
			for _, id := range q.World().Language(name) {
				p := resolve.PackageOf(q, id)
				out[p] = append(out[p], id)
			}
		}
		return out
	})
}

// Bare implements Language: members of the types around, inherited ones too,
// types of the file, imports, the package, imports of whole packages. The parts of
// a qualified name have backslashes between.
func (l packagedLanguage) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	return l.find(q, f, in, name, anything)
}

// Type implements Language: a property often has the name of its type, and a
// function that of what it makes.
func (l packagedLanguage) Type(q *resolve.Query, f resolve.FileID, in int, name string) (resolve.Found, bool) {
	found := l.find(q, f, in, name, types)
	if len(found.Symbols) == 0 && found.External && found.Entity == nil {
		found.Entity = &resolve.Entity{Kind: resolve.External, Foreign: l.foreign(q, f, name)}
	}
	return found, true
}

// NamesForeign implements Language.
func (packagedLanguage) NamesForeign() bool { return true }

// foreign is the name of a type that is not of the repository, with its package if that is
// written in the file.
func (l packagedLanguage) foreign(q *resolve.Query, f resolve.FileID, name string) string {
	first, rest, _ := strings.Cut(strings.TrimSuffix(name, `\`), `\`)
	whole := strings.TrimSuffix(first+l.separator+strings.ReplaceAll(rest, `\`, l.separator), l.separator)
	some := false // whether all of a package is imported
	for _, x := range l.imports(q, f) {
		if cmp.Or(x.Local, x.Name) == first {
			return strings.TrimPrefix(x.Path+l.separator+x.Name+strings.TrimPrefix(whole, first), l.separator)
		}
		some = some || x.Name == "*"
	}
	if l.Name == "Java" && rest == "" && !some {
		return "java.lang." + whole
	}
	return strings.TrimPrefix(whole, l.separator)
}

// A sought says what a name is looked up for.
type sought uint8

const (
	anything sought = iota
	types           // nothing else can stand there
	called          // a method
	valued          // no method
)

// among leaves out what a name cannot mean.
func (w sought) among(q *resolve.Query, name string, list []resolve.SymbolID) []resolve.SymbolID {
	if w == anything {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		s := q.Symbol(id)
		switch w {
		case types:
			return !resolve.IsType(s)
		case called: // also by what Lombok and records make of a field
			return s.Name == name && !resolve.IsFunction(s) && !isComponent(q, id)
		}
		return resolve.IsFunction(s)
	})
}

// find is Bare, for some things only.
func (l packagedLanguage) find(q *resolve.Query, f resolve.FileID, in int, name string, want sought) resolve.Found {
	if strings.Contains(name, `\`) {
		return l.qualified(q, f, name)
	}
	fits := func(found resolve.Found) (resolve.Found, bool) {
		found.Symbols = l.ofModule(q, f, want.among(q, name, found.Symbols))
		return found, len(found.Symbols) > 0
	}
	if want != types || isInner(q, f, name) {
		for found := range l.enclosing(q, f, in, name) {
			for range resolve.MaxLevels {
				if fitting, ok := fits(found); ok {
					return fitting
				}
				found = want.above(q, found, name)
			}
		}
	}
	if found, ok := fits(l.single(q, f, name)); ok || found.Files != nil || found.External {
		return found
	}
	for pkg, more := q.File(f).Package, true; more; pkg, more = l.outer(pkg) {
		list := l.nearest(q, f, l.types(q, pkg, name))
		if found, ok := fits(resolve.Found{Symbols: list, Tier: resolve.TierA}); ok {
			return found
		}
	}
	if found, ok := fits(l.onDemand(q, f, name)); ok {
		return found
	}
	if files := l.files(q, name); files != nil {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	if list := l.types(q, "", name); l.global && list != nil && resolve.IsFunction(q.Symbol(list[0])) {
		return resolve.Found{Symbols: list, Tier: resolve.TierB}
	}
	return resolve.Found{External: true}
}

// above is what a type inherits by a name of which it has something that is not meant.
func (w sought) above(q *resolve.Query, found resolve.Found, name string) resolve.Found {
	if found.Recv == nil || w != called && w != valued {
		return resolve.Found{}
	}
	up := *found.Recv
	up.Super = true
	next := q.Inherited(up, name)
	next.Tier = found.Tier
	return next
}

// ofModule are the symbols of the module of Maven or Gradle that a file is of, if there are
// any: several modules may have a type of one name. Languages but Java declare one type in
// several places.
func (l packagedLanguage) ofModule(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if l.Name != "Java" || len(list) < 2 {
		return list
	}
	module := func(f resolve.FileID) string {
		before, _, _ := strings.Cut("/"+q.File(f).Path, "/src/")
		return before
	}
	own := slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return module(id.File) != module(f) })
	if len(own) == 0 {
		return list
	}
	return own
}

// isInner reports whether a name is that of a type in a file, or within something: of others, symbols around need
// not be asked.
func isInner(q *resolve.Query, f resolve.FileID, name string) bool {
	return slices.ContainsFunc(q.World().Defs(name), func(id resolve.SymbolID) bool {
		s := q.Symbol(id)
		return resolve.IsType(s) && (s.Parent >= 0 || id.File == f)
	})
}

// enclosing is what the symbols around a place have of a name, the innermost first.
func (l packagedLanguage) enclosing(q *resolve.Query, f resolve.FileID, in int, name string) iter.Seq[resolve.Found] {
	return func(yield func(resolve.Found) bool) {
		symbols := q.File(f).Symbols
		from := -1
		for i := in; i >= 0 && i < len(symbols) && !l.global; from, i = i, symbols[i].Parent {
			id := resolve.SymbolID{File: f, Index: int32(i)} //nolint:gosec // an index
			if found := l.nameless(q, id, name); len(found.Symbols) > 0 && !yield(found) {
				return
			}
			if symbols[i].Owner != facts.Nothing {
				if found := q.Inherited(q.OwnerOf(id), name); len(found.Symbols) > 0 && !yield(found) {
					return
				}
			}
			if !resolve.IsType(&symbols[i]) {
				if found := inside(q, id, from, name); len(found.Symbols) > 0 && !yield(found) {
					return
				}
				continue
			}
			if symbols[i].Name == name {
				found := resolve.Found{Symbols: []resolve.SymbolID{id}, Tier: resolve.TierA}
				if l.around { // or one with other type parameters
					found.Symbols = beside(l, q, id)
				}
				if !yield(found) {
					return
				}
			}
			if q.SeeksBase(id) {
				continue // what a type is made from is looked up around it
			}
			found := q.Inherited(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}, name)
			if len(found.Symbols) == 0 || q.Constructs(found.Symbols[0]) {
				continue
			}
			if found.Symbols[0].File == f {
				found.Tier = resolve.TierA
			}
			if !yield(found) {
				return
			}
		}
	}
}

// inside is what is declared by a name inside of a function, or of what a variable is given:
// types, and for a method of a class without a name, from, its other members.
func inside(q *resolve.Query, around resolve.SymbolID, from int, name string) resolve.Found {
	symbols := q.File(around.File).Symbols
	isMember := func(s *facts.Symbol) bool {
		if from < 0 || !resolve.IsFunction(&symbols[from]) || len(symbols[from].Bases) == 0 {
			return false
		}
		return !resolve.IsFunction(s) || slices.Equal(s.Bases, symbols[from].Bases)
	}
	found := resolve.Found{Tier: resolve.TierA}
	for i := int(around.Index) + 1; i < len(symbols) && symbols[i].Line <= symbols[around.Index].EndLine; i++ {
		if s := &symbols[i]; s.Name == name && s.Parent == int(around.Index) && (resolve.IsType(s) || isMember(s)) {
			found.Symbols = append(found.Symbols, resolve.SymbolID{File: around.File, Index: int32(i)}) //nolint:gosec // an index
		}
	}
	return found
}

// outer is the package around, if names of that are known.
func (l packagedLanguage) outer(pkg string) (string, bool) {
	if !l.around || pkg == "" {
		return "", false
	}
	before, _ := l.cutLast(pkg)
	return before, true
}

// qualified finds a package or type by a name of several parts, or of one that is a
// package's: the first may be imported, or of the own package.
func (l packagedLanguage) qualified(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	if whole, ok := strings.CutPrefix(name, `\`); ok {
		return l.absolute(q, strings.TrimSuffix(whole, `\`))
	}
	name = strings.TrimSuffix(name, `\`)
	dotted := strings.ReplaceAll(name, `\`, l.separator)
	var tried []string
	first, rest, _ := strings.Cut(name, `\`)
	for _, x := range l.imports(q, f) {
		if x.Local == first || x.Local == "" && x.Name == first {
			whole := x.Path + l.separator + x.Name + l.separator + strings.ReplaceAll(rest, `\`, l.separator)
			tried = append(tried, strings.TrimSuffix(whole, l.separator))
		}
	}
	for pkg, more := q.File(f).Package, true; more && pkg != ""; pkg, more = l.outer(pkg) {
		tried = append(tried, pkg+l.separator+dotted)
	}
	for _, dotted := range append(tried, dotted) {
		if found := l.absolute(q, dotted); !found.External {
			return found
		}
	}
	return resolve.Found{External: true}
}

// absolute finds a package or type by the whole of its name.
func (l packagedLanguage) absolute(q *resolve.Query, dotted string) resolve.Found {
	if files := l.files(q, dotted); files != nil {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	if e, ok := l.owner(q, dotted); ok {
		return resolve.Found{Entity: &e, Tier: resolve.TierB}
	}
	return resolve.Found{External: true}
}

// nameless finds what a class without a name inherits, of which a method is.
func (packagedLanguage) nameless(q *resolve.Query, method resolve.SymbolID, name string) resolve.Found {
	if s := q.Symbol(method); resolve.IsFunction(s) {
		for _, b := range q.BasesOf(method, nil) {
			if found := q.Inherited(b, name); len(found.Symbols) > 0 && !q.Constructs(found.Symbols[0]) {
				return found
			}
		}
	}
	return resolve.Found{}
}

// files are those of a package, or of a part of a package's name.
func (l packagedLanguage) files(q *resolve.Query, pkg string) []resolve.FileID {
	files := l.packages(q)[pkg]
	if len(files) == 1 {
		return []resolve.FileID{files[0], files[0]}
	}
	return files
}

// owner is the type that a dotted name means, from the whole of it to its
// first part.
func (l packagedLanguage) owner(q *resolve.Query, dotted string) (resolve.Entity, bool) {
	for end := len(dotted); end > 0; end-- {
		if end < len(dotted) && dotted[end] != l.separator[0] {
			continue
		}
		pkg, name := l.cutLast(dotted[:end])
		list := l.types(q, pkg, name)
		if list == nil {
			continue
		}
		e := resolve.Entity{Kind: resolve.TypeName, Symbols: list}
		for rest := dotted[end:]; rest != ""; {
			var part string
			part, rest = l.cutFirst(rest[1:])
			found := q.Inherited(e, part)
			if len(found.Symbols) == 0 && isCompanion(l.Name, part) {
				continue
			}
			if len(found.Symbols) == 0 {
				return resolve.Entity{}, false
			}
			e = resolve.Entity{Kind: resolve.TypeName, Symbols: found.Symbols}
		}
		return e, true
	}
	return resolve.Entity{}, false
}

// isCompanion reports whether a name is that of an object without one in a class, whose
// members count as the class's.
func isCompanion(language, name string) bool {
	return language == "Kotlin" && name == "Companion"
}

func (l packagedLanguage) cutLast(s string) (before, last string) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == l.separator[0] {
			return s[:i], s[i+1:]
		}
	}
	return "", s
}

// cutFirst is the first part, and the rest with what is before it.
func (l packagedLanguage) cutFirst(s string) (first, rest string) {
	for i := range len(s) {
		if s[i] == l.separator[0] {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// single finds a name among the imports of one name.
func (l packagedLanguage) single(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	imports := l.imports(q, f)
	external := false
	var out resolve.Found
	var files []resolve.FileID
	for i := range imports {
		x := &imports[i]
		if x.Local != name && (x.Local != "" || x.Name != name) {
			continue
		}
		found := l.imported(q, x)
		external = external || found.External
		out.Symbols = append(out.Symbols, found.Symbols...)
		files = append(files, found.Files...)
	}
	switch {
	case len(out.Symbols) > 0:
		out.Tier = resolve.TierB
		return out
	case len(files) > 0: // a package, behind its last name or another one
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	return resolve.Found{External: external}
}

func (l packagedLanguage) imported(q *resolve.Query, x *facts.Import) resolve.Found {
	if !x.System {
		if list := l.types(q, x.Path, x.Name); list != nil {
			return resolve.Found{Symbols: list, Tier: resolve.TierB}
		}
	}
	if e, ok := l.owner(q, x.Path); ok {
		found := q.Inherited(e, x.Name)
		found.Tier = resolve.TierB
		return found
	}
	if files := l.files(q, x.Path+l.separator+x.Name); files != nil {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	return resolve.Found{External: true}
}

func (l packagedLanguage) onDemand(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	imports := l.imports(q, f)
	for i := range imports {
		x := &imports[i]
		if x.Name != "*" {
			continue
		}
		if list := l.types(q, x.Path, name); list != nil && !x.System {
			return resolve.Found{Symbols: l.nearest(q, f, list), Tier: resolve.TierB}
		}
		if e, ok := l.owner(q, x.Path); ok {
			if found := q.Inherited(e, name); len(found.Symbols) > 0 {
				found.Tier = resolve.TierB
				return found
			}
		}
	}
	return resolve.Found{}
}

// Member implements Language: types of a package.
func (l packagedLanguage) Member(q *resolve.Query, from resolve.FileID, files []resolve.FileID,
	name string,
) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	pkg := q.File(files[0]).Package
	if list := l.tops(q, pkg, name); list != nil {
		return resolve.Found{Symbols: l.ofModule(q, from, list), Tier: resolve.TierB}
	}
	if sub := l.files(q, pkg+l.separator+name); sub != nil {
		return resolve.Found{Files: sub, Tier: resolve.TierB}
	}
	return resolve.Found{}
}

// Import implements Language: the files of the type, or of the package.
func (l packagedLanguage) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	list := l.types(q, x.Path, x.Name)
	if list == nil {
		if e, ok := l.owner(q, x.Path); ok {
			list = e.Symbols
		}
	}
	if list == nil && x.Name == "*" {
		return l.packages(q)[x.Path]
	}
	var out []resolve.FileID
	for _, id := range list {
		out = append(out, id.File)
	}
	return out
}

// Module implements Language: the package or type that a name is taken from.
func (l packagedLanguage) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	x := &q.File(f).Imports[i]
	if files := l.files(q, x.Path); files != nil && !x.System {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	if e, ok := l.owner(q, x.Path); ok {
		return resolve.Found{Entity: &e, Tier: resolve.TierB}
	}
	return resolve.Found{External: true}
}
