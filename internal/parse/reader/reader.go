// Package reader reads a file with what fits it best: a parser of documents, of
// Go, of markup or of data, an Outliner with a grammar, the table of patterns, or
// by cutting it into chunks.
package reader

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/data"
	"github.com/ragnav/ragnav/internal/parse/gosource"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/parse/prose"
)

// maxAverageLine is the average line length in bytes from which a source file
// is taken for minified or for data: it gets chunks only.
const maxAverageLine = 300

// Parse finds what is in a file: the sections of a document, else the symbols
// of a source file, else chunks. It takes time linear in the text and never
// panics.
func Parse(f parse.File) (out parse.Outline) {
	defer func() {
		// A bug in one parser must cost a file its symbols, not a run its index.
		if recover() != nil {
			out = parse.ChunkOutline(f.Text)
		}
	}()
	f.Text = parse.WithoutConflicts(f.Text)
	return outline(f)
}

func outline(f parse.File) parse.Outline {
	if strings.TrimSpace(f.Text) == "" {
		return parse.ChunkOutline(f.Text)
	}
	if parse := prose.DocumentParser(f.Path, f.Language); parse != nil {
		if out := parse(f); len(out.Sections) > 0 {
			return out
		}
	}
	if len(f.Text)/parse.Lines(f.Text) > maxAverageLine {
		return parse.ChunkOutline(f.Text)
	}
	if f.Language == "Go" {
		return gosource.Outline(f)
	}
	if r := readers[strings.ToLower(f.Language)]; r != nil {
		return r.read(f)
	}
	if lang := patterns.Named(f.Language); lang != nil {
		out := patterns.Outline(f, lang)
		if f.Language == "JSON" {
			out.Symbols = merged(out.Symbols, data.JSONParts(f))
		}
		return out
	}
	return parse.ChunkOutline(f.Text)
}

// merged are symbols with more, in order.
func merged(symbols, more []parse.Symbol) []parse.Symbol {
	if len(more) == 0 {
		return symbols
	}
	all := slices.Concat(symbols, more)
	slices.SortStableFunc(all, parse.ByStart)
	return all
}
