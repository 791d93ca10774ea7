package syntax

import "slices"

// lookFrom is the scope from which the name at a node is looked up. Defaults
// and annotations of a function are evaluated around it, where its parameters
// are not known but its type parameters. A name of a class that is not bound
// yet has the meaning it has outside.
func (p *python) lookFrom(n at, name string, from *scope) *scope {
	if from.kind == 'f' && from.parent != nil && p.inSignature(n, from) &&
		(from.symbol == nil || !slices.Contains(from.symbol.Params, name)) {
		from = from.parent
	}
	if from.kind == 'c' && from.parent != nil {
		if v := from.names[name]; v != nil && v.symbol != nil && int(p.Nodes[n].Start) < p.boundAt(v.symbol) {
			return from.parent
		}
	}
	return from
}

// boundAt is the offset from which the name of a symbol stands for it: behind
// an assignment, and from its name on of others.
func (p *python) boundAt(s *symbol) int {
	if s.Kind == "field" || s.Kind == "const" || s.Kind == "var" {
		return s.end
	}
	return s.spot
}

// inSignature reports whether a node is in the parameters or the result type
// of the function whose scope is given.
func (p *python) inSignature(n at, of *scope) bool {
	for up := p.parent(n); up >= 0; n, up = up, p.parent(up) {
		if sc := p.scopes[up]; sc != nil {
			return sc == of && (p.field(n) == "parameters" || p.field(n) == "return_type")
		}
	}
	return false
}
