package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/prose"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// A unit is what the references rank: a file, or a symbol's lines.
type unit struct {
	answer

	container, text string
}

// A corpus is one repository in memory, for the references: they rank the very
// files and symbols that the product has.
type corpus struct {
	root           string
	files, symbols []unit
	byPath         map[string][]int // into symbols
}

func (c *corpus) units(level string) []unit {
	if level == "file" {
		return c.files
	}
	return c.symbols
}

// inProcess parses in this process: the files of the set are known to be harmless.
type inProcess struct{ *treesitter.Parser }

func (inProcess) Speaks(language string) bool { return treesitter.Speaks(language) }
func (inProcess) Revision() int               { return 1 }

func (p inProcess) Outline(_ context.Context, f parse.File, want parse.Want) (parse.Outline, error) {
	return p.Parser.Outline(f, want) //nolint:contextcheck // it takes none
}

// maxSize is the product's own limit for a file.
const maxSize = 1 << 20

func loadCorpus(ctx context.Context, root string) (*corpus, error) {
	c := &corpus{root: root, byPath: map[string][]int{}}
	parser := reader.Parser{Outliner: inProcess{treesitter.New()}}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil || len(data) > maxSize {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		text, ok := parse.Decode(data)
		language := filekind.Of(rel, data).Language
		if !ok || prose.IsDocument(rel, language) {
			return nil
		}
		c.files = append(c.files, unit{answer: answer{path: rel}, text: text})
		out := parser.Parse(ctx, parse.File{Path: rel, Language: language, Text: text}, parse.WantSymbols)
		for _, s := range out.Symbols {
			c.byPath[rel] = append(c.byPath[rel], len(c.symbols))
			c.symbols = append(c.symbols,
				unit{answer{rel, s.Name, s.StartLine, s.EndLine}, s.Parent, parse.Slice(text, s.StartLine, s.EndLine)})
		}
		return nil
	})
	return c, err
}

// pathWords are the words of a path without its extension.
func pathWords(p string) string {
	return strings.NewReplacer("/", " ", ".", " ", "-", " ").Replace(strings.TrimSuffix(p, filepath.Ext(p)))
}
