package reader

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// minLost is the number of lines, blank ones left out, from which on a run of them
// that no function is in is looked at again: one statement that a grammar does not
// know may hide all declarations up to the end of the next that it does.
const minLost = 40

// holders are kinds of symbols that others stand in, so that their lines are not
// all their own.
var holders = []string{
	"class", "struct", "interface", "trait", "enum", "union", "object", "protocol", "extension", "impl", "record",
	"namespace", "module", "package", "const", "var",
}

// lost are the kinds that the table of patterns is trusted with there.
var lost = []string{"func", "method", "class", "struct", "interface", "trait", "enum", "protocol", "object"}

// filled is an outline by a grammar with what the table of patterns finds in long
// runs of lines without a function. In Rust those are what macros are given, which is
// not hidden but tokens to it.
func filled(f parse.File, out parse.Outline) parse.Outline {
	lang := patterns.Named(f.Language)
	if lang == nil || f.Language == "Rust" {
		return out
	}
	runs := lostRuns(f.Text, out.Symbols)
	if !slices.Contains(runs, true) {
		return out
	}
	var more []parse.Symbol
	for _, s := range patterns.Outline(f, lang).Symbols {
		called := s.Kind == "func" || s.Kind == "method"
		if slices.Contains(lost, s.Kind) && (called || s.StartLine < s.EndLine) && !strings.HasPrefix(s.Name, "$") &&
			!slices.Contains(runs[s.StartLine:s.EndLine+1], false) {
			more = append(more, s)
		}
	}
	if len(more) == 0 {
		return out
	}
	type from struct {
		parse.Symbol

		at int
	}
	var all []from
	for i, s := range out.Symbols {
		all = append(all, from{s, i})
	}
	for _, s := range more {
		all = append(all, from{s, -1})
	}
	slices.SortStableFunc(all, func(a, b from) int { return parse.ByStart(a.Symbol, b.Symbol) })
	moved := make([]int, len(out.Symbols))
	out.Symbols = make([]parse.Symbol, len(all))
	for i, s := range all {
		if out.Symbols[i] = s.Symbol; s.at >= 0 {
			moved[s.at] = i
		}
	}
	for i := range out.References {
		if r := &out.References[i]; r.Symbol >= 0 {
			r.Symbol = moved[r.Symbol]
		}
	}
	return out
}

// lostRuns tells of each line, the first being 1, whether it is in such a run.
func lostRuns(text string, symbols []parse.Symbol) []bool {
	lines := parse.LineOffsets(text)
	runs := make([]bool, lines.Lines()+2)
	own := make([]bool, lines.Lines()+2)
	for _, s := range symbols {
		last := s.EndLine
		if slices.Contains(holders, s.Kind) {
			last = s.StartLine
		}
		for n := s.StartLine; n <= last && n < len(own); n++ {
			own[n] = true
		}
	}
	for n := 1; n <= lines.Lines(); n++ {
		start, full := n, 0
		for ; n <= lines.Lines() && !own[n]; n++ {
			if strings.TrimSpace(text[lines[n-1]:lines[n]]) != "" {
				full++
			}
		}
		if full >= minLost {
			for ; start < n; start++ {
				runs[start] = true
			}
		}
	}
	return runs
}
