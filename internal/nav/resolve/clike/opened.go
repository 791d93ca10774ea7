package clike

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

type openedKey struct{ name string }

// opened are the files with a macro that opens a namespace of a name: "#define
// LIB_BEGIN namespace lib {".
func opened(l Language, q *resolve.Query, name string) []resolve.FileID {
	return resolve.Once(q, openedKey{name}, func() (files []resolve.FileID) {
		for _, id := range q.World().Defs(name) {
			s := q.Symbol(id)
			if s.Kind == "namespace" && s.Parent >= 0 && l.speaks(q, id.File) && isMacro(&q.File(id.File).Symbols[s.Parent]) {
				files = append(files, id.File)
			}
		}
		return files
	})
}

// behind reports whether a symbol that nothing is around may be in a namespace that a
// macro opens, which its file knows.
func behind(l Language, q *resolve.Query, name string, id resolve.SymbolID) bool {
	files := opened(l, q, name)
	if len(files) == 0 || !l.speaks(q, id.File) || !alone(q, id) {
		return false
	}
	included := l.included(q, id.File)
	for _, f := range files {
		if f == id.File || included[f] {
			return true
		}
	}
	return false
}

// alone reports whether nothing is around a symbol, or an enum that its constants are
// known around, and nothing around that.
func alone(q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	if s.Parent < 0 {
		return s.Kind != "macro"
	}
	up := &q.File(id.File).Symbols[s.Parent]
	return s.Kind == "const" && up.Kind == "enum" && up.Under == facts.Nothing && up.Parent < 0
}
