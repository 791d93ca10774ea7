//go:build cgo

package treesitter

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/repo/filekind"
)

var shown = flag.String("show", "", "`file` of which TestShow prints the tree, for who writes a query")

// TestShow prints the tree of a file as its language's grammar makes it: a line a
// named node, with its field and, of leaves, its text.
func TestShow(t *testing.T) {
	if *shown == "" {
		t.Skip("no -show FILE")
	}
	text, err := os.ReadFile(*shown)
	if err != nil {
		t.Fatal(err)
	}
	name := filekind.Of(*shown, text).Language
	language := table()[strings.ToLower(name)]
	if language == nil {
		t.Fatalf("%q, the language of %s, has no row in languages.go", name, *shown)
	}
	parser := sitter.NewParser()
	parser.SetLanguage(language.grammar())
	tree, err := parser.ParseCtx(context.Background(), nil, text)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var b strings.Builder
	show(&b, tree.RootNode(), text, "", 0)
	t.Log("\n" + b.String())
}

func show(b *strings.Builder, n *sitter.Node, text []byte, field string, depth int) {
	b.WriteString(strings.Repeat("  ", depth))
	if field != "" {
		b.WriteString(field + ": ")
	}
	b.WriteString(n.Type())
	if n.NamedChildCount() == 0 {
		b.WriteString(" " + n.Content(text))
	}
	b.WriteByte('\n')
	for i := range int(n.ChildCount()) {
		if c := n.Child(i); c.IsNamed() {
			show(b, c, text, n.FieldNameForChild(i), depth+1)
		}
	}
}
