package search

import (
	"math"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A query that is one name and nothing else wants what has that name, and what
// else is like it behind. By weight: the case of the name, then the kind of what
// has it, then whether it stands where it is defined.
const (
	weightNamed = 4.0

	namedExact  = 6.0 // steps
	namedFolded = 3.0
	namedLast   = 1.5 // the last part of a qualified name, in another place
	namedAlmost = 1.0 // misspelt, or a part of a longer one
	namedPartly = 0.5 // what more there is to say of a longer one counts so much
	namedAside  = 0.5 // taken away in tests, and in what is generated or vendored
	namedSize   = 0.4 // a definition has more lines than a prototype or a reopening

	restOfNamed = 0.25 // of the score by words and meaning: less than what the case of a name counts
)

// namedBy are the steps by which a symbol has the one name that a query is, or has
// it within a longer one.
func namedBy(q intent, h *models.Header) float64 {
	id := q.identifiers[0]
	var steps float64
	detail := 1.0
	switch match := nameMatch(id, h); {
	case match >= asWritten:
		steps = namedExact
	case match > 0.5:
		steps = namedFolded
	case match > 0:
		steps = namedLast
	case len(id.last) >= minMisspelt && almostNamed(id.low, h.SymbolName):
		steps = namedAlmost
	case len(id.last) >= minWithin && hasFolded(h.SymbolName, id.last):
		steps, detail = namedAlmost, namedPartly
	default:
		return 0
	}
	if !q.wantsTests && h.Test || !q.wantsGen && (h.Generated || h.Vendored) {
		steps -= namedAside
	}
	more := rankOfKind(h.Kind) + namedSize*min(1, math.Log2(float64(max(0, h.EndLine-h.StartLine)+1))/10)
	return steps + detail*more
}

// rankOfKind orders what has one name: a type, then what can be called, then
// values; what only adds to a type stands before values.
func rankOfKind(kind string) float64 {
	switch {
	case slices.Contains(calledKinds, kind):
		return 1
	case slices.Contains(valueKinds, kind):
		return 0
	case kind == "impl" || kind == "extension" || kind == models.KindChunk:
		return 0.5
	}
	return 2
}

// The kinds of what can be called, and of values; all others are types.
var (
	calledKinds = []string{"func", "method", "macro", "rpc"}
	valueKinds  = []string{"var", "const", "property", "field", "key", "label"}
)

// plainName is a name or the base name of a file without its extension,
// underscores, hyphens and case.
func plainName(name string) string {
	if i := strings.IndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return strings.ToLower(joins.Replace(name))
}

var joins = strings.NewReplacer("_", "", "-", "")
