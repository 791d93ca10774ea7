package rust

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// macroRef adds the reference of the call of a macro by its name alone, which
// no variable or function has a part in.
func macroRef(p *walker, n binder.At) {
	before := len(p.Refs)
	if p.Ref(n, p.TextAt(n), facts.Call, facts.Nothing, true); len(p.Refs) > before {
		p.Refs[before].Arguments = "!"
	}
}

// useMacroBody adds what a macro is replaced by names by its crate, and the
// macros that it calls: other names are looked up where the macro is used.
func useMacroBody(p *walker, n binder.At) {
	if n < 0 {
		return
	}
	before := facts.Nothing
	for i := n + 1; i < p.Nodes[n].Next; i++ {
		switch p.Kind(i) {
		case "metavariable":
			before = facts.Nothing
			if p.TextAt(i) == "$crate" {
				before = facts.Name("crate")
			}
		case "identifier":
			if before != facts.Nothing {
				useToken(p, i, before)
				before = binder.Member(before, p.TextAt(i))
			} else if isMacroName(p, i) {
				macroRef(p, i)
			}
		default:
			if p.TextAt(i) != "::" {
				before = facts.Nothing
			}
		}
	}
}

// isMacroName reports whether a token is the name of a macro that is called.
func isMacroName(p *walker, n binder.At) bool {
	next := p.Nodes[n].Next
	return int(next)+1 < len(p.Nodes) && p.TextAt(next) == "!" && p.Kind(next+1) == "token_tree"
}

// inMacro reports whether the definition of a macro is what another one is
// called with, which is how exported ones get their documentation.
func inMacro(text string, nodes []binder.Node, n binder.At) bool {
	before := strings.TrimRight(text[:nodes[n].Start], " \t")
	call, ok := strings.CutSuffix(before, "{")
	return ok && strings.HasSuffix(strings.TrimRight(call, " \t"), "!")
}
