package patterns

import (
	"bytes"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// walk follows the head of a declaration to its body or its end.
type walk struct {
	*scanner
	out      extent
	i, limit int
	steps    int
	angle    int  // type parameter brackets that are open
	assigned int  // offset behind "=" or ":" of a value, or 0
	isValue  bool // of a constant, variable or type: "= {…}" does not end it
	base     bool // behind the ":" of a base class or of C++'s initialisers
}

func (w *walk) run() {
	for ; w.i < w.limit; w.i++ {
		w.steps++
		if w.step(w.Code[w.i]) {
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
		return (c == '}' || w.Lang.brackets != lex.BracesOnly) && w.stop(w.i)
	case ';':
		w.out.end = w.i
		return true
	case ',':
		if (w.assigned > 0 || w.out.isFunc) && w.angle == 0 {
			return w.stop(w.i)
		}
	case '<':
		if w.i > 0 && lex.IsWord(w.Code[w.i-1]) {
			w.angle++
		}
	case '>':
		w.close()
	case '=':
		w.assign()
	case ':':
		w.base = w.base || w.next(1) != ':' && w.i > 0 && w.Code[w.i-1] != ':'
	case '\n':
		if w.Lang.newline && !w.continues() {
			return w.stop(w.i)
		}
	}
	return false
}

// close is for ">": the end of a type parameter, or of an arrow.
func (w *walk) close() {
	switch w.Code[max(w.i-1, 0)] {
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
	value := bytes.TrimLeft(w.Code[w.i+1:min(len(w.Code), w.i+40)], " \t\r\n")
	w.out.isFunc = w.out.isFunc || bytes.HasPrefix(value, []byte("function")) ||
		bytes.HasPrefix(value, []byte("async function"))
}

func (w *walk) next(n int) byte {
	if w.i+n < len(w.Code) {
		return w.Code[w.i+n]
	}
	return 0
}

// jump goes to the partner of the bracket, if it has one.
func (w *walk) jump() bool {
	if w.Lang.brackets == lex.BracesOnly && w.Code[w.i] != '{' {
		line := w.Code[w.i:lex.LineEnd(w.Text, w.i)]
		w.i += max(bytes.IndexByte(line, ')'), 0) // of a prototype like "($;$)"
		return true
	}
	b := w.pairs.At(w.i)
	if b < 0 || int(w.pairs.Close[b]) >= len(w.Code) {
		w.stop(w.i)
		return false
	}
	to := int(w.pairs.Close[b])
	w.limit = min(len(w.Code), w.limit+to-w.i)
	w.i = to
	return true
}

// brace is for "{": the body, or a part of a type or of a value.
func (w *walk) brace() bool {
	before := w.beforeSpace()
	isType := w.angle > 0 || w.next(1) == '}' && bytes.HasSuffix(w.Code[:w.i], []byte("struct")) || before == ':' ||
		before == '|' || before == '&' || w.base && w.initialises()
	if isType && w.jump() {
		return false
	}
	b := w.pairs.At(w.i)
	if b < 0 {
		return w.stop(w.i)
	}
	if w.out.body < 0 {
		w.out.body = b
	}
	if w.out.head < 0 {
		w.out.head = w.i
	}
	end := int(w.pairs.Close[b])
	w.out.end = min(end, len(w.Code)-1)
	if !w.isValue || w.assigned == 0 || w.out.isFunc || end >= len(w.Code) {
		return true
	}
	w.limit, w.i = min(len(w.Code), w.limit+end-w.i), end
	return false
}

func (w *walk) beforeSpace() byte {
	i := w.i - 1
	for i > 0 && w.i-i < 300 && w.Code[i] <= ' ' {
		i--
	}
	return w.Code[max(i, 0)]
}

// endsInString reports whether the last of the line is a string, which is blank in code.
func (w *walk) endsInString() bool {
	line := w.Lines.LineAt(w.i) - 1
	code := bytes.TrimRight(w.Code[w.Lines[line]:w.i], " \t\r")
	behind := w.Lines[line] + len(code)
	rest := strings.TrimLeft(w.Text[behind:w.i], " \t\r")
	start := w.i - len(rest)
	i := sort.Search(len(w.Comments), func(i int) bool { return w.Comments[i].Start >= start })
	return rest != "" && (i == len(w.Comments) || w.Comments[i].Start != start)
}

// initialises reports whether the brace belongs to a member of a C++
// constructor's initialiser list: another one, or the body, follows it.
func (w *walk) initialises() bool {
	b := w.pairs.At(w.i)
	if b < 0 || int(w.pairs.Close[b]) >= len(w.Code) || !w.Lang.directives {
		return false
	}
	for _, c := range w.Code[w.pairs.Close[b]+1 : min(len(w.Code), int(w.pairs.Close[b])+300)] {
		if c > ' ' {
			return c == ',' || c == '{'
		}
	}
	return false
}

// continuation matches the beginning of a line that goes on with the
// statement of the line before it.
var continuation = parse.NewHead(
	`^(?:[{:=.?&|+,>)]|->|(?:where|throws|rethrows|extends|implements|with|async|permits|returns)\b)`)

// continues reports whether the statement goes on after the newline.
func (w *walk) continues() bool {
	if before := w.beforeSpace(); w.angle > 0 || before != 0 && strings.IndexByte("=,:|&+.<>?", before) >= 0 &&
		!w.endsInString() {
		return true
	}
	rest := bytes.TrimLeft(w.Code[w.i:min(len(w.Code), w.i+200)], " \t\r\n")
	return continuation().Match(rest[:min(len(rest), 20)])
}
