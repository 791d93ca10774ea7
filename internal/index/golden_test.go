package index_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/golden"
)

// Each testdata/*.txtar is a small repository; its golden file has the
// documents that are made of it.
func TestDocuments(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, file string) {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b := setUp(t, nil)
		for _, f := range archive.Files {
			b.write(f.Name, string(f.Data))
		}
		b.run()
		golden.File(t, strings.TrimSuffix(file, ".txtar")+".golden", b.describe())
	})
}

// describe prints all documents in order of their ids.
func (b *bench) describe() string {
	docs := b.store.all()
	var s strings.Builder
	for _, id := range slices.Sorted(maps.Keys(docs)) {
		d := docs[id]
		fmt.Fprintf(&s, "== %s\n%s %s %s %s %q lines %d-%d %s\n", id, d.Type, d.Kind, d.Language, d.FilePath, d.QualifiedName,
			d.StartLine, d.EndLine, d.SummarySource)
		fmt.Fprintf(&s, "parent %s\nchildren %v\n", d.ParentID, d.ChildrenIDs)
		if d.Test || d.Generated || d.Vendored {
			fmt.Fprintf(&s, "test %v generated %v vendored %v\n", d.Test, d.Generated, d.Vendored)
		}
		if d.Heading != "" {
			fmt.Fprintf(&s, "%q > %q, level %d of %q, tags %v, links %v\n", d.HeaderPath, d.Heading, d.HeadingLevel, d.Title,
				d.Tags, d.Wikilinks)
		}
		if d.Signature != "" {
			fmt.Fprintf(&s, "signature %s\n", d.Signature)
		}
		fmt.Fprintf(&s, "-- content\n%s\n-- text\n%s\n\n", indent(d.Content), indent(d.Text))
	}
	return s.String()
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}
