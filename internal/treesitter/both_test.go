//go:build cgo

package treesitter_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestBoth: one parse finds what two find, in every language.
func TestBoth(t *testing.T) {
	eachGolden(t, func(t *testing.T, p *treesitter.Parser, f parse.File, outline parse.Outline, found facts.File) {
		both, kept, err := p.Both(f)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(outline, both); diff != "" {
			t.Errorf("outline (-alone +both)\n%s", diff)
		}
		if kept == nil { // they come from references
			return
		}
		if diff := cmp.Diff(found, *kept, cmp.AllowUnexported(facts.Expr{})); diff != "" {
			t.Errorf("facts (-alone +both)\n%s", diff)
		}
	})
}

// eachGolden is a test for the first file of each golden outline, with what a Parser finds in it.
func eachGolden(
	t *testing.T, test func(*testing.T, *treesitter.Parser, parse.File, parse.Outline, facts.File),
) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Split(strings.TrimSpace(string(ar.Comment)), ", ")
			f := parse.File{Path: ar.Files[0].Name, Language: words[0], Text: prepare(t, ar.Files[0].Data, words[1:])}
			p := treesitter.New()
			outline, err := p.Outline(f, parse.WantSymbols)
			if err != nil {
				t.Fatal(err)
			}
			found, err := p.Facts(f)
			if err != nil {
				t.Fatal(err)
			}
			test(t, p, f, outline, found)
		})
	}
}
