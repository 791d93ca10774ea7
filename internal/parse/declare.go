package parse

import (
	"bytes"
	"sort"
	"strings"
)

// maxMatched is how much of a line the patterns look at.
const maxMatched = 400

// A decl is a declaration on the way to become a symbol.
type decl struct {
	Symbol
	up      int    // index of the declaration around, or -1
	path    string // what qualifies the names in it
	depth   int    // 1 for one that is in no other
	indent  int
	hidden  bool
	holds   bool
	isFunc  bool
	pending bool // its end is not known yet
	open    bool // what is in it counts as top-level
	body    int  // its bracket, or -1
}

// noOwner is the owner of a bracket that is in no declaration.
const noOwner = 1

// A declScanner walks over the lines of a source and collects declarations.
type declScanner struct {
	*source
	lang   *language
	pairs  *brackets
	decls  []decl
	owner  []int32 // by bracket: the declaration around, see own; 0 is not known
	direct []bool  // by bracket: it is the body of its owner
	stack  []int   // declarations that are open, by indentation
	lead   int     // first line of the comments and decorators above, or -1
	before int     // lead of the line before, if that had code
	last   int     // last line with code

	nextEnd  int  // see terminator
	walked   int  // bytes of heads looked at, see reach
	isHeader bool // of C or C++
}

// dataFactor times the number of keys that a language allows is when the rest
// of a data file is not looked at.
const dataFactor = 20

// scan finds the declarations of a file by the patterns of its language.
func scan(f File, lang *language) Outline {
	src := blank(f.Text, lang.lexis)
	s := &declScanner{
		source: src, lang: lang, lead: -1, before: -1, isHeader: isHeader(f.Path),
		pairs: matchBrackets(src, lang.brackets, lang.directives),
	}
	s.owner, s.direct = make([]int32, len(s.pairs.open)), make([]bool, len(s.pairs.open))
	for n := range s.class {
		if lang.maximum > 0 && len(s.decls) > dataFactor*lang.maximum {
			return Outline{Method: MethodOutline, Lines: src.lines.Lines()}
		}
		s.visit(n)
	}
	s.leave(-1, len(s.class))
	return s.outline()
}

// visit looks at line n, from 0. Decorators above a declaration and their
// further lines are kept like comments.
func (s *declScanner) visit(n int) {
	class := s.class[n]
	switch {
	case class&(inString|inComment) != 0 && class&hasCode == 0:
		return
	case class&inString != 0:
		s.last = n
		return
	case class == 0:
		if !s.detachedDoc(n) {
			s.lead, s.before = -1, -1
		}
		return
	case class&hasCode == 0:
		if s.lead < 0 {
			s.lead = n
		}
		return
	}
	inside := s.pairs.atLine[n]
	if inside >= 0 && s.pairs.kind[inside] != '{' || inside >= 0 && s.lang.style != braces {
		s.last = n
		return
	}
	if s.lang.style == indented && class&inComment == 0 && s.leave(s.indent(n), n) {
		return
	}
	s.statement(n)
	s.last = n
}

// detachedDoc reports whether the blank line n stands between a "/**" comment
// and what it documents. The one that begins a file documents the file.
func (s *declScanner) detachedDoc(n int) bool {
	if s.lead < 0 || s.last == 0 || s.class[n-1]&hasCode != 0 || n+1 >= len(s.class) || s.class[n+1]&hasCode == 0 {
		return false
	}
	i := sort.Search(len(s.comments), func(i int) bool { return s.comments[i].start >= s.lines[n] }) - 1
	return i >= 0 && strings.HasPrefix(s.text[s.comments[i].start:], "/**")
}

// statement looks for a declaration on a line that begins one or another
// statement.
func (s *declScanner) statement(n int) {
	line := s.codeLine(n)
	line = line[:min(len(line), maxMatched)]
	if s.declare(n, line) {
		s.lead, s.before = -1, -1
		return
	}
	if s.lang.decorator != nil && s.lang.decorator().Match(line) {
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
func (s *declScanner) leave(indent, n int) bool {
	for len(s.stack) > 0 {
		d := &s.decls[s.stack[len(s.stack)-1]]
		if indent > d.indent {
			return false
		}
		if indent == d.indent {
			line := s.codeLine(n)
			if s.lang.joins != nil && s.lang.joins().Match(line) {
				s.last = n
				return true
			}
			if s.lang.closer != nil && s.lang.closer().Match(line) {
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

func (s *declScanner) pop() { s.stack = s.stack[:len(s.stack)-1] }

// maxDepth is how deep declarations are followed into each other.
const maxDepth = 20

// declare adds the declaration on line n, if a pattern finds one.
func (s *declScanner) declare(n int, line []byte) bool {
	c := s.site(n)
	if s.depth(c.up) >= maxDepth {
		return false
	}
	for i := range s.lang.patterns {
		p := &s.lang.patterns[i]
		if !s.fits(p, c) {
			continue
		}
		text := line
		if p.has(raw) {
			text = []byte(s.rawLine(n))
			text = text[:min(len(text), maxMatched)]
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
func (s *declScanner) enclosing(n int) (up int, direct bool) {
	if s.lang.style != braces {
		if len(s.stack) == 0 {
			return -1, false
		}
		return s.stack[len(s.stack)-1], true
	}
	inner := s.pairs.atLine[n]
	if inner < 0 {
		return -1, false
	}
	return s.ownerOf(inner), s.direct[inner]
}

// ownerOf finds the declaration around a bracket and notes it on the way.
func (s *declScanner) ownerOf(bracket int32) int {
	b := bracket
	for b >= 0 && s.owner[b] == 0 {
		b = s.pairs.parent[b]
	}
	owner := int32(noOwner)
	if b >= 0 {
		owner = s.owner[b]
	}
	for b = bracket; b >= 0 && s.owner[b] == 0; b = s.pairs.parent[b] {
		s.owner[b] = owner
	}
	return int(owner - noOwner - 1)
}

// own makes a bracket the body of a declaration.
func (s *declScanner) own(bracket, d int) {
	s.owner[bracket], s.direct[bracket] = int32(d+noOwner+1), true
}

// outermost reports whether nothing but namespaces is around what is in up.
func (s *declScanner) outermost(up int) bool { return up < 0 || s.decls[up].open }

func (s *declScanner) fits(p *pattern, c site) bool {
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
