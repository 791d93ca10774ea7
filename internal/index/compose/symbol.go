package compose

import (
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

const bodyPreviewLines = 4

func (c *composer) symbol(s parse.Symbol) models.DocumentID {
	qualified := s.Qualified
	if qualified == "" {
		qualified = s.Name
	}
	id := models.SymbolID(c.Repo, c.Record.Path, qualified, c.nth(qualified))
	source := c.lines.Slice(c.Text, s.StartLine, s.EndLine)
	d := models.Document{
		Header:      c.header(models.TypeSymbol, id),
		Signature:   s.Signature,
		ParentID:    models.FileID(c.Repo, c.Record.Path),
		ContentHash: models.HashText(c.lines.Slice(c.Raw, s.StartLine, s.EndLine)),
	}
	d.SymbolName, d.QualifiedName, d.Kind = s.Name, qualified, s.Kind
	d.StartLine, d.EndLine = s.StartLine, s.EndLine
	d.Test = d.Test || filekind.InTest(c.Record.Path, s.Kind, qualified)
	d.Content, d.SummarySource = symbolContent(s, source)
	d.Text = Clip(symbolNames(s, c.Record.Path)+source, maxSymbolText)
	in := embed.Input{Text: Clip(source, MaxEmbedText), Parent: s.Parent, File: BaseName(c.Record.Path)}
	if s.Kind != models.KindChunk {
		in.Name = s.Name
	}
	c.add(d, in)
	return id
}

// symbolContent is the signature with the doc comment, or where there is none
// with the first lines of the body. A chunk is its lines.
func symbolContent(s parse.Symbol, source string) (string, models.SummarySource) {
	source = strings.TrimRight(source, "\r\n")
	switch {
	case s.Kind == models.KindChunk:
		return Shorten(source, maxChunkContent), models.SummaryExtracted
	case s.Doc != "":
		return Shorten(strings.TrimLeft(s.Signature+"\n\n"+s.Doc, "\n"), MaxSymbolContent), models.SummaryDocstring
	}
	preview := parse.Slice(source, 1, bodyPreviewLines)
	if len(preview) < len(source) {
		preview = strings.TrimRight(preview, "\r\n") + "\n…"
	}
	if s.Signature != "" && !strings.Contains(preview, s.Signature) {
		preview = s.Signature + "\n\n" + preview
	}
	return Shorten(preview, MaxSymbolContent), models.SummaryExtracted
}

// symbolNames are the weighted words before a symbol's source: the name counts
// 4 times more, its type or receiver twice, the path's words once. A chunk has
// no name of its own.
func symbolNames(s parse.Symbol, file string) string {
	var b strings.Builder
	if s.Kind != models.KindChunk {
		b.WriteString(times(4, s.Name))
		b.WriteString(times(2, s.Parent))
	}
	b.WriteString(pathWords(file))
	if s.Kind == models.KindChunk {
		b.WriteString(" " + path.Ext(file))
	}
	b.WriteByte('\n')
	return b.String()
}
