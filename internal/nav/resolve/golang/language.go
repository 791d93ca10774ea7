// Package golang finds what names of Go stand for: packages by modules and workspaces,
// build constraints, method sets.
package golang

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language knows packages, imports and method sets of Go.
type Language struct{ resolve.Default }

// goPackage is what the files of one folder with one package clause declare.
type goPackage struct {
	top     map[string][]resolve.SymbolID // without methods
	methods map[string][]resolve.SymbolID // by qualified name, "T.M"
	of      map[string][]resolve.SymbolID // methods by type
}

type goPackageKey struct{ dir, name string }

// goPackageOf is the package that a file belongs to.
func goPackageOf(q *resolve.Query, f resolve.FileID) *goPackage {
	file := q.File(f)
	return goPackageAt(q, goPackageKey{resolve.FolderOf(file.Path), file.Package})
}

func goPackageAt(q *resolve.Query, key goPackageKey) *goPackage {
	return resolve.Once(q, key, func() *goPackage {
		p := &goPackage{
			top: map[string][]resolve.SymbolID{}, methods: map[string][]resolve.SymbolID{},
			of: map[string][]resolve.SymbolID{},
		}
		var methods []resolve.SymbolID
		for _, id := range q.World().Folder(key.dir) {
			file := q.File(id)
			if file.Language != "Go" || file.Package != key.name {
				continue
			}
			for i := range file.Symbols {
				s := &file.Symbols[i]
				switch {
				case s.Owner != facts.Nothing:
					methods = append(methods, resolve.SymbolID{File: id, Index: int32(i)})
				case s.Parent < 0:
					p.top[s.Name] = append(p.top[s.Name], resolve.SymbolID{File: id, Index: int32(i)})
				}
			}
		}
		for _, id := range methods {
			owner := p.owner(q, id)
			p.of[owner] = append(p.of[owner], id)
			name := owner + "." + q.Symbol(id).Name
			p.methods[name] = append(p.methods[name], id)
		}
		return p
	})
}

// owner is the name of the type that a method belongs to; the receiver may be
// an alias of it.
func (p *goPackage) owner(q *resolve.Query, method resolve.SymbolID) string {
	name := q.Symbol(method).Owner.LastName()
	for range 8 {
		list := p.top[name]
		if len(list) == 0 {
			break
		}
		to := q.Symbol(list[0]).Type.Node()
		if !resolve.IsType(q.Symbol(list[0])) || to.Op != facts.OpName || len(p.top[to.Name]) == 0 {
			break
		}
		name = to.Name
	}
	return name
}

// Bare implements Language.
func (Language) Bare(q *resolve.Query, f resolve.FileID, _ int, name string) resolve.Found {
	if path, ok := strings.CutPrefix(name, goQuote); ok {
		path = strings.TrimSuffix(path, goQuote)
		return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.External, Name: path}}
	}
	if list := goPackageOf(q, f).top[name]; len(list) > 0 {
		return resolve.Found{Symbols: ownFile(f, list), Tier: resolve.TierA}
	}
	names := goImportNames(q, f)
	if i, ok := names.local[name]; ok {
		if files := goImport(q, f, i); len(files) > 0 {
			return resolve.Found{Files: files, Tier: resolve.TierB}
		}
		if p := q.File(f).Imports[i].Path; goGenericPackages[p] || goStd().packages[p] {
			return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.External, Name: p}}
		}
		return resolve.Found{External: true}
	}
	for _, i := range names.dots {
		if found := goMember(q, goImport(q, f, i), name); len(found.Symbols) > 0 {
			return found
		}
	}
	return resolve.Found{External: true}
}

// ownFile are those of a file itself, if there are any: programs that are run
// one by one may share a folder.
func ownFile(f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) < 2 {
		return list
	}
	var own []resolve.SymbolID
	for _, id := range list {
		if id.File == f {
			own = append(own, id)
		}
	}
	if own != nil {
		return own
	}
	return list
}

// goNames are the imports of a file by their names in it.
type goNames struct {
	local map[string]int
	dots  []int
}

type goNamesKey resolve.FileID

func goImportNames(q *resolve.Query, f resolve.FileID) goNames {
	return resolve.Once(q, goNamesKey(f), func() goNames {
		n := goNames{local: map[string]int{}}
		imports := q.File(f).Imports
		for i := range imports {
			switch local := imports[i].Local; local {
			case "_":
			case ".":
				n.dots = append(n.dots, i)
			case "":
				for _, name := range goNamesOf(q, f, i) {
					if _, taken := n.local[name]; !taken {
						n.local[name] = i
					}
				}
			default:
				n.local[local] = i
			}
		}
		return n
	})
}

// goNamesOf are the names that an import without a name of its own may have.
func goNamesOf(q *resolve.Query, f resolve.FileID, i int) []string {
	if files := goImport(q, f, i); len(files) > 0 {
		return []string{q.File(files[0]).Package}
	}
	return facts.LikelyGoNames(q.File(f).Imports[i].Path)
}

// Member implements Language.
func (Language) Member(q *resolve.Query, _ resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	return goMember(q, files, name)
}

func goMember(q *resolve.Query, files []resolve.FileID, name string) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	var list []resolve.SymbolID
	for _, id := range goPackageOf(q, files[0]).top[name] {
		if slices.Contains(files, id.File) {
			list = append(list, id)
		}
	}
	if len(list) == 0 {
		return resolve.Found{External: true} // generated elsewhere, or by cgo
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierB}
}

// Import implements Language.
func (Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	return goImport(q, f, i)
}

// Own implements Language. The methods of a type are in its package.
func (Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	symbols := q.File(typ.File).Symbols
	for i := int(typ.Index) + 1; i < len(symbols) && symbols[i].Parent >= int(typ.Index); i++ {
		if symbols[i].Name == name && symbols[i].Parent == int(typ.Index) {
			out = append(out, resolve.SymbolID{File: typ.File, Index: int32(i)})
		}
	}
	if symbols[typ.Index].Parent >= 0 {
		return out
	}
	for _, m := range goPackageOf(q, typ.File).methods[symbols[typ.Index].Name+"."+name] {
		if goTogether(q, typ.File, m.File) {
			out = append(out, m)
		}
	}
	return out
}

func isGoTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

// Module implements Language: what is imported.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(l.Import(q, f, i))
}

// Implements implements Language: interfaces that the method set of a type
// satisfies.
func (Language) Implements(q *resolve.Query, typ resolve.SymbolID) []resolve.SymbolID {
	return implements(q, typ)
}

// Dispatches implements resolve.Dispatcher for the standard library.
func (Language) Dispatches(name string) bool { return goStd().names[name] }

// Dispatched implements resolve.Dispatcher.
func (Language) Dispatched(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Resolution {
	return dispatched(q, f, ref)
}

// Satisfying implements resolve.Dispatcher.
func (Language) Satisfying(q *resolve.Query, pkg, name string) (types []resolve.SymbolID, path string) {
	return satisfying(q, pkg, name)
}
