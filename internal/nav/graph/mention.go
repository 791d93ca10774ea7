package graph

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What an expression evaluates to depends on the names in it, and on the
// expressions of the symbols that those stand for. The columns made here tell
// which names of symbols depend on a name in that way, one step far, and which
// files have references that do.

// Mentioned calls f with the names that an expression of a file mentions.
func Mentioned(file *facts.File, expr facts.Expr, f func(name string)) {
	each := func(name string) {
		f(name)
		switch index, err := strconv.Atoi(name[1:]); {
		case err == nil && name[0] == '#' && index < len(file.Imports):
			eachPathName(file, &file.Imports[index], f)
		case err == nil && name[0] == '@' && index < len(file.Symbols):
			f(file.Symbols[index].Name)
		case strings.Contains(name, `\`): // it leads through several
			for part := range strings.SplitSeq(name, `\`) {
				f(part)
			}
		}
	}
	expr.Names(each, func(index int) {
		if index < len(file.Symbols) {
			f(file.Symbols[index].Name)
		}
	})
}

// EachMention calls f with the names that the symbols and imports of a file mention, and
// the names that depend on these.
func EachMention(file *facts.File, f func(name, by string)) {
	for i := range file.Symbols {
		s := &file.Symbols[i]
		eachSymbolExpr(s, func(expr facts.Expr) {
			Mentioned(file, expr, func(name string) {
				f(name, s.Name)
				if of := OperatorOf(file, s); of != "" {
					f(name, of)
				}
			})
		})
	}
	eachImported(file, f)
}

// OperatorOf is the type of a member that is found by calling or indexing a value, or by what that points
// to: who mentions the type may mean it without its name. It is "" for other symbols.
func OperatorOf(file *facts.File, s *facts.Symbol) string {
	sign, operator := strings.CutPrefix(s.Name, "operator") // of C++
	operator = operator && sign != "" && !unicode.IsLetter(rune(sign[0])) && sign[0] != '_'
	switch {
	case !operator && !strings.HasPrefix(s.Name, "__") && s.Name != "()" && !strings.HasPrefix(s.Name, "[") &&
		s.Name != "constructor":
		return ""
	case s.Owner != facts.Nothing:
		return s.Owner.LastName()
	case s.Parent >= 0:
		return file.Symbols[s.Parent].Name
	}
	return ""
}

// eachSymbolExpr calls f with the expressions of a symbol.
func eachSymbolExpr(s *facts.Symbol, f func(expr facts.Expr)) {
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
		touch(f.Symbols[i].Name)
	}
	EachMention(f, func(name, by string) {
		seen[pair{w.named(name), w.named(by)}] = true
		if strings.HasSuffix(by, "*") {
			touch(by)
		}
	})
	ImportAliases(f, func(name, as string) { w.named(name); w.named(as) })
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
