package python

import (
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// boundAt is the offset from which the name of a symbol stands for it: behind
// an assignment, and from its name on of others.
func boundAt(s *binder.Symbol) int {
	if s.Kind == "field" || s.Kind == "const" || s.Kind == "var" {
		return s.End
	}
	return s.Spot
}

// inSignature reports whether a node is in the parameters or the result type
// of the function whose scope is given.
func inSignature(p *walker, n binder.At, of *binder.Scope) bool {
	for up := p.Parent(n); up >= 0; n, up = up, p.Parent(up) {
		if sc := p.Scopes[up]; sc != nil {
			return sc == of && (p.Field(n) == "parameters" || p.Field(n) == "return_type")
		}
	}
	return false
}
