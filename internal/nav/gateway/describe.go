package gateway

import (
	"context"
	"math"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// A Describer reads signatures and doc comments of declarations, each file once.
type Describer struct {
	*Gateway

	Away bool // who reads outlines was away, so that one of them is of less than there is

	files map[string]*Described
}

// NewDescriber returns one for the files of a repository.
func NewDescriber(g *Gateway) *Describer {
	return &Describer{Gateway: g, files: map[string]*Described{}}
}

// A Described file is its lines and its outline.
type Described struct {
	lines   []string
	Outline parse.Outline
}

// Item is a meaning as it is told.
func (d *Describer) Item(ctx context.Context, m usage.Meaning) (models.DefinitionItem, error) {
	item := models.DefinitionItem{
		RepoID: d.ID, FilePath: m.File, Line: m.Line, EndLine: m.EndLine, Column: m.Column,
		Symbol: m.Qualified, Kind: m.Kind, Tier: m.Tier, Confidence: Share(m.Confidence),
	}
	var err error
	item.Signature, item.Doc, err = d.Describe(ctx, m.Def)
	return item, err
}

// Describe is the signature of a declaration on one line and its doc comment.
func (d *Describer) Describe(ctx context.Context, def overlay.Def) (signature, doc string, err error) {
	f, err := d.File(ctx, def.File)
	if err != nil || f == nil {
		return "", "", err
	}
	if s := f.Symbol(def); s != nil && s.Signature != "" {
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

// File reads and parses a file; nil if it is gone or no text.
func (d *Describer) File(ctx context.Context, p string) (*Described, error) {
	if f, known := d.files[p]; known {
		return f, nil
	}
	content, err := d.Read(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text, ok := parse.Decode(content)
	if err != nil || !ok {
		d.files[p] = nil
		return nil, nil //nolint:nilerr // it is told without
	}
	f := d.Opener.described(ctx, p, text)
	d.files[p], d.Away = f, d.Away || f.Outline.Away
	return d.files[p], ctx.Err()
}

// Describe outlines a text.
func Describe(ctx context.Context, by reader.Parser, p, text string, want parse.Want) *Described {
	lang := filekind.Dialect(p, filekind.Language(p), text)
	return &Described{
		lines:   strings.Split(text, "\n"),
		Outline: by.Parse(ctx, parse.File{Path: p, Language: lang, Text: text}, want),
	}
}

// Symbol is the symbol of the outline that a declaration is, if it is one.
func (f *Described) Symbol(def overlay.Def) *parse.Symbol {
	var best *parse.Symbol
	for i := range f.Outline.Symbols {
		s := &f.Outline.Symbols[i]
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
func (f *Described) commentAbove(line int) string {
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

// Share is a confidence as it is shown: to three digits.
func Share(c float32) float64 { return math.Round(float64(c)*1000) / 1000 }
