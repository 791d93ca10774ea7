package gosource

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// repair completes the symbols of a Go file with syntax errors. Symbols that
// hold no error stay; the lines of the others, and those that the parser gave
// up on, get the symbols that the patterns find there.
func repair(f parse.File, parsed []parse.Symbol, errors []int) []parse.Symbol {
	good := slices.DeleteFunc(parsed, func(s parse.Symbol) bool {
		return slices.ContainsFunc(errors, func(line int) bool { return s.StartLine <= line && line <= s.EndLine })
	})
	symbols := slices.Clone(good)
	for _, s := range patterns.Scan(f, patterns.Named("Go")).Symbols {
		if s.Parent == "" || s.Kind == "method" {
			if !overlapsAny(s, good) {
				symbols = append(symbols, s)
			}
		}
	}
	slices.SortStableFunc(symbols, func(a, b parse.Symbol) int { return cmp.Compare(a.StartLine, b.StartLine) })
	return symbols
}

func overlapsAny(s parse.Symbol, sorted []parse.Symbol) bool {
	i, _ := slices.BinarySearchFunc(sorted, s.StartLine,
		func(g parse.Symbol, line int) int { return cmp.Compare(g.EndLine, line) })
	return i < len(sorted) && sorted[i].StartLine <= s.EndLine
}
