package parse

import (
	"bytes"
	"regexp"
	"strings"
)

// maxHead is how far in bytes, brackets not counted, the head of a
// declaration is followed.
const maxHead = 4000

// An extent is how far a declaration goes.
type extent struct {
	head   int // offset where the text that declares it ends
	body   int // index of the bracket of its body, or -1
	end    int // offset of its last character
	isFunc bool
}

// extent finds where the declaration of a match ends. Where the block style
// needs the lines to come, only the head is right.
func (s *declScanner) extent(m match) extent {
	from := s.lines[m.n] + m.at[0]
	if i := m.p.re().SubexpIndex("name"); i >= 0 && m.at[2*i+1] >= 0 {
		from = s.lines[m.n] + m.at[2*i+1]
	}
	if s.lang.style == braces && !m.p.has(toTerminator) {
		w := walk{declScanner: s, i: from, limit: min(len(s.code), from+maxHead)}
		w.out = extent{head: -1, body: -1}
		w.run()
		return w.out
	}
	e := extent{head: s.headEnd(from), body: -1}
	e.end = max(e.head-1, 0)
	if s.lang.style == statement || m.p.has(toTerminator) {
		e.end = s.terminator(e.head)
	}
	return e
}

// terminator is the last byte of the language's next terminator from an
// offset on, or of the text. Offsets come in ascending order.
func (s *declScanner) terminator(from int) int {
	if s.nextEnd < from {
		s.nextEnd = len(s.code) - 1
		if i := bytes.Index(s.code[from:], []byte(s.lang.terminator)); i >= 0 {
			s.nextEnd = from + i + len(s.lang.terminator) - 1
		}
	}
	return s.nextEnd
}

// headEnd is where a head without braces ends: at a character of the
// language's header, or with its logical line.
func (s *declScanner) headEnd(from int) int {
	for i := from; i < min(len(s.code), from+maxHead); i++ {
		switch c := s.code[i]; {
		case c == '\n':
			return i
		case strings.IndexByte(s.lang.header, c) >= 0:
			return i
		case c == '(' || c == '[' || c == '{':
			if b := s.pairs.at(i); b >= 0 && int(s.pairs.close[b]) < len(s.code) {
				i = int(s.pairs.close[b])
			}
		}
	}
	return min(len(s.code), from+maxHead)
}

// walk follows the head of a declaration to its body or its end.
type walk struct {
	*declScanner
	out      extent
	i, limit int
	angle    int // type parameter brackets that are open
	assigned int // offset behind "=" or ":" of a value, or 0
	base     bool
}

func (w *walk) run() {
	for ; w.i < w.limit; w.i++ {
		if w.step(w.code[w.i]) {
			if w.out.head < 0 {
				w.out.head = w.i
			}
			return
		}
	}
	w.stop(w.limit)
}

func (w *walk) stop(i int) bool {
	w.out.end = max(i-1, 0)
	if w.out.head < 0 {
		w.out.head = i
	}
	return true
}

// step looks at one character and reports whether the declaration ends there.
func (w *walk) step(c byte) bool {
	switch c {
	case '(', '[':
		return !w.jump()
	case '{':
		return w.brace()
	case '}', ')', ']':
		return w.stop(w.i)
	case ';':
		w.out.end = w.i
		return true
	case ',':
		if (w.assigned > 0 || w.out.isFunc) && w.angle == 0 {
			return w.stop(w.i)
		}
	case '<':
		if w.i > 0 && isWord(w.code[w.i-1]) {
			w.angle++
		}
	case '>':
		w.close()
	case '=':
		w.assign()
	case ':':
		w.base = w.base || w.next(1) != ':' && w.i > 0 && w.code[w.i-1] != ':'
	case '\n':
		if w.lang.newline && !w.continues() {
			return w.stop(w.i)
		}
	}
	return false
}

// close is for ">": the end of a type parameter, or of an arrow.
func (w *walk) close() {
	switch w.code[max(w.i-1, 0)] {
	case '=':
		w.out.isFunc = true
		if w.out.head < 0 {
			w.out.head = w.i + 1
		}
	case '-':
	default:
		w.angle = max(w.angle-1, 0)
	}
}

func (w *walk) assign() {
	next := w.next(1)
	if w.assigned > 0 || w.angle > 0 || next == '=' || next == '>' {
		return
	}
	w.assigned = w.i + 1
	value := bytes.TrimLeft(w.code[w.i+1:min(len(w.code), w.i+40)], " \t\r\n")
	w.out.isFunc = w.out.isFunc || bytes.HasPrefix(value, []byte("function")) || bytes.HasPrefix(value, []byte("async function"))
}

func (w *walk) next(n int) byte {
	if w.i+n < len(w.code) {
		return w.code[w.i+n]
	}
	return 0
}

// jump goes to the partner of the bracket, if it has one.
func (w *walk) jump() bool {
	b := w.pairs.at(w.i)
	if b < 0 || int(w.pairs.close[b]) >= len(w.code) {
		w.stop(w.i)
		return false
	}
	to := int(w.pairs.close[b])
	w.limit = min(len(w.code), w.limit+to-w.i)
	w.i = to
	return true
}

// brace is for "{": the body, or a part of a type or of a value.
func (w *walk) brace() bool {
	before := w.beforeSpace()
	isType := w.angle > 0 || before == ':' || before == '|' || before == '&' || w.base && w.initialises()
	if isType && w.jump() {
		return false
	}
	b := w.pairs.at(w.i)
	if b < 0 {
		return w.stop(w.i)
	}
	if w.out.body < 0 {
		w.out.body = b
	}
	if w.out.head < 0 {
		w.out.head = w.i
	}
	end := int(w.pairs.close[b])
	w.out.end = min(end, len(w.code)-1)
	if w.assigned == 0 || w.out.isFunc || end >= len(w.code) {
		return true
	}
	w.limit, w.i = min(len(w.code), w.limit+end-w.i), end // "= {…}" goes on to its semicolon
	return false
}

func (w *walk) beforeSpace() byte {
	i := w.i - 1
	for i > 0 && w.i-i < 300 && w.code[i] <= ' ' {
		i--
	}
	return w.code[max(i, 0)]
}

// initialises reports whether the brace belongs to a member of a C++
// constructor's initialiser list: another one, or the body, follows it.
func (w *walk) initialises() bool {
	b := w.pairs.at(w.i)
	if b < 0 || int(w.pairs.close[b]) >= len(w.code) || !w.lang.directives {
		return false
	}
	for _, c := range w.code[w.pairs.close[b]+1 : min(len(w.code), int(w.pairs.close[b])+300)] {
		if c > ' ' {
			return c == ',' || c == '{'
		}
	}
	return false
}

// continuation matches the beginning of a line that goes on with the
// statement of the line before it.
var continuation = regexp.MustCompile(`^(?:[{:=.?&|+,>)]|->|(?:where|throws|rethrows|extends|implements|with|async|permits|returns)\b)`)

// continues reports whether the statement goes on after the newline.
func (w *walk) continues() bool {
	if w.angle > 0 || strings.IndexByte("=,:|&+.<>?", w.beforeSpace()) >= 0 && w.beforeSpace() != 0 {
		return true
	}
	rest := bytes.TrimLeft(w.code[w.i:min(len(w.code), w.i+200)], " \t\r\n")
	return continuation.Match(rest[:min(len(rest), 20)])
}

// cTail matches what may be between the parameters and the body of a C or C++
// function.
var cTail = regexp.MustCompile(`^\s*(?:(?:const|volatile|noexcept|override|final|try|throw|__\w+|[A-Z][A-Z0-9_]*|&&?|requires)\s*(?:\([^{};]*\))?\s*)*` +
	`(?:->[^;]*|:[^:;][^;]*|=\s*(?:0|default|delete)\s*)?$`)

// isCFunction reports whether what follows the parameters makes the match a
// definition, a member, or in a header file a prototype.
func (s *declScanner) isCFunction(m match, e extent) bool {
	open := s.lines[m.n] + m.at[1] - 1
	b := s.pairs.at(open)
	if b < 0 || int(s.pairs.close[b]) >= e.head {
		return false
	}
	if e.body < 0 && m.p.has(headerOnly) && (!s.isHeader || m.group("type") == "" || s.code[min(e.end, len(s.code)-1)] != ';') {
		return false
	}
	after := s.code[s.pairs.close[b]+1 : e.head]
	return cTail.Match(after[:min(len(after), maxHead)])
}
