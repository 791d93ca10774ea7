package patterns

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// describe sets the lines, the signature and the documentation.
func (s *scanner) describe(d *decl, m match, e extent) {
	first, lead := m.n, s.lead
	if m.p.has(cFunction) && m.group("type") == "" && s.typeAbove(m.n) {
		first, lead = m.n-1, s.before
		if lead == first {
			lead = -1
		}
	}
	d.StartLine, d.EndLine = first+1, max(s.Lines.LineAt(e.end), first+1)
	d.Signature = s.Signature(s.Lines[first], e.head)
	if lead >= 0 {
		if doc := s.CommentsBetween(lead, first); doc == "" || parse.SummaryText(doc) != "" {
			d.StartLine, d.Doc = lead+1, doc
		}
	}
	if s.Lang.docstrings && d.Doc == "" {
		d.Doc = s.docstring(e.head)
	}
	if s.Lang.innerDoc != "" && s.documents(d.Kind) {
		end := len(s.Text)
		if s.Lang.style == braces {
			end = e.end
		}
		if doc := s.innerDoc(e.head, end); doc != "" {
			d.Doc = doc
		}
	}
	d.Exported = s.Lang.exported == nil || s.Lang.exported(d)
}

// typeLine matches a line that holds nothing but the type of the function
// whose name is on the next one.
var typeLine = parse.NewHead(`^[A-Za-z_][\w\s*&:<>,]*$`)

func (s Source) typeAbove(n int) bool {
	if n == 0 || s.Indent(n) > 0 || s.Class[n-1] != lex.HasCode {
		return false
	}
	line := s.CodeLine(n - 1)
	return len(line) < 200 && typeLine().Match(line) && line[len(line)-1] != ':'
}

// Signature is the text from start to end on one line and without comments.
func (s Source) Signature(start, end int) string {
	end = min(end, start+2*MaxHead, len(s.Text))
	i := sort.Search(len(s.Comments), func(i int) bool { return s.Comments[i].End > start })
	var b strings.Builder
	for ; i < len(s.Comments) && s.Comments[i].Start < end; i++ {
		if c := s.Comments[i]; c.Start >= start {
			b.WriteString(s.Text[start:c.Start])
			b.WriteByte(' ')
			start = min(c.End, end)
		}
	}
	b.WriteString(s.Text[start:max(end, start)])
	sig := strings.TrimRight(parse.Fold(b.String()), " :{=[")
	for _, word := range []string{" =>", " ->", " do", " where"} {
		sig = strings.TrimSuffix(sig, word)
	}
	return sig
}

// CommentsBetween is the text of the comments on lines from to before, from 0.
func (s Source) CommentsBetween(from, before int) string {
	start, end := s.Lines[from], s.Lines[before]
	i := sort.Search(len(s.Comments), func(i int) bool { return s.Comments[i].Start >= start })
	var parts []string
	for ; i < len(s.Comments) && s.Comments[i].End <= end; i++ {
		if c := s.Comments[i]; !c.Rule.Silent {
			parts = append(parts, parse.CleanComment(s.Text[c.Start:c.End], c.Rule.Open, c.Rule.Closing))
		}
	}
	return parse.JoinTrimmed(parts)
}

// maxInnerDoc is how far behind a head in bytes its inner documentation starts.
const maxInnerDoc = 200

// documents reports whether a kind is one that a comment within documents.
func (s Source) documents(kind string) bool {
	return kind == "var" || kind == "output" || kind == "module" && s.Lang.style == indented
}

// innerDoc is the comment within a declaration, which ends before end, that documents it.
func (s Source) innerDoc(head, end int) string {
	i := sort.Search(len(s.Comments), func(i int) bool { return s.Comments[i].Start >= head })
	for ; i < len(s.Comments) && s.Comments[i].Start < min(head+maxInnerDoc, end); i++ {
		if c := s.Comments[i]; c.Rule.Open == s.Lang.innerDoc {
			return parse.CleanComment(s.Text[c.Start:c.End], c.Rule.Open, c.Rule.Closing)
		}
	}
	return ""
}

// docstring is the string that follows the head of a declaration.
func (s Source) docstring(head int) string {
	for i := head + 1; i < min(len(s.Text), head+300); i++ {
		switch c := s.Text[i]; {
		case c == '"' || c == '\'':
			return s.stringAt(i)
		case c == '#':
			i = lex.LineEnd(s.Text, i)
		case c > ' ' && strings.IndexByte("rRuUbB", c) < 0:
			return ""
		}
	}
	return ""
}

// stringAt is the text of the Python string that starts at i, without the
// indentation of its lines.
func (s Source) stringAt(i int) string {
	quote := s.Text[i : i+1]
	if strings.HasPrefix(s.Text[i:], strings.Repeat(quote, 3)) {
		quote = s.Text[i : i+3]
	}
	end, ok := lex.ClosingAt(s.Text[:min(len(s.Text), i+lex.MaxSpan)], i+len(quote), quote, true)
	if !ok || len(quote) == 1 && strings.Contains(s.Text[i:end], "\n") {
		return ""
	}
	var lines []string
	for line := range strings.Lines(s.Text[i+len(quote) : end-len(quote)]) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return parse.JoinTrimmed(lines)
}

// LeadingComment is the comment, or docstring, that a file starts with and
// that is not the documentation of its first symbol.
func (s Source) LeadingComment(symbols []parse.Symbol) string {
	firstCode := 0
	for firstCode < len(s.Class) && !s.isProper(firstCode) {
		firstCode++
	}
	if s.Lang.docstrings && firstCode < len(s.Class) {
		if doc := s.docstring(s.Lines[firstCode] - 1); doc != "" {
			return parse.SummaryText(doc)
		}
	}
	limit := firstCode
	if len(symbols) > 0 {
		limit = min(limit, symbols[0].StartLine-1)
	}
	for i := 0; i < len(s.Comments) && s.Comments[i].Start < s.Lines[limit]; {
		first := i
		for i++; i < len(s.Comments) && s.Comments[i].End <= s.Lines[limit] && s.adjoins(i); i++ {
		}
		c := s.Comments[first]
		text := s.Text[c.Start:s.Comments[i-1].End]
		if summary := parse.SummaryText(parse.CleanComment(text, c.Rule.Open, c.Rule.Closing)); summary != "" &&
			!c.Rule.Silent {
			return summary
		}
	}
	return ""
}

// isProper reports whether line n has code other than a package clause or,
// unless it is documentation, a lone string like "use strict".
func (s Source) isProper(n int) bool {
	if s.Class[n]&lex.HasCode == 0 {
		return false
	}
	line := bytes.TrimSpace(s.CodeLine(n))
	if len(line) == 0 || string(line) == ";" {
		return s.Lang.docstrings
	}
	return s.Lang.pkg == nil || !s.Lang.pkg().Match(line[:min(len(line), MaxMatched)])
}

// adjoins reports whether a comment is a line comment on the line after the
// one before it.
func (s Source) adjoins(i int) bool {
	a, b := s.Comments[i-1], s.Comments[i]
	return a.Rule.Closing == "" && a.Rule.Open == b.Rule.Open && strings.Count(s.Text[a.End:b.Start], "\n") == 1
}

// MaxAbove is how many lines of comments above a declaration are its
// documentation at most.
const MaxAbove = 200

// Above is where a declaration on line n, from 0, begins with the comments
// right above it, as a 1-indexed line, and what these say.
func Above(s *lex.Source, n int) (start int, doc string) {
	first := n
	for first > 0 && n-first < MaxAbove && s.Class[first-1]&lex.HasComment != 0 && s.Class[first-1]&lex.HasCode == 0 {
		first--
	}
	if first == n {
		return n + 1, ""
	}
	doc = Source{Source: s}.CommentsBetween(first, n)
	if doc != "" && parse.SummaryText(doc) == "" {
		return n + 1, ""
	}
	return first + 1, doc
}

// outline turns the declarations that are no more than containers away.
func (s *scanner) outline() parse.Outline {
	out := parse.Outline{Method: parse.MethodOutline, Lines: s.Lines.Lines()}
	for i := range s.decls {
		d := &s.decls[i]
		if d.pending {
			d.EndLine = s.endBefore(len(s.Class), d.StartLine)
		}
		if d.hidden || s.Lang.style == indented && !s.Lang.keep && s.Lang.maximum > 0 && d.EndLine == d.StartLine {
			continue
		}
		out.Symbols = append(out.Symbols, d.Symbol)
	}
	if s.Lang.maximum > 0 && len(out.Symbols) > s.Lang.maximum {
		out.Symbols = nil
	}
	slices.SortStableFunc(out.Symbols, func(a, b parse.Symbol) int { return a.StartLine - b.StartLine })
	out.Package, out.Summary = s.packageName(), s.LeadingComment(out.Symbols)
	if out.Summary == "" && s.Lang.innerDoc != "" && len(out.Symbols) > 0 && s.documents("module") {
		out.Summary = out.Symbols[0].Doc
	}
	out.Exports = parse.Exports(out.Symbols)
	return out
}

// endBefore is the last line, 1-indexed, with anything on it before line n
// from 0, but at least start.
func (s Source) endBefore(n, start int) int {
	for n > start && s.Class[n-1] == 0 {
		n--
	}
	return max(n, start)
}

// packageName is what the language's package clause says.
func (s Source) packageName() string {
	if s.Lang.pkg == nil {
		return ""
	}
	for n := range min(len(s.Class), 300) {
		if s.Class[n]&lex.HasCode == 0 || s.Class[n]&lex.InString != 0 {
			continue
		}
		line := s.CodeLine(n)
		if m := s.Lang.pkg().FindSubmatch(line[:min(len(line), MaxMatched)]); m != nil {
			return strings.TrimSpace(string(m[1]))
		}
	}
	return ""
}
