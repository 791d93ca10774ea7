package resolve

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// scriptLanguage finds names in modules of TypeScript and JavaScript. A module
// is its file.
type scriptLanguage struct{}

// Bare implements Language: the names of the file, then those of ambient
// declarations. What is not declared anywhere is the runtime's.
func (l scriptLanguage) Bare(q *Query, f FileID, _ int, name string) Found {
	if found := l.names(q, f, name); !found.None() {
		return found
	}
	if found := l.ambient(q, name); !found.None() {
		return found
	}
	return Found{External: true}
}

// names finds a name at the top of a file: what it declares and imports.
func (l scriptLanguage) names(q *Query, f FileID, name string) Found {
	if symbols := l.own(q, f, name); len(symbols) > 0 {
		return Found{Symbols: symbols, Tier: TierA}
	}
	return l.importedName(q, f, name)
}

// own are the declarations of a name at the top of a file. Members of what has
// no name, as of an object in a function, are none.
func (l scriptLanguage) own(q *Query, f FileID, name string) []SymbolID {
	var out []SymbolID
	for _, id := range q.World().Defs(name) {
		if id.File != f || q.Symbol(id).Parent >= 0 {
			continue
		}
		switch q.Symbol(id).Kind {
		case "method", "field", "property":
		default:
			out = append(out, id)
		}
	}
	return out
}

func (l scriptLanguage) importedName(q *Query, f FileID, name string) Found {
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Path == "" || x.Export || x.Name == "*" || x.Local != name && (x.Local != "" || x.Name != name) {
			continue // an export from another file binds nothing
		}
		found := l.imports(q, f, i)
		found.Tier = TierB
		return found
	}
	return Found{}
}

// imports is what an import binds its name to.
func (l scriptLanguage) imports(q *Query, f FileID, i int) Found {
	x := &q.File(f).Imports[i]
	if x.Path == "" {
		if !q.Enter(SymbolID{f, -1}, x.Name) {
			return Found{}
		}
		defer q.Leave(SymbolID{f, -1}, x.Name)
		return l.names(q, f, x.Name)
	}
	files := scriptModule(q, f, x.Path)
	switch {
	case len(files) == 0:
		return externalModule(x.Path, x.Name)
	case x.Name == "":
		return l.module(q, f, files)
	}
	return l.Member(q, f, files, x.Name)
}

// module is what all of a module is: what it says that it is, with what else it
// exports, or its files.
func (l scriptLanguage) module(q *Query, f FileID, files []FileID) Found {
	whole := l.Member(q, f, files, "export=")
	if len(whole.Symbols) == 0 {
		return Found{Files: files, Tier: TierB}
	}
	e := q.entity(f, Found{Symbols: whole.Symbols, Recv: whole.Recv})
	whole.Entity = &Entity{Kind: Union, Args: []Entity{e, {Kind: Module, Files: files}}}
	whole.Tier = TierB
	return whole
}

// externalModule is what is taken from a module that is not of the repository.
// That of React has a name, as what it declares is known.
func externalModule(path, name string) Found {
	found := Found{External: !strings.HasPrefix(path, ".")}
	if path == "react" || path == "preact" || path == "preact/compat" {
		e := Entity{Kind: External, Name: "react"}
		if name != "" && name != "default" {
			e.Name += "." + name
		}
		found.Entity = &e
	}
	return found
}

// Member implements Language: what a module exports.
func (l scriptLanguage) Member(q *Query, from FileID, files []FileID, name string) Found {
	if len(files) == 0 {
		return Found{External: true}
	}
	f := files[0]
	if !q.Enter(SymbolID{f, -2}, name) {
		return Found{}
	}
	defer q.Leave(SymbolID{f, -2}, name)
	found := l.exported(q, f, name)
	if !found.None() {
		found.Tier = TierB
		return found
	}
	if name == "export=" { // there is no such thing, and nothing is missing
		return Found{External: true}
	}
	if name == "default" {
		if whole := l.exported(q, f, "export="); !whole.None() {
			return whole
		}
		if !q.hasExport(f) {
			return Found{Files: files, Tier: TierB}
		}
		return Found{}
	}
	if whole := l.exported(q, f, "export="); name != "export=" && !whole.None() {
		return q.Member(from, q.entity(f, whole), name)
	}
	return Found{}
}

// hasExport reports whether a file exports as modules of the language do.
func (q *Query) hasExport(f FileID) bool {
	for i := range q.File(f).Imports {
		if x := &q.File(f).Imports[i]; x.Export || x.Name != "" {
			return true
		}
	}
	return false
}

func (l scriptLanguage) exported(q *Query, f FileID, name string) Found {
	var own []SymbolID
	for _, id := range l.own(q, f, name) {
		if q.Symbol(id).Exported {
			own = append(own, id)
		}
	}
	if len(own) > 0 {
		return Found{Symbols: own, Tier: TierB}
	}
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Export && x.Name != "*" && (x.Local == name || x.Local == "" && x.Name == name) {
			if found := l.imports(q, f, i); !found.None() {
				return found
			}
		}
	}
	if name == "default" || name == "export=" {
		return Found{}
	}
	external := false
	for i := range imports {
		x := &imports[i]
		if !x.Export || x.Name != "*" {
			continue
		}
		files := scriptModule(q, f, x.Path)
		if len(files) == 0 {
			external = external || !strings.HasPrefix(x.Path, ".")
			continue
		}
		if found := l.Member(q, f, files, name); len(found.Symbols) > 0 || found.Files != nil {
			return found
		}
	}
	return Found{External: external}
}

type ambientKey struct{ name string }

// ambient finds a name that is declared for all files: in a declaration file
// or script that neither imports nor exports anything, or in a block that is
// global. Of many declarations, which are all of one thing, those of values
// and classes come first.
func (l scriptLanguage) ambient(q *Query, name string) Found {
	defs := q.World().Defs(name)
	if len(defs) == 0 {
		return Found{}
	}
	return Once(q, ambientKey{name}, func() Found {
		var out, more []SymbolID
		for _, id := range defs {
			s := q.Symbol(id)
			switch {
			case s.Parent >= 0 || q.language(id.File) != Language(l) || !q.isGlobal(id):
			case s.Kind == "interface" || s.Kind == "type":
				more = append(more, id)
			default:
				out = append(out, id)
			}
		}
		out = append(out, more...)
		return Found{Symbols: out[:min(len(out), maxSymbols)], Tier: TierB}
	})
}

// isGlobal reports whether what is declared at the top of a file is known in
// all files: in a declaration file that is no module, or in a global block.
func (q *Query) isGlobal(id SymbolID) bool {
	f := q.File(id.File)
	if strings.HasSuffix(f.Path, ".d.ts") && !q.hasExport(id.File) {
		return true
	}
	name := q.Symbol(id).Name
	return slices.ContainsFunc(f.Imports, func(x facts.Import) bool { return x.Local == "globalThis" && x.Path == "" && x.Name == name })
}

// Import implements Language.
func (l scriptLanguage) Import(q *Query, f FileID, i int) []FileID {
	if p := q.File(f).Imports[i].Path; p != "" {
		return scriptModule(q, f, p)
	}
	return nil
}

// Module implements Importing.
func (l scriptLanguage) Module(q *Query, f FileID, i int) Found {
	p := q.File(f).Imports[i].Path
	if p == "" {
		return Found{Files: []FileID{f}, Tier: TierA}
	}
	if files := scriptModule(q, f, p); len(files) > 0 {
		return l.module(q, f, files)
	}
	return externalModule(p, "")
}
