package swift

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// bindStatement binds what statements do, each in the scope where it is known.
func bindStatement(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "statements", "switch_entry":
		p.Open(n, 'b', nil)
		if p.Kind(n) == "switch_entry" {
			bindEntry(p, n)
		}
	case "if_statement", "while_statement", "repeat_while_statement":
		p.Open(n, 'b', nil)
		bindConditions(p, n, p.Scopes[n])
	case "guard_statement":
		bindConditions(p, n, p.ScopeAround(n))
	case "for_statement":
		bindLoop(p, n)
	case "catch_block":
		sc := p.Open(n, 'b', nil)
		sc.Bind("error", binder.ExternalSource)
		if pattern := p.Child(n, "error"); pattern >= 0 {
			bindMatch(p, pattern, sc, binder.ExternalSource, false)
		}
	case "computed_setter", "willset_clause", "didset_clause":
		bindSetter(p, n)
	}
	declareInside(p, n)
}

// bindSetter binds what an accessor is given.
func bindSetter(p *walker, n binder.At) {
	sc := p.Open(n, 'b', nil)
	from := binder.UnknownSource
	if decl := p.Up(n, "property_declaration"); decl >= 0 {
		if t := p.Child(p.First(decl, "type_annotation"), "name"); t >= 0 {
			from = binder.ValueOfType(t)
		}
	}
	sc.Bind("newValue", from)
	sc.Bind("oldValue", from)
	if name := p.First(n, "simple_identifier"); name >= 0 {
		p.BindAt(sc, name, from)
	}
}

// bindLocal binds a local that is known from an offset on.
func bindLocal(p *walker, sc *binder.Scope, name binder.At, from binder.Source, begin int32) {
	if from == (binder.Source{}) {
		from = binder.UnknownSource
	}
	p.begins[p.BindAt(sc, name, from)] = int(begin)
}

// bindPattern binds the names of the pattern of a declaration.
func bindPattern(p *walker, pattern binder.At, sc *binder.Scope, from binder.Source, begin int32) {
	if name := p.Child(pattern, "bound_identifier"); name >= 0 {
		bindLocal(p, sc, name, from, begin)
		return
	}
	if name := p.Nth(pattern, 0); p.Kind(name) == "simple_identifier" {
		bindLocal(p, sc, name, from, begin)
		return
	}
	i := 0
	for c := range p.Named(pattern) {
		if p.Kind(c) == "pattern" {
			bindPattern(p, c, sc, from.Part(i), begin)
			i++
		}
	}
}

// bindConditions binds what the conditions of a statement do: "let x = y", "let x", "case .a(let x) = y".
func bindConditions(p *walker, n binder.At, sc *binder.Scope) {
	var all []binder.At
	for c := range p.All(n) {
		if p.Kind(c) == "statements" || p.Kind(c) == "else" || p.Kind(c) == "{" {
			break
		}
		all = append(all, c)
	}
	for i := 0; i < len(all); i++ {
		switch {
		case p.Kind(all[i]) == "case":
			end := i + 1
			for end < len(all) && p.Kind(all[end]) != "=" {
				end++
			}
			if end+1 < len(all) {
				bindParts(p, all[i+1:end], sc, binder.Source{Node: all[end+1]}, false)
			}
			i = end
		case p.Field(all[i]) == "bound_identifier":
			bindOptional(p, all, i, sc)
		}
	}
}

// bindOptional binds the name of "let x = y", or of "let x".
func bindOptional(p *walker, all []binder.At, i int, sc *binder.Scope) {
	name := all[i]
	from, begin := binder.Source{Node: name}, p.Nodes[name].End
	for j := i + 1; j < len(all) && p.Kind(all[j]) != ","; j++ {
		switch {
		case p.Kind(all[j]) == "type_annotation":
			from = binder.ValueOfType(p.Child(all[j], "name"))
		case p.Kind(all[j]) == "=" && j+1 < len(all):
			if !from.IsDeclared() {
				from = binder.Source{Node: all[j+1]}
			}
			begin = p.Nodes[all[j+1]].End
		}
	}
	if p.TextAt(name) == "self" {
		return
	}
	bindLocal(p, sc, name, from, begin)
}

// bindEntry binds the patterns of a case of a switch.
func bindEntry(p *walker, n binder.At) {
	subject := binder.Source{Node: p.Child(p.Parent(n), "expr")}
	for c := range p.Named(n) {
		if p.Kind(c) == "switch_pattern" {
			for x := range p.Named(c) {
				bindMatch(p, x, p.Scopes[n], subject, false)
			}
		}
	}
}

// bindMatch binds the names of a pattern that something is compared with. binds reports
// that names in it are bound.
func bindMatch(p *walker, n binder.At, sc *binder.Scope, subject binder.Source, binds bool) {
	if p.Kind(n) != "pattern" {
		p.subjects[n] = subject
		return
	}
	var all []binder.At
	for c := range p.All(n) {
		all = append(all, c)
	}
	bindParts(p, all, sc, subject, binds)
}

// bindParts is pattern for the parts of one.
func bindParts(p *walker, all []binder.At, sc *binder.Scope, subject binder.Source, binds bool) {
	for _, c := range all { // "as T" comes last
		if p.Field(c) == "name" {
			subject = binder.ValueOfType(c)
		}
	}
	payload, dot, part := binder.Source{}, false, 0
	for i, c := range all {
		text := p.TextAt(c)
		switch k := p.Kind(c); {
		case k == "value_binding_pattern":
			binds = true
		case text == "." && !p.Nodes[c].Named:
			dot = true
			continue
		case k == "user_type" && i+1 < len(all) && p.TextAt(all[i+1]) == ".":
			subject = binder.ValueOfType(c)
		case p.Field(c) == "bound_identifier":
			bindLocal(p, sc, c, subject, p.Nodes[c].Start)
		case k == "simple_identifier" && dot:
			p.subjects[c] = subject
			if payload = subject.Member(p.Plain(c)); text == "some" {
				payload = subject
			}
		case k == "simple_identifier" && payload != (binder.Source{}): // a label
		case k == "simple_identifier" && binds:
			bindLocal(p, sc, c, subject, p.Nodes[c].Start)
		case k == "pattern":
			switch {
			case payload == (binder.Source{}) && isOnly(p, all, c):
				bindMatch(p, c, sc, subject, binds)
			case payload == (binder.Source{}):
				bindMatch(p, c, sc, subject.Part(part), binds)
			case payload == subject:
				bindMatch(p, c, sc, payload, binds)
			default:
				bindMatch(p, c, sc, payload.Param(part), binds)
			}
			part++
		case p.Nodes[c].Named && p.Field(c) != "name":
			p.subjects[c] = subject
		}
		dot = false
	}
}

// isOnly reports whether a pattern is the only one among parts, and not in brackets.
func isOnly(p *walker, all []binder.At, pattern binder.At) bool {
	for _, c := range all {
		if c != pattern && (p.Kind(c) == "pattern" || p.Kind(c) == "(") {
			return false
		}
	}
	return true
}

// bindLoop binds the names of a for statement.
func bindLoop(p *walker, n binder.At) {
	sc := p.Open(n, 'b', nil)
	item, collection := p.Child(n, "item"), p.Child(n, "collection")
	if item < 0 || collection < 0 {
		return
	}
	from := binder.Source{Node: collection}.Member(facts.Labelled("makeIterator", nil)).Call().
		Member(facts.Labelled("next", nil)).Call()
	if t := p.Child(p.First(n, "type_annotation"), "name"); t >= 0 {
		from = binder.ValueOfType(t)
	}
	if p.Has(n, "case") {
		bindMatch(p, item, sc, from, false)
		return
	}
	bindPattern(p, item, sc, from, p.Nodes[collection].End)
}

// mostImplicit is how many of "$0", "$1" … are known.
const mostImplicit = 5

// bindClosure binds what a closure is given.
func bindClosure(p *walker, n binder.At) {
	sc := p.Open(n, 'f', nil)
	given := binder.Source{Mark: binder.MarkArgument, Node: n}
	for c := range p.Named(p.Child(n, "captures")) {
		name := p.Child(c, "name")
		if value := p.Child(c, "value"); name >= 0 && value >= 0 {
			bindLocal(p, sc, name, binder.Source{Node: value}, p.Nodes[c].End)
		}
	}
	list := p.First(p.Child(n, "type"), "lambda_function_type_parameters")
	i := 0
	for c := range p.Named(list) {
		if p.Kind(c) != "lambda_parameter" {
			continue
		}
		name, t := p.Child(c, "name"), binder.None
		for x := range p.Named(c) {
			if p.Field(x) == "name" && x != name {
				t = x
			}
		}
		from := given.Param(i)
		if t >= 0 && p.Kind(t) != "simple_identifier" {
			from = binder.ValueOfType(t)
		}
		if name >= 0 && p.TextAt(name) != "_" {
			p.BindAt(sc, name, from)
		}
		i++
	}
	if list < 0 {
		for i := range mostImplicit {
			sc.Bind("$"+strconv.Itoa(i), given.Param(i))
		}
	}
	declareInside(p, n)
}
