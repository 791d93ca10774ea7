package parse

import (
	"bytes"
	"sort"
	"strings"
)

// describe sets the lines, the signature and the documentation.
func (s *declScanner) describe(d *decl, m match, e extent) {
	first, lead := m.n, s.lead
	if m.p.has(cFunction) && m.group("type") == "" && s.typeAbove(m.n) {
		first, lead = m.n-1, s.before
		if lead == first {
			lead = -1
		}
	}
	d.StartLine, d.EndLine = first+1, max(s.lines.LineAt(e.end), first+1)
	d.Signature = s.signature(s.lines[first], e.head)
	if lead >= 0 {
		if doc := s.commentsBetween(lead, first); doc == "" || summaryOf(doc) != "" {
			d.StartLine, d.Doc = lead+1, doc
		}
	}
	if s.lang.docstrings && d.Doc == "" {
		d.Doc = s.docstring(e.head)
	}
	if s.lang.innerDoc != "" && d.Kind == "module" {
		d.Doc = s.innerDoc(e.head)
	}
	d.Exported = s.lang.exported == nil || s.lang.exported(d)
}

// typeLine matches a line that holds nothing but the type of the function
// whose name is on the next one.
var typeLine = lazy(`^[A-Za-z_][\w\s*&:<>,]*$`)

func (s *declScanner) typeAbove(n int) bool {
	if n == 0 || s.indent(n) > 0 || s.class[n-1] != hasCode {
		return false
	}
	line := s.codeLine(n - 1)
	return len(line) < 200 && typeLine().Match(line) && line[len(line)-1] != ':'
}

// signature is the text from start to end on one line and without comments.
func (s *declScanner) signature(start, end int) string {
	end = min(end, start+2*maxHead, len(s.text))
	i := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].end > start })
	var b strings.Builder
	for ; i < len(s.comments) && s.comments[i].start < end; i++ {
		if c := s.comments[i]; c.start >= start {
			b.WriteString(s.text[start:c.start])
			b.WriteByte(' ')
			start = min(c.end, end)
		}
	}
	b.WriteString(s.text[start:max(end, start)])
	sig := strings.TrimRight(fold(b.String()), " :{=[")
	for _, word := range []string{" =>", " ->", " do", " where"} {
		sig = strings.TrimSuffix(sig, word)
	}
	return sig
}

// commentsBetween is the text of the comments on lines from to before, from 0.
func (s *declScanner) commentsBetween(from, before int) string {
	start, end := s.lines[from], s.lines[before]
	i := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].start >= start })
	var parts []string
	for ; i < len(s.comments) && s.comments[i].end <= end; i++ {
		if c := s.comments[i]; !c.rule.silent {
			parts = append(parts, cleanComment(s.text[c.start:c.end], c.rule.open, c.rule.closing))
		}
	}
	return joinTrimmed(parts)
}

// maxInnerDoc is how far behind a head in bytes its inner documentation starts.
const maxInnerDoc = 200

// innerDoc is the comment within a declaration that documents it.
func (s *declScanner) innerDoc(head int) string {
	i := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].start >= head })
	for ; i < len(s.comments) && s.comments[i].start < head+maxInnerDoc; i++ {
		if c := s.comments[i]; c.rule.open == s.lang.innerDoc {
			return cleanComment(s.text[c.start:c.end], c.rule.open, c.rule.closing)
		}
	}
	return ""
}

// docstring is the string that follows the head of a declaration.
func (s *declScanner) docstring(head int) string {
	for i := head + 1; i < min(len(s.text), head+300); i++ {
		switch c := s.text[i]; {
		case c == '"' || c == '\'':
			return s.stringAt(i)
		case c == '#':
			i = lineEnd(s.text, i)
		case c > ' ' && strings.IndexByte("rRuUbB", c) < 0:
			return ""
		}
	}
	return ""
}

// stringAt is the text of the Python string that starts at i, without the
// indentation of its lines.
func (s *declScanner) stringAt(i int) string {
	quote := s.text[i : i+1]
	if strings.HasPrefix(s.text[i:], strings.Repeat(quote, 3)) {
		quote = s.text[i : i+3]
	}
	end, ok := closingAt(s.text[:min(len(s.text), i+maxSpan)], i+len(quote), quote, true)
	if !ok || len(quote) == 1 && strings.Contains(s.text[i:end], "\n") {
		return ""
	}
	var lines []string
	for line := range strings.Lines(s.text[i+len(quote) : end-len(quote)]) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return joinTrimmed(lines)
}

// leadingComment is the comment, or docstring, that a file starts with and
// that is not the documentation of its first symbol.
func (s *declScanner) leadingComment(symbols []Symbol) string {
	firstCode := 0
	for firstCode < len(s.class) && !s.isProper(firstCode) {
		firstCode++
	}
	if s.lang.docstrings && firstCode < len(s.class) {
		if doc := s.docstring(s.lines[firstCode] - 1); doc != "" {
			return summaryOf(doc)
		}
	}
	limit := firstCode
	if len(symbols) > 0 {
		limit = min(limit, symbols[0].StartLine-1)
	}
	for i := 0; i < len(s.comments) && s.comments[i].start < s.lines[limit]; {
		first := i
		for i++; i < len(s.comments) && s.comments[i].end <= s.lines[limit] && s.adjoins(i); i++ {
		}
		c := s.comments[first]
		text := s.text[c.start:s.comments[i-1].end]
		if summary := summaryOf(cleanComment(text, c.rule.open, c.rule.closing)); summary != "" && !c.rule.silent {
			return summary
		}
	}
	return ""
}

// isProper reports whether line n has code other than a package clause or,
// unless it is documentation, a lone string like "use strict".
func (s *declScanner) isProper(n int) bool {
	if s.class[n]&hasCode == 0 {
		return false
	}
	line := bytes.TrimSpace(s.codeLine(n))
	if len(line) == 0 || string(line) == ";" {
		return s.lang.docstrings
	}
	return s.lang.pkg == nil || !s.lang.pkg().Match(line[:min(len(line), maxMatched)])
}

// adjoins reports whether a comment is a line comment on the line after the
// one before it.
func (s *declScanner) adjoins(i int) bool {
	a, b := s.comments[i-1], s.comments[i]
	return a.rule.closing == "" && a.rule.open == b.rule.open && strings.Count(s.text[a.end:b.start], "\n") == 1
}
