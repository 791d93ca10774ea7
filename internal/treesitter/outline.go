//go:build cgo

package treesitter

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
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
	sortSpans(o.docs)
	for _, s := range o.comments {
		o.leads = append(o.leads, lead{s, true})
	}
	for _, s := range o.attrs {
		o.leads = append(o.leads, lead{s, false})
	}
	slices.SortFunc(o.leads, func(a, b lead) int { return a.start - b.start })
	if o.decls = o.nest(o.lang); o.lang.markup {
		o.decls = withComponent(o.decls, o.path, len(o.text))
	}
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
		Method: parse.MethodTree, Lines: o.lines.Lines(), Package: o.packageName(), Summary: summary,
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
	case kind == "flag":
		kind = "macro"
	case kind == "generated":
		kind = "method"
	case kind == "method" && d.parent == "" && d.inType: // of an object that is what the file exports
		kind = "func"
	case kind != "closure" && kind != "proto" && kind != "entry":
	case d.parent != "" && (d.up < 0 || d.inType || kind == "entry"):
		kind = "method"
	default:
		kind = "func"
	}
	if kind == wholeFile {
		return parse.Symbol{
			Name: d.own, Qualified: d.own, Kind: "class", Signature: "component " + d.own, Exported: true,
			StartLine: 1, EndLine: o.lines.Lines(),
		}
	}
	s := parse.Symbol{
		Name: d.own, Qualified: parse.Qualify(d.parent, d.own), Parent: d.parent, Kind: kind,
		Signature: o.signature(d),
	}
	switch {
	case kind == "property" && says(s, "const"): // of Kotlin
		s.Kind = "const"
	case kind == "func" && says(s, "defmacro", "defmacrop", "defguard", "defguardp", "@macrocallback"):
		s.Kind = "macro"
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

// worth reports whether a declaration does count whose kind says that not all of
// its kind do.
func (o *outliner) worth(d *decl, s parse.Symbol) bool {
	switch d.kind {
	case "maybe":
		return isUpper(d.own) || s.Exported && (d.up < 0 || o.decls[d.up].kind == "namespace")
	case "upper":
		return isUpper(d.own) && len(d.own) > 1
	case "made":
		return d.up < 0 || isUpper(d.own)
	case "flag":
		return !isReserved(d.own) && !includeGuard(o.text, d.span, d.own)
	}
	return true
}

// isReserved reports whether a name is the implementation's, as _GNU_SOURCE, by which
// headers of the system are told something.
func isReserved(name string) bool {
	return len(name) > 1 && name[0] == '_' && (name[1] == '_' || 'A' <= name[1] && name[1] <= 'Z')
}

// includeGuard reports whether a macro without value is defined right below the question
// whether it is, and is not all that is done if it is not.
func includeGuard(text string, s span, name string) bool {
	above := strings.TrimRight(text[:s.start], " \t\r\n")
	asked := strings.FieldsFunc(above[strings.LastIndexByte(above, '\n')+1:], func(r rune) bool {
		return strings.ContainsRune("#() \t\r", r)
	})
	isAsked := len(asked) > 1 && asked[0] == "ifndef" && asked[1] == name ||
		len(asked) > 2 && asked[0] == "if" && asked[1] == "!defined" && asked[2] == name
	below := strings.TrimLeft(text[s.end:], " \t\r\n#")
	return isAsked && !strings.HasPrefix(below, "endif") && !strings.HasPrefix(below, "else")
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
	switch {
	case d.head != (span{}):
		start, end = d.head.start, d.head.end
	case end <= start:
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
			if o.symbols[i].Kind == "module" && o.decls[o.at[i]].up < 0 && summary == "" { // of Elixir
				summary = parse.SummaryText(text)
			}
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

// declared are the symbols of the outline with where their names are.
func (o *outliner) declared() []binder.Declared {
	all := make([]binder.Declared, len(o.symbols))
	for i, s := range o.symbols {
		d := &o.decls[o.at[i]]
		start := d.name.start
		if d.name == (span{}) {
			start = d.start
		}
		all[i] = binder.Declared{Symbol: s, NameStart: start}
	}
	return all
}

// references are those that were found, with the symbols that they are in.
func (o *outliner) references() []parse.Reference {
	slices.SortFunc(o.refs, func(a, b ref) int {
		return cmp.Or(a.name.start-b.name.start, b.name.end-a.name.end, cmp.Compare(a.kind, b.kind))
	})
	within := o.within()
	names := make(map[span]bool, len(o.decls))
	for _, d := range o.decls {
		if d.role != roleScope { // an extension of Swift uses what it extends
			names[d.name] = true
		}
	}
	var all []parse.Reference
	for i, r := range o.refs {
		if r.kind == kindRequire {
			if !requires[o.slice(r.of)] {
				continue
			}
			r.kind, r.of = parse.RefImport, span{}
		}
		if i > 0 && o.refs[i-1].name == r.name || names[r.name] { // extends and import are before type
			continue
		}
		line := o.lines.LineAt(r.name.start)
		all = append(all, parse.Reference{
			Kind: r.kind, Name: unquoted(clip(o.slice(r.name), maxName)), Of: unquoted(clip(o.slice(r.of), maxOf)),
			Line: line, Column: r.name.start - o.lines[line-1] + 1, Symbol: within(r.name),
		})
	}
	return all
}

// within returns a function that finds the innermost symbol around a span. It
// must be called with spans in order.
func (o *outliner) within() func(span) int {
	order := make([]int, len(o.at))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return o.at[a] - o.at[b] }) // declarations are in order of position
	var stack []int
	return func(s span) int {
		for len(order) > 0 && o.decls[o.at[order[0]]].start <= s.start {
			stack, order = append(stack, order[0]), order[1:]
		}
		for len(stack) > 0 && o.decls[o.at[stack[len(stack)-1]]].end <= s.start {
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 {
			return -1
		}
		return stack[len(stack)-1]
	}
}

// preferDefinitions drops declarations without body of what the file defines
// too. Of several with one name and number of parameters, they are dropped
// if there are as many definitions.
func (o *outliner) preferDefinitions() {
	defined := make(map[string]int)
	isProto := func(i int) bool { return o.decls[o.at[i]].kind == "proto" }
	for i := range o.symbols {
		if isProto(i) {
			defined[overload(o.symbols, i)]--
		}
	}
	if len(defined) == 0 {
		return
	}
	for i := range o.symbols {
		if !isProto(i) && o.decls[o.at[i]].body > 0 {
			if key := overload(o.symbols, i); key != "" {
				defined[key]++
			}
		}
	}
	kept := 0
	for i, s := range o.symbols {
		if isProto(i) && defined[overload(o.symbols, i)] >= 0 {
			continue
		}
		o.symbols[kept], o.at[kept] = s, o.at[i]
		kept++
	}
	o.symbols, o.at = o.symbols[:kept], o.at[:kept]
}

// overload is a function's name with the number of its parameters, or nothing.
func overload(symbols []parse.Symbol, i int) string {
	s := symbols[i]
	if !isFunc(s.Kind) {
		return ""
	}
	depth, commas, some := 0, 0, 0
	for _, r := range s.Signature[strings.IndexByte(s.Signature, '(')+1:] {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			commas++
		case r != ' ':
			some = 1
		}
		if depth < 0 {
			break
		}
	}
	return s.Qualified + "/" + strconv.Itoa(commas+some)
}
