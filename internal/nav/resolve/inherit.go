package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// Above are a type and all that it is made from by its bases or as an alias.
// open reports that some of that is outside of the repository or not known.
func Above(q *Query, typ SymbolID) (line map[SymbolID]bool, open bool) {
	line = map[SymbolID]bool{typ: true}
	for next := []SymbolID{typ}; len(next) > 0 && len(line) < MaxTypes; {
		id := next[0]
		next = next[1:]
		s := q.Symbol(id)
		exprs := []facts.Expr{s.Type}
		for _, b := range s.Bases {
			if b.Kind == facts.Shorthand {
				continue
			}
			exprs = append(exprs, b.Of)
		}
		for _, expr := range exprs {
			if expr == facts.Nothing {
				continue
			}
			e := q.Eval(id.File, int(id.Index), expr)
			open = open || e.Kind == External || e.Kind == Unknown
			for _, base := range e.Symbols {
				if !line[base] {
					line[base] = true
					next = append(next, base)
				}
			}
		}
	}
	return line, open
}

// passesOn reports whether a member that was found belongs to a type of the
// line. A type that is defined by another one without being made from it (Go:
// type A B) has the fields of that, and methods only if it is an interface.
func passesOn(q *Query, line map[SymbolID]bool, id SymbolID) bool {
	if !IsFunction(q.Symbol(id)) {
		return true
	}
	owner := q.OwnerOf(id)
	for _, t := range owner.Symbols {
		if line[t] || q.Symbol(t).Kind == "interface" {
			return true
		}
	}
	return len(owner.Symbols) == 0
}

// isCsharpInterface reports whether a type is an interface above a class of C#: the class has what it implements of
// it, and its values have nothing else.
func isCsharpInterface(q *Query, e, t Entity) bool {
	id := t.Symbols[0]
	return q.Symbol(id).Kind == "interface" && q.File(id.File).Language == "C#" && len(e.Symbols) > 0 &&
		q.Symbol(e.Symbols[0]).Kind != "interface" && q.Symbol(e.Symbols[0]).Kind != "type"
}

func isJavaInterface(q *Query, t Entity) bool {
	id := t.Symbols[0]
	return q.Symbol(id).Kind == "interface" && q.File(id.File).Language == "Java"
}
