package graph

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Names are the names of a graph: what they declare, where they are referred to,
// and which depend on which.
type Names struct {
	texts *texts

	defStarts, refStarts []uint32
	defs                 []resolve.SymbolID
	refFiles             []resolve.FileID
	aliases              []pair

	mentionStarts, mentions []uint32
	touchStarts             []uint32
	touchFiles              []resolve.FileID

	aliasStarts []uint32 // by file
	fileAliases []pair
}

// All yields them in order.
func (n *Names) All(yield func(name string) bool) {
	for i := range n.texts.names {
		if !yield(n.texts.str(i)) {
			return
		}
	}
}

// Folded yields those of the same length as a name that differ from it at most in
// case, in order.
func (n *Names) Folded(name string, yield func(name string)) {
	if name == "" {
		return
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		n.foldedIn(0, n.texts.names, name, yield)
		return
	}
	upper, lower := strings.ToUpper(name[:1]), strings.ToLower(name[:1])
	n.foldedFrom(upper, name, yield)
	if lower != upper {
		n.foldedFrom(lower, name, yield)
	}
}

// foldedFrom is Folded of those that begin with a byte.
func (n *Names) foldedFrom(first, name string, yield func(name string)) {
	from, _ := n.texts.name(first)
	to, _ := n.texts.name(string([]byte{first[0] + 1}))
	n.foldedIn(from, to, name, yield)
}

// foldedIn is Folded of some of the names, which are in order.
func (n *Names) foldedIn(from, to uint32, name string, yield func(name string)) {
	starts, length := n.texts.starts, uint32(len(name))
	for i := from; i < to; i++ {
		if starts[i+1]-starts[i] == length && strings.EqualFold(n.texts.str(i), name) {
			yield(n.texts.str(i))
		}
	}
}

// of are the rows of a name.
func of[T any](n *Names, starts []uint32, all []T, name string) []T {
	if i, ok := n.texts.name(name); ok {
		return rows(starts, all, int(i))
	}
	return nil
}

// Defs are the symbols of a name.
func (n *Names) Defs(name string) []resolve.SymbolID { return of(n, n.defStarts, n.defs, name) }

// Files are the files with references of a name.
func (n *Names) Files(name string) []resolve.FileID { return of(n, n.refStarts, n.refFiles, name) }

// Touched are the files with symbols of a name, or whose references are members of
// something that mentions it.
func (n *Names) Touched(name string) []resolve.FileID {
	return of(n, n.touchStarts, n.touchFiles, name)
}

// Mentioning yields the names of symbols whose expressions mention a name.
func (n *Names) Mentioning(name string, yield func(by string)) {
	for _, by := range of(n, n.mentionStarts, n.mentions, name) {
		yield(n.texts.str(by))
	}
}

// Aliases calls f with the names that stored aliases give a name.
func (n *Names) Aliases(name string, f func(as string)) {
	number, ok := n.texts.name(name)
	if !ok {
		return
	}
	i := sort.Search(len(n.aliases), func(i int) bool { return n.aliases[i].name >= number })
	for ; i < len(n.aliases) && n.aliases[i].name == number; i++ {
		f(n.texts.str(n.aliases[i].as))
	}
}
