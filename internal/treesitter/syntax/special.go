package syntax

import "strings"

// Marks in sources that are evaluated in a way of their own. They begin with
// a byte that no text of a program has.
const (
	markSelf   = "\x00self"  // a value of the class around
	markClass  = "\x00cls"   // the class around
	markList   = "\x00list"  // suffix: a list of it
	markArray  = "\x00array" // suffix: a list of values of it
	markWith   = "\x00with"  // suffix: what a with statement binds
	markOwner  = "\x00own"   // the object literal around
	markOuter  = "\x00outer"
	markOwned  = "\x00owned"  // the symbol that is named by a node
	markCallee = "\x00callee" // suffix of a call: what is called, with its type arguments
)

// special evaluates a source with a mark.
func (b *builder) special(s source) string {
	switch s.text {
	case markSelf, markClass:
		c := b.scopeAround(s.node).symbol
		for c != nil && !types[c.Kind] {
			c = c.parent
		}
		if c == nil {
			return unknown
		}
		if s.text == markSelf {
			return caret(c) + "{}" + s.suffix
		}
		return caret(c) + s.suffix
	}
	if s.text == markOwned {
		return caret(b.bySpot[int(b.Nodes[s.node].Start)]) + s.suffix
	}
	if r, ok := b.walker.(*rust); ok && s.text == "\x00Self" {
		return valueOf(r.self(s.node))
	}
	if rest, ok := strings.CutPrefix(s.suffix, markCallee); ok {
		return then(b.walker.(*script).callee(s.node), rest) //nolint:forcetypeassert // it alone sets the mark
	}
	mark := s.suffix
	rest := ""
	if before, after, ok := strings.Cut(mark, markArray); ok {
		s.suffix = before
		return then(list(b.eval(s)), after)
	}
	for _, m := range []string{markList, markWith} {
		if strings.HasPrefix(mark, m) {
			mark, rest = m, mark[len(m):]
		}
	}
	s.suffix = ""
	e := b.eval(s)
	switch {
	case e == unknown:
		return unknown
	case mark == markList:
		return bounded("~list<" + e + ">{}" + rest)
	}
	return then(unionOf([]string{e, then(e, ".__enter__()")}), rest)
}

// types are the kinds that self and this are values of.
var types = map[string]bool{
	"class": true, "struct": true, "interface": true, "trait": true, "enum": true, "union": true, "impl": true, "record": true, "type": true,
	"annotation": true, "object": true,
}
