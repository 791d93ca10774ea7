package bound

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

var referenceKinds = map[string]facts.Kind{
	"call": facts.Call, "type": facts.Type, "extends": facts.Extends, "implements": facts.Implements, "read": facts.Read,
	"write": facts.Write, "import": facts.Imported,
}

func (p *walker) Use() {
	phpLocals(p)
	for _, f := range p.all {
		if f.word != "reference" {
			continue
		}
		name := f.part("name")
		if name < 0 {
			name = f.node
		}
		if p.RefAt[int(p.Nodes[name].Start)] {
			continue // by an earlier pattern
		}
		switch kind := referenceKinds[f.kind]; {
		case kind != "":
			p.reference(f, name, kind)
		case f.kind == "attribute":
			p.reference(f, name, facts.Type)
			p.Refs[len(p.Refs)-1].Arguments = facts.Attribute
		case f.kind == "adapted":
			phpAdapted(p, name)
		case f.kind == "named" && p.Language == "PHP":
			phpArgument(p, name)
		case p.Language == "Ruby":
			rubyReference(p, f, name)
		case f.kind == "named":
			kotlinNamed(p, name)
		case f.kind == "within":
			kotlinWithin(p, name)
		}
		p.RefAt[int(p.Nodes[name].Start)] = true
	}
}

func (p *walker) reference(f *form, name binder.At, kind facts.Kind) {
	switch of := f.part("of"); {
	case kind == facts.Imported:
		if i := binder.ImportAt(p.Builder, name); i >= 0 && p.Imports[i].Name != "*" {
			p.Ref(name, p.Imports[i].Name, kind, facts.ModuleAt(i), false)
		}
	case of >= 0:
		p.Ref(name, p.TextAt(name), kind, p.Expr(of), false)
	case f.part("made") >= 0:
		p.Ref(name, p.TextAt(name), kind, binder.ValueOf(p.TypeOf(f.part("made"))), false)
	case p.types[name] != nil && p.types[name].kind == "whole":
		whole := p.qualified(name)
		around, last := cutPath(whole)
		if around == "" {
			whole = ""
		}
		p.RefAtOffset(int(p.Nodes[name].End)-len(last), last, kind, facts.Name(whole), whole == "")
	case p.types[name] != nil && p.types[name].kind == "path":
		around, last := p.cutPath(name)
		end := int(p.Nodes[name].End) - len(last)
		p.RefAtOffset(end, last, kind, facts.Name(around), around == "")
	case kind == facts.Write && p.Language == "C#" && csharpInitialized(p, name).Known():
		p.Ref(name, p.TextAt(name), kind, csharpInitialized(p, name), false)
	case p.early(name), p.Language == "Elixir" && f.parts["arguments"] != nil: // no variable is called so
		p.Ref(name, p.TextAt(name), kind, facts.Nothing, true)
	case p.Language == "Kotlin" && kind != facts.Type && kind != facts.Extends:
		kotlinName(p, name, kind)
	default:
		if of, ok := rubyBareOf(p, name); ok && kind == facts.Call {
			p.Ref(name, p.TextAt(name), kind, of, false)
		} else {
			p.UseName(name, kind, true)
			rubyInBlock(p, name, kind)
		}
	}
	count := len(f.parts["argument"])
	for _, n := range f.parts["arguments"] {
		for range p.Named(n) {
			count++
		}
	}
	if f.parts["arguments"] != nil || f.parts["argument"] != nil {
		p.calledWith(name, count)
		switch p.Language {
		case "Kotlin":
			kotlinArguments(p, f)
		case "C#":
			csharpArguments(p, f)
		}
	}
	if p.Language == "C#" {
		csharpArity(p, name)
	}
}

// early reports whether a name is that of a local which is assigned only behind
// it: until then the name stands for something else.
func (p *walker) early(n binder.At) bool {
	v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
	return v != nil && n < p.begins[v]
}

// calledWith notes how many arguments the last reference is called with.
func (p *walker) calledWith(name binder.At, count int) {
	if len(p.Refs) == 0 {
		return
	}
	r := &p.Refs[len(p.Refs)-1]
	if line, column := p.Position(int(p.Nodes[name].Start)); r.Line == line && r.Column == column {
		r.Args = count + 1
	}
}

// qualified is a qualified name as an atom of expressions: its parts, with
// backslashes between.
func (p *walker) qualified(n binder.At) string {
	return strings.ReplaceAll(strings.Trim(strings.Join(strings.Fields(p.TextAt(n)), ""), `\`), ".", `\`)
}

// cutPath parts a qualified name at its last separator. What is before one of PHP's is
// a namespace: it ends with a backslash where that is not plain, and begins with one where the name does.
func (p *walker) cutPath(n binder.At) (around, last string) {
	if p.Language == "PHP" {
		return phpCut(p.TextAt(n))
	}
	return cutPath(p.qualified(n))
}

// cutPath parts a qualified name at its last separator.
func cutPath(path string) (around, last string) {
	i := strings.LastIndexByte(path, '\\')
	return path[:max(i, 0)], path[i+1:]
}

func (p *walker) Value(n binder.At) facts.Expr {
	f := p.values[n]
	if f == nil {
		if t := p.types[n]; t != nil {
			return p.Typed(n)
		}
		return rubyValue(p, n)
	}
	if e, ok := rubyForm(p, f, n); ok {
		return e
	}
	switch f.kind {
	case "name":
		if p.Language == "Kotlin" && kotlinHidden(p, n) {
			return facts.Name(p.TextAt(n))
		}
		return p.cast(n, p.Bare(n, true))
	case "called": // a variable, or a function without arguments
		m := p.Resolve(n, p.TextAt(n), true)
		if p.early(n) {
			return facts.Name(p.TextAt(n)).Call(0)
		}
		if m.Bare || m.Is != nil {
			return binder.Call(m.Expr)
		}
		return m.Expr
	case "call":
		if object := f.part("object"); object >= 0 {
			return called(p, n, binder.Member(p.Expr(object), p.TextAt(f.part("name"))))
		}
		if m := f.part("function"); p.values[m] != nil && p.values[m].kind == "called" {
			return facts.Name(p.TextAt(m)).Call(0)
		}
		return called(p, n, p.applied(f, p.Expr(f.part("function"))))
	case "member":
		return p.cast(n, p.applied(f, binder.Member(p.Expr(f.part("object")), p.TextAt(f.part("name")))))
	case "generic":
		return p.applied(f, p.Expr(f.part("inner")))
	case "new":
		if t := f.part("type"); t >= 0 {
			return binder.ValueOf(p.TypeOf(t))
		}
		return binder.ValueOf(p.ClassAround(n))
	case "self":
		return p.cast(n, binder.ValueOf(p.self(n)))
	case "super":
		return binder.SuperOf(p.ClassAround(n))
	case "element":
		return binder.Elem(p.Expr(f.part("inner")))
	case "type":
		return p.TypeOf(max(f.part("type"), n))
	case "whole":
		return facts.Name(p.qualified(n))
	case "literal":
		return facts.External
	case "listed", "mapped", "lambda":
		return kotlinMade(p, f)
	}
	return p.several(f)
}

// several is the value of a form with any number of inner ones.
func (p *walker) several(f *form) facts.Expr {
	inner := f.parts["inner"]
	var all []facts.Expr
	for _, n := range inner {
		all = append(all, p.Expr(n))
	}
	switch {
	case f.kind == "list":
		return binder.List(all...)
	case len(all) == 0:
		return facts.Unknown
	case f.kind == "either":
		return binder.UnionOf(all...)
	}
	return all[len(all)-1]
}

func (p *walker) Typed(n binder.At) facts.Expr {
	f := p.types[n]
	if f == nil {
		if p.values[n] != nil {
			return p.Value(n)
		}
		return facts.Unknown
	}
	inner := func() facts.Expr {
		list := f.parts["inner"]
		if len(list) == 0 {
			return facts.Unknown
		}
		return p.TypeOf(list[len(list)-1])
	}
	switch f.kind {
	case "name":
		return p.Bare(n, true)
	case "member":
		return p.applied(f, binder.Member(p.TypeOf(f.part("object")), p.TextAt(f.part("name"))))
	case "whole":
		return facts.Name(p.qualified(n))
	case "path":
		if p.Language == "PHP" {
			return phpName(p.TextAt(n))
		}
		around, last := p.cutPath(n)
		if around == "" {
			return facts.Name(last)
		}
		return facts.Name(around).Member(last)
	case "list":
		return facts.List(inner())
	case "apply":
		return p.applied(f, p.TypeOf(f.part("base")))
	case "class": // of what is not known, it has what any class has, none of it declared here
		if t := inner(); t.Known() {
			return facts.Class(t)
		}
		return facts.External
	case "map":
		return facts.Map(facts.External, inner())
	case "same":
		return inner()
	case "delegate":
		return csharpDelegate(p, f)
	case "function":
		return kotlinFunction(p, n, inner())
	case "self":
		if p.TextAt(n) == "static" {
			return facts.This
		}
		return p.ClassAround(n)
	case "super":
		return binder.Inside(p.ClassAround(n), facts.Expr.Super)
	}
	return facts.External
}

// applied is a generic type with its arguments, if it has some.
func (p *walker) applied(f *form, base facts.Expr) facts.Expr {
	var args []facts.Expr
	for c := range p.Named(f.part("arguments")) {
		args = append(args, p.TypeOf(c))
	}
	if !base.Known() || base.IsExternal() || len(args) == 0 {
		return base
	}
	return base.Generic(args...)
}

// self is the type of what a member is called of: the one that it is declared
// for, else the one around.
func (p *walker) self(n binder.At) facts.Expr {
	for s := p.ScopeAround(n).Symbol; s != nil && !binder.Types[s.Kind]; s = s.Enclosing {
		if s.OwnerSource.Node > 0 {
			return p.TypeOf(s.OwnerSource.Node)
		}
	}
	return p.ClassAround(n)
}
