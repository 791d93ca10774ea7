package facts

// A Local is a name that means something in a part of one file only. Graphs
// know nothing of locals: they are read when somebody asks about a place.
type Local struct {
	Name         string
	Kind         string // parameter, variable, constant, type, type parameter, field, label, package
	Line, Column int    // of the name where it is bound; 1-indexed, in bytes
	Text         string // how it is bound, on one line: "ctx context.Context", "n := len(all)"
	Import       int    // of a package, 1 + the index of its import; else 0
	Uses         []Spot // in order
}

// A Spot is a place where a local is used.
type Spot struct {
	Line, Column int
	Kind         Kind // Read, Write, Call or Type
}

// Covers reports whether a name of that length that begins at a spot is at a
// place, or ends there.
func (s Spot) Covers(length, line, column int) bool {
	return s.Line == line && s.Column <= column && column <= s.Column+length
}
