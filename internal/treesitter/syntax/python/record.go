package python

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// recordMakers are decorators, and recordBases classes, that give a class a
// constructor which takes its fields by name.
var (
	recordMakers = []string{"attrs", "attributes", "s", "define", "frozen", "mutable"}
	recordBases  = []string{"NamedTuple", "TypedDict", "BaseModel"}
	fieldMakers  = []string{"ib", "attrib", "field"}
)

// isRecord reports whether the constructor of a class takes fields by name, as
// far as its own text says.
func isRecord(p *walker, class binder.At) bool {
	for _, d := range p.decorators(class) {
		switch name := lastPart(d); {
		case slices.Contains(recordMakers, name) && (name != "s" || d == "attr.s"):
			return true
		// one made of it: frozen_dataclass = partial(dataclass, frozen=True)
		case strings.Contains(name, "dataclass") && name != "dataclass_transform":
			return true
		}
	}
	for c := range p.Named(p.Child(class, "superclasses")) {
		if slices.Contains(recordBases, lastPart(p.TextAt(c))) {
			return true
		}
	}
	return false
}

// recordFields are the names that the constructor of a record takes: those
// with an annotation or made by a field maker.
func recordFields(p *walker, body binder.At) []facts.Expr {
	var names []facts.Expr
	for statement := range p.Named(body) {
		a := p.Nth(statement, 0)
		if p.Kind(a) != "assignment" || p.Kind(p.Child(a, "left")) != "identifier" {
			continue
		}
		typ, right := p.TextAt(p.Child(a, "type")), p.Child(a, "right")
		made := p.Kind(right) == "call" && slices.Contains(fieldMakers, lastPart(p.TextAt(p.Child(right, "function"))))
		switch {
		case typ == "" && !made, strings.Contains(typ, "ClassVar"):
		case made && strings.Contains(strings.ReplaceAll(p.TextAt(right), " ", ""), "init=False"):
		default:
			names = append(names, facts.Name(p.TextAt(p.Child(a, "left"))))
		}
	}
	return names
}

// useKeyword adds a reference to the field that a keyword argument sets when
// what is called may be a record: a name that begins like a class, or cls.
func useKeyword(p *walker, n binder.At) {
	useNode(p, p.Child(n, "value"))
	name, call := p.Child(n, "name"), p.Parent(p.Parent(n))
	if p.Kind(call) != "call" || name < 0 {
		return
	}
	f := p.Child(call, "function")
	p.Mention("argument", name, calledName(p, f))
	last := strings.TrimLeft(lastPart(p.TextAt(f)), "_")
	if last != "cls" && (last == "" || last[0] < 'A' || last[0] > 'Z') {
		return
	}
	if e := binder.Inside(p.Expr(f), facts.Expr.Fields); e.Known() && e != facts.External {
		p.Ref(name, p.TextAt(name), facts.Write, e, false)
	}
}

// calledName is the name that a call is of: f, and that of a.b.f; or None.
func calledName(p *walker, f binder.At) binder.At {
	switch p.Kind(f) {
	case "identifier":
		return f
	case "attribute":
		return p.Child(f, "attribute")
	}
	return binder.None
}

// lastPart is what is behind the last dot.
func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
