package search

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A query that is one name and nothing else wants what has that name, and what
// else is like it behind. By weight: the case of the name, then the kind of what
// has it, then whether it stands where it is defined.
const (
	weightNamed = 4.0

	namedExact  = 6.0 // steps
	namedFolded = 3.0
	namedJoined = 2.5 // of the same words, joined in another way
	namedLast   = 1.5 // the last part of a qualified name, in another place
	namedAlmost = 1.0 // misspelt, or a part of a longer one
	namedPartly = 0.5 // what more there is to say of a longer one counts so much
	namedAside  = 0.5 // taken away in tests, and in what is generated or vendored
	namedSize   = 0.4 // a definition has more lines than a prototype or a reopening

	restOfNamed = 0.25 // of the score by words and meaning: less than what the case of a name counts
)

// namedBy are the steps by which a symbol has the one name that a query is, or has
// it within a longer one.
func namedBy(q goal, h *models.Header) float64 {
	id := q.Identifiers[0]
	var steps float64
	detail := 1.0
	switch match := nameMatch(id, h); {
	case match >= asWritten:
		steps = namedExact
	case match > respelt:
		steps = namedFolded
	case match == respelt:
		steps = namedJoined
	case match > 0:
		steps = namedLast
	case len(id.Last) >= minMisspelt && almostNamed(id.Low, h.SymbolName):
		steps = namedAlmost
	case len(id.Last) >= minWithin && hasFolded(h.SymbolName, id.Last):
		steps, detail = namedAlmost, namedPartly
	default:
		return 0
	}
	if !q.WantsTests && h.Test || !q.WantsGenerated && (h.Generated || h.Vendored) {
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

// Names of these lengths, in bytes, are looked for as misspelt ones. The first two
// letters must be right, so that few names have to be looked at.
const (
	minMisspelt = 5
	maxMisspelt = 32
	sureLetters = 2
)

// misspelt finds the names that the one identifier of a query may be meant for:
// those with one letter more, less or other, or two swapped.
func (l legs) misspelt(ctx context.Context) (fts.Result, error) {
	name := l.query.Identifiers[0].Low
	if len(name) < minMisspelt || len(name) > maxMisspelt || !ascii(name) {
		return fts.Result{}, nil
	}
	like := fts.Regexp{Field: fts.FieldName, Regexp: likeName(name), Boost: fts.Zero()}
	return l.index.Search(ctx, fts.Request{
		Query: fts.Conjunction{Conjuncts: []fts.Query{l.scope.filter(l.docType), like}}, Size: exactPool, Near: l.vector,
	})
}

// symbolNames are the different names of hits, in their order.
func symbolNames(res fts.Result) []string {
	var names []string
	for _, h := range res.Hits {
		if !slices.Contains(names, h.SymbolName) {
			names = append(names, h.SymbolName)
		}
	}
	return names
}

// unnamed says that nothing has the one name that a query is, where hits are
// there for names almost like it or for parts of it; else "".
func (r ranking) unnamed(query string) string {
	query = strings.TrimSpace(query)
	if len(r.nearly) > 0 {
		names := strings.Join(r.nearly[:min(len(r.nearly), namedInWarnings)], ", ")
		return fmt.Sprintf("no symbol that was searched is called %q; called almost so: %s", query, names)
	}
	if w := r.words.all; !r.named && len(w) == 1 && w[0].Text == query && w[0].Whole == 0 && w[0].In > 0 {
		return fmt.Sprintf("nothing that was searched has %q; what follows has parts of it", query)
	}
	return ""
}

func ascii(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0 }

// likeName is an expression for the names that are almost a given one.
func likeName(name string) string {
	quote := regexp.QuoteMeta
	ways := []string{quote(name[sureLetters:]) + "."}
	for i := sureLetters; i < len(name); i++ {
		before := quote(name[sureLetters:i])
		ways = append(ways, before+".?"+quote(name[i+1:]), before+"."+quote(name[i:]))
		if i+1 < len(name) {
			ways = append(ways, before+quote(name[i+1:i+2]+name[i:i+1]+name[i+2:]))
		}
	}
	return quote(name[:sureLetters]) + "(?:" + strings.Join(ways, "|") + ")"
}

// almostNamed reports whether a symbol's name is almost one that is in lower case.
func almostNamed(low, name string) bool {
	n := min(len(low), len(name), sureLetters)
	if isASCII(name) && (max(len(low), len(name)) > min(len(low), len(name))+1 || !strings.EqualFold(name[:n], low[:n])) {
		return false
	}
	return almost(low, strings.ToLower(name))
}

// almost reports whether a and b differ in one letter, more, less or other, or in
// two that are swapped, behind the first ones. Equal names are not almost equal.
func almost(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case i < sureLetters:
		return false
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
