package parse

import (
	"slices"
	"strings"
)

// outline turns the declarations that are no more than containers away.
func (s *declScanner) outline() Outline {
	out := Outline{Method: MethodOutline, Lines: s.lines.Lines()}
	for i := range s.decls {
		d := &s.decls[i]
		if d.pending {
			d.EndLine = s.endBefore(len(s.class), d.StartLine)
		}
		if d.hidden || s.lang.style == indented && !s.lang.keep && s.lang.maximum > 0 && d.EndLine == d.StartLine {
			continue
		}
		out.Symbols = append(out.Symbols, d.Symbol)
	}
	if s.lang.maximum > 0 && len(out.Symbols) > s.lang.maximum {
		out.Symbols = nil
	}
	slices.SortStableFunc(out.Symbols, func(a, b Symbol) int { return a.StartLine - b.StartLine })
	out.Package, out.Summary = s.packageName(), s.leadingComment(out.Symbols)
	if out.Summary == "" && s.lang.innerDoc != "" && len(out.Symbols) > 0 {
		out.Summary = out.Symbols[0].Doc
	}
	out.Exports = exports(out.Symbols)
	return out
}

// endBefore is the last line, 1-indexed, with anything on it before line n
// from 0, but at least start.
func (s *declScanner) endBefore(n, start int) int {
	for n > start && s.class[n-1] == 0 {
		n--
	}
	return max(n, start)
}

// packageName is what the language's package clause says.
func (s *declScanner) packageName() string {
	if s.lang.pkg == nil {
		return ""
	}
	for n := range min(len(s.class), 300) {
		if s.class[n]&hasCode == 0 || s.class[n]&inString != 0 {
			continue
		}
		line := s.codeLine(n)
		if m := s.lang.pkg().FindSubmatch(line[:min(len(line), maxMatched)]); m != nil {
			return strings.TrimSpace(string(m[1]))
		}
	}
	return ""
}
