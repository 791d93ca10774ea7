package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// isExportedMacro reports whether an attribute of a macro says so. Others are
// known in their crate only.
func (p *rust) isExportedMacro(n at) bool {
	attributes := ""
	for c := range p.named(p.parent(n)) {
		if c == n {
			break
		}
		if p.kind(c) == "attribute_item" {
			attributes += p.text(c)
		} else {
			attributes = ""
		}
	}
	return strings.Contains(attributes, "macro_export")
}

// macroRef adds the reference of the call of a macro by its name alone, which
// no variable or function has a part in.
func (p *rust) macroRef(n at) {
	before := len(p.refs)
	if p.ref(n, p.text(n), facts.Call, "", true); len(p.refs) > before {
		p.refs[before].Given = "!"
	}
}
