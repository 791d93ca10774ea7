package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Facts are those of a file: its path, its language as go-enry names it, its
// tree, the symbols of its outline and the package that this found. Without a
// walker for the language ok is false.
func Facts(path, language string, t *Tree, outline []Declared, pkg string) (f facts.File, ok bool) {
	b := newBuilder(path, language, t, outline)
	b.pkg = pkg
	if !b.start() {
		return facts.File{}, false
	}
	return b.file(), true
}

// Locals are the names of a file that mean something in a part of it only, in
// order of where they are bound first. A language without a walker has none.
func Locals(path, language string, t *Tree, outline []Declared) []facts.Local {
	b := newBuilder(path, language, t, outline)
	if !b.start() {
		return nil
	}
	b.notes = &notes{of: map[*binding]*noted{}}
	b.file()
	return b.locals()
}

// start makes the walker of the language, if it has one.
func (b *builder) start() bool {
	start := starters[strings.ToLower(b.language)]
	switch {
	case len(b.Nodes) == 0:
		return false
	case start != nil:
		start(b)
	case b.Bound:
		b.walker = newBound(b)
	}
	return b.walker != nil
}

// starters make the walker of a language, by its name in lower case.
var starters = map[string]func(b *builder){
	"python":     func(b *builder) { b.walker = &python{b} },
	"rust":       func(b *builder) { b.walker = &rust{builder: b} },
	"c":          func(b *builder) { b.walker = &clike{b} },
	"c++":        func(b *builder) { b.walker = &clike{b} },
	"java":       func(b *builder) { b.walker = &java{b} },
	"typescript": newScript, "tsx": newScript, "javascript": newScript, "jsx": newScript,
}
