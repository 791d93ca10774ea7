// Package script finds what names of TypeScript and JavaScript stand for: modules by
// paths, packages and configurations, what is declared globally.
package script

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language finds names in modules of TypeScript and JavaScript. A module
// is its file.
type Language struct{ resolve.Default }

// Bare implements Language: the names of the file, then those of ambient
// declarations. What is not declared anywhere is the runtime's.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, _ int, name string) resolve.Found {
	if found := l.names(q, f, name); !found.None() {
		return found
	}
	if found := l.ambient(q, name); !found.None() {
		return found
	}
	return resolve.Found{External: true}
}

// names finds a name at the top of a file: what it declares and imports.
func (l Language) names(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	symbols := slices.DeleteFunc(l.own(q, f, name), func(id resolve.SymbolID) bool { return q.Symbol(id).Static })
	if len(symbols) == 0 {
		return l.importedName(q, f, name)
	}
	component := len(symbols) == 1 && isWhole(q.Symbol(symbols[0]))
	if !component && slices.ContainsFunc(symbols, func(id resolve.SymbolID) bool {
		return q.Symbol(id).Kind != "interface" && q.Symbol(id).Kind != "namespace"
	}) {
		return resolve.Found{Symbols: symbols, Tier: resolve.TierA}
	}
	// what is beside an import of its name is in "declare module": it adds to what is imported
	found := l.importedName(q, f, name)
	if found.None() {
		return resolve.Found{Symbols: symbols, Tier: resolve.TierA}
	}
	if len(found.Symbols) > 0 && !component {
		found.Symbols = slices.Concat(found.Symbols, symbols)
	}
	return found
}

// isWhole reports whether a symbol is the component that its file is. Others see
// it by that name; in the file, what it imports comes first.
func isWhole(s *facts.Symbol) bool { return s.Kind == "class" && s.Line == 1 && s.Column == 1 }

// own are the declarations of a name at the top of a file, among them what is assigned to
// exports, which is Static and no name in the file. Members of what has no name, as of an
// object in a function, are none, and neither is what is assigned to one.
func (l Language) own(q *resolve.Query, f resolve.FileID, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if id.File != f || s.Parent >= 0 || !s.Exported && isAssigned(s.Qualified) {
			continue
		}
		switch s.Kind {
		case "method", "field", "property":
		default:
			out = append(out, id)
		}
	}
	return out
}

// isAssigned reports whether a symbol without a parent is what is assigned to a member
// of something, by its qualified name, and not to what the module exports.
func isAssigned(qualified string) bool {
	return strings.Contains(qualified, ".") && !strings.HasPrefix(qualified, "exports.") &&
		!strings.HasPrefix(qualified, "module.exports")
}

func (l Language) importedName(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Path == "" || x.Export || x.Name == "*" || x.Local != name && (x.Local != "" || x.Name != name) {
			continue // an export from another file binds nothing
		}
		found := l.imports(q, f, i)
		found.Tier = resolve.TierB
		return found
	}
	return resolve.Found{}
}

// imports is what an import binds its name to.
func (l Language) imports(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	x := &q.File(f).Imports[i]
	if x.Path == "" {
		if !q.Enter(resolve.SymbolID{File: f, Index: -1}, x.Name) {
			return resolve.Found{}
		}
		defer q.Leave(resolve.SymbolID{File: f, Index: -1}, x.Name)
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
func (l Language) module(q *resolve.Query, f resolve.FileID, files []resolve.FileID) resolve.Found {
	whole := l.Member(q, f, files, "export=")
	if len(whole.Symbols) == 0 {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	e := q.Entity(f, resolve.Found{Symbols: whole.Symbols, Recv: whole.Recv})
	whole.Entity = &resolve.Entity{Kind: resolve.Union, Args: []resolve.Entity{e, {Kind: resolve.Module, Files: files}}}
	whole.Tier = resolve.TierB
	return whole
}

// externalModule is what is taken from a module that is not of the repository.
// That of React has a name, as what it declares is known.
func externalModule(path, name string) resolve.Found {
	found := resolve.Found{External: !strings.HasPrefix(path, ".")}
	if path == "react" || path == "preact" || path == "preact/compat" {
		e := resolve.Entity{Kind: resolve.External, Name: "react"}
		if name != "" && name != "default" {
			e.Name += "." + name
		}
		found.Entity = &e
	}
	return found
}

// Member implements Language: what a module exports.
func (l Language) Member(q *resolve.Query, from resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	f := files[0]
	if !q.Enter(resolve.SymbolID{File: f, Index: -2}, name) {
		return resolve.Found{}
	}
	defer q.Leave(resolve.SymbolID{File: f, Index: -2}, name)
	found := l.exported(q, f, name)
	if !found.None() {
		found.Tier = resolve.TierB
		return found
	}
	switch name {
	case "export=": // there is no such thing, and nothing is missing
		return resolve.Found{External: true}
	case "then", "catch", "finally": // of what is imported where it is needed: the promise of it
		if l.exported(q, f, "export=").None() {
			return resolve.Found{External: true}
		}
	}
	if name == "default" {
		if whole := l.exported(q, f, "export="); !whole.None() {
			return whole
		}
		if !hasExport(q, f) {
			return resolve.Found{Files: files, Tier: resolve.TierB}
		}
		return resolve.Found{}
	}
	if whole := l.exported(q, f, "export="); name != "export=" && !whole.None() {
		return q.Member(from, q.Entity(f, whole), name)
	}
	return resolve.Found{}
}

// hasExport reports whether a file exports as modules of the language do.
func hasExport(q *resolve.Query, f resolve.FileID) bool {
	for i := range q.File(f).Imports {
		if x := &q.File(f).Imports[i]; x.Export || x.Name != "" && x.Local != facts.Augmented {
			return true
		}
	}
	return false
}

func (l Language) exported(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	var own []resolve.SymbolID
	if name == "default" {
		symbols := q.File(f).Symbols
		if i := slices.IndexFunc(symbols, func(s facts.Symbol) bool { return isWhole(&s) }); i >= 0 {
			own = append(own, resolve.SymbolID{File: f, Index: int32(i)})
		}
	}
	assigned := resolve.Found{Tier: resolve.TierB}
	for _, id := range l.own(q, f, name) {
		switch s := q.Symbol(id); {
		case s.Static:
			assigned.Symbols = append(assigned.Symbols, id)
		case s.Exported:
			own = append(own, id)
		}
	}
	if len(own) > 0 {
		return resolve.Found{Symbols: own, Tier: resolve.TierB}
	}
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Export && x.Name != "*" && (x.Local == name || x.Local == "" && x.Name == name) {
			if found := l.imports(q, f, i); !found.None() && (assigned.None() || !found.External) {
				return found
			}
		}
	}
	if !assigned.None() {
		return assigned
	}
	if name == "default" || name == "export=" {
		return resolve.Found{}
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
	return resolve.Found{External: external}
}

// Own implements Language: of an interface also what modules add to it, of a literal what
// it names as in {name}.
func (l Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	found := l.Default.Own(q, typ, name)
	if q.Symbol(typ).Kind == "interface" {
		for _, more := range augmented(q)[typ] {
			found = append(slices.Clip(found), l.Default.Own(q, more, name)...)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, b := range q.Symbol(typ).Bases {
		if b.Kind != facts.Shorthand {
			continue
		}
		switch n := b.Of.Node(); {
		case n.Op == facts.OpName && n.Name == name:
			return l.names(q, typ.File, name).Symbols
		case n.Op == facts.OpSymbolAt && q.File(typ.File).Symbols[n.N].Name == name:
			return []resolve.SymbolID{{File: typ.File, Index: int32(n.N)}} //nolint:gosec // an index
		}
	}
	return nil
}

type ambientKey struct{ name string }

// ambient finds a name that is declared for all files: in a declaration file
// or script that neither imports nor exports anything, or in a block that is
// global. Of many declarations, which are all of one thing, those of values
// and classes come first.
func (l Language) ambient(q *resolve.Query, name string) resolve.Found {
	defs := q.World().Defs(name)
	if len(defs) == 0 {
		return resolve.Found{}
	}
	return resolve.Once(q, ambientKey{name}, func() resolve.Found {
		var out, more []resolve.SymbolID
		for _, id := range defs {
			s := q.Symbol(id)
			switch {
			case s.Parent >= 0 || q.LanguageOf(id.File) != resolve.Language(l) || !isGlobal(q, id):
			case s.Kind == "interface" || s.Kind == "type":
				more = append(more, id)
			default:
				out = append(out, id)
			}
		}
		out = append(out, more...)
		return resolve.Found{Symbols: out[:min(len(out), resolve.MaxSymbols)], Tier: resolve.TierB}
	})
}

// isGlobal reports whether what is declared at the top of a file is known in
// all files: in a declaration file that is no module, or in a global block.
func isGlobal(q *resolve.Query, id resolve.SymbolID) bool {
	f := q.File(id.File)
	if strings.HasSuffix(f.Path, ".d.ts") && !hasExport(q, id.File) {
		return true
	}
	name := q.Symbol(id).Name
	return slices.ContainsFunc(f.Imports,
		func(x facts.Import) bool { return x.Local == "globalThis" && x.Path == "" && x.Name == name })
}

// Import implements Language.
func (l Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	if p := q.File(f).Imports[i].Path; p != "" {
		return scriptModule(q, f, p)
	}
	return nil
}

// Module implements Language.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	p := q.File(f).Imports[i].Path
	if p == "" {
		return resolve.Found{Files: []resolve.FileID{f}, Tier: resolve.TierA}
	}
	if files := scriptModule(q, f, p); len(files) > 0 {
		return l.module(q, f, files)
	}
	return externalModule(p, "")
}

// Prefixes implements Language.
func (Language) Prefixes(q *resolve.Query, names []string) []resolve.Prefix {
	return prefixes(q, names)
}
