package resolve

// Line implements Linear: depth first from left to right, of what comes several
// times the last. Of hierarchies that Python allows that is, but for contrived
// ones, its method resolution order (C3; see "The Python 2.3 Method Resolution
// Order" by M. Simionato, which compares both).
func (l pythonLanguage) Line(q *Query, e Entity) []Entity {
	var all []Entity
	l.line(q, e, map[SymbolID]bool{}, &all)
	seen := map[SymbolID]bool{}
	line := all[:0:0]
	for i := len(all) - 1; i >= 0; i-- {
		t := all[i]
		if (t.Kind == TypeName || t.Kind == Value) && len(t.Symbols) > 0 {
			if seen[t.Symbols[0]] {
				continue
			}
			seen[t.Symbols[0]] = true
		}
		line = append(line, t)
	}
	for i, j := 0, len(line)-1; i < j; i, j = i+1, j-1 {
		line[i], line[j] = line[j], line[i]
	}
	return line
}

// line adds a type and what it inherits from, depth first.
func (l pythonLanguage) line(q *Query, e Entity, around map[SymbolID]bool, all *[]Entity) {
	*all = append(*all, e)
	if e.Kind != TypeName && e.Kind != Value || len(around) >= maxLevels || len(*all) >= maxTypes {
		return
	}
	for _, id := range e.Symbols {
		if around[id] {
			continue
		}
		around[id] = true
		for _, base := range q.basesOf(id, e.Args) {
			l.line(q, base, around, all)
		}
		delete(around, id)
	}
}
