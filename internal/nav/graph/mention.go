package graph

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What an expression evaluates to depends on the names in it, and on the
// expressions of the symbols that those stand for. The columns made here tell
// which names of symbols depend on a name in that way, one step far, and which
// files have references that do.

// mentioned calls f with the names that an expression of a file mentions.
func mentioned(file *facts.File, expr facts.Expr, f func(name string)) {
	expr.Names(f, func(index int) {
		if index < len(file.Symbols) {
			f(file.Symbols[index].Name)
		}
	})
}

// eachSymbolExpr calls f with the expressions of a symbol.
func eachSymbolExpr(s *facts.Symbol, f func(expr facts.Expr)) {
	for _, e := range symbolExprs(s) {
		f(*e)
	}
	for _, list := range symbolLists(s) {
		for _, e := range *list {
			f(e)
		}
	}
	for _, b := range s.Bases {
		f(b.Of)
	}
}

// eachExpr calls f with every expression of a file.
func eachExpr(file *facts.File, f func(expr facts.Expr)) {
	for i := range file.Symbols {
		eachSymbolExpr(&file.Symbols[i], f)
	}
	for i := range file.Refs {
		f(file.Refs[i].Of)
	}
}

// mentions makes the columns.
func (a *assembler) mentions(n int) {
	var pairs []pair
	var touched []pair // of a name and a file
	for i := range a.entries {
		file := a.entries[i].Facts
		here := map[string]bool{}
		touch := func(name string) { here[name] = true }
		for j := range file.Symbols {
			s := &file.Symbols[j]
			touch(s.Name)
			eachSymbolExpr(s, func(expr facts.Expr) {
				mentioned(file, expr, func(name string) { pairs = append(pairs, pair{a.strings[name], a.strings[s.Name]}) })
			})
		}
		done := map[facts.Expr]bool{}
		for j := range file.Refs {
			if of := file.Refs[j].Of; !done[of] {
				done[of] = true
				mentioned(file, of, touch)
			}
		}
		for name := range here {
			touched = append(touched, pair{a.strings[name], uint32(i)})
		}
		if len(pairs) > 1<<20 {
			pairs = sortedPairs(pairs)
		}
	}
	a.parts[partMentionStarts], a.parts[partMentions] = pairColumns(n, sortedPairs(pairs))
	a.parts[partTouchStarts], a.parts[partTouchFiles] = pairColumns(n, sortedPairs(touched))
}

// pairColumns are the second numbers of pairs, by the first.
func pairColumns(n int, pairs []pair) (starts, rows []byte) {
	by := newCSR(n)
	second := make([]uint32, 0, len(pairs))
	for _, p := range pairs {
		by.count(p.name)
		second = append(second, p.as)
	}
	by.place()
	return bytesOf(by.starts), bytesOf(second)
}
