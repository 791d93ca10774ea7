package resolve

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// goLanguage knows packages, imports and method sets of Go.
type goLanguage struct{}

// goPackage is what the files of one folder with one package clause declare.
type goPackage struct {
	top     map[string][]SymbolID // without methods
	methods map[string][]SymbolID // by qualified name, "T.M"
	of      map[string][]SymbolID // methods by type
}

type goPackageKey struct{ dir, name string }

// goPackageOf is the package that a file belongs to.
func goPackageOf(q *Query, f FileID) *goPackage {
	file := q.File(f)
	return goPackageAt(q, goPackageKey{folderOf(file.Path), file.Package})
}

func goPackageAt(q *Query, key goPackageKey) *goPackage {
	return Once(q, key, func() *goPackage {
		p := &goPackage{top: map[string][]SymbolID{}, methods: map[string][]SymbolID{}, of: map[string][]SymbolID{}}
		var methods []SymbolID
		for _, id := range q.World().Folder(key.dir) {
			file := q.File(id)
			if file.Language != "Go" || file.Package != key.name {
				continue
			}
			for i := range file.Symbols {
				s := &file.Symbols[i]
				switch {
				case s.Owner != facts.Nothing:
					methods = append(methods, SymbolID{id, int32(i)})
				case s.Parent < 0:
					p.top[s.Name] = append(p.top[s.Name], SymbolID{id, int32(i)})
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
func (p *goPackage) owner(q *Query, method SymbolID) string {
	name := q.Symbol(method).Owner.LastName()
	for range 8 {
		list := p.top[name]
		if len(list) == 0 {
			break
		}
		to := q.Symbol(list[0]).Type.Node()
		if !isType(q.Symbol(list[0])) || to.Op != facts.OpName || len(p.top[to.Name]) == 0 {
			break
		}
		name = to.Name
	}
	return name
}

// Bare implements Language.
func (goLanguage) Bare(q *Query, f FileID, _ int, name string) Found {
	if list := goPackageOf(q, f).top[name]; len(list) > 0 {
		return Found{Symbols: ownFile(f, list), Tier: TierA}
	}
	names := goImportNames(q, f)
	if i, ok := names.local[name]; ok {
		if files := goImport(q, f, i); len(files) > 0 {
			return Found{Files: files, Tier: TierB}
		}
		if p := q.File(f).Imports[i].Path; goGenericPackages[p] {
			return Found{External: true, Entity: &Entity{Kind: External, Name: p}}
		}
		return Found{External: true}
	}
	for _, i := range names.dots {
		if found := goMember(q, goImport(q, f, i), name); len(found.Symbols) > 0 {
			return found
		}
	}
	return Found{External: true}
}

// ownFile are those of a file itself, if there are any: programs that are run
// one by one may share a folder.
func ownFile(f FileID, list []SymbolID) []SymbolID {
	if len(list) < 2 {
		return list
	}
	var own []SymbolID
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

type goNamesKey FileID

func goImportNames(q *Query, f FileID) goNames {
	return Once(q, goNamesKey(f), func() goNames {
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
func goNamesOf(q *Query, f FileID, i int) []string {
	if files := goImport(q, f, i); len(files) > 0 {
		return []string{q.File(files[0]).Package}
	}
	return facts.LikelyGoNames(q.File(f).Imports[i].Path)
}

// Member implements Language.
func (goLanguage) Member(q *Query, _ FileID, files []FileID, name string) Found {
	return goMember(q, files, name)
}

func goMember(q *Query, files []FileID, name string) Found {
	if len(files) == 0 {
		return Found{External: true}
	}
	var list []SymbolID
	for _, id := range goPackageOf(q, files[0]).top[name] {
		if slices.Contains(files, id.File) {
			list = append(list, id)
		}
	}
	if len(list) == 0 {
		return Found{External: true} // generated elsewhere, or by cgo
	}
	return Found{Symbols: list, Tier: TierB}
}

// Import implements Language.
func (goLanguage) Import(q *Query, f FileID, i int) []FileID { return goImport(q, f, i) }

// Own implements Owning. The methods of a type are in its package.
func (goLanguage) Own(q *Query, typ SymbolID, name string) []SymbolID {
	var out []SymbolID
	symbols := q.File(typ.File).Symbols
	for i := int(typ.Index) + 1; i < len(symbols) && symbols[i].Parent >= int(typ.Index); i++ {
		if symbols[i].Name == name && symbols[i].Parent == int(typ.Index) {
			out = append(out, SymbolID{typ.File, int32(i)})
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
