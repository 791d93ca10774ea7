package markup

import (
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// The numbers of elements with an id above which those on one line, and then
// all of them, say nothing: the pages of generated references.
const (
	manyElements    = 400
	tooManyElements = 2000
)

// fewer are the symbols of a page without headings that say nothing and the
// elements that are too many; none when there are too many still.
func fewer(symbols []parse.Symbol) []parse.Symbol {
	symbols = slices.DeleteFunc(symbols,
		func(s parse.Symbol) bool { return s.Kind == "heading" && strings.HasPrefix(s.Signature, "<"+s.Name) })
	if len(symbols) > manyElements {
		symbols = slices.DeleteFunc(symbols,
			func(s parse.Symbol) bool { return s.Kind == "element" && s.StartLine == s.EndLine })
	}
	if len(symbols) > tooManyElements {
		symbols = slices.DeleteFunc(symbols, func(s parse.Symbol) bool { return s.Kind == "element" })
	}
	if len(symbols) > tooManyElements {
		symbols = nil
	}
	return symbols
}

// embedded adds what the scripts and styles of a page declare.
func (p *page) embedded(f parse.File) {
	if len(p.scripts) > 0 {
		code := parse.File{Path: f.Path, Language: "JavaScript", Text: p.only(p.scripts)}
		p.adopt(patterns.Scan(code, patterns.Named(code.Language)).Symbols, p.scripts)
	}
	if len(p.styles) > 0 {
		p.adopt(sheetSymbols(lex.Blank(p.only(p.styles), cssLexis())), p.styles)
	}
}

// adopt adds the symbols of some parts. What a part leaves open ends with it.
func (p *page) adopt(symbols []parse.Symbol, parts [][2]int) {
	for _, s := range symbols {
		start := p.lines[s.StartLine-1]
		i := sort.Search(len(parts), func(i int) bool { return parts[i][1] > start })
		if i < len(parts) {
			s.EndLine = max(min(s.EndLine, p.lines.LineAt(parts[i][1])), s.StartLine)
		}
		p.symbols = append(p.symbols, s)
	}
}

// only is the text with everything blanked but some parts, so that offsets and
// lines stay.
func (p *page) only(parts [][2]int) string {
	text := make([]byte, len(p.text))
	for i := range text {
		text[i] = ' '
		if p.text[i] == '\n' {
			text[i] = '\n'
		}
	}
	for _, part := range parts {
		copy(text[part[0]:part[1]], p.text[part[0]:part[1]])
	}
	return string(text)
}
