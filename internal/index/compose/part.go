package compose

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// sections makes the documents of a prose file. Sections directly below the
// file come first in its record, see FileRecord.Top.
func (c *composer) sections() {
	sections := c.Outline.Sections[:min(len(c.Outline.Sections), maxSymbols)]
	ids := make([]models.DocumentID, len(sections))
	children := make([][]models.DocumentID, len(sections))
	for i, s := range sections {
		slug := sectionSlug(s)
		ids[i] = models.SectionID(c.Repo, c.Record.Path, slug, c.nth(slug))
		if s.Parent >= 0 && s.Parent < i {
			children[s.Parent] = append(children[s.Parent], ids[i])
		}
	}
	for _, top := range []bool{true, false} {
		for i, s := range sections {
			below := s.Parent >= 0 && s.Parent < i
			if below == top {
				continue
			}
			parent := moduleOf(c.Repo, c.Record.Path)
			if below {
				parent = ids[s.Parent]
			}
			c.section(s, ids[i], parent, children[i])
		}
		if top {
			c.Record.Top = len(c.docs)
		}
	}
	c.Record.Summary = documentSummary(sections)
}

func (c *composer) section(s parse.Section, id, parent models.DocumentID, children []models.DocumentID) {
	d := models.Document{
		Header:        c.header(models.TypeDocument, id),
		Content:       Shorten(strings.TrimSpace(s.Text), maxSectionContent),
		SummarySource: models.SummaryExtracted,
		ParentID:      parent, ChildrenIDs: children,
		Title: s.Title, Heading: s.Heading, HeadingLevel: s.HeadingLevel, HeaderPath: s.HeaderPath,
		Aliases: s.Aliases, Tags: s.Tags, Wikilinks: s.Wikilinks, CreatedDate: s.CreatedDate, ModifiedDate: s.ModifiedDate,
		ContentHash: models.HashText(c.lines.Slice(c.Raw, s.StartLine, s.EndLine)),
	}
	d.Kind, d.StartLine, d.EndLine = "section", s.StartLine, s.EndLine
	if d.Content == "" {
		d.Content = strings.Join(s.HeaderPath, " > ")
	}
	path := strings.Join(s.HeaderPath, " ")
	d.Text = Clip(times(3, s.Heading)+times(2, s.Title)+path+" "+strings.Join(slices.Concat(s.Aliases, s.Tags), " ")+" "+
		pathWords(c.Record.Path)+"\n"+s.Text, maxSymbolText)
	c.add(d, embed.Input{Text: Clip(path+"\n"+s.Text, MaxEmbedText), Name: s.Heading, File: BaseName(c.Record.Path)})
}

// sectionSlug names a section in its id. Text before the first heading goes by
// its title.
func sectionSlug(s parse.Section) string {
	switch {
	case s.Slug != "":
		return s.Slug
	case s.HeadingLevel == 0:
		return "top"
	}
	return "section"
}

// documentSummary is a document's title and the first words that say something, on one
// line.
func documentSummary(sections []parse.Section) string {
	if len(sections) == 0 {
		return ""
	}
	title, words := OneLine(sections[0].Title), ""
	for i, s := range Introduction(sections) {
		if words = firstParagraph(s.Text, MaxSummary); words == "" {
			continue
		}
		if i == 0 && s.HeadingLevel == 0 && len(sections) > 1 && title == OneLine(sections[1].Heading) {
			title = "" // that of what comes behind
		}
		break
	}
	switch {
	case words == "":
		return Shorten(title, MaxSummary)
	case title == "" || strings.HasPrefix(words, title):
		return Shorten(words, MaxSummary)
	}
	return Shorten(title+": "+words, MaxSummary)
}

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
	d.Test = d.Test || filekind.InTest(c.Record.Path, s.Kind, qualified) || filekind.SaysTest(c.Record.Path, source)
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
