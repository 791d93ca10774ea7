package graph

import (
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What an expression evaluates to depends on the names in it, and on the
// expressions of the symbols that those stand for. The columns made here tell
// which names of symbols depend on a name in that way, one step far, and which
// files have references that do.

// Mentioned calls f with the names that an expression of a file mentions.
func Mentioned(file *facts.File, expr facts.Expr, f func(name string)) {
	expr.Names(f, func(index int) {
		if index < len(file.Symbols) {
			f(file.Symbols[index].Name)
		}
	})
}

// EachSymbolExpr calls f with the expressions of a symbol.
func EachSymbolExpr(s *facts.Symbol, f func(expr facts.Expr)) {
	for _, e := range SymbolExprs(s) {
		f(*e)
	}
	for _, list := range SymbolLists(s) {
		for _, e := range *list {
			f(e)
		}
	}
	for _, b := range s.Bases {
		f(b.Of)
	}
}

// mentions notes which names the file's symbols and references mention.
func (w *factWriter) mentions(f *facts.File) (pairs []pair, touched []uint32) {
	here := map[string]bool{}
	touch := func(name string) { here[name] = true }
	seen := map[pair]bool{}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		touch(s.Name)
		EachSymbolExpr(s, func(expr facts.Expr) {
			Mentioned(f, expr, func(name string) { seen[pair{w.named(name), w.named(s.Name)}] = true })
		})
	}
	done := map[facts.Expr]bool{}
	for i := range f.Refs {
		f.Refs[i].Exprs(func(e facts.Expr) {
			if !done[e] {
				done[e] = true
				Mentioned(f, e, touch)
			}
		})
	}
	for name := range here {
		touched = append(touched, w.named(name))
	}
	return slices.Collect(maps.Keys(seen)), touched
}

// mentions makes the columns.
func (a *assembler) mentions(n int) {
	var pairs []pair
	var touched []pair // of a name and a file
	for i := range a.entries {
		e := &a.entries[i]
		for _, p := range e.mentions {
			pairs = append(pairs, pair{a.final[p.name], a.final[p.as]})
		}
		for _, name := range e.touched {
			touched = append(touched, pair{a.final[name], uint32(i)})
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
