package compose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What makes a chunk of lines that no symbol stands for.
const (
	minGap     = 5   // lines of it that say something
	maxGap     = 60  // lines of the longest
	maxCovered = 120 // lines of a symbol up to which it stands for all that is in it
)

// Whether a symbol stands for a line. A value of one line is among the code that
// works with it, as in a script.
const (
	standsNone = iota
	standsValue
	standsWhole
)

// importing is the beginning of a line that says which other code is used.
var importing = parse.NewHead(`^\s*(?:pub |export )?(?:import|from|using|use|include|include_once|require|require_once|` +
	`require_relative|package|#include|#import|mod|alias|source|namespace|open)\b`)

// withGaps adds chunks of what no symbol stands for: the code of a script, calls that
// register something, what a file says at its head about itself. It takes symbols as
// they are where there are chunks already.
func withGaps(text string, symbols []parse.Symbol) []parse.Symbol {
	if slices.ContainsFunc(symbols, func(s parse.Symbol) bool { return s.Kind == models.KindChunk }) {
		return symbols
	}
	lines := parse.LineOffsets(text)
	stands := standing(text, lines.Lines(), symbols)
	gap, says := parse.Symbol{}, 0
	all := slices.Clip(symbols)
	end := func() {
		if says >= minGap {
			all = append(all, gap)
		}
		says = 0
	}
	for n := 1; n <= lines.Lines(); n++ {
		if stands[n] == standsWhole || n-gap.StartLine >= maxGap {
			end()
		}
		line := text[lines[n-1]:lines[n]]
		if stands[n] != standsNone || !strings.ContainsFunc(line, unicode.IsLetter) || importing().MatchString(line) {
			continue
		}
		if says == 0 {
			gap = parse.Symbol{Kind: models.KindChunk, Qualified: "chunk", StartLine: n}
		}
		gap.EndLine = n
		says++
	}
	end()
	slices.SortStableFunc(all, parse.ByStart)
	return all
}

// standing tells of each line, the first being 1, whether a symbol stands for it. None
// is needed for a licence.
func standing(text string, lines int, symbols []parse.Symbol) []byte {
	stands := make([]byte, lines+1)
	for n := range min(parse.LicenceLines(text), lines) {
		stands[n+1] = standsWhole
	}
	for _, s := range symbols {
		by := byte(standsWhole)
		if (s.Kind == "var" || s.Kind == "const") && s.EndLine == s.StartLine {
			by = standsValue
		}
		if s.EndLine-s.StartLine < maxCovered {
			for n := max(s.StartLine, 1); n <= min(s.EndLine, lines); n++ {
				stands[n] = max(stands[n], by)
			}
		}
	}
	return stands
}
