//go:build !purego

package match

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// block is how many positions the assembly looks at together.
const block = 32

// indexPair does the work of indexPairGeneric.
func indexPair(text []byte, n int, p pair) int {
	if n < block || !hasAVX2 {
		return indexPairGeneric(text, n, p)
	}
	return indexPairAVX2(&text[0], n, &p)
}

// indexPairAVX2 does the work of indexPairGeneric. n is at least block.
//
//go:noescape
func indexPairAVX2(text *byte, n int, p *pair) int
