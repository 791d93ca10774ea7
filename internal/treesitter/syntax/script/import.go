package script

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

func importStatement(p *walker, n binder.At) {
	path := p.Plain(p.Child(n, "source"))
	if r := p.First(n, "import_require_clause"); r >= 0 {
		path = p.Plain(p.Child(r, "source"))
		id := p.First(r, "identifier")
		bindImport(p, id, p.Imported(id, facts.Import{Path: path, Local: p.TextAt(id)}), "")
		return
	}
	clause := p.First(n, "import_clause")
	if clause < 0 {
		if src := p.Child(n, "source"); src >= 0 {
			p.Imported(src, facts.Import{Path: path, Local: "_"})
		}
		return
	}
	for c := range p.Named(clause) {
		switch p.Kind(c) {
		case "identifier":
			bindImport(p, c, p.Imported(c, facts.Import{Path: path, Name: "default", Local: p.TextAt(c)}), "default")
		case "namespace_import":
			id := p.First(c, "identifier")
			bindImport(p, id, p.Imported(id, facts.Import{Path: path, Local: p.TextAt(id)}), "")
		case "named_imports":
			for s := range p.Named(c) {
				specifier(p, s, path, false)
			}
		}
	}
}

// spaceImported is the import of a name before a dot in a type where the file declares a type
// of that name, too, which has no members there; -1 where it does not.
func spaceImported(p *walker, n binder.At) int {
	if up := p.Parent(n); p.Kind(up) != "nested_type_identifier" || p.Nth(up, 0) != n {
		return -1
	}
	v, sc := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || sc != p.Top || v.Symbol == nil || v.Symbol.Kind != "type" && v.Symbol.Kind != "interface" {
		return -1
	}
	return slices.IndexFunc(p.Imports, func(x facts.Import) bool {
		return x.Path != "" && !x.Export && x.Name != "" && x.Name != "*" && cmp.Or(x.Local, x.Name) == p.TextAt(n)
	})
}

// importAlias is "import A = b.A": of a module that b is, A is imported.
func importAlias(p *walker, n binder.At) {
	id, of := p.Nth(n, 0), p.Nth(n, 1)
	if p.Kind(of) != "nested_identifier" {
		return
	}
	for _, x := range p.Imports {
		if x.Local == p.TextAt(p.Nth(of, 0)) && x.Name == "" && x.Path != "" {
			i := p.Imported(id, facts.Import{Path: x.Path, Name: p.TextAt(p.Last(of)), Local: p.TextAt(id)})
			bindImport(p, id, i, p.TextAt(p.Last(of)))
			return
		}
	}
}

// specifier is "a" or "a as b" of an import or export.
func specifier(p *walker, n binder.At, path string, export bool) {
	name, alias := p.Child(n, "name"), p.Child(n, "alias")
	if name < 0 {
		return
	}
	i := p.Imported(name, facts.Import{Path: path, Name: p.Plain(name), Local: p.Plain(alias), Export: export})
	if export {
		return
	}
	if alias < 0 {
		alias = name
	}
	bindImport(p, alias, i, p.Plain(name))
}

// bindImport makes a name of a function stand for an import. Those of the
// file are looked up by name.
func bindImport(p *walker, n binder.At, i int, taken string) {
	sc := p.ScopeAround(n)
	if n < 0 {
		return
	}
	v := p.BindAt(sc, n)
	if sc.Kind != 't' {
		v.Imported, v.Taken = i+1, taken
	}
}

// exportStatement declares what is exported from here. An export of this
// file's own names is an import from the file itself, with the path "".
func exportStatement(p *walker, n binder.At) {
	path := p.Plain(p.Child(n, "source"))
	if clause := p.First(n, "export_clause"); clause >= 0 {
		for s := range p.Named(clause) {
			specifier(p, s, path, true)
		}
		return
	}
	if ns := p.First(n, "namespace_export"); ns >= 0 {
		id := p.Nth(ns, 0)
		p.Imported(id, facts.Import{Path: path, Local: p.Plain(id), Export: true})
		return
	}
	if path != "" && p.Has(n, "*") {
		p.Imported(p.Child(n, "source"), facts.Import{Path: path, Name: "*", Export: true})
		return
	}
	if p.Has(n, "=") {
		if id := p.Nth(n, 0); p.Kind(id) == "identifier" {
			p.Imported(id, facts.Import{Name: p.TextAt(id), Local: "default", Export: true})
			p.Imported(id, facts.Import{Name: p.TextAt(id), Local: "export=", Export: true})
		}
	}
	if p.Has(n, "default") && defaultExport(p, n) {
		return
	}
	if len(p.Imports) == 0 && strings.HasSuffix(p.Path, ".d.ts") { // its names are not everyone's
		p.Imported(n, facts.Import{Local: "_", Export: true})
	}
	p.inside(n)
}

// augment says that what "declare module" declares is of the module with that path.
func augment(p *walker, block *binder.Scope, path string) {
	if block == nil || path == "" {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(block.Names)) {
		if s := block.Names[name].Symbol; s != nil && s.Kind == "interface" {
			p.ImportedAt(s.Spot, facts.Import{Path: path, Name: name, Local: facts.Augmented})
		}
	}
}

// global says that what a block declares is known in all files: it is exported
// as a member of globalThis.
func global(p *walker, block binder.At) {
	sc := p.Scopes[block]
	if sc == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(sc.Names)) {
		if s := sc.Names[name].Symbol; s != nil {
			p.ImportedAt(s.Spot, facts.Import{Name: name, Local: "globalThis", Export: true})
		}
	}
}

// defaultExport declares what is exported as default. It reports whether it
// has gone into the value.
func defaultExport(p *walker, n binder.At) bool {
	if d := p.Child(n, "declaration"); d >= 0 {
		if name := p.Child(d, "name"); name >= 0 {
			p.Imported(name, facts.Import{Name: p.TextAt(name), Local: "default", Export: true})
		}
		return false
	}
	val := p.Child(n, "value")
	for p.Kind(val) == "as_expression" || p.Kind(val) == "satisfies_expression" ||
		p.Kind(val) == "parenthesized_expression" {
		val = p.Nth(val, 0)
	}
	if p.Kind(val) == "identifier" {
		p.Imported(val, facts.Import{Name: p.TextAt(val), Local: "default", Export: true})
		return false
	}
	if name := p.Child(val, "name"); name >= 0 && (p.Kind(val) == "class" || isFunctionNode(p.Kind(val))) {
		p.Imported(name, facts.Import{Name: p.TextAt(name), Local: "default", Export: true})
		return false
	}
	if p.Kind(val) == "class" {
		return false // declared as it is met
	}
	name := val
	if p.Outlined[int(p.Nodes[val].Start)] == nil {
		name = p.First(n, "default")
	}
	s := p.DeclareSymbol(name, n, "const", nil)
	if p.Outlined[s.Spot] == nil {
		s.Name, s.Qualified = "default", "default"
	}
	if s.Name != "default" { // that of a component
		p.Imported(n, facts.Import{Name: s.Name, Local: "default", Export: true})
	}
	s.Exported = true
	if isFunctionNode(p.Kind(val)) {
		p.closure(val, s)
		return true
	}
	s.Values = append(s.Values, binder.Source{Node: val})
	own(p, val, s)
	return false
}

// require is "const x = require('y')" or "= require('y').z", also taken apart.
func require(p *walker, name, val binder.At) bool {
	at, taken := name, ""
	if p.Kind(val) == "member_expression" && p.Kind(name) == "identifier" {
		at = p.Child(val, "property")
		val, taken = p.Child(val, "object"), p.TextAt(at)
	}
	if p.Kind(val) == "await_expression" {
		val = p.Nth(val, 0)
	}
	if p.Kind(val) != "call_expression" || p.TextAt(p.Child(val, "function")) != "require" &&
		p.Kind(p.Child(val, "function")) != "import" {
		return false
	}
	arg := p.Nth(p.Child(val, "arguments"), 0)
	if p.Kind(arg) != "string" {
		return false
	}
	path := p.Plain(arg)
	switch p.Kind(name) {
	case "identifier":
		bindImport(p, name, p.Imported(at, facts.Import{Path: path, Name: taken, Local: p.TextAt(name)}), taken)
		if !p.isExported(name) { // by a keyword; as it is assigned to exports it is what is imported all the same
			delete(p.Outlined, int(p.Nodes[name].Start))
		}
		return true
	case "object_pattern":
		for c := range p.Named(name) {
			switch p.Kind(c) {
			case "shorthand_property_identifier_pattern":
				bindImport(p, c, p.Imported(c, facts.Import{Path: path, Name: p.TextAt(c)}), p.TextAt(c))
			case "pair_pattern":
				key, v := p.Child(c, "key"), p.Child(c, "value")
				if p.Kind(v) == "identifier" {
					bindImport(p, v, p.Imported(key, facts.Import{Path: path, Name: p.TextAt(key), Local: p.TextAt(v)}), p.TextAt(key))
				}
			}
		}
		return true
	}
	return false
}

// dynamicImport is import('x') or require('x') where it is no declaration.
func dynamicImport(p *walker, n binder.At) {
	f := p.Child(n, "function")
	if p.Kind(f) != "import" && p.TextAt(f) != "require" {
		return
	}
	if arg := p.Nth(p.Child(n, "arguments"), 0); p.Kind(arg) == "string" && binder.ImportAt(p.Builder, arg) < 0 {
		p.Imported(arg, facts.Import{Path: p.Plain(arg), Local: "_"})
	}
}

// exportsAssigned is "module.exports = ...". It reports whether it has gone
// into the value.
func exportsAssigned(p *walker, n, prop, right binder.At) bool {
	for p.Kind(right) == "assignment_expression" {
		right = p.Child(right, "right")
	}
	p.whole = binder.Source{Node: right}
	switch p.Kind(right) {
	case "identifier":
		exportWhole(p, right, p.TextAt(right))
		return false
	case "class":
		if name := p.Child(right, "name"); name >= 0 {
			exportWhole(p, name, p.TextAt(name))
			return false
		}
	case "call_expression":
		if arg := p.Nth(p.Child(right, "arguments"), 0); p.TextAt(p.Child(right, "function")) == "require" &&
			p.Kind(arg) == "string" {
			p.Imported(arg, facts.Import{Path: p.Plain(arg), Name: "*", Export: true})
			p.Imported(arg, facts.Import{Path: p.Plain(arg), Local: "export=", Export: true})
			return false
		}
	case "object":
		exportedMembers(p, right)
	}
	if name := assignedTo(p, n); name >= 0 && p.BySpot[int(p.Nodes[name].Start)] != nil { // the members are its own
		exportWhole(p, name, p.TextAt(name))
		p.whole = binder.Source{Mark: binder.MarkOwned, Node: name}
		return false
	}
	exportWhole(p, prop, p.TextAt(prop))
	s := p.DeclareSymbol(prop, n, "const", nil)
	p.whole = binder.Source{Mark: binder.MarkOwned, Node: prop}
	return valued(p, s, right, binder.MarkUnknown)
}

// assignedTo is the name of the variable that gets the value of an assignment, too, or
// None: app of "var app = exports = module.exports = {}".
func assignedTo(p *walker, n binder.At) binder.At {
	up := p.Parent(n)
	for p.Kind(up) == "assignment_expression" {
		up = p.Parent(up)
	}
	if name := p.Child(up, "name"); p.Kind(up) == "variable_declarator" && p.Kind(name) == "identifier" {
		return name
	}
	return binder.None
}

// exportWhole makes a name of this file what the module is.
func exportWhole(p *walker, n binder.At, name string) {
	p.Imported(n, facts.Import{Name: name, Local: "default", Export: true})
	p.Imported(n, facts.Import{Name: name, Local: "export=", Export: true})
}

// exportedMembers are names of this file in an object that is exported.
func exportedMembers(p *walker, object binder.At) {
	for c := range p.Named(object) {
		switch p.Kind(c) {
		case "shorthand_property_identifier":
			p.Imported(c, facts.Import{Name: p.TextAt(c), Export: true})
		case "pair":
			if v := p.Child(c, "value"); p.Kind(v) == "identifier" {
				p.Imported(v, facts.Import{Name: p.TextAt(v), Local: p.Plain(p.Child(c, "key")), Export: true})
			}
		}
	}
}

func forIn(p *walker, n binder.At) {
	p.Open(n, 'b', nil)
	left, right := p.Child(n, "left"), p.Child(n, "right")
	from := binder.Source{Node: right}.Elem()
	if p.TextAt(p.Child(n, "operator")) == "in" {
		from = binder.ExternalSource
	}
	if p.Has(n, "const") || p.Has(n, "let") || p.Has(n, "var") {
		p.pattern(left, from)
	}
	p.inside(n)
}

// callbacks says what the parameters of functions are that are given to
// methods of lists and promises.
func callbacks(p *walker, n binder.At) {
	f := p.Child(n, "function")
	if p.Kind(f) != "member_expression" {
		return
	}
	object := p.Child(f, "object")
	fn := p.Nth(p.Child(n, "arguments"), 0)
	if !isFunctionNode(p.Kind(fn)) {
		return
	}
	of, elem := binder.Source{Node: object}, binder.Source{Node: object}.Elem()
	typ := p.Nth(p.Child(n, "type_arguments"), 0) // what map and reduce are to give
	switch name := p.TextAt(p.Child(f, "property")); name {
	case "map", "filter", "forEach", "find", "findIndex", "some", "every", "flatMap", "findLast", "findLastIndex":
		p.takes[fn] = []binder.Source{elem}
		if name == "map" && typ >= 0 {
			p.gives[fn] = binder.ValueOfType(typ)
		}
	case "reduce", "reduceRight":
		given := binder.Source{Node: p.Nth(p.Child(n, "arguments"), 1)}
		if typ >= 0 {
			given = binder.ValueOfType(typ)
			p.gives[fn] = given
		} else if given.Node < 0 {
			given = elem
		}
		p.takes[fn] = []binder.Source{given, elem}
	case "sort", "toSorted":
		p.takes[fn] = []binder.Source{elem, elem}
	case "then":
		p.takes[fn] = []binder.Source{of}
	}
}
