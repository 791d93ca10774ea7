package prose

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// sectionBuilder makes sections of headings and lines in the order they come.
type sectionBuilder struct {
	meta     metadata
	file     string
	sections []parse.Section
	text     []string // of the last section
	open     []int    // indices of the headings around, outermost first
	sparse   bool     // between a section's last line and the next heading are lines that are in neither
}

// A metadata is what a document says about itself.
type metadata struct {
	title             string
	aliases           []string
	tags              []string
	links             []string // to other notes
	created, modified string
}

// heading begins a section on a line, 1-indexed.
func (b *sectionBuilder) heading(level int, text string, line int) {
	b.close(line - 1)
	if text == "" {
		text = emptySlug
	}
	for len(b.open) > 0 && b.sections[b.open[len(b.open)-1]].HeadingLevel >= level {
		b.open = b.open[:len(b.open)-1]
	}
	s := parse.Section{Heading: text, HeadingLevel: level, Parent: -1, Slug: slug(text), StartLine: line, EndLine: line}
	if n := len(b.open); n > 0 {
		s.Parent = b.open[n-1]
		s.HeaderPath = slices.Clone(b.sections[s.Parent].HeaderPath)
	}
	s.HeaderPath = append(s.HeaderPath, text)
	b.sections = append(b.sections, s)
	b.open = append(b.open, len(b.sections)-1)
}

// prose adds a line of text with markup, and code one without.
func (b *sectionBuilder) prose(text string, line int) {
	s := b.at(text, line)
	if s == nil {
		return
	}
	s.Tags = appendNew(s.Tags, inlineTags(text)...)
	s.Wikilinks = appendNew(s.Wikilinks, wikilinks(text)...)
	b.text = append(b.text, plain(text))
}

func (b *sectionBuilder) code(text string, line int) {
	if b.at(text, line) != nil {
		b.text = append(b.text, strings.TrimRight(text, " \t\r"))
	}
}

// mark takes the tags and links of a heading with markup.
func (b *sectionBuilder) mark(text string) {
	s := &b.sections[len(b.sections)-1]
	s.Tags = appendNew(s.Tags, inlineTags(text)...)
	s.Wikilinks = appendNew(s.Wikilinks, wikilinks(text)...)
}

// at is the section that a line belongs to; nil for blank lines before the
// first one.
func (b *sectionBuilder) at(text string, line int) *parse.Section {
	if len(b.sections) == 0 {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		b.sections = append(b.sections, parse.Section{Parent: -1, StartLine: line})
	}
	s := &b.sections[len(b.sections)-1]
	s.EndLine = line
	return s
}

// close ends the last section, whose last line is given.
func (b *sectionBuilder) close(end int) {
	if len(b.sections) == 0 {
		return
	}
	s := &b.sections[len(b.sections)-1]
	if !b.sparse {
		s.EndLine = max(s.EndLine, end)
	}
	s.Text = trimBlankLines(b.text)
	b.text = b.text[:0]
}

// outline ends the document at its last line.
func (b *sectionBuilder) outline(lines, end int) parse.Outline {
	b.close(end)
	title := b.meta.title
	for i := 0; title == "" && i < len(b.sections); i++ {
		title = b.sections[i].Heading
	}
	if title == "" {
		title = noteName(b.file)
	}
	created := cmp.Or(b.meta.created, nameDate(b.file))
	for i := range b.sections {
		s := &b.sections[i]
		s.Title, s.Aliases, s.CreatedDate, s.ModifiedDate = title, b.meta.aliases, created, b.meta.modified
		if i == 0 {
			s.Wikilinks = appendNew(b.meta.links, s.Wikilinks...)
		}
		s.EndLine = max(s.StartLine, min(s.EndLine, lines))
		s.Tags = appendNew(slices.Clone(b.meta.tags), s.Tags...)
		if s.Heading == "" {
			s.Heading, s.HeaderPath, s.Slug = title, []string{title}, slug(title)
		}
	}
	return parse.Outline{Method: parse.MethodSections, Lines: lines, Summary: b.summary(), Sections: b.sections}
}

// noteName is a file's name, of Markdown without the ending, as notes are called.
func noteName(file string) string {
	name := path.Base(file)
	if ext := path.Ext(name); ext == ".md" || ext == ".markdown" {
		return cmp.Or(strings.TrimSuffix(name, ext), name)
	}
	return name
}

// maxSummary caps a document's Outline.Summary in bytes.
const maxSummary = 1000

// summary is the first paragraph of the document.
func (b *sectionBuilder) summary() string {
	for _, s := range b.sections {
		for paragraph := range strings.SplitSeq(s.Text, "\n\n") {
			if text := strings.TrimSpace(paragraph); strings.Count(text, " ") >= 4 {
				return strings.ToValidUTF8(text[:min(len(text), maxSummary)], "")
			}
		}
	}
	return ""
}

// appendNew appends the items that are not in the list yet.
func appendNew(list []string, items ...string) []string {
	for _, item := range items {
		if !slices.Contains(list, item) && len(list) < maxTags {
			list = append(list, item)
		}
	}
	return list
}

// maxTags caps the tags, and the links, of a section.
const maxTags = 200

// trimBlankLines joins lines without the blank ones at both ends and with
// runs of blank ones as one.
func trimBlankLines(lines []string) string {
	var out strings.Builder
	gap := 0
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			gap = min(gap+1, 1)
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n\n"[:1+gap])
		}
		out.WriteString(line)
		gap = 0
	}
	return out.String()
}
