package facts

// A Local is a name that means something in a part of one file only. Graphs
// know nothing of locals: they are read when somebody asks about a place.
type Local struct {
	Name string
	// parameter, variable, constant, type, type parameter, field, label, package; property: a key that an object is
	// written with, or a member of an object or type that has no name; argument: the name that one is passed by;
	// module: a part of a dotted path before the last
	Kind         string
	Line, Column int    // of the name where it is bound; 1-indexed, in bytes
	Text         string // how it is bound, on one line: "ctx context.Context", "n := len(all)"
	Import       int    // of a package or module, 1 + the index of its import; else 0
	Uses         []Spot // in order
	// where the name is bound again, in order; also among Uses, as Write
	Again []Bound
	// of an argument, the name of what is called; of a parameter, that of the function, if it has one
	Of Spot
}

// Bound is another place where a local is bound.
type Bound struct {
	Line, Column int
	Text         string
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
