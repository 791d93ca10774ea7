package nav

import (
	"context"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// A describer reads signatures and doc comments of declarations, each file once.
type describer struct {
	*gateway

	files map[string]*described
}

func newDescriber(g *gateway) *describer {
	return &describer{gateway: g, files: map[string]*described{}}
}

type described struct {
	lines   []string
	outline parse.Outline
}

// item is a meaning as it is told.
func (d *describer) item(ctx context.Context, m usage.Meaning) (models.DefinitionItem, error) {
	item := models.DefinitionItem{
		RepoID: d.id, FilePath: m.File, Line: m.Line, EndLine: m.EndLine, Column: m.Column,
		Symbol: m.Qualified, Kind: m.Kind, Tier: m.Tier, Confidence: share(m.Confidence),
	}
	var err error
	item.Signature, item.Doc, err = d.describe(ctx, m.Def)
	return item, err
}

// describe is the signature of a declaration on one line and its doc comment.
func (d *describer) describe(ctx context.Context, def overlay.Def) (signature, doc string, err error) {
	f, err := d.file(ctx, def.File)
	if err != nil || f == nil {
		return "", "", err
	}
	if s := f.symbol(def); s != nil && s.Signature != "" {
		return s.Signature, clipped(s.Doc), nil
	}
	if def.Line < 1 || def.Line > len(f.lines) {
		return "", "", nil
	}
	return strings.TrimSpace(f.lines[def.Line-1]), clipped(f.commentAbove(def.Line)), nil
}

// maxDoc bounds a doc comment in bytes: what it says first is what is asked for.
const maxDoc = 2000

func clipped(doc string) string {
	if len(doc) <= maxDoc {
		return doc
	}
	return strings.ToValidUTF8(doc[:maxDoc], "") + "…"
}

// file reads and parses a file; nil if it is gone or no text.
func (d *describer) file(ctx context.Context, p string) (*described, error) {
	if f, known := d.files[p]; known {
		return f, nil
	}
	content, err := d.read(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text, ok := parse.Decode(content)
	if err != nil || !ok {
		d.files[p] = nil
		return nil, nil //nolint:nilerr // it is told without
	}
	d.files[p] = describe(ctx, d.Outline, p, text)
	return d.files[p], ctx.Err()
}

// describe outlines a text.
func describe(ctx context.Context, by reader.Parser, p, text string) *described {
	lang := filekind.Dialect(p, language(p), text)
	return &described{
		lines:   strings.Split(text, "\n"),
		outline: by.Parse(ctx, parse.File{Path: p, Language: lang, Text: text}, parse.WantSymbols),
	}
}

// symbol is the symbol of the outline that a declaration is, if it is one.
func (f *described) symbol(def overlay.Def) *parse.Symbol {
	var best *parse.Symbol
	for i := range f.outline.Symbols {
		s := &f.outline.Symbols[i]
		if s.Name != def.Name || def.Line < s.StartLine || def.Line > s.EndLine {
			continue
		}
		if best == nil || s.EndLine-s.StartLine < best.EndLine-best.StartLine {
			best = s
		}
	}
	return best
}

// commentAbove is the comment directly above a line, without its marks.
func (f *described) commentAbove(line int) string {
	first := line - 1
	for first > 0 && isComment(f.lines[first-1]) {
		first--
	}
	var out []string
	for _, l := range f.lines[first : line-1] {
		l = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(l), "/#*!"), "*/")
		out = append(out, strings.TrimSpace(l))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "*") ||
		strings.HasPrefix(line, "# ")
}
