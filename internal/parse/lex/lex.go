// Package lex tells code from comments and literals in the text of any language,
// by a few rules of that language, and which bracket closes which.
package lex

import "github.com/ragnav/ragnav/internal/parse"

// A Lexis says how the languages of a family write comments and strings.
type Lexis struct {
	rules [256][]Rule // by first byte; of those with the same, the longest comes first
	// prologue is the length of the text before the first code; may be nil.
	Prologue func(text string) int
}

// A Rule is a kind of token that is no code: what it begins and ends with.
type Rule struct {
	Open    string
	Closing string // of block comments
	Comment bool
	Silent  bool // a comment that tells readers nothing
	Kept    bool // neither string nor comment, but nothing of either begins in it, and no statement ends
	// end is the offset behind the token that starts at i, or i when there is
	// none after all.
	End func(l *Lexer, i int) int
}

// NewLexis is the lexis of those rules; of two that begin alike the first counts.
func NewLexis(rules ...Rule) *Lexis {
	x := new(Lexis)
	for _, r := range rules {
		x.rules[r.Open[0]] = append(x.rules[r.Open[0]], r)
	}
	return x
}

// A LineClass says what is on a line.
type LineClass uint8

// What there may be, together.
const (
	HasCode    LineClass = 1 << iota // string literals count
	HasComment                       // or a part of one
	InString                         // the line starts within a string
	InComment                        // the line starts within a comment
)

// A Source is a text prepared for the search of declarations.
type Source struct {
	Text     string
	Code     []byte // text with comments and strings blanked; the same length, newlines kept
	Lines    parse.Offsets
	Class    []LineClass // by line, from 0
	Comments []Comment
}

// A Comment is the place of a comment in a source.
type Comment struct {
	Start, End int // offsets
	Rule       *Rule
}

// MaxFailures is how many strings may turn out to have no end before the
// lexer stops to look for those that span lines: a bound for hostile input.
const MaxFailures = 100

// A Lexer is on its way through a text.
type Lexer struct {
	*Source
	line     int // of the offset last marked, from 0
	Failures int
}

// Blank finds the comments and strings of a text.
func Blank(text string, x *Lexis) *Source {
	src := &Source{Text: text, Code: []byte(text), Lines: parse.LineOffsets(text)}
	src.Class = make([]LineClass, src.Lines.Lines())
	l := &Lexer{Source: src}
	i := 0
	if x.Prologue != nil {
		i = x.Prologue(text)
		l.erase(0, i)
	}
	for i < len(text) {
		rules := x.rules[text[i]]
		if rules == nil {
			i++
			continue
		}
		i = l.token(rules, i)
	}
	src.classify()
	return src
}

// token applies the rules at i and returns where to go on.
func (l *Lexer) token(rules []Rule, i int) int {
	for r := range rules {
		rule := &rules[r]
		if len(l.Text)-i < len(rule.Open) || l.Text[i:i+len(rule.Open)] != rule.Open {
			continue
		}
		end := min(rule.End(l, i), len(l.Text))
		if end <= i {
			continue
		}
		if rule.Kept {
			l.keep(i, end)
			return end
		}
		l.mark(i, end, rule)
		return end
	}
	return i + 1
}

func (l *Lexer) mark(start, end int, rule *Rule) {
	here, inside := HasCode, InString
	if rule.Comment {
		l.Comments = append(l.Comments, Comment{start, end, rule})
		here, inside = HasComment, InComment
	}
	for l.Lines[l.line+1] <= start {
		l.line++
	}
	l.Class[l.line] |= here
	for l.Lines[l.line+1] < end {
		l.line++
		l.Class[l.line] |= here | inside
	}
	l.erase(start, end)
}

// keep leaves a token in the code, but for what would end a statement.
func (l *Lexer) keep(start, end int) {
	for i := start; i < end; i++ {
		if l.Code[i] == ';' {
			l.Code[i] = '_'
		}
	}
}

func (l *Lexer) erase(start, end int) {
	for i := start; i < end; i++ {
		if l.Code[i] != '\n' {
			l.Code[i] = ' '
		}
	}
}

func (s *Source) classify() {
	for n := range s.Class {
		if s.Class[n]&HasCode == 0 && !isBlank(s.Code[s.Lines[n]:s.Lines[n+1]]) {
			s.Class[n] |= HasCode
		}
	}
}

func isBlank(b []byte) bool {
	for _, c := range b {
		if c > ' ' {
			return false
		}
	}
	return true
}

// CodeLine is line n, from 0, with comments and strings blanked and without
// its newline.
func (s *Source) CodeLine(n int) []byte {
	end := s.Lines[n+1]
	for end > s.Lines[n] && (s.Code[end-1] == '\n' || s.Code[end-1] == '\r') {
		end--
	}
	return s.Code[s.Lines[n]:end]
}

// RawLine is line n, from 0, as it is.
func (s *Source) RawLine(n int) string { return parse.Chomp(s.Text[s.Lines[n]:s.Lines[n+1]]) }

// Indent is the width of the white space before line n; a tab goes to the
// next multiple of 8.
func (s *Source) Indent(n int) int {
	width := 0
	for i := s.Lines[n]; i < s.Lines[n+1]; i++ {
		switch s.Text[i] {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		default:
			return width
		}
	}
	return width
}
