// Package patterns finds declarations by a table of regular expressions, a row a
// language, over what package lex says is code.
package patterns

import (
	"bytes"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// MaxMatched is how much of a line the patterns look at.
const MaxMatched = 400

// A decl is a declaration on the way to become a symbol.
type decl struct {
	parse.Symbol
	up      int    // index of the declaration around, or -1
	path    string // what qualifies the names in it
	depth   int    // 1 for one that is in no other
	indent  int
	hidden  bool
	holds   bool
	isFunc  bool
	pending bool // its end is not known yet
	open    bool // what is in it counts as top-level
	defined bool // it has an equation beside its declaration
	body    int  // its bracket, or -1
}

// noOwner is the owner of a bracket that is in no declaration.
const noOwner = 1

// A Source is a text and the row of its language: what is read of it line by
// line, without knowing what was declared before.
type Source struct {
	*lex.Source
	Lang *Language
}

// A scanner walks over the lines of a source and collects declarations.
type scanner struct {
	Source
	pairs  *lex.Brackets
	decls  []decl
	owner  []int32 // by bracket: the declaration around, see own; 0 is not known
	direct []bool  // by bracket: it is the body of its owner
	stack  []int   // declarations that are open, by indentation
	lead   int     // first line of the comments and decorators above, or -1
	before int     // lead of the line before, if that had code
	last   int     // last line with code

	class    int  // the last declaration that runs to the terminator, or -1
	nextEnd  int  // see terminator
	walked   int  // bytes of heads looked at, see reach
	isHeader bool // of C or C++
}

// dataFactor times the number of keys that a language allows is when the rest
// of a data file is not looked at.
const dataFactor = 20

// Scan finds the declarations of a file by the patterns of its language.
func Scan(f parse.File, lang *Language) parse.Outline {
	out, _ := Read(f, lang)
	return out
}

// Read is Scan with the text as it was read for it.
func Read(f parse.File, lang *Language) (parse.Outline, *lex.Source) {
	src := lex.Blank(f.Text, lang.lexis)
	s := &scanner{
		Source: Source{src, lang}, lead: -1, before: -1, class: -1, isHeader: isHeader(f.Path),
		pairs: lex.MatchBrackets(src, lang.brackets, lang.directives),
	}
	s.owner, s.direct = make([]int32, len(s.pairs.Open)), make([]bool, len(s.pairs.Open))
	for n := range s.Class {
		if lang.maximum > 0 && len(s.decls) > dataFactor*lang.maximum {
			return parse.Outline{Method: parse.MethodOutline, Lines: src.Lines.Lines()}, src
		}
		s.visit(n)
	}
	s.leave(-1, len(s.Class))
	return s.outline(), src
}

// visit looks at line n, from 0. Decorators above a declaration and their
// further lines are kept like comments.
func (s *scanner) visit(n int) {
	class := s.Class[n]
	switch {
	case class&(lex.InString|lex.InComment) != 0 && class&lex.HasCode == 0:
		return
	case class&lex.InString != 0:
		s.last = n
		return
	case class == 0:
		if !s.detachedDoc(n) {
			s.lead, s.before = -1, -1
		}
		return
	case class&lex.HasCode == 0:
		if s.lead < 0 {
			s.lead = n
		}
		return
	}
	inside := s.pairs.AtLine[n]
	if inside >= 0 && s.pairs.Kind[inside] != '{' || inside >= 0 && s.Lang.style != braces {
		s.last = n
		return
	}
	if s.Lang.style == indented && class&lex.InComment == 0 && s.leave(s.Indent(n), n) {
		return
	}
	s.statement(n)
	s.last = n
}

// detachedDoc reports whether the blank line n stands between a "/**" comment
// and what it documents. The one that begins a file documents the file.
func (s *scanner) detachedDoc(n int) bool {
	if s.lead < 0 || s.last == 0 || s.Class[n-1]&lex.HasCode != 0 || n+1 >= len(s.Class) || s.Class[n+1]&lex.HasCode == 0 {
		return false
	}
	i := sort.Search(len(s.Comments), func(i int) bool { return s.Comments[i].Start >= s.Lines[n] }) - 1
	return i >= 0 && strings.HasPrefix(s.Text[s.Comments[i].Start:], "/**")
}

// statement looks for a declaration on a line that begins one or another
// statement.
func (s *scanner) statement(n int) {
	line := s.CodeLine(n)
	line = line[:min(len(line), MaxMatched)]
	if s.declare(n, line) {
		s.lead, s.before = -1, -1
		return
	}
	if s.Lang.decorator != nil && s.Lang.decorator().Match(line) {
		if s.lead < 0 {
			s.lead = n
		}
		return
	}
	s.before, s.lead = s.lead, -1
	if s.before < 0 {
		s.before = n
	}
}

// leave closes the declarations that end before or with line n, and reports
// whether the line is the end of one or continues one.
func (s *scanner) leave(indent, n int) bool {
	for len(s.stack) > 0 {
		d := &s.decls[s.stack[len(s.stack)-1]]
		if indent > d.indent {
			return false
		}
		if indent == d.indent {
			line := s.CodeLine(n)
			if s.Lang.joins != nil && s.Lang.joins().Match(line) {
				s.last = n
				return true
			}
			if s.Lang.closer != nil && s.Lang.closer().Match(line) {
				d.EndLine, s.last = n+1, n
				s.pop()
				s.lead, s.before = -1, -1
				return true
			}
		}
		d.EndLine = max(s.last+1, d.StartLine)
		s.pop()
	}
	return false
}

func (s *scanner) pop() { s.stack = s.stack[:len(s.stack)-1] }

// MaxDepth is how deep declarations are followed into each other.
const MaxDepth = 20

// declare adds the declaration on line n, if a pattern finds one.
func (s *scanner) declare(n int, line []byte) bool {
	c := s.site(n)
	if s.depth(c.up) >= MaxDepth {
		return false
	}
	for i := range s.Lang.patterns {
		p := &s.Lang.patterns[i]
		if !s.fits(p, c) {
			continue
		}
		text := line
		if p.has(raw) {
			text = []byte(s.RawLine(n))
			text = text[:min(len(text), MaxMatched)]
		}
		if p.word != "" && !bytes.Contains(text, []byte(p.word)) {
			continue
		}
		m := p.re().FindSubmatchIndex(text)
		if m == nil {
			continue
		}
		if p.has(none) {
			return false
		}
		if s.accept(match{p: p, n: n, text: text, at: m}, c) {
			return true
		}
	}
	return false
}

// match is a pattern that fits a line.
type match struct {
	p    *pattern
	n    int // line, from 0
	text []byte
	at   []int
}

// group is the text of a named group, or "".
func (m match) group(name string) string {
	i := m.p.re().SubexpIndex(name)
	if i < 0 || m.at[2*i] < 0 {
		return ""
	}
	return string(m.text[m.at[2*i]:m.at[2*i+1]])
}

// enclosing is the declaration whose body line n is in, or -1, and whether it
// is directly in it.
func (s *scanner) enclosing(n int) (up int, direct bool) {
	if s.Lang.style != braces {
		if len(s.stack) == 0 {
			return -1, false
		}
		return s.stack[len(s.stack)-1], true
	}
	inner := s.pairs.AtLine[n]
	if inner < 0 {
		return -1, false
	}
	return s.ownerOf(inner), s.direct[inner]
}

// ownerOf finds the declaration around a bracket and notes it on the way.
func (s *scanner) ownerOf(bracket int32) int {
	b := bracket
	for b >= 0 && s.owner[b] == 0 {
		b = s.pairs.Parent[b]
	}
	owner := int32(noOwner)
	if b >= 0 {
		owner = s.owner[b]
	}
	for b = bracket; b >= 0 && s.owner[b] == 0; b = s.pairs.Parent[b] {
		s.owner[b] = owner
	}
	return int(owner - noOwner - 1)
}

// own makes a bracket the body of a declaration.
func (s *scanner) own(bracket, d int) {
	s.owner[bracket], s.direct[bracket] = int32(d+noOwner+1), true
}

// outermost reports whether nothing but namespaces is around what is in up.
func (s *scanner) outermost(up int) bool { return up < 0 || s.decls[up].open }

func (s *scanner) fits(p *pattern, c site) bool {
	isMember := c.up >= 0 && c.direct && s.decls[c.up].holds
	switch p.place {
	case top:
		return s.outermost(c.up)
	case member:
		return isMember
	case outer:
		return isMember || s.outermost(c.up)
	case anywhere:
	}
	return true
}

// Outline is the outline by the patterns of a language, or chunks where
// they find nothing.
func Outline(f parse.File, lang *Language) parse.Outline {
	out := Scan(f, lang)
	if len(out.Symbols) == 0 {
		out.Symbols, out.Method = parse.Chunks(f.Text), parse.MethodChunks
	}
	return out
}

// maxHead is how far in bytes, brackets not counted, the head of a
// declaration is followed; minHead when a file has too many long ones, which
// is a sign that they are none.
const (
	MaxHead = 4000
	minHead = 200
)

// An extent is how far a declaration goes.
type extent struct {
	head   int // offset where the text that declares it ends
	body   int // index of the bracket of its body, or -1
	end    int // offset of its last character
	isFunc bool
}

// extent finds where the declaration of a match ends. Where the block style
// needs the lines to come, only the head is right.
func (s *scanner) extent(m match) extent {
	from := s.Lines[m.n] + m.at[0]
	if i := m.p.re().SubexpIndex("name"); i >= 0 && m.at[2*i+1] >= 0 {
		from = s.Lines[m.n] + m.at[2*i+1]
	}
	if m.p.has(wholeLine) {
		return s.wholeLine(m.n, from)
	}
	for from < len(s.Code) && s.Code[from] == ')' { // of a function pointer's name
		from++
	}
	if s.Lang.style == braces && !m.p.has(toTerminator) {
		w := walk{scanner: s, i: from, limit: min(len(s.Code), from+s.reach())}
		w.isValue = m.p.kind == "const" || m.p.kind == "var" || m.p.kind == "type"
		w.out = extent{head: -1, body: -1}
		w.run()
		s.walked += w.steps
		return w.out
	}
	e := extent{head: s.headEnd(from), body: -1}
	if n := m.n + 1; m.p.has(further) {
		for n < len(s.Class) && s.Class[n]&lex.HasCode != 0 && s.Indent(n) > 0 {
			n++
		}
		e.head = max(s.Lines[n]-1, e.head)
	}
	e.end = max(e.head-1, 0)
	if s.Lang.style == statement || m.p.has(toTerminator) {
		e.end = s.terminator(from)
	}
	return e
}

// reach is how far the next head is followed.
func (s *scanner) reach() int {
	if s.walked > 2*len(s.Code)+10*MaxHead {
		return minHead
	}
	return MaxHead
}

// wholeLine is the extent of a line with its continuations; its head ends
// with the first parenthesis.
func (s *scanner) wholeLine(n, from int) extent {
	for n+1 < len(s.Class) && s.Class[n+1]&lex.InString != 0 {
		n++
	}
	end := s.Lines[n+1]
	return extent{head: min(lex.Past(s.Text, from, ")"), end), body: -1, end: end - 1}
}

// terminator is the last byte of the language's next terminator from an
// offset on, or of the text. Offsets come in ascending order.
func (s *scanner) terminator(from int) int {
	if s.nextEnd < from {
		s.nextEnd = len(s.Code) - 1
		if i := bytes.Index(s.Code[from:], []byte(s.Lang.terminator)); i >= 0 {
			s.nextEnd = from + i + len(s.Lang.terminator) - 1
		}
	}
	return s.nextEnd
}

// headEnd is where a head without braces ends: at a character of the
// language's header, or with its logical line.
func (s *scanner) headEnd(from int) int {
	limit := min(len(s.Code), from+s.reach())
	for i := from; i < limit; i++ {
		s.walked++
		switch c := s.Code[i]; {
		case c == '\n':
			return i
		case strings.IndexByte(s.Lang.header, c) >= 0:
			return i
		case c == '(' || c == '[' || c == '{':
			if b := s.pairs.At(i); b >= 0 && int(s.pairs.Close[b]) < len(s.Code) {
				i = int(s.pairs.Close[b])
			}
		}
	}
	return limit
}

// cTail matches what may be between the parameters and the body of a C or C++
// function.
var cTail = parse.NewHead(`^\s*(?:(?:const|volatile|noexcept|override|final|try|throw|__\w+|[A-Z][A-Z0-9_]*|&&?|` +
	`requires)\s*(?:\([^{};]*\))?\s*)*` +
	`(?:->[^;]*|:[^:;][^;]*|=\s*(?:0|default|delete)\s*)?$`)

// isCFunction reports whether what follows the parameters makes the match a
// definition, a member, or in a header file a prototype.
func (s *scanner) isCFunction(m match, e extent) bool {
	open := s.Lines[m.n] + m.at[1] - 1
	b := s.pairs.At(open)
	if b < 0 || int(s.pairs.Close[b]) >= e.head {
		return false
	}
	if e.body < 0 && m.p.has(headerOnly) &&
		(!s.isHeader || m.group("type") == "" || s.Code[min(e.end, len(s.Code)-1)] != ';') {
		return false
	}
	after := s.Code[s.pairs.Close[b]+1 : e.head]
	return cTail().Match(after[:min(len(after), MaxHead)])
}
