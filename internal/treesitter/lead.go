//go:build cgo

package treesitter

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// above finds the comments and attributes that end where from begins, each
// with nothing else on its lines. It returns where they begin, and what the
// comments say. Licences and comments for tools, like "#!/bin/sh", belong to
// the file: the declaration begins below those that nothing else is above.
func (o *outliner) above(from int) (start int, doc string) {
	i := sort.Search(len(o.leads), func(i int) bool { return o.leads[i].start >= from })
	start = from
	said := ""
	var comments []remark
	for i--; i >= 0; i-- {
		l := o.leads[i]
		if l.end > from || strings.Count(o.text[l.end:from], "\n") > o.gap(l) ||
			strings.TrimSpace(o.text[l.end:from]) != "" || !o.alone(i) {
			break
		}
		from = l.start
		if l.comment {
			comments = append(comments, o.remark(l.span))
		} else {
			start, said = from, cmp.Or(said, o.docIn(l.span))
		}
	}
	slices.Reverse(comments)
	comments = belowLicence(comments)
	if len(comments) == 0 {
		return start, said
	}
	texts := make([]string, len(comments))
	for i, c := range comments {
		texts[i] = c.raw
	}
	return min(start, comments[0].start), cmp.Or(said, parse.CommentText(texts))
}

// docIn is what an attribute says of what it stands before; "" if nothing.
func (o *outliner) docIn(attr span) string {
	i := sort.Search(len(o.docs), func(i int) bool { return o.docs[i].start >= attr.start })
	if i == len(o.docs) || !attr.holds(o.docs[i]) {
		return ""
	}
	return parse.StringText(o.slice(o.docs[i]))
}

// A remark is a comment above a declaration.
type remark struct {
	span

	raw  string
	kind remarkKind
}

type remarkKind int

const (
	tells     remarkKind = iota // something to a reader
	empty                       // nothing, or lines that only decorate
	forTools                    // all of its lines
	ofLicence                   // some of its words
)

func (o *outliner) remark(s span) remark {
	r := remark{span: s, raw: o.slice(s)}
	text := parse.CommentText([]string{r.raw})
	switch {
	case text == "":
		r.kind = empty
	case strings.HasPrefix(r.raw, "#!"):
		r.kind = forTools
	case parse.SummaryText(text) != "" && !disclaims(text):
	case !disclaims(text) && parse.SummaryText("words\n"+text) != "": // without a licence other lines stay
		r.kind = forTools
	default:
		r.kind = ofLicence
	}
	return r
}

// disclaims reports whether a text is of the paragraph that ends most
// licences.
func disclaims(text string) bool {
	return strings.Contains(text, "WARRANTIES") || strings.Contains(text, "WARRANTY") || strings.Contains(text, `"AS IS"`)
}

// belowLicence is what is left of the comments above a declaration without
// those for tools, and without the paragraphs to the last one of a licence. A
// block comment is a paragraph.
func belowLicence(all []remark) []remark {
	from, licence := 0, false
	for i, r := range all {
		if r.kind == ofLicence {
			licence = true
		}
		ends := i+1 == len(all) || r.kind == empty || r.isBlock() || all[i+1].isBlock()
		if ends && licence {
			from, licence = i+1, false
		}
	}
	rest := slices.DeleteFunc(all[from:], func(r remark) bool { return r.kind == forTools })
	if first := slices.IndexFunc(rest, func(r remark) bool { return r.kind == tells }); first < 0 {
		return nil
	} else if len(rest) < len(all) {
		return rest[first:]
	}
	return rest
}

func (r remark) isBlock() bool {
	return strings.HasPrefix(r.raw, "/*") || strings.Contains(r.raw, "\n")
}

// gap is how many newlines may be between a comment and what it documents.
func (o *outliner) gap(l lead) int {
	if l.comment && strings.HasPrefix(o.text[l.start:], "/**") {
		return 2
	}
	return 1
}

// alone reports whether nothing but other leads is before a lead on its line.
func (o *outliner) alone(i int) bool {
	for {
		start := o.leads[i].start
		line := o.lines[o.lines.LineAt(start)-1]
		if i > 0 && o.leads[i-1].end > line && o.leads[i-1].end <= start {
			line = o.leads[i-1].end
		}
		if strings.TrimSpace(o.text[line:start]) != "" {
			return false
		}
		if i == 0 || line != o.leads[i-1].end {
			return true
		}
		i--
	}
}
