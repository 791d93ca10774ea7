//go:build cgo

package treesitter_test

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// BenchmarkOutline parses the text of the golden files, 200 times over in one
// file each. Real trees are in bench/parse.
func BenchmarkOutline(b *testing.B) {
	for _, language := range []string{"python_nested", "typescript", "java", "rust", "c"} {
		b.Run(language, func(b *testing.B) {
			ar, err := txtar.ParseFile("testdata/" + language + ".txtar")
			if err != nil {
				b.Fatal(err)
			}
			name, _, _ := strings.Cut(strings.TrimSpace(string(ar.Comment)), ",")
			f := parse.File{Path: ar.Files[0].Name, Language: name, Text: strings.Repeat(string(ar.Files[0].Data), 200)}
			p := treesitter.New()
			b.SetBytes(int64(len(f.Text)))
			for b.Loop() {
				if _, err := p.Outline(f, parse.WantSymbols); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
