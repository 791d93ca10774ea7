package syntax

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// recordMakers are decorators, and recordBases classes, that give a class a
// constructor which takes its fields by name.
var (
	recordMakers = []string{"dataclass", "attrs", "attributes", "s", "define", "frozen", "mutable"}
	recordBases  = []string{"NamedTuple", "TypedDict", "BaseModel"}
	fieldMakers  = []string{"ib", "attrib", "field"}
)

// isRecord reports whether the constructor of a class takes fields by name, as
// far as its own text says.
func (p *python) isRecord(class at) bool {
	for _, d := range p.decorators(class) {
		if name := lastPart(d); slices.Contains(recordMakers, name) && (name != "s" || d == "attr.s") {
			return true
		}
	}
	for c := range p.named(p.child(class, "superclasses")) {
		if slices.Contains(recordBases, lastPart(p.text(c))) {
			return true
		}
	}
	return false
}

// recordFields are the names that the constructor of a record takes: those
// with an annotation or made by a field maker.
func (p *python) recordFields(body at) []facts.Expr {
	var names []facts.Expr
	for statement := range p.named(body) {
		a := p.nth(statement, 0)
		if p.kind(a) != "assignment" || p.kind(p.child(a, "left")) != "identifier" {
			continue
		}
		typ, right := p.text(p.child(a, "type")), p.child(a, "right")
		made := p.kind(right) == "call" && slices.Contains(fieldMakers, lastPart(p.text(p.child(right, "function"))))
		switch {
		case typ == "" && !made, strings.Contains(typ, "ClassVar"):
		case made && strings.Contains(strings.ReplaceAll(p.text(right), " ", ""), "init=False"):
		default:
			names = append(names, facts.Name(p.text(p.child(a, "left"))))
		}
	}
	return names
}

// useKeyword adds a reference to the field that a keyword argument sets when
// what is called may be a record: a name that begins like a class, or cls.
func (p *python) useKeyword(n at) {
	p.useNode(p.child(n, "value"))
	name, call := p.child(n, "name"), p.parent(p.parent(n))
	if p.kind(call) != "call" || name < 0 {
		return
	}
	f := p.child(call, "function")
	last := strings.TrimLeft(lastPart(p.text(f)), "_")
	if last != "cls" && (last == "" || last[0] < 'A' || last[0] > 'Z') {
		return
	}
	if e := inside(p.expr(f), facts.Expr.Fields); e.Known() && e != facts.External {
		p.ref(name, p.text(name), facts.Write, e, false)
	}
}

// lastPart is what is behind the last dot.
func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
