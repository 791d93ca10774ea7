package syntax

import "github.com/ragnav/ragnav/internal/nav/facts"

// macroRef adds the reference of the call of a macro by its name alone, which
// no variable or function has a part in.
func (p *rust) macroRef(n at) {
	before := len(p.refs)
	if p.ref(n, p.text(n), facts.Call, "", true); len(p.refs) > before {
		p.refs[before].Given = "!"
	}
}
