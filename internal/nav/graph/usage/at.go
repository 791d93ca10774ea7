package usage

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Meaning is a definition that a name at a place stands for.
type Meaning struct {
	overlay.Def

	Edge       string // how the place uses it; "defines" where it is declared there
	Tier       string // see resolve.Tier; "" where it is declared there
	Confidence float32
}

// A Spot is what is known of the name at a place.
type Spot struct {
	Name         string
	Line, Column int       // where it begins
	Meanings     []Meaning // several are variants, overloads or a choice: by position, but see readFirst, lastFirst
	External     bool      // it is known to be declared outside of the repository
	Import       string    // the path of the import that the name is taken from, where the text says so; else ""
	Files        []string  // of the path of an import: what it makes known
}

// At tells what stands at a place: line and column are 1-indexed, in bytes. A
// place is in a name or at its end. Without a name of the graph there ok is
// false: nothing is there, or a local. An unknown file has no names.
func At(v *overlay.View, file string, line, column int) (spot Spot, ok bool) {
	f, known := v.World().ByPath(file)
	if !known {
		return Spot{}, false
	}
	for _, end := range []int{0, 1} { // a name that is at the place rather than one that ends there
		if spot, ok = at(v, f, line, column, end); ok {
			return spot, true
		}
	}
	return Spot{}, false
}

func at(v *overlay.View, f resolve.FileID, line, column, end int) (Spot, bool) {
	covers := func(name string, nameLine, nameColumn int) bool {
		return nameLine == line && nameColumn <= column && column < nameColumn+len(name)+end
	}
	file := v.World().File(f)
	var spot Spot
	found := false
	if end == 0 && atImport(v, &spot, f, line, column) {
		return spot, true
	}
	first := sort.Search(len(file.Refs), func(i int) bool { return file.Refs[i].Line >= line })
	for i := first; i < len(file.Refs) && file.Refs[i].Line == line; i++ {
		if ref := &file.Refs[i]; ref.Name != required && covers(ref.Name, ref.Line, ref.Column) {
			spot.Name, spot.Line, spot.Column, found = ref.Name, ref.Line, ref.Column, true
			meaning(v, &spot, f, i)
			fromImport(v, &spot, f, ref)
		}
	}
	spot.External = spot.External && len(spot.Meanings) == 0 // one of two names at a place counts
	for i := range file.Symbols {
		s := &file.Symbols[i]
		if s.Name == "()" && column != s.Column { // what is called by no name begins with names of its own
			continue
		}
		if covers(s.Name, s.Line, s.Column) && len(spot.Meanings) == 0 && !spot.External {
			spot.Name, spot.Line, spot.Column, found = s.Name, s.Line, s.Column, true
			spot.Meanings = append(spot.Meanings,
				Meaning{Def: v.World().Def(resolve.SymbolID{File: f, Index: int32(i)}), Edge: graph.Kinds[0], Confidence: 1})
		}
	}
	spot.Meanings = distinct(spot.Meanings)
	switch {
	case file.Language == "Python":
		lastFirst(spot.Meanings)
	case facts.Script(file.Language):
		readFirst(spot.Meanings)
	}
	return spot, found
}

// meaning adds what a reference stands for.
func meaning(v *overlay.View, spot *Spot, f resolve.FileID, i int) {
	ref := &v.World().File(f).Refs[i]
	edges, known := v.StoredAt(f, ref)
	if !known || len(edges) == 0 {
		res := resolve.Resolution{}
		if r := v.Resolver(); r != nil {
			res = r.Ref(f, i)
		}
		spot.External = spot.External || res.External
		language := v.World().Declared(f).Language
		if len(res.Module) == 1 && (language == "Python" || facts.Script(language)) { // else the folder of a namespace
			spot.Files = append(spot.Files, v.World().Path(res.Module[0]))
		}
		if e, ok := overlay.EdgeOf(f, ref, res); ok && !known {
			edges = append(edges, e)
		}
	}
	for _, e := range edges {
		for _, to := range e.To {
			spot.Meanings = append(spot.Meanings,
				Meaning{Def: v.World().Def(to), Edge: graph.Kinds[e.Kind], Tier: e.Tier.String(), Confidence: e.Confidence})
		}
	}
}

// distinct are meanings, each definition once, in order of path and position.
func distinct(all []Meaning) []Meaning {
	slices.SortStableFunc(all, func(a, b Meaning) int { return graph.CompareSymbols(a.Symbol, b.Symbol) })
	return slices.CompactFunc(all, func(a, b Meaning) bool { return a.Symbol == b.Symbol })
}

// lastFirst puts what a scope declares several times in the order of what counts:
// the last one is what runs, those before are signatures of it or are gone.
func lastFirst(all []Meaning) {
	same := func(a, b *Meaning) bool {
		return a.File == b.File && a.Qualified == b.Qualified && a.Kind != "property"
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && same(&all[from], &all[to]) {
			to++
		}
		slices.Reverse(all[from:to])
		from = to
	}
}

// readFirst puts what a place reads before what it writes: of {name} the variable
// before the key.
func readFirst(all []Meaning) {
	slices.SortStableFunc(all, func(a, b Meaning) int {
		return cmp.Compare(writes(a), writes(b))
	})
}

func writes(m Meaning) int {
	if m.Edge == graph.Kinds[graph.KindOf(facts.Write)] {
		return 1
	}
	return 0
}

// namedImports are languages whose imports are names, and not texts.
var namedImports = resolve.Set("Java Kotlin Python Rust C# Elixir")

// atImport finds the import whose path is at a place.
func atImport(v *overlay.View, spot *Spot, f resolve.FileID, line, column int) bool {
	file, r := v.World().File(f), v.Resolver()
	quotes := 2
	if namedImports[file.Language] {
		quotes = 0
	}
	for i := range file.Imports {
		m := &file.Imports[i]
		if file.Language == "Python" && inner(m, line, column) { // a package around it
			continue
		}
		size := len(m.Path) + quotes
		if facts.Script(file.Language) && m.Local != "" && m.Local != "_" { // the import is where its name is
			size = len(m.Local)
		}
		if m.Line != line || m.Name != "" || m.Path == "" || column < m.Column || column >= m.Column+size || r == nil {
			continue
		}
		if atRequired(v, spot, f, m) {
			return true
		}
		*spot = Spot{Name: m.Path, Line: m.Line, Column: m.Column, Import: m.Path}
		spot.Files = importedFiles(v, f, i)
		spot.External = len(spot.Files) == 0
		return true
	}
	return false
}

// required is what a reference takes from a module that is required as a whole: where it is
// the name is another one.
const required = "export="

// atRequired finds what the module of an import says that it is, for the name that is given
// it: of "const x = require(…)" what is assigned to module.exports by a name.
func atRequired(v *overlay.View, spot *Spot, f resolve.FileID, m *facts.Import) bool {
	refs := v.World().File(f).Refs
	first := sort.Search(len(refs), func(i int) bool { return refs[i].Line >= m.Line })
	for i := first; i < len(refs) && refs[i].Line == m.Line; i++ {
		if refs[i].Column != m.Column || refs[i].Name != required {
			continue
		}
		one := Spot{Name: m.Local, Line: m.Line, Column: m.Column, Import: m.Path}
		meaning(v, &one, f, i)
		one.Meanings = distinct(one.Meanings)
		if len(one.Meanings) > 0 && one.Meanings[0].Name != "exports" {
			*spot = one
			return true
		}
	}
	return false
}

func importedFiles(v *overlay.View, f resolve.FileID, i int) []string {
	files := slices.Clone(v.Resolver().Import(f, i))
	slices.Sort(files)
	var paths []string
	for _, id := range slices.Compact(files) {
		paths = append(paths, v.World().Path(id))
	}
	return paths
}

// fromImport notes the import that a reference takes its name from, and if it
// is the name of a module the files of that.
func fromImport(v *overlay.View, spot *Spot, f resolve.FileID, ref *facts.Ref) {
	file := v.World().File(f)
	i := imported(file, ref)
	if i < 0 {
		return
	}
	m := &file.Imports[i]
	spot.Import = m.Path
	if len(spot.Meanings)+len(spot.Files) > 0 || spot.External || !ref.Bare && ref.Kind != facts.Imported ||
		v.Resolver() == nil {
		return
	}
	for _, p := range importedFiles(v, f, i) {
		if m.Name == "" || isModule(p, m.Name) {
			spot.Files = append(spot.Files, p)
		}
	}
}

// isModule reports whether a file is the module of a name.
func isModule(file, name string) bool {
	file = strings.TrimSuffix(file, path.Ext(file))
	return path.Base(file) == name || path.Base(path.Dir(file)) == name &&
		slices.Contains([]string{"__init__", "index", "mod"}, path.Base(file))
}

// imported is the index of the import that a reference takes its name from, by
// its own name or by that of the module that it is a member of; or -1.
func imported(file *facts.File, ref *facts.Ref) int {
	of := ref.Of.Node()
	name := of.Name
	switch {
	case ref.Of == facts.Nothing && ref.Bare:
		name = ref.Name
	case of.Op == facts.OpModuleAt && of.N < len(file.Imports):
		return of.N
	case of.Op != facts.OpName:
		return -1
	}
	for i := range file.Imports {
		m := &file.Imports[i]
		if name != "" && (name == cmp.Or(m.Local, m.Name) || m.Local == "" && m.Name == "" && isName(file, m.Path, name)) {
			return i
		}
	}
	return -1
}

// isName reports whether an import without a name of its own is called so.
func isName(file *facts.File, imported, name string) bool {
	if file.Language == "Go" {
		return slices.Contains(facts.LikelyGoNames(imported), name)
	}
	return imported == name
}
