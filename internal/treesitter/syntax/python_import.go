package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// importNames declares the names that an import binds.
func (p *python) importNames(n at) {
	if p.kind(n) == "import_statement" {
		for c := range p.named(n) {
			p.module(c)
		}
		return
	}
	path := p.text(p.child(n, "module_name"))
	if p.kind(n) == "future_import_statement" {
		path = "__future__"
	}
	path = strings.Join(strings.Fields(path), "")
	if star := p.first(n, "wildcard_import"); star >= 0 {
		p.imported(star, facts.Import{Path: path, Name: "*", Export: true})
		return
	}
	for c := range p.all(n) {
		if p.field(c) != "name" {
			continue
		}
		name, local := c, none
		if p.kind(c) == "aliased_import" {
			name, local = p.child(c, "name"), p.child(c, "alias")
		}
		i := p.imported(name, facts.Import{Path: path, Name: p.text(name), Local: p.text(local), Export: true})
		if local < 0 {
			local = name
		}
		p.bindImport(n, p.text(local), i, p.text(name))
	}
}

// module is "import a.b" or "import a.b as c".
func (p *python) module(n at) {
	if p.kind(n) == "aliased_import" {
		name, alias := p.child(n, "name"), p.child(n, "alias")
		i := p.imported(name, facts.Import{Path: p.text(name), Local: p.text(alias), Export: true})
		p.bindImport(n, p.text(alias), i, "")
		return
	}
	i := p.imported(n, facts.Import{Path: p.text(n), Export: true})
	first, _, more := strings.Cut(p.text(n), ".")
	sc := p.scopeAround(n).function()
	if more {
		if sc.kind == 'f' {
			// the first part is a module of its own, which is looked up from the file
			sc.bind(first, known(facts.Name(first)))
		}
		return
	}
	p.bindImport(n, first, i, "")
}

// bindImport makes a name of a function stand for an import. Those of the
// file are looked up by name, as several may give the same.
func (p *python) bindImport(n at, local string, i int, taken string) {
	sc := p.scopeAround(n).function()
	if sc.kind == 't' {
		sc.bind(local)
		return
	}
	v := sc.bind(local)
	v.imported, v.taken = i+1, taken
}
