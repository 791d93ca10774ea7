package python

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// importNames declares the names that an import binds.
func importNames(p *walker, n binder.At) {
	if p.Kind(n) == "import_statement" {
		for c := range p.Named(n) {
			module(p, c)
		}
		return
	}
	path := p.TextAt(p.Child(n, "module_name"))
	if p.Kind(n) == "future_import_statement" {
		path = "__future__"
		mentionModule(p, p.First(n, path), path, len(p.Imports))
	}
	path = strings.Join(strings.Fields(path), "")
	defer mentionParts(p, p.Child(n, "module_name"), len(p.Imports), false)
	if star := p.First(n, "wildcard_import"); star >= 0 {
		p.Imported(star, facts.Import{Path: path, Name: "*", Export: true})
		return
	}
	for c := range p.All(n) {
		if p.Field(c) != "name" {
			continue
		}
		name, local := c, binder.None
		if p.Kind(c) == "aliased_import" {
			name, local = p.Child(c, "name"), p.Child(c, "alias")
		}
		i := p.Imported(name, facts.Import{Path: path, Name: p.TextAt(name), Local: p.TextAt(local), Export: true})
		if local < 0 {
			local = name
		}
		bindImport(p, n, p.TextAt(local), i, p.TextAt(name))
	}
}

// mentionParts notes the parts of the path of an import by its index, but the last one
// where that is the name that the import has.
func mentionParts(p *walker, path binder.At, i int, named bool) {
	if p.Kind(path) == "relative_import" {
		path = p.Last(path)
	}
	if p.Kind(path) != "dotted_name" {
		return
	}
	var parts []string
	for c := range p.Named(path) {
		parts = append(parts, p.TextAt(c))
		if named && c == p.Last(path) {
			return
		}
		mentionModule(p, c, strings.Join(parts, "."), i)
	}
}

// mentionModule notes a name for a module, or a package, by the index of an import and the
// part of its path.
func mentionModule(p *walker, name binder.At, path string, i int) {
	if l := p.Mention("module", name, binder.None); l != nil {
		l.Text, l.Import = path, i+1
	}
}

// module is "import a.b" or "import a.b as c".
func module(p *walker, n binder.At) {
	if p.Kind(n) == "aliased_import" {
		name, alias := p.Child(n, "name"), p.Child(n, "alias")
		i := p.Imported(name, facts.Import{Path: p.TextAt(name), Local: p.TextAt(alias), Export: true})
		mentionParts(p, name, i, false)
		mentionModule(p, alias, p.TextAt(name), i)
		bindImport(p, n, p.TextAt(alias), i, "")
		return
	}
	i := p.Imported(n, facts.Import{Path: p.TextAt(n), Export: true})
	mentionParts(p, n, i, true)
	first, _, more := strings.Cut(p.TextAt(n), ".")
	sc := p.ScopeAround(n).Function()
	if more {
		if sc.Kind == 'f' {
			// the first part is a module of its own, which is looked up from the file
			sc.Bind(first, binder.Known(facts.Name(first)))
		}
		return
	}
	bindImport(p, n, first, i, "")
}

// bindImport makes a name of a function stand for an import. Those of the
// file are looked up by name, as several may give the same.
func bindImport(p *walker, n binder.At, local string, i int, taken string) {
	sc := p.ScopeAround(n).Function()
	if sc.Kind == 't' {
		sc.Bind(local)
		return
	}
	v := sc.Bind(local)
	v.Imported, v.Taken = i+1, taken
}
