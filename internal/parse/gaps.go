package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxCovered is the number of lines up to which a symbol stands for all that
// is in it. What is in longer ones only is cut into chunks besides.
const maxCovered = 2 * chunkLines

// minGap is the number of lines that are not blank from which a run of them
// that no symbol covers makes chunks.
const minGap = 5

// WithGaps adds chunks of the lines that no symbol covers, and sorts all by
// line. Without symbols there are no chunks either.
func WithGaps(text string, symbols []Symbol) []Symbol {
	if len(symbols) == 0 {
		return nil
	}
	lines := LineOffsets(text)
	covered := make([]bool, lines.Lines()+2)
	for _, s := range symbols {
		if s.EndLine-s.StartLine < maxCovered {
			for n := s.EndLine; n >= s.StartLine; n-- {
				covered[n] = true
			}
		}
	}
	found := 0
	for n := 1; n <= lines.Lines(); n++ {
		start := n
		for n <= lines.Lines() && !covered[n] {
			n++
		}
		for _, c := range gap(lines, text, start, n-1) {
			found++
			c.Qualified = "chunk-" + strconv.Itoa(found)
			symbols = append(symbols, c)
		}
	}
	slices.SortStableFunc(symbols, ByStart)
	return symbols
}

// gap are the chunks of the lines from start to end, without names.
func gap(lines Offsets, text string, start, end int) (found []Symbol) {
	for start <= end {
		last := min(chunkEnd(lines, start), end)
		filled := 0
		for n := start; n <= last; n++ {
			if strings.TrimSpace(text[lines[n-1]:lines[n]]) != "" {
				filled++
			}
		}
		if filled >= minGap {
			found = append(found, Symbol{Kind: models.KindChunk, StartLine: start, EndLine: last})
		}
		start = last + 1
	}
	return found
}

// ByStart compares symbols by the line on which they start.
func ByStart(a, b Symbol) int { return a.StartLine - b.StartLine }
