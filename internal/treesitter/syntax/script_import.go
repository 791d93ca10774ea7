package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func (p *script) importStatement(n at) {
	path := p.plain(p.child(n, "source"))
	if r := p.first(n, "import_require_clause"); r >= 0 {
		path = p.plain(p.child(r, "source"))
		id := p.first(r, "identifier")
		p.bindImport(id, p.imported(id, facts.Import{Path: path, Local: p.text(id)}), "")
		return
	}
	clause := p.first(n, "import_clause")
	if clause < 0 {
		if src := p.child(n, "source"); src >= 0 {
			p.imported(src, facts.Import{Path: path, Local: "_"})
		}
		return
	}
	for c := range p.named(clause) {
		switch p.kind(c) {
		case "identifier":
			p.bindImport(c, p.imported(c, facts.Import{Path: path, Name: "default", Local: p.text(c)}), "default")
		case "namespace_import":
			id := p.first(c, "identifier")
			p.bindImport(id, p.imported(id, facts.Import{Path: path, Local: p.text(id)}), "")
		case "named_imports":
			for s := range p.named(c) {
				p.specifier(s, path, false)
			}
		}
	}
}

// specifier is "a" or "a as b" of an import or export.
func (p *script) specifier(n at, path string, export bool) {
	name, alias := p.child(n, "name"), p.child(n, "alias")
	if name < 0 {
		return
	}
	i := p.imported(name, facts.Import{Path: path, Name: p.plain(name), Local: p.plain(alias), Export: export})
	if export {
		return
	}
	if alias < 0 {
		alias = name
	}
	p.bindImport(alias, i, p.plain(name))
}

// bindImport makes a name of a function stand for an import. Those of the
// file are looked up by name.
func (p *script) bindImport(n at, i int, taken string) {
	sc := p.scopeAround(n)
	if n < 0 {
		return
	}
	v := p.bindAt(sc, n)
	if sc.kind != 't' {
		v.imported, v.taken = i+1, taken
	}
}

// exportStatement declares what is exported from here. An export of this
// file's own names is an import from the file itself, with the path "".
func (p *script) exportStatement(n at) {
	path := p.plain(p.child(n, "source"))
	if clause := p.first(n, "export_clause"); clause >= 0 {
		for s := range p.named(clause) {
			p.specifier(s, path, true)
		}
		return
	}
	if ns := p.first(n, "namespace_export"); ns >= 0 {
		id := p.nth(ns, 0)
		p.imported(id, facts.Import{Path: path, Local: p.plain(id), Export: true})
		return
	}
	if path != "" && p.has(n, "*") {
		p.imported(p.child(n, "source"), facts.Import{Path: path, Name: "*", Export: true})
		return
	}
	if p.has(n, "=") {
		if id := p.nth(n, 0); p.kind(id) == "identifier" {
			p.imported(id, facts.Import{Name: p.text(id), Local: "default", Export: true})
			p.imported(id, facts.Import{Name: p.text(id), Local: "export=", Export: true})
		}
	}
	if p.has(n, "default") && p.defaultExport(n) {
		return
	}
	if len(p.imports) == 0 && strings.HasSuffix(p.path, ".d.ts") { // its names are not everyone's
		p.imported(n, facts.Import{Local: "_", Export: true})
	}
	p.inside(n)
}

// global says that what a block declares is known in all files: it is exported
// as a member of globalThis.
func (p *script) global(block at) {
	sc := p.scopes[block]
	if sc == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(sc.names)) {
		if s := sc.names[name].symbol; s != nil {
			p.importedAt(s.spot, facts.Import{Name: name, Local: "globalThis", Export: true})
		}
	}
}

// defaultExport declares what is exported as default. It reports whether it
// has gone into the value.
func (p *script) defaultExport(n at) bool {
	if d := p.child(n, "declaration"); d >= 0 {
		if name := p.child(d, "name"); name >= 0 {
			p.imported(name, facts.Import{Name: p.text(name), Local: "default", Export: true})
		}
		return false
	}
	val := p.child(n, "value")
	for p.kind(val) == "as_expression" || p.kind(val) == "satisfies_expression" ||
		p.kind(val) == "parenthesized_expression" {
		val = p.nth(val, 0)
	}
	if p.kind(val) == "identifier" {
		p.imported(val, facts.Import{Name: p.text(val), Local: "default", Export: true})
		return false
	}
	if name := p.child(val, "name"); name >= 0 && (p.kind(val) == "class" || isFunctionNode(p.kind(val))) {
		p.imported(name, facts.Import{Name: p.text(name), Local: "default", Export: true})
		return false
	}
	if p.kind(val) == "class" {
		return false // declared as it is met
	}
	name := val
	if p.outlined[int(p.Nodes[val].Start)] == nil {
		name = p.first(n, "default")
	}
	s := p.declareSymbol(name, n, "const", nil)
	if p.outlined[s.spot] == nil {
		s.Name, s.Qualified = "default", "default"
	}
	s.Exported = true
	if isFunctionNode(p.kind(val)) {
		p.closure(val, s)
		return true
	}
	s.value = append(s.value, source{node: val})
	p.own(val, s)
	return false
}

// require is "const x = require('y')", also taken apart.
func (p *script) require(name, val at) bool {
	if p.kind(val) == "await_expression" {
		val = p.nth(val, 0)
	}
	if p.kind(val) != "call_expression" || p.text(p.child(val, "function")) != "require" &&
		p.kind(p.child(val, "function")) != "import" {
		return false
	}
	arg := p.nth(p.child(val, "arguments"), 0)
	if p.kind(arg) != "string" {
		return false
	}
	path := p.plain(arg)
	switch p.kind(name) {
	case "identifier":
		p.bindImport(name, p.imported(name, facts.Import{Path: path, Local: p.text(name)}), "")
		return true
	case "object_pattern":
		for c := range p.named(name) {
			switch p.kind(c) {
			case "shorthand_property_identifier_pattern":
				p.bindImport(c, p.imported(c, facts.Import{Path: path, Name: p.text(c)}), p.text(c))
			case "pair_pattern":
				key, v := p.child(c, "key"), p.child(c, "value")
				if p.kind(v) == "identifier" {
					p.bindImport(v, p.imported(key, facts.Import{Path: path, Name: p.text(key), Local: p.text(v)}), p.text(key))
				}
			}
		}
		return true
	}
	return false
}

// dynamicImport is import('x') or require('x') where it is no declaration.
func (p *script) dynamicImport(n at) {
	f := p.child(n, "function")
	if p.kind(f) != "import" && p.text(f) != "require" {
		return
	}
	if arg := p.nth(p.child(n, "arguments"), 0); p.kind(arg) == "string" && p.importAt(arg) < 0 {
		p.imported(arg, facts.Import{Path: p.plain(arg), Local: "_"})
	}
}

// exportsAssigned is "module.exports = ...". It reports whether it has gone
// into the value.
func (p *script) exportsAssigned(n, prop, right at) bool {
	for p.kind(right) == "assignment_expression" {
		right = p.child(right, "right")
	}
	p.whole = source{node: right}
	switch p.kind(right) {
	case "identifier":
		p.exportWhole(right, p.text(right))
		return false
	case "class":
		if name := p.child(right, "name"); name >= 0 {
			p.exportWhole(name, p.text(name))
			return false
		}
	case "call_expression":
		if arg := p.nth(p.child(right, "arguments"), 0); p.text(p.child(right, "function")) == "require" &&
			p.kind(arg) == "string" {
			p.imported(arg, facts.Import{Path: p.plain(arg), Name: "*", Export: true})
			return false
		}
	case "object":
		p.exportedMembers(right)
	}
	p.exportWhole(prop, p.text(prop))
	s := p.declareSymbol(prop, n, "const", nil)
	p.whole = source{mark: markOwned, node: prop}
	return p.valued(s, right, markUnknown)
}

// exportWhole makes a name of this file what the module is.
func (p *script) exportWhole(n at, name string) {
	p.imported(n, facts.Import{Name: name, Local: "default", Export: true})
	p.imported(n, facts.Import{Name: name, Local: "export=", Export: true})
}

// exportedMembers are names of this file in an object that is exported.
func (p *script) exportedMembers(object at) {
	for c := range p.named(object) {
		switch p.kind(c) {
		case "shorthand_property_identifier":
			p.imported(c, facts.Import{Name: p.text(c), Export: true})
		case "pair":
			if v := p.child(c, "value"); p.kind(v) == "identifier" {
				p.imported(v, facts.Import{Name: p.text(v), Local: p.plain(p.child(c, "key")), Export: true})
			}
		}
	}
}

func (p *script) forIn(n at) {
	p.open(n, 'b', nil)
	left, right := p.child(n, "left"), p.child(n, "right")
	from := source{node: right}.elem()
	if p.text(p.child(n, "operator")) == "in" {
		from = externalSource
	}
	if p.has(n, "const") || p.has(n, "let") || p.has(n, "var") {
		p.pattern(left, from)
	}
	p.inside(n)
}

// callbacks says what the parameters of functions are that are given to
// methods of lists and promises.
func (p *script) callbacks(n at) {
	f := p.child(n, "function")
	if p.kind(f) != "member_expression" {
		return
	}
	object := p.child(f, "object")
	fn := p.nth(p.child(n, "arguments"), 0)
	if !isFunctionNode(p.kind(fn)) {
		return
	}
	switch p.text(p.child(f, "property")) {
	case "map", "filter", "forEach", "find", "findIndex", "some", "every", "flatMap", "findLast", "findLastIndex":
		p.ctx[fn] = source{node: object}.elem()
	case "sort", "toSorted":
		p.ctx[fn] = source{node: object}.done(takeCompared)
	case "then":
		p.ctx[fn] = source{node: object}
	}
}
