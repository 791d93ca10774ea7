package resolve

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// packagedLanguage finds names in languages whose files say of which package
// (namespace) they are, and import names of others. A package as a module is the
// list of its files, with the first one twice if there is no other.
type packagedLanguage struct {
	genericLanguage

	separator string // between the parts of a package's name
	members   bool   // packages have functions and variables too
	around    bool   // what the packages around have is known
	global    bool   // so are functions without a package; members are only known by what they are of
}

type packageFilesKey struct{ language string }

// packages are the files of each package.
func (l packagedLanguage) packages(q *Query) map[string][]FileID {
	return Once(q, packageFilesKey{l.name}, func() map[string][]FileID {
		out := map[string][]FileID{}
		for _, id := range q.World().Language(l.name) {
			p := q.File(id).Package
			out[p] = append(out[p], id)
		}
		return out
	})
}

// Bare implements Language: members of the types around, inherited ones too,
// types of the file, imports, the package, imports of whole packages. The parts of
// a qualified name have backslashes between.
func (l packagedLanguage) Bare(q *Query, f FileID, in int, name string) Found {
	if strings.Contains(name, `\`) {
		return l.qualified(q, f, name)
	}
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols) && !l.global; i = symbols[i].Parent {
		id := SymbolID{f, int32(i)} //nolint:gosec // an index
		if found := l.nameless(q, id, name); len(found.Symbols) > 0 {
			return found
		}
		if symbols[i].Owner != facts.Nothing {
			if found := q.inherited(q.owner(id), name); len(found.Symbols) > 0 {
				return found
			}
		}
		if !isType(&symbols[i]) {
			continue
		}
		if symbols[i].Name == name {
			return Found{Symbols: []SymbolID{id}, Tier: TierA}
		}
		if q.seeksBase(id) {
			continue // what a type is made from is looked up around it
		}
		if found := q.inherited(Entity{Kind: TypeName, Symbols: []SymbolID{id}}, name); len(found.Symbols) > 0 && !q.constructs(found.Symbols[0]) {
			if found.Symbols[0].File == f {
				found.Tier = TierA
			}
			return found
		}
	}
	if found := l.single(q, f, name); !found.None() {
		return found
	}
	for pkg, more := q.File(f).Package, true; more; pkg, more = l.outer(pkg) {
		if list := l.types(q, pkg, name); list != nil {
			return Found{Symbols: list, Tier: TierA}
		}
	}
	if found := l.onDemand(q, f, name); !found.None() {
		return found
	}
	if files := l.files(q, name); files != nil {
		return Found{Files: files, Tier: TierB}
	}
	if list := l.types(q, "", name); l.global && list != nil && isFunction(q.Symbol(list[0])) {
		return Found{Symbols: list, Tier: TierB}
	}
	return Found{External: true}
}

// outer is the package around, if names of that are known.
func (l packagedLanguage) outer(pkg string) (string, bool) {
	if !l.around || pkg == "" {
		return "", false
	}
	before, _ := l.cutLast(pkg)
	return before, true
}

// qualified finds a package or type by a name of several parts: the first may
// be imported, or of the own package.
func (l packagedLanguage) qualified(q *Query, f FileID, name string) Found {
	dotted := strings.ReplaceAll(name, `\`, l.separator)
	var tried []string
	first, rest, _ := strings.Cut(name, `\`)
	for _, x := range q.File(f).Imports {
		if x.Local == first || x.Local == "" && x.Name == first {
			tried = append(tried, x.Path+l.separator+x.Name+l.separator+strings.ReplaceAll(rest, `\`, l.separator))
		}
	}
	for pkg, more := q.File(f).Package, true; more && pkg != ""; pkg, more = l.outer(pkg) {
		tried = append(tried, pkg+l.separator+dotted)
	}
	for _, dotted := range append(tried, dotted) {
		if files := l.files(q, dotted); files != nil {
			return Found{Files: files, Tier: TierB}
		}
		if e, ok := l.owner(q, dotted); ok {
			return Found{Entity: &e, Tier: TierB}
		}
	}
	return Found{External: true}
}

// nameless finds what a class without a name inherits, of which a method is.
func (packagedLanguage) nameless(q *Query, method SymbolID, name string) Found {
	if s := q.Symbol(method); isFunction(s) {
		for _, b := range q.basesOf(method, nil) {
			if found := q.inherited(b, name); len(found.Symbols) > 0 && !q.constructs(found.Symbols[0]) {
				return found
			}
		}
	}
	return Found{}
}

// types are the top types of a package by name, and what else it has where
// packages do.
func (l packagedLanguage) types(q *Query, pkg, name string) []SymbolID {
	var out []SymbolID
	for _, id := range l.tops(q, pkg, name) {
		if q.Symbol(id).Owner == facts.Nothing {
			out = append(out, id)
		}
	}
	return out
}

// tops are these and functions that are declared for types of elsewhere, which
// are imported by their names.
func (l packagedLanguage) tops(q *Query, pkg, name string) []SymbolID {
	var out []SymbolID
	for _, id := range q.World().Defs(name) {
		if s := q.Symbol(id); s.Parent < 0 && (isType(s) || l.members) && q.File(id.File).Language == l.name && q.File(id.File).Package == pkg {
			out = append(out, id)
		}
	}
	return out
}

// files are those of a package, or of a part of a package's name.
func (l packagedLanguage) files(q *Query, pkg string) []FileID {
	files := l.packages(q)[pkg]
	if len(files) == 1 {
		return []FileID{files[0], files[0]}
	}
	return files
}

// owner is the type that a dotted name means, from the whole of it to its
// first part.
func (l packagedLanguage) owner(q *Query, dotted string) (Entity, bool) {
	for end := len(dotted); end > 0; end-- {
		if end < len(dotted) && dotted[end] != l.separator[0] {
			continue
		}
		pkg, name := l.cutLast(dotted[:end])
		list := l.types(q, pkg, name)
		if list == nil {
			continue
		}
		e := Entity{Kind: TypeName, Symbols: list}
		for rest := dotted[end:]; rest != ""; {
			var part string
			part, rest = l.cutFirst(rest[1:])
			found := q.inherited(e, part)
			if len(found.Symbols) == 0 {
				return Entity{}, false
			}
			e = Entity{Kind: TypeName, Symbols: found.Symbols}
		}
		return e, true
	}
	return Entity{}, false
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
func (l packagedLanguage) single(q *Query, f FileID, name string) Found {
	imports := q.File(f).Imports
	external := false
	var out Found
	for i := range imports {
		x := &imports[i]
		if x.Local != name && (x.Local != "" || x.Name != name) {
			continue
		}
		found := l.imported(q, x)
		external = external || found.External
		out.Symbols = append(out.Symbols, found.Symbols...)
	}
	if len(out.Symbols) > 0 {
		out.Tier = TierB
		return out
	}
	return Found{External: external}
}

func (l packagedLanguage) imported(q *Query, x *facts.Import) Found {
	if !x.System {
		if list := l.types(q, x.Path, x.Name); list != nil {
			return Found{Symbols: list, Tier: TierB}
		}
	}
	if e, ok := l.owner(q, x.Path); ok {
		found := q.inherited(e, x.Name)
		found.Tier = TierB
		return found
	}
	if files := l.files(q, x.Path+l.separator+x.Name); files != nil {
		return Found{Files: files, Tier: TierB}
	}
	return Found{External: true}
}

func (l packagedLanguage) onDemand(q *Query, f FileID, name string) Found {
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Name != "*" {
			continue
		}
		if list := l.types(q, x.Path, name); list != nil && !x.System {
			return Found{Symbols: list, Tier: TierB}
		}
		if e, ok := l.owner(q, x.Path); ok {
			if found := q.inherited(e, name); len(found.Symbols) > 0 {
				found.Tier = TierB
				return found
			}
		}
	}
	return Found{}
}

// Member implements Language: types of a package.
func (l packagedLanguage) Member(q *Query, _ FileID, files []FileID, name string) Found {
	if len(files) == 0 {
		return Found{External: true}
	}
	pkg := q.File(files[0]).Package
	if list := l.tops(q, pkg, name); list != nil {
		return Found{Symbols: list, Tier: TierB}
	}
	if sub := l.files(q, pkg+l.separator+name); sub != nil {
		return Found{Files: sub, Tier: TierB}
	}
	return Found{}
}

// Import implements Language: the files of the type, or of the package.
func (l packagedLanguage) Import(q *Query, f FileID, i int) []FileID {
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
	var out []FileID
	for _, id := range list {
		out = append(out, id.File)
	}
	return out
}

// Module implements Importing: the package or type that a name is taken from.
func (l packagedLanguage) Module(q *Query, f FileID, i int) Found {
	x := &q.File(f).Imports[i]
	if files := l.files(q, x.Path); files != nil && !x.System {
		return Found{Files: files, Tier: TierB}
	}
	if e, ok := l.owner(q, x.Path); ok {
		return Found{Entity: &e, Tier: TierB}
	}
	return Found{External: true}
}
