package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// macroRef adds the reference of the call of a macro by its name alone, which
// no variable or function has a part in.
func (p *rust) macroRef(n at) {
	before := len(p.refs)
	if p.ref(n, p.text(n), facts.Call, facts.Nothing, true); len(p.refs) > before {
		p.refs[before].Arguments = "!"
	}
}

// useMacroBody adds what a macro is replaced by names by its crate, and the
// macros that it calls: other names are looked up where the macro is used.
func (p *rust) useMacroBody(n at) {
	if n < 0 {
		return
	}
	before := facts.Nothing
	for i := n + 1; i < p.Nodes[n].Next; i++ {
		switch p.kind(i) {
		case "metavariable":
			before = facts.Nothing
			if p.text(i) == "$crate" {
				before = facts.Name("crate")
			}
		case "identifier":
			if before != facts.Nothing {
				p.useToken(i, before)
				before = member(before, p.text(i))
			} else if p.isMacroName(i) {
				p.macroRef(i)
			}
		default:
			if p.text(i) != "::" {
				before = facts.Nothing
			}
		}
	}
}

// isMacroName reports whether a token is the name of a macro that is called.
func (p *rust) isMacroName(n at) bool {
	next := p.Nodes[n].Next
	return int(next)+1 < len(p.Nodes) && p.text(next) == "!" && p.kind(next+1) == "token_tree"
}

// inMacro reports whether the definition of a macro is what another one is
// called with, which is how exported ones get their documentation.
func (p *rust) inMacro(n at) bool {
	before := strings.TrimRight(p.Text[:p.Nodes[n].Start], " \t")
	call, ok := strings.CutSuffix(before, "{")
	return ok && strings.HasSuffix(strings.TrimRight(call, " \t"), "!")
}
