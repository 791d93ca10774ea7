package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// returned gives a function without a written result what it returns.
func (p *script) returned(n at) {
	f := p.up(n, "function_declaration", "generator_function_declaration", "function_expression", "function",
		"arrow_function", "method_definition", "generator_function")
	v := p.nth(n, 0)
	if f < 0 || v < 0 {
		return
	}
	if p.child(f, "return_type") >= 0 {
		p.expect(v, valueOfType(p.child(f, "return_type")))
		return
	}
	if from, ok := p.fns[f]; ok {
		from = from.call()
		p.expect(v, from)
	}
	sc := p.scopes[f]
	if sc == nil || sc.symbol == nil || sc.parent != nil && sc.parent.symbol == sc.symbol ||
		len(sc.symbol.results) >= most {
		return
	}
	s := sc.symbol
	if s.Kind == "property" {
		s.value = append(s.value, source{node: v})
		return
	}
	s.results = append(s.results, source{node: v})
	p.own(v, s)
}

// assigned declares what an assignment to a member declares: fields that are
// assigned on this, what is exported the old way, members of functions and
// objects of this file. It reports whether it has gone into the value.
func (p *script) assigned(n at) bool {
	left, right := p.child(n, "left"), p.child(n, "right")
	if p.kind(left) != "member_expression" {
		return false
	}
	object, prop := p.child(left, "object"), p.child(left, "property")
	if out := p.outlined[int(p.Nodes[left].Start)]; out != nil { // the outline has where the whole begins
		delete(p.outlined, int(p.Nodes[left].Start))
		p.outlined[int(p.Nodes[prop].Start)] = out
	}
	switch t := p.text(object); {
	case p.kind(object) == "this":
		p.fieldOfThis(n, left, prop, right)
	case p.text(left) == "module.exports":
		return p.exportsAssigned(n, prop, right)
	case t == "exports" || t == "module.exports":
		if p.kind(right) == "identifier" {
			p.imported(prop, facts.Import{Name: p.text(right), Local: p.text(prop), Export: true})
			return false
		}
		s := p.declareSymbol(prop, n, "const", nil)
		s.Exported = true
		return p.valued(s, right, markUnknown)
	case p.kind(object) == "identifier":
		if parent := p.owner(n, object); parent != nil && (parent.Kind == "func" || parent.Kind == "const") &&
			parent.members[p.text(prop)] == nil {
			s := p.declareSymbol(prop, n, "field", parent)
			s.Static, s.Exported = true, parent.Exported
			parent.expando = true
			return p.valued(s, right, markOwner)
		}
	case p.kind(object) == "member_expression" && p.text(p.child(object, "property")) == "prototype":
		if parent := p.owner(n, p.child(object, "object")); parent != nil && parent.members[p.text(prop)] == nil {
			s := p.declareSymbol(prop, n, "field", parent)
			s.Exported = parent.Exported
			parent.constructs = parent.Kind == "func"
			return p.valued(s, right, markOwner)
		}
	}
	return false
}

// owner is the function, class or variable of this file that a name at the
// top is.
func (p *script) owner(n, name at) *symbol {
	if p.kind(name) != "identifier" || p.scopeAround(n).function() != p.top {
		return nil
	}
	v, sc := p.scopeAround(n).find(p.text(name), true)
	if v == nil || sc != p.top || v.symbol == nil || len(v.again) > 0 {
		return nil
	}
	return v.symbol
}

// fieldOfThis declares a field of the class around in JavaScript, also of a
// function that is written like one. In TypeScript a class declares its fields:
// what is assigned there is its own or one that it inherits.
func (p *script) fieldOfThis(n, left, prop, right at) {
	if !strings.HasPrefix(p.language, "J") {
		return
	}
	c := p.classAround(n)
	if f := p.scopeAround(n).function(); c == nil && f.symbol != nil && f.symbol.Kind == "func" &&
		f.symbol.parent == nil && isUpper(f.symbol.Name) {
		c = f.symbol
		c.constructs = true
	}
	if c != nil && c.members[p.text(prop)] == nil {
		s := p.declareSymbol(prop, left, "field", c)
		s.value = append(s.value, source{node: right})
	}
}

func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// valued gives a symbol what is assigned to it; self is what this is in it if
// it is a function. It reports whether it has gone into the value.
func (p *script) valued(s *symbol, val at, self mark) bool {
	switch k := p.kind(val); {
	case isFunctionNode(k):
		if s.Kind != "func" {
			s.Kind = "method"
		}
		if s.parent == nil {
			s.Kind = "func"
		}
		p.closure(val, s)
		if k != "arrow_function" && self != markUnknown {
			p.scopes[val].self = self
		}
		return true
	case k == "class" && p.child(val, "name") < 0:
		s.Kind = "class"
		p.classBody(val, s)
		return true
	}
	if s.Kind == "method" || s.Kind == "func" {
		s.Kind = "const"
	}
	s.value = append(s.value, source{node: val})
	p.own(val, s)
	return false
}

// cast says what an object literal is said to be behind it.
func (p *script) cast(n at) {
	val, typ := p.nth(n, 0), p.nth(n, 1)
	if p.kind(n) == "type_assertion" {
		val, typ = typ, p.nth(val, 0)
	}
	if typ >= 0 {
		p.expect(val, valueOfType(typ))
	}
}

func (p *script) classAround(n at) *symbol {
	for up := p.parent(n); up >= 0; up = p.parent(up) {
		switch p.kind(up) {
		case "class_body":
			if sc := p.scopes[up]; sc != nil {
				return sc.symbol
			}
			return nil
		case "function_declaration", "function_expression", "function":
			return nil
		}
	}
	return nil
}
