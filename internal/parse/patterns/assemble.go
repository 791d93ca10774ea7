package patterns

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// outline turns the declarations that are no more than containers away.
func (s *DeclScanner) outline() parse.Outline {
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
	if out.Summary == "" && s.Lang.innerDoc != "" && len(out.Symbols) > 0 {
		out.Summary = out.Symbols[0].Doc
	}
	out.Exports = parse.Exports(out.Symbols)
	return out
}

// endBefore is the last line, 1-indexed, with anything on it before line n
// from 0, but at least start.
func (s *DeclScanner) endBefore(n, start int) int {
	for n > start && s.Class[n-1] == 0 {
		n--
	}
	return max(n, start)
}

// packageName is what the language's package clause says.
func (s *DeclScanner) packageName() string {
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
