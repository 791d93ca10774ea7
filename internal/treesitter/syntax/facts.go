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

// starters make the walker of a language, by its name in lower case.
var starters = map[string]func(b *builder){
	"python":     func(b *builder) { b.walker = &python{b} },
	"rust":       func(b *builder) { b.walker = &rust{builder: b} },
	"c":          func(b *builder) { b.walker = &clike{b} },
	"c++":        func(b *builder) { b.walker = &clike{b} },
	"java":       func(b *builder) { b.walker = &java{b} },
	"typescript": newScript, "tsx": newScript, "javascript": newScript, "jsx": newScript,
}
