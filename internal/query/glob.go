package query

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// mostAround is how many words a text has at most in which globs select: longer ones were
// written or copied, and mention them.
const mostAround = 12

// Globs are the queries in which the words that are globs of paths select files, as file:
// does; behind that in which they are globs from the root those in any folder. There are
// none for a text without: "*.proto", "retry src/**/*_test.go", "mux -*.md" have one.
func (q Query) Globs() []Query {
	if !strings.ContainsAny(q.Words, "*{") && !Has(q.Root, isGlobWord) {
		return nil
	}
	g := globber{root: q.Root}
	if g.root == nil {
		g.root = plainParts(q.Words)
	}
	all := []Query{g.query(q.Case)}
	switch {
	case g.found == 0 || len(strings.Fields(q.Words)) > mostAround:
		return nil
	case g.rooted:
		g.anywhere = true
		all = append(all, g.query(q.Case))
	}
	return all
}

// OnlyPaths reports whether a text is nothing but globs of paths, which names of symbols
// as "exec.*" are not for certain.
func (q Query) OnlyPaths() bool {
	parts := Parts(q.Root)
	if q.Root == nil {
		parts = plainParts(q.Words)
	}
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(n Node) bool {
		w, ok := n.(Word)
		return !ok || !isGlob(w.Text) || w.Text[0] != '*' && !strings.Contains(w.Text, "/")
	})
}

// plainParts are the words of a text without operators, those behind a dash negated that
// are globs.
func plainParts(text string) And {
	var parts And
	for word := range strings.FieldsSeq(text) {
		if rest, ok := strings.CutPrefix(word, "-"); ok && isGlob(rest) {
			parts = append(parts, Not{Word{rest, 0}})
		} else {
			parts = append(parts, Word{word, 0})
		}
	}
	return parts
}

func isGlobWord(n Node) bool {
	w, ok := n.(Word)
	return ok && isGlob(w.Text)
}

// A globber makes fields of the globs among the parts that must hold.
type globber struct {
	root     Node
	anywhere bool // globs are of any folder
	found    int  // globs that select
	rooted   bool // one of them has a slash and is from the root
}

func (g *globber) query(caseYes bool) Query {
	g.found = 0
	var rest And
	var globs Or
	for _, part := range Parts(g.root) {
		not, negated := part.(Not)
		switch {
		case isGlobWord(part):
			globs = append(globs, g.field(part.(Word)))
		case negated && isGlobWord(not.Node):
			rest = append(rest, Not{g.field(not.Node.(Word))})
		default:
			rest = append(rest, part)
		}
	}
	switch len(globs) {
	case 0:
	case 1:
		rest = append(rest, globs[0])
	default:
		rest = append(rest, globs)
	}
	return Query{Root: rest, Case: caseYes, Words: words(rest)}
}

func (g *globber) field(w Word) Field {
	g.found++
	glob := w.Text
	if strings.Contains(strings.TrimPrefix(glob, "**/"), "/") && !strings.HasPrefix(glob, "**/") {
		g.rooted = true
		if g.anywhere {
			glob = "**/" + strings.TrimPrefix(glob, "./")
		}
	}
	return Field{FieldFile, glob, w.At}
}

var (
	// globForm is characters of paths, with a star or alternatives among them.
	globForm = pattern.NewLazy(`^[\w.@+*?/\[\]{},-]*(?:\*|\{[\w.,*-]+,[\w.,*-]+\})[\w.@+*?/\[\]{},-]*$`)
	// fileGlob ends like the name of a file: "*_test.go", "webpack.config.*".
	fileGlob = pattern.NewLazy(`\.(?:[a-z][a-z0-9]{0,9}|\{[a-z0-9,]+\}|\*)$`)
	// mediaTypes are no folders.
	mediaTypes = []string{"application/*", "audio/*", "font/*", "image/*", "text/*", "video/*", "multipart/*", "*/*"}
)

// isGlob reports whether a word is a glob of paths: it has a folder in it, or ends in what
// names of files end in. Pointers, lists of parameters, globs of names and routes are none.
func isGlob(word string) bool {
	if len(word) < 3 || !strings.ContainsAny(word, "*{") || word[0] == '/' || slices.Contains(mediaTypes, word) ||
		!globForm().MatchString(word) || !strings.ContainsAny(word, letters) {
		return false
	}
	return strings.Contains(word, "/") || fileGlob().MatchString(word)
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
