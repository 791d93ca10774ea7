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
	start := starters[strings.ToLower(language)]
	if start == nil || len(t.Nodes) == 0 {
		return facts.File{}, false
	}
	start(b)
	return b.file(), true
}

// Locals are the names of a file that mean something in a part of it only, in
// order of where they are bound first. A language without a walker has none.
func Locals(path, language string, t *Tree, outline []Declared) []facts.Local {
	b := newBuilder(path, language, t, outline)
	start := starters[strings.ToLower(language)]
	if start == nil || len(t.Nodes) == 0 {
		return nil
	}
	start(b)
	b.notes = &notes{of: map[*binding]*noted{}}
	b.file()
	return b.locals()
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
