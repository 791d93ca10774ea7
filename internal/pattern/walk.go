package pattern

// A Walk leads through a dictionary, letter by letter, to the texts that an
// expression may match: it is the automaton of a Whole, for vellum. Behind letters
// that are not of ASCII, and where there are many states, everything may match, so
// that texts must be held against the expression yet. It is used by one goroutine.
type Walk struct{ of *Whole }

const unsure = 0 // the state behind which everything may match

// NewWalk walks by a Whole of its own, which may not be used otherwise.
func NewWalk(of *Whole) Walk { return Walk{of} }

// Start is the state before a text.
func (w Walk) Start() int { return int(w.of.begin()) }

// IsMatch reports whether a text may end in a state.
func (w Walk) IsMatch(state int) bool { return state == unsure || w.of.final[state] }

// CanMatch reports whether a text may end behind a state.
func (w Walk) CanMatch(state int) bool { return state != nowhere }

// WillAlwaysMatch is for automata that know it.
func (w Walk) WillAlwaysMatch(int) bool { return false }

// Accept is the state behind a byte.
func (w Walk) Accept(state int, c byte) int {
	switch {
	case state == unsure || state == nowhere:
		return state
	case c >= ascii:
		return unsure
	}
	next := w.of.table[state*ascii+int(c)]
	if next == 0 && len(w.of.sets) < maxStates {
		next = w.of.learn(int32(state), c) //nolint:gosec // less than maxStates
	}
	return int(next)
}
