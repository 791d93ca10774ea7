// Package python finds what names of Python stand for: modules and packages by their
// roots, the order of resolution, decorators, records.
package python

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language finds names in modules and packages. A module is its file. A
// folder without __init__.py is the list of its files, with the first one
// twice if there is no other.
type Language struct{ resolve.Default }

// Bare implements Language: the names of the file, then builtins.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, _ int, name string) resolve.Found {
	found := l.names(q, f, name)
	if found.None() && pythonBuiltins[name] {
		return resolve.Found{External: true}
	}
	if found.None() {
		found = l.dottedInside(q, f, name)
	}
	if found.None() {
		return fixture(q, f, name)
	}
	return found
}

// Reference implements Language: parameters of tests name fixtures of pytest. Those of
// plugins are outside of the project.
func (l Language) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if ref.Arguments != facts.Fixture {
		return resolve.Found{}, false
	}
	if found := requested(l, q, f, ref); !found.None() {
		return found, true
	}
	return resolve.Found{External: true}, true
}

// dottedInside finds the first part of a module that a function imports by a
// dotted name: "import a.b" binds a there, and the text says so of no other a.
func (l Language) dottedInside(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Name == "" && x.Local == "" && x.In >= 0 && strings.HasPrefix(x.Path, name+".") {
			return l.imports(q, f, x)
		}
	}
	return resolve.Found{}
}

// Member implements Language.
func (l Language) Member(q *resolve.Query, _ resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	f := files[0]
	dir := path.Dir(q.File(f).Path)
	if len(files) > 1 {
		return l.submodule(q, dir, name)
	}
	if found := l.names(q, f, name); !found.None() {
		found.Tier = resolve.TierB
		return found
	}
	if isInit(q.File(f).Path) {
		return l.submodule(q, dir, name)
	}
	return resolve.Found{}
}

func (l Language) submodule(q *resolve.Query, dir, name string) resolve.Found {
	if files := moduleFiles(q, path.Join(dir, name)); files != nil {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	return resolve.Found{}
}

func isInit(p string) bool {
	base := path.Base(p)
	return base == "__init__.py" || base == "__init__.pyi"
}

// moduleFiles are those of the module whose path without extension is given.
func moduleFiles(q *resolve.Query, p string) []resolve.FileID {
	for _, name := range [...]string{p + "/__init__.py", p + ".py", p + ".pyi", p + "/__init__.pyi"} {
		if id, ok := q.World().ByPath(strings.TrimPrefix(name, "./")); ok {
			return []resolve.FileID{id}
		}
	}
	var out []resolve.FileID
	for _, id := range q.World().Folder(resolve.CleanDir(p)) {
		if q.File(id).Language == "Python" {
			out = append(out, id)
		}
	}
	if len(out) == 1 {
		out = append(out, out[0])
	}
	return out
}

// maxStars is how many names of one file are followed through star imports.
const maxStars = 64

// names finds a name at the top of a file: what it declares and imports.
func (l Language) names(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	if !q.Enter(resolve.SymbolID{File: f, Index: -1}, name) {
		return resolve.Found{}
	}
	defer q.Leave(resolve.SymbolID{File: f, Index: -1}, name)
	var symbols, variables []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		if s := q.Symbol(id); id.File == f && s.Parent < 0 {
			if resolve.IsType(s) || resolve.IsFunction(s) {
				symbols = append(symbols, id)
			} else {
				variables = append(variables, id)
			}
		}
	}
	if len(symbols) > 0 {
		return resolve.Found{Symbols: symbols, Tier: resolve.TierA}
	}
	imported := l.importedName(q, f, name)
	if len(variables) > 0 && len(imported.Symbols) == 0 && imported.Files == nil {
		return resolve.Found{Symbols: variables, Tier: resolve.TierA}
	}
	if imported.None() {
		imported = l.starred(q, f, name)
	}
	return imported
}

// importedName finds a name that is imported at the top of a file. Of several
// imports the first that leads somewhere counts.
func (l Language) importedName(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	var out resolve.Found
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if local := localName(x); local != name || x.In >= 0 && resolve.IsFunction(&q.File(f).Symbols[x.In]) {
			continue
		}
		found := l.imports(q, f, x)
		if len(found.Symbols) > 0 || found.Files != nil {
			return found
		}
		out.External = out.External || found.External
	}
	return out
}

// localName is the name that an import binds.
func localName(x *facts.Import) string {
	switch {
	case x.Local != "":
		return x.Local
	case x.Name != "":
		return x.Name
	}
	first, _, _ := strings.Cut(x.Path, ".")
	return first
}

// imports is what an import binds its name to.
func (l Language) imports(q *resolve.Query, f resolve.FileID, x *facts.Import) resolve.Found {
	p := x.Path
	if x.Name == "" && x.Local == "" {
		p, _, _ = strings.Cut(p, ".")
	}
	files := l.module(q, f, p)
	switch {
	case len(files) == 0 && strings.HasPrefix(p, "."):
		return resolve.Found{}
	case len(files) == 0:
		return resolve.Found{External: true}
	case x.Name == "" || x.Name == "*":
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	return l.Member(q, f, files, x.Name)
}

// starred finds a name through the star imports of a file.
func (l Language) starred(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	if strings.HasPrefix(name, "__") {
		return resolve.Found{}
	}
	imports := q.File(f).Imports
	for i := range imports {
		if i > maxStars {
			break
		}
		if x := &imports[i]; x.Name == "*" {
			if files := l.module(q, f, x.Path); len(files) == 1 && (name[0] != '_' || exportsList(q, files[0])) {
				if found := l.names(q, files[0], name); len(found.Symbols) > 0 || found.Files != nil {
					found.Tier = resolve.TierB
					return found
				}
			}
		}
	}
	return resolve.Found{}
}

// exportsList reports whether a file says in __all__ what a star import takes.
func exportsList(q *resolve.Query, f resolve.FileID) bool {
	return slices.ContainsFunc(q.World().Defs("__all__"), func(id resolve.SymbolID) bool { return id.File == f })
}

// Import implements Language: the module, or the submodule that is taken.
func (l Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	files := l.module(q, f, x.Path)
	if len(files) == 0 {
		return nil
	}
	if x.Name != "" && x.Name != "*" && (len(files) > 1 || isInit(q.File(files[0]).Path)) {
		if l.names(q, files[0], x.Name).None() {
			if sub := moduleFiles(q, path.Join(path.Dir(q.File(files[0]).Path), x.Name)); len(sub) == 1 {
				return sub
			}
		}
	}
	if len(files) > 1 {
		return nil
	}
	return files
}

// Module implements Language.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	p := q.File(f).Imports[i].Path
	if files := l.module(q, f, p); len(files) > 0 {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	return resolve.Found{External: !strings.HasPrefix(p, ".")}
}

// module finds the files of a dotted path, relative or absolute.
func (l Language) module(q *resolve.Query, f resolve.FileID, dotted string) []resolve.FileID {
	rest := strings.TrimLeft(dotted, ".")
	up := len(dotted) - len(rest)
	below := strings.ReplaceAll(rest, ".", "/")
	if up == 0 {
		return absolute(q, f, below)
	}
	dir := path.Dir(q.File(f).Path)
	for range up - 1 {
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
	return moduleFiles(q, path.Join(dir, below))
}

// Lacking implements Language: names with two underscores that a type does not declare
// are those of all objects.
func (Language) Lacking(_ *resolve.Query, _ resolve.FileID, _ resolve.Entity, name string) resolve.Found {
	return resolve.Found{External: strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")}
}

// Decorated implements Language.
func (Language) Decorated(q *resolve.Query, id resolve.SymbolID) resolve.Entity {
	return decorated(q, id)
}

// Prefixes implements Language: modules and packages by their paths.
func (Language) Prefixes(q *resolve.Query, names []string) []resolve.Prefix {
	return layout.PrefixesIn(q, names)
}

var layout = resolve.Layout{Extensions: []string{".py", ".pyi"}, Whole: []string{"__init__"}, Skipped: "src"}

// Implied implements Language: what makes a value, and the other special methods.
func (Language) Implied(q *resolve.Query, id resolve.SymbolID) resolve.Implied {
	s := q.Symbol(id)
	switch {
	case s.Kind != "method" || !strings.HasPrefix(s.Name, "__") || !strings.HasSuffix(s.Name, "__"):
		return resolve.ByName
	case s.Name == "__init__" || s.Name == "__new__" || s.Name == "__post_init__":
		return resolve.ByConstruction
	}
	return resolve.ByLanguage
}
