package scala

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// importsOf adds what an import makes known: of "a.{b, c => d}" each name.
func importsOf(p *walker, n binder.At) {
	var path []binder.At
	export := p.Kind(n) == "export_declaration"
	flush := func() {
		if len(path) > 1 {
			last := path[len(path)-1]
			p.Imported(last, facts.Import{Path: pathText(p, path[:len(path)-1]), Name: p.Plain(last), Export: export})
		}
		path = nil
	}
	for c := range p.All(n) {
		switch k := p.Kind(c); {
		case p.Field(c) == "path" && p.Nodes[c].Named:
			path = append(path, c)
		case k == ",":
			flush()
		case k == "namespace_wildcard":
			p.Imported(c, facts.Import{Path: pathText(p, path), Name: "*", Export: export})
			path = nil
		case k == "namespace_selectors":
			for s := range p.Named(c) {
				selector(p, s, pathText(p, path), export)
			}
			path = nil
		case k == "arrow_renamed_identifier", k == "as_renamed_identifier":
			selector(p, c, pathText(p, path), export)
			path = nil
		}
	}
	flush()
}

func selector(p *walker, s binder.At, path string, export bool) {
	switch p.Kind(s) {
	case "namespace_wildcard":
		p.Imported(s, facts.Import{Path: path, Name: "*", Export: export})
	case "identifier", "operator_identifier", "type_identifier":
		p.Imported(s, facts.Import{Path: path, Name: p.Plain(s), Export: export})
	case "arrow_renamed_identifier", "as_renamed_identifier":
		name, alias := p.Child(s, "name"), p.Child(s, "alias")
		if name >= 0 {
			p.Imported(name, facts.Import{Path: path, Name: p.Plain(name), Local: p.Plain(alias), Export: export})
		}
	}
}

func pathText(p *walker, path []binder.At) string {
	names := make([]string, len(path))
	for i, n := range path {
		names[i] = p.Plain(n)
	}
	return strings.Join(names, ".")
}

// useImport adds references for the names that are taken, and for what they are taken from.
func useImport(p *walker, n binder.At) {
	use := func(c binder.At) {
		if i := binder.ImportAt(p.Builder, c); i >= 0 && p.Imports[i].Name != "*" {
			p.Ref(c, p.Imports[i].Name, facts.Imported, facts.ModuleAt(i), false)
		}
	}
	of := facts.Nothing
	for c := range p.All(n) {
		switch k := p.Kind(c); {
		case p.Field(c) == "path" && p.Nodes[c].Named:
			name := p.Plain(c)
			use(c)
			if of == facts.Nothing {
				p.Ref(c, name, facts.Imported, facts.Nothing, true)
				of = facts.Name(name)
			} else {
				p.Ref(c, name, facts.Imported, of, false)
				of = of.Member(name)
			}
		case k == ",":
			of = facts.Nothing
		case k == "namespace_selectors":
			for s := range p.Named(c) {
				if name := p.Child(s, "name"); name >= 0 {
					use(name)
				} else {
					use(s)
				}
			}
		case k == "arrow_renamed_identifier", k == "as_renamed_identifier":
			use(p.Child(c, "name"))
		}
	}
}
