package graph

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What an expression evaluates to depends on the names in it, and on the
// expressions of the symbols that those stand for. The columns made here tell
// which names of symbols depend on a name in that way, one step far, and which
// files have references that do.

// eachToken calls f with the names in an expression, and with the indexes of
// symbols in it, which have no name; the index of a name is -1.
func eachToken(expr string, f func(name string, index int)) {
	const between = ".(){}[]!<>;~^?=:"
	for expr != "" {
		i := strings.IndexAny(expr, between)
		switch {
		case i < 0:
			f(expr, -1)
			return
		case i > 0:
			f(expr[:i], -1)
		}
		caret := expr[i] == '^'
		expr = expr[i+1:]
		if caret {
			end := 0
			for end < len(expr) && '0' <= expr[end] && expr[end] <= '9' {
				end++
			}
			if index, err := strconv.Atoi(expr[:end]); err == nil {
				f("", index)
			}
			expr = expr[end:]
		}
	}
}

// mentioned calls f with the names that an expression of a file mentions.
func mentioned(file *facts.File, expr string, f func(name string)) {
	eachToken(expr, func(name string, index int) {
		if index < 0 {
			f(name)
		} else if index < len(file.Symbols) {
			f(file.Symbols[index].Name)
		}
	})
}

// symbolExprs calls f with the expressions of a symbol.
func symbolExprs(s *facts.Symbol, f func(expr string)) {
	for _, expr := range []string{s.Owner, s.Type, s.Under} {
		f(expr)
	}
	for _, list := range [][]string{s.Results, s.Bounds, s.Takes, s.Args} {
		for _, expr := range list {
			f(expr)
		}
	}
	for _, b := range s.Bases {
		f(b.Of)
	}
}

// eachExpr calls f with every expression of a file.
func eachExpr(file *facts.File, f func(expr string)) {
	for i := range file.Symbols {
		symbolExprs(&file.Symbols[i], f)
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
			symbolExprs(s, func(expr string) {
				mentioned(file, expr, func(name string) { pairs = append(pairs, pair{a.strings[name], a.strings[s.Name]}) })
			})
		}
		done := map[string]bool{}
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
