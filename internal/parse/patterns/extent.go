package patterns

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

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
func (s *DeclScanner) extent(m match) extent {
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
		w := walk{DeclScanner: s, i: from, limit: min(len(s.Code), from+s.reach())}
		w.isValue = m.p.kind == "const" || m.p.kind == "var" || m.p.kind == "type"
		w.out = extent{head: -1, body: -1}
		w.run()
		s.walked += w.steps
		return w.out
	}
	e := extent{head: s.headEnd(from), body: -1}
	e.end = max(e.head-1, 0)
	if s.Lang.style == statement || m.p.has(toTerminator) {
		e.end = s.terminator(from)
	}
	return e
}

// reach is how far the next head is followed.
func (s *DeclScanner) reach() int {
	if s.walked > 2*len(s.Code)+10*MaxHead {
		return minHead
	}
	return MaxHead
}

// wholeLine is the extent of a line with its continuations; its head ends
// with the first parenthesis.
func (s *DeclScanner) wholeLine(n, from int) extent {
	for n+1 < len(s.Class) && s.Class[n+1]&lex.InString != 0 {
		n++
	}
	end := s.Lines[n+1]
	return extent{head: min(lex.Past(s.Text, from, ")"), end), body: -1, end: end - 1}
}

// terminator is the last byte of the language's next terminator from an
// offset on, or of the text. Offsets come in ascending order.
func (s *DeclScanner) terminator(from int) int {
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
func (s *DeclScanner) headEnd(from int) int {
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
var cTail = parse.Lazy(`^\s*(?:(?:const|volatile|noexcept|override|final|try|throw|__\w+|[A-Z][A-Z0-9_]*|&&?|` +
	`requires)\s*(?:\([^{};]*\))?\s*)*` +
	`(?:->[^;]*|:[^:;][^;]*|=\s*(?:0|default|delete)\s*)?$`)

// isCFunction reports whether what follows the parameters makes the match a
// definition, a member, or in a header file a prototype.
func (s *DeclScanner) isCFunction(m match, e extent) bool {
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
