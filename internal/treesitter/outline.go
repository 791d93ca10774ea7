//go:build cgo

package treesitter

import (
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// An outliner makes an outline of what was found.
type outliner struct {
	*found

	lang    *language
	path    string
	lines   parse.Offsets
	decls   []decl
	leads   []lead // comments and attributes in order
	symbols []parse.Symbol
	at      []int // index in decls of each symbol
}

// A lead is what may stand before a declaration and belong to it.
type lead struct {
	span
	comment bool
}

func (o *outliner) outline() parse.Outline {
	sortSpans(o.comments)
	for _, s := range o.comments {
		o.leads = append(o.leads, lead{s, true})
	}
	for _, s := range o.attrs {
		o.leads = append(o.leads, lead{s, false})
	}
	slices.SortFunc(o.leads, func(a, b lead) int { return a.start - b.start })
	o.decls = o.nest(o.lang)
	for i := range o.decls {
		if d := &o.decls[i]; d.counts(o.path) {
			s := o.symbol(d)
			d.exported = s.Exported
			if o.worth(d, s) {
				o.symbols, o.at = append(o.symbols, s), append(o.at, i)
			}
		}
	}
	o.preferDefinitions()
	summary := o.documentStrings()
	o.inOrder()
	if o.lang.maximum > 0 && len(o.symbols) > o.lang.maximum {
		o.symbols, o.at = nil, nil
	}
	if summary == "" {
		summary = o.leadingComment()
	}
	return parse.Outline{
		Method: parse.MethodTree, Lines: o.lines.Lines(), Package: o.pkg, Summary: summary,
		Exports: o.exports(), Symbols: o.symbols, References: o.references(),
	}
}

// inOrder sorts the symbols by their first line. Comments above them may have
// moved that.
func (o *outliner) inOrder() {
	order := make([]int, len(o.symbols))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return o.symbols[a].StartLine - o.symbols[b].StartLine })
	symbols, at := make([]parse.Symbol, len(order)), make([]int, len(order))
	for i, from := range order {
		symbols[i], at[i] = o.symbols[from], o.at[from]
	}
	o.symbols, o.at = symbols, at
}

func (o *outliner) symbol(d *decl) parse.Symbol {
	kind := d.kind
	switch {
	case kind == "maybe" || kind == "upper" || kind == "made" || kind == "member" || kind == "static" && isUpper(d.own):
		kind = "const"
	case kind == "static" || kind == "promoted":
		kind = "property"
	case kind == "method" && d.parent == "" && d.inType: // of an object that is what the file exports
		kind = "func"
	case kind != "closure" && kind != "proto" && kind != "entry":
	case d.parent != "" && (d.up < 0 || d.inType || kind == "entry"):
		kind = "method"
	default:
		kind = "func"
	}
	s := parse.Symbol{
		Name: d.own, Qualified: join(d.parent, d.own), Parent: d.parent, Kind: kind,
		Signature: o.signature(d),
	}
	if kind == "property" && says(s, "const") { // of Kotlin
		s.Kind = "const"
	}
	first, doc := o.above(d.outer)
	s.Doc = doc
	s.StartLine, s.EndLine = o.lines.LineAt(first), o.lines.LineAt(d.end-1)
	s.EndLine = max(s.EndLine, s.StartLine)
	if up := o.around(d); d.kind == "member" && up != nil && up.kind == "enum" {
		s.Exported = up.exported
		return s
	}
	s.Exported = d.exported || o.exported[d.own] && d.up < 0 || o.lang.exports(o, d, s)
	return s
}

// worth reports whether a declaration whose kind says that it only counts if
// it is known elsewhere does.
func (o *outliner) worth(d *decl, s parse.Symbol) bool {
	switch d.kind {
	case "maybe":
		return isUpper(d.own) || s.Exported && (d.up < 0 || o.decls[d.up].kind == "namespace")
	case "upper":
		return isUpper(d.own) && len(d.own) > 1
	case "made":
		return isUpper(d.own[:1]) && d.up < 0 || s.Exported && d.up < 0 || isUpper(d.own)
	}
	return true
}

// isUpper reports whether a name is written like THIS_ONE.
func isUpper(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// maxHead is how much of a declaration is looked at for its signature.
const maxHead = 2000

// signature is the head of a declaration without attributes before it and
// comments in it.
func (o *outliner) signature(d *decl) string {
	start, end := d.outer, d.body
	if end <= start {
		end = d.end
	}
	i := sort.Search(len(o.leads), func(i int) bool { return o.leads[i].start >= start })
	for ; i < len(o.leads) && o.leads[i].end <= end &&
		strings.TrimSpace(o.text[start:max(o.leads[i].start, start)]) == ""; i++ {
		start = o.leads[i].end
	}
	end = min(end, start+maxHead)
	var b strings.Builder
	for ; i < len(o.leads) && o.leads[i].start < end; i++ {
		if l := o.leads[i]; l.comment && l.start >= start {
			b.WriteString(o.text[start:l.start])
			b.WriteByte(' ')
			start = min(l.end, end)
		}
	}
	b.WriteString(o.text[start:end])
	head := strings.ToValidUTF8(b.String(), "")
	if d.body == 0 {
		head = strings.TrimSuffix(head, o.lang.tail)
	}
	if d.body == 0 && o.lang.opening != "" {
		head, _, _ = strings.Cut(head, o.lang.opening)
	}
	return parse.SignatureText(strings.TrimRight(head, ";,\\ \t\r\n"))
}

// documentStrings gives docstrings to the symbols that they are in. What
// remains documents the file.
func (o *outliner) documentStrings() (summary string) {
	sortSpans(o.docstrings)
	within := o.within()
	for _, s := range o.docstrings {
		text := parse.StringText(o.slice(s))
		if i := within(s); i >= 0 {
			o.symbols[i].Doc = text
		} else if i < 0 && summary == "" {
			summary = parse.SummaryText(text)
		}
	}
	return summary
}

// leadingComment is the comment that the file starts with, if it is not the
// documentation of its first symbol.
func (o *outliner) leadingComment() string {
	limit := len(o.text)
	if len(o.symbols) > 0 {
		limit = o.lines[o.symbols[0].StartLine-1]
	}
	at := 0
	for i := 0; i < len(o.comments) && o.comments[i].end <= limit && prologue(o.text[at:o.comments[i].start]); {
		group := []string{o.slice(o.comments[i])}
		for at, i = o.comments[i].end, i+1; i < len(o.comments) && o.comments[i].end <= limit && o.adjoins(i); i++ {
			group = append(group, o.slice(o.comments[i]))
			at = o.comments[i].end
		}
		if summary := parse.SummaryText(parse.CommentText(group)); summary != "" {
			return summary
		}
	}
	return ""
}

// adjoins reports whether a line comment is one line below the comment before.
func (o *outliner) adjoins(i int) bool {
	between := o.text[o.comments[i-1].end:o.comments[i].start]
	isLine := !strings.HasPrefix(o.text[o.comments[i].start:], "/*")
	return isLine && strings.TrimSpace(between) == "" && strings.Count(between, "\n") == 1
}

// prologues begin what may stand before a file's comment.
var prologues = []string{
	"package ", "namespace ", "<?php", "#!", "'use ", `"use `, "#pragma once", "#ifndef ",
	"#define ",
}

func prologue(text string) bool {
	if i := strings.LastIndex(text, "<?php"); i >= 0 {
		text = text[i+len("<?php"):]
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line != ";" &&
			!slices.ContainsFunc(prologues, func(p string) bool { return strings.HasPrefix(line, p) }) {
			return false
		}
	}
	return true
}

func sortSpans(spans []span) {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
}
