package graph

import (
	"slices"
	"sort"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Links are the links of a graph, in order of where they come from.
type Links struct {
	from, to   []resolve.SymbolID
	kind       []uint32
	confidence []float32
	back       []uint32 // in order of what they lead to
}

// Len is how many there are.
func (l *Links) Len() int { return len(l.to) }

// At is the n-th link.
func (l *Links) At(n uint32) Link {
	return Link{
		From: l.from[n], To: l.to[n], Kind: uint8(l.kind[n]), Tier: resolve.Tier(l.kind[n] >> 8),
		Confidence: l.confidence[n],
	}
}

// From are the links from a symbol, in order of what they lead to.
func (l *Links) From(s resolve.SymbolID) []Link {
	var all []Link
	n, _ := slices.BinarySearchFunc(l.from, s, CompareSymbols)
	for ; n < len(l.from) && l.from[n] == s; n++ {
		all = append(all, l.At(uint32(n)))
	}
	return all
}

// To are the links to a symbol, in order of where they come from.
func (l *Links) To(s resolve.SymbolID) []Link {
	var all []Link
	back := l.back
	n := sort.Search(len(back), func(i int) bool { return CompareSymbols(l.to[back[i]], s) >= 0 })
	for ; n < len(back) && l.to[back[n]] == s; n++ {
		all = append(all, l.At(back[n]))
	}
	return all
}

// OfFile are the links from the symbols of a file, in order.
func (l *Links) OfFile(f resolve.FileID) []Link {
	var all []Link
	n, _ := slices.BinarySearchFunc(l.from, resolve.SymbolID{File: f}, CompareSymbols)
	for ; n < len(l.from) && l.from[n].File == f; n++ {
		all = append(all, l.At(uint32(n)))
	}
	return all
}
