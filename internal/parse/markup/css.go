// Package markup finds the parts of pages and style sheets.
package markup

import (
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

var (
	cssLexis = sync.OnceValue(func() *lex.Lexis {
		return lex.NewLexis(lex.BlockComment("/*", "*/"), address(), lex.Quoted('"'), lex.Quoted('\''))
	})
	scssLexis = sync.OnceValue(func() *lex.Lexis {
		return lex.NewLexis(lex.BlockComment("/*", "*/"), slashes(), address(), lex.Quoted('"'), lex.Quoted('\''))
	})
)

// address is url(…), whose text may hold anything but its parenthesis.
func address() lex.Rule {
	return lex.Rule{Open: "url(", End: func(l *lex.Lexer, i int) int {
		window := l.Text[i:min(len(l.Text), i+lex.MaxSpan)]
		if l.Failures > lex.MaxFailures {
			window = window[:min(len(window), patterns.MaxMatched)]
		}
		if j := strings.IndexAny(window, ")\"'\n"); j >= 0 && window[j] == ')' {
			return i + j + 1
		}
		l.Failures++
		return i
	}}
}

// slashes is the line comment of SCSS and Less, not the "//" of an address.
func slashes() lex.Rule {
	r := lex.LineComment("//")
	end := r.End
	r.End = func(l *lex.Lexer, i int) int {
		if i > 0 && l.Text[i-1] == ':' {
			return i
		}
		return end(l, i)
	}
	return r
}

// ReadCSS finds the rules of a style sheet.
func ReadCSS(f parse.File) parse.Outline { return sheetOutline(f.Text, lex.Blank(f.Text, cssLexis())) }

// ReadSCSS is ReadCSS where // begins a comment.
func ReadSCSS(f parse.File) parse.Outline {
	return sheetOutline(f.Text, lex.Blank(f.Text, scssLexis()))
}

func sheetOutline(text string, src *lex.Source) parse.Outline {
	symbols := sheetSymbols(src)
	scan := patterns.Source{Source: src, Lang: &patterns.Language{}}
	return parse.Outline{Summary: scan.LeadingComment(symbols), Symbols: parse.WithGaps(text, symbols)}
}

// sheetSymbols are what a sheet declares, in order of their lines.
func sheetSymbols(src *lex.Source) []parse.Symbol {
	s := sheet{Source: src}
	for s.i < len(s.Code) {
		s.step(s.Code[s.i])
		s.i++
	}
	for len(s.open) > 0 {
		s.close()
	}
	return s.grouped()
}

// A sheet is the state of reading a style sheet.
type sheet struct {
	*lex.Source
	i       int // offset
	head    int // offset behind what ended the statement before
	parens  int // that are open in the statement
	open    []block
	symbols []styled
}

// A styled is a symbol of a sheet on the way.
type styled struct {
	parse.Symbol
	plain bool // a rule or a variable, of which there may be very many
}

// A block is one that is open.
type block struct {
	symbol int    // index in symbols, or -1
	path   string // qualifies what is in it
	inner  bool   // path is a selector, which those in it go on from
	opaque bool   // what is in it is nothing to list: the steps of keyframes
	isRoot bool   // of custom properties that are constants
}

func (s *sheet) step(c byte) {
	switch c {
	case '(':
		s.parens++
	case ')':
		s.parens = max(s.parens-1, 0)
	case '{':
		if s.i > 0 && (s.Code[s.i-1] == '#' || s.Code[s.i-1] == '@') {
			s.skipTo('}')
			return
		}
		s.enter()
	case '}':
		s.declaration(s.i)
		s.close()
		s.head, s.parens = s.i+1, 0
	case ';':
		if s.parens > 0 && s.skipTo(')') { // of a data address
			return
		}
		s.declaration(s.i)
		s.head, s.parens = s.i+1, 0
	}
}

// skipTo goes to the next character of a kind, if it is on the line and near:
// the ")" of a value, the "}" of a substitution like #{$name} or @{name}.
func (s *sheet) skipTo(c byte) bool {
	for i := s.i; i < min(len(s.Code), s.i+patterns.MaxMatched) && s.Code[i] != '\n'; i++ {
		if s.Code[i] == c {
			s.i = i
			return true
		}
	}
	return false
}

// enter is for the "{" of a block: what is before it says of what kind.
func (s *sheet) enter() {
	start := s.first(s.head, s.i)
	around := block{symbol: -1}
	if n := len(s.open); n > 0 {
		around = s.open[n-1]
	}
	b := block{symbol: -1, path: around.path, inner: around.inner, opaque: around.opaque}
	if !around.opaque && len(s.open) < patterns.MaxDepth {
		s.describe(&b, s.signature(start, s.i), start)
	}
	s.open = append(s.open, b)
	s.head, s.parens = s.i+1, 0
}

// first is the offset of the first code from start on.
func (s *sheet) first(start, end int) int {
	for start < end && s.Code[start] <= ' ' && s.Text[start] != '"' && s.Text[start] != '\'' {
		start++
	}
	return start
}

// signature is the text of a head on one line, without comments.
func (s *sheet) signature(start, end int) string {
	return patterns.Source{Source: s.Source}.Signature(start, end)
}

func (s *sheet) close() {
	n := len(s.open)
	if n == 0 {
		return
	}
	if b := s.open[n-1]; b.symbol >= 0 {
		sym := &s.symbols[b.symbol]
		sym.EndLine = max(s.Lines.LineAt(min(s.i, len(s.Text)-1)), sym.StartLine)
	}
	s.open = s.open[:n-1]
}

// add lists a symbol that begins at an offset; its end is set when it closes.
func (s *sheet) add(sym parse.Symbol, start int, plain bool) int {
	line := s.Lines.LineAt(start)
	sym.StartLine, sym.Doc = patterns.Above(s.Source, line-1)
	sym.EndLine, sym.Exported = line, true
	s.symbols = append(s.symbols, styled{sym, plain})
	return len(s.symbols) - 1
}
