// Package syntax finds what the text of one file says about names (facts.File)
// from its syntax tree. It knows no parser: a tree is a slice of nodes. Each
// language is a walker over such a tree, a package of its own.
package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/bound"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/clike"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/java"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/python"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/rust"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/scala"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/script"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/swift"
)

// Facts are those of a file: its path, its language as go-enry names it, its
// tree, the symbols of its outline and the package that this found. Without a
// walker for the language ok is false.
func Facts(path, language string, t *binder.Tree, outline []binder.Declared, pkg string) (f facts.File, ok bool) {
	b := binder.NewBuilder(path, language, t, outline)
	b.Pkg = pkg
	if !start(b) {
		return facts.File{}, false
	}
	return b.File(), true
}

// Locals are the names of a file that mean something in a part of it only, in
// order of where they are bound first. A language without a walker has none.
func Locals(path, language string, t *binder.Tree, outline []binder.Declared) []facts.Local {
	b := binder.NewBuilder(path, language, t, outline)
	if !start(b) {
		return nil
	}
	b.Notes = &binder.Notes{Of: map[*binder.Binding]*binder.Noted{}}
	b.File()
	return b.Locals()
}

// starters make the walker of a language, by its name in lower case.
var starters = map[string]func(*binder.Builder) binder.Walker{
	"python": python.New, "rust": rust.New, "c": clike.New, "c++": clike.New, "java": java.New, "swift": swift.New,
	"scala":      scala.New,
	"typescript": script.New, "tsx": script.New, "javascript": script.New, "jsx": script.New,
	"vue": script.New, "svelte": script.New, "astro": script.New,
}

// start makes the walker of the language, if it has one.
func start(b *binder.Builder) bool {
	start := starters[strings.ToLower(b.Language)]
	switch {
	case len(b.Nodes) == 0:
		return false
	case start != nil:
		b.Walker = start(b)
	case b.Bound:
		b.Walker = bound.New(b)
	}
	return b.Walker != nil
}
