package ruby

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// marked reports whether the signature of a method that a call made has a word: "asked" if "a?" is there too, "sided"
// if classes and their values have it, "concern" if classes have it that include the module, "elsewhere" if others have
// one of its name, "record" if it is of records, "grouped" if it is of a group of examples.
func marked(s *facts.Symbol, word string) bool { return strings.Contains(s.Signature, word) }

// isAsked reports whether "a?" and "a!" are there.
func isAsked(s *facts.Symbol) bool { return marked(s, "asked") }

// isWriter reports whether an accessor may be assigned to: its signature says so.
func isWriter(s *facts.Symbol) bool { return marked(s, "?") }

// isReader reports whether an accessor may be called without an argument.
func isReader(s *facts.Symbol) bool { return !strings.HasPrefix(s.Signature, "(?") }

// otherName is what a method is called that one of another name may belong to, and which of these have it; nil if none
// has: "a=" is that of attr_accessor :a, "a?" and "a!" those of a state a.
func otherName(name string) (plain string, is func(*facts.Symbol) bool) {
	switch last := len(name) - 1; {
	case last < 1:
		return "", nil
	case name[last] == '=':
		return name[:last], isWriter
	case name[last] == '?' || name[last] == '!':
		return name[:last], isAsked
	}
	return "", nil
}
