package script

import "github.com/ragnav/ragnav/internal/treesitter/syntax/binder"

// own makes the members of an object literal those of a symbol.
func own(p *walker, n binder.At, s *binder.Symbol) {
	for {
		switch p.Kind(n) {
		case "parenthesized_expression", "as_expression", "satisfies_expression":
			if p.Kind(n) != "parenthesized_expression" && p.TextAt(p.Last(n)) != "const" && p.Kind(n) == "as_expression" &&
				p.Kind(p.Last(n)) != "parenthesized_expression" {
				return
			}
			n = p.Nth(n, 0)
			continue
		case "assignment_expression":
			n = p.Child(n, "right")
			continue
		case "call_expression": // Object.freeze({...})
			if f := p.TextAt(p.Child(n, "function")); f == "Object.freeze" || f == "Object.seal" {
				n = p.Nth(p.Child(n, "arguments"), 0)
				continue
			}
		case "object":
			if p.owned[n] == nil {
				p.owned[n] = s
			}
		case "object_type":
			p.owned[n] = s
		}
		return
	}
}

// ownerOf is the symbol whose members those of an object literal or type are. Where
// somebody asks for locals one without a name is a symbol, too.
func ownerOf(p *walker, n binder.At) *binder.Symbol {
	s := p.owned[n]
	if s == nil && p.Notes != nil && p.BySpot[int(p.Nodes[n].Start)] == nil && !p.Has(n, "index_signature") {
		s = p.DeclareSymbol(n, n, "type", nil)
		s.Name, s.Kind, s.Local = "{", "type", true
		p.owned[n] = s
	}
	return s
}
