package syntax

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// returned gives a function without a written result what it returns.
func (p *script) returned(n at) {
	f := p.up(n, "function_declaration", "generator_function_declaration", "function_expression", "function", "arrow_function", "method_definition", "generator_function")
	v := p.nth(n, 0)
	if f < 0 || v < 0 {
		return
	}
	if p.child(f, "return_type") >= 0 {
		p.expect(v, source{node: p.child(f, "return_type"), isType: true, suffix: "{}"})
		return
	}
	sc := p.scopes[f]
	if sc == nil || sc.symbol == nil || sc.parent != nil && sc.parent.symbol == sc.symbol || len(sc.symbol.results) >= most {
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

// assigned declares fields that are assigned on this, and what is exported the
// old way.
func (p *script) assigned(n at) {
	left, right := p.child(n, "left"), p.child(n, "right")
	if p.kind(left) != "member_expression" {
		return
	}
	object, prop := p.child(left, "object"), p.child(left, "property")
	switch t := p.text(object); {
	case p.kind(object) == "this":
		if c := p.classAround(n); c != nil && c.members[p.text(prop)] == nil {
			s := p.declareSymbol(prop, left, "field", c)
			s.value = append(s.value, source{node: right})
		}
	case p.text(left) == "module.exports":
		p.exportsAssigned(right)
	case t == "exports" || t == "module.exports":
		if out := p.outlined[int(p.Nodes[left].Start)]; out != nil {
			p.exportFunction(left, n, right)
			return
		}
		if p.kind(right) == "identifier" {
			p.imported(prop, facts.Import{Name: p.text(right), Local: p.text(prop), Export: true})
			return
		}
		s := p.declareSymbol(prop, n, "const", nil)
		s.Exported = true
		s.value = append(s.value, source{node: right})
	}
}

// exportFunction is "exports.name = function ...", which the outline has.
func (p *script) exportFunction(left, n, right at) {
	s := p.declareSymbol(left, n, "func", nil)
	s.Exported = true
	if s.Kind == "func" && isFunctionNode(p.kind(right)) && len(s.results) == 0 {
		if r := p.child(right, "return_type"); r >= 0 {
			s.results = []source{{node: r, isType: true, suffix: "{}"}}
		}
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
