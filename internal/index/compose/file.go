package compose

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// MaxSummary bounds a file's Summary in its record, in bytes.
const MaxSummary = 300

// file makes the file_index and its symbols. A file has no vector: one vector
// of a whole file is no help, files rank by their best symbol.
func (c *composer) file() {
	d := models.Document{
		Header:        c.header(models.TypeFile, models.FileID(c.Repo, c.Record.Path)),
		ParentID:      moduleOf(c.Repo, c.Record.Path),
		ContentHash:   models.HashText(c.Raw),
		SummarySource: models.SummaryExtracted,
	}
	d.Kind, d.StartLine, d.EndLine = "file", 1, c.Record.Lines
	about := withoutLicence(parse.WithoutTags(c.Outline.Summary))
	if about != "" {
		d.SummarySource = models.SummaryDocstring
	}
	c.Record.Summary, c.Record.Top = firstParagraph(about, MaxSummary), 1
	d.Content = c.fileContent(about)
	d.Text = times(2, pathWords(c.Record.Path)) + c.Outline.Package + "\n" + c.Text
	c.add(d, embed.Input{})
	symbols := c.Outline.Symbols
	if r := c.Record; !r.Test && !r.Generated && !r.Vendored && c.Outline.Method != parse.MethodChunks {
		symbols = withGaps(c.Text, symbols)
	}
	symbols = symbols[:min(len(symbols), maxSymbols)]
	children := make([]models.DocumentID, len(symbols))
	for i, s := range symbols {
		children[i] = c.symbol(s)
	}
	c.docs[0].ChildrenIDs = children
}

// fileContent is the path and package, the leading comment, and what the file
// declares with a line each; exported names come first.
func (c *composer) fileContent(about string) string {
	var b strings.Builder
	b.WriteString(c.Record.Path)
	if c.Outline.Package != "" {
		b.WriteString(" (package " + c.Outline.Package + ")")
	}
	b.WriteByte('\n')
	if about != "" {
		b.WriteString("\n" + Shorten(about, maxFileContent/2) + "\n")
	}
	declared := c.declared()
	if len(declared) == 0 && about == "" {
		b.WriteString("\n" + strings.TrimRight(c.lines.Slice(c.Text, 1, 2*bodyPreviewLines), "\r\n"))
	}
	for i, line := range declared {
		if i == 0 {
			b.WriteString("\nDeclares:\n")
		}
		if b.Len()+len(line) > maxFileContent {
			b.WriteString("…\n")
			break
		}
		b.WriteString(line + "\n")
	}
	return Shorten(strings.TrimRight(b.String(), "\n"), maxFileContent)
}

// declared has a line for each named symbol: exported ones first, and values
// that are members of a type last, as there may be many; each group in the
// file's order.
func (c *composer) declared() []string {
	var exported, others, values []string
	for _, s := range c.Outline.Symbols {
		if s.Kind == models.KindChunk {
			continue
		}
		line := s.Kind + " " + s.Qualified
		if s.Doc != "" {
			line += ": " + FirstSentence(s.Doc)
		}
		switch {
		case s.Parent != "" && (s.Kind == "const" || s.Kind == "property" || s.Kind == "field"):
			values = append(values, line)
		case s.Exported:
			exported = append(exported, line)
		default:
			others = append(others, line)
		}
	}
	return slices.Concat(exported, others, values)
}

// withoutLicence drops the paragraphs that state a licence from a leading comment.
func withoutLicence(comment string) string {
	var kept []string
	for p := range strings.SplitSeq(keyword().ReplaceAllString(strings.ReplaceAll(comment, "\r\n", "\n"), ""), "\n\n") {
		if q := OneLine(Clip(p, 400)); q != "" && !isLicence(q) {
			kept = append(kept, strings.Trim(p, "\n"))
		}
	}
	return strings.Join(kept, "\n\n")
}
