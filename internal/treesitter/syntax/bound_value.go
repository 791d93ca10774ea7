package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

var referenceKinds = map[string]facts.Kind{
	"call": facts.Call, "type": facts.Type, "extends": facts.Extends, "implements": facts.Implements, "read": facts.Read,
	"write": facts.Write, "import": facts.Imported,
}

func (p *bound) use() {
	for _, f := range p.all {
		if f.word != "reference" {
			continue
		}
		name := f.part("name")
		if name < 0 {
			name = f.node
		}
		if p.refAt[int(p.Nodes[name].Start)] {
			continue // by an earlier pattern
		}
		if kind := referenceKinds[f.kind]; kind != "" {
			p.reference(f, name, kind)
		}
		p.refAt[int(p.Nodes[name].Start)] = true
	}
}

func (p *bound) reference(f *form, name at, kind facts.Kind) {
	switch of := f.part("of"); {
	case kind == facts.Imported:
		if i := p.importAt(name); i >= 0 && p.imports[i].Name != "*" {
			p.ref(name, p.imports[i].Name, kind, facts.ModuleAt(i), false)
		}
	case of >= 0:
		p.ref(name, p.text(name), kind, p.expr(of), false)
	case p.types[name] != nil && p.types[name].kind == "whole":
		whole := p.qualified(name)
		around, last := cutPath(whole)
		if around == "" {
			whole = ""
		}
		p.refAtOffset(int(p.Nodes[name].End)-len(last), last, kind, facts.Name(whole), whole == "")
	case p.types[name] != nil && p.types[name].kind == "path":
		around, last := cutPath(p.qualified(name))
		end := int(p.Nodes[name].End) - len(last)
		p.refAtOffset(end, last, kind, facts.Name(around), around == "")
	case p.early(name):
		p.ref(name, p.text(name), kind, facts.Nothing, true)
	default:
		p.useName(name, kind, true)
	}
	count := len(f.parts["argument"])
	for _, n := range f.parts["arguments"] {
		for range p.named(n) {
			count++
		}
	}
	if f.parts["arguments"] != nil || f.parts["argument"] != nil {
		p.calledWith(name, count)
	}
}

// early reports whether a name is that of a local which is assigned only behind
// it: until then the name stands for something else.
func (p *bound) early(n at) bool {
	v, _ := p.scopeOf(n).find(p.text(n), true)
	return v != nil && n < p.begins[v]
}

// calledWith notes how many arguments the last reference is called with.
func (p *bound) calledWith(name at, count int) {
	if len(p.refs) == 0 {
		return
	}
	r := &p.refs[len(p.refs)-1]
	if line, column := p.position(int(p.Nodes[name].Start)); r.Line == line && r.Column == column {
		r.Args = count + 1
	}
}

// qualified is a qualified name as an atom of expressions: its parts, with
// backslashes between.
func (p *bound) qualified(n at) string {
	return strings.ReplaceAll(strings.Trim(strings.Join(strings.Fields(p.text(n)), ""), `\`), ".", `\`)
}

// cutPath parts a qualified name at its last separator.
func cutPath(path string) (around, last string) {
	i := strings.LastIndexByte(path, '\\')
	return path[:max(i, 0)], path[i+1:]
}

func (p *bound) value(n at) facts.Expr {
	f := p.values[n]
	if f == nil {
		if t := p.types[n]; t != nil {
			return p.typed(n)
		}
		return facts.Unknown
	}
	switch f.kind {
	case "name":
		return p.bare(n, true)
	case "called": // a variable, or a function without arguments
		m := p.resolve(n, p.text(n), true)
		if p.early(n) {
			return facts.Name(p.text(n)).Call(0)
		}
		if m.bare || m.is != nil {
			return call(m.expr)
		}
		return m.expr
	case "call":
		if object := f.part("object"); object >= 0 {
			return call(member(p.expr(object), p.text(f.part("name"))))
		}
		if m := f.part("function"); p.values[m] != nil && p.values[m].kind == "called" {
			return facts.Name(p.text(m)).Call(0)
		}
		return call(p.expr(f.part("function")))
	case "member":
		return member(p.expr(f.part("object")), p.text(f.part("name")))
	case "new":
		if t := f.part("type"); t >= 0 {
			return valueOf(p.typeOf(t))
		}
		return valueOf(p.classAround(n))
	case "self":
		return valueOf(p.self(n))
	case "super":
		return superOf(p.classAround(n))
	case "element":
		return elem(p.expr(f.part("inner")))
	case "type":
		return p.typeOf(max(f.part("type"), n))
	case "whole":
		return facts.Name(p.qualified(n))
	case "literal":
		return facts.External
	}
	return p.several(f)
}

// several is the value of a form with any number of inner ones.
func (p *bound) several(f *form) facts.Expr {
	inner := f.parts["inner"]
	var all []facts.Expr
	for _, n := range inner {
		all = append(all, p.expr(n))
	}
	switch {
	case f.kind == "list":
		return list(all...)
	case len(all) == 0:
		return facts.Unknown
	case f.kind == "either":
		return unionOf(all...)
	}
	return all[len(all)-1]
}

func (p *bound) typed(n at) facts.Expr {
	f := p.types[n]
	if f == nil {
		if p.values[n] != nil {
			return p.value(n)
		}
		return facts.Unknown
	}
	inner := func() facts.Expr {
		list := f.parts["inner"]
		if len(list) == 0 {
			return facts.Unknown
		}
		return p.typeOf(list[len(list)-1])
	}
	switch f.kind {
	case "name":
		return p.bare(n, true)
	case "member":
		return member(p.typeOf(f.part("object")), p.text(f.part("name")))
	case "whole":
		return facts.Name(p.qualified(n))
	case "path":
		around, last := cutPath(p.qualified(n))
		if around == "" {
			return facts.Name(last)
		}
		return facts.Name(around).Member(last)
	case "list":
		return facts.List(inner())
	case "apply":
		return p.applied(f)
	case "map":
		return facts.Map(facts.External, inner())
	case "same":
		return inner()
	case "self":
		return p.classAround(n)
	case "super":
		return inside(p.classAround(n), facts.Expr.Super)
	}
	return facts.External
}

// applied is a generic type with its arguments.
func (p *bound) applied(f *form) facts.Expr {
	base := p.typeOf(f.part("base"))
	var args []facts.Expr
	for c := range p.named(f.part("arguments")) {
		args = append(args, p.typeOf(c))
	}
	if !base.Known() || base.IsExternal() || len(args) == 0 {
		return base
	}
	return base.Generic(args...)
}

// self is the type of what a member is called of: the one that it is declared
// for, else the one around.
func (p *bound) self(n at) facts.Expr {
	for s := p.scopeAround(n).symbol; s != nil && !types[s.Kind]; s = s.parent {
		if s.owner.node > 0 {
			return p.typeOf(s.owner.node)
		}
	}
	return p.classAround(n)
}
