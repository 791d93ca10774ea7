package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// An objcToken is a token of Objective-C.
type objcToken struct {
	// 'a' of a name, '0' of a number, '"' of a string, '@' of a word behind that, '.' of "->" too; else the mark
	kind  byte
	text  string // of a mark of several bytes all of it
	at    int
	fence bool // nothing that is open goes on behind it: a method or a class begins or ends
}

// An objcCursor is on its way through the tokens of a file.
type objcCursor struct {
	toks []objcToken // the last one has no kind
	i    int
}

func (c *objcCursor) tok() *objcToken { return c.ahead(0) }

// ahead is the n-th token from here, the last one behind the end.
func (c *objcCursor) ahead(n int) *objcToken { return &c.toks[min(c.i+n, len(c.toks)-1)] }

// is reports whether the token here is a word or mark.
func (c *objcCursor) is(text string) bool { return c.ahead(0).text == text }

// skip goes behind a word or mark, if that is here.
func (c *objcCursor) skip(text string) bool {
	if c.is(text) {
		c.i++
		return true
	}
	return false
}

// ended reports whether there is no more of what is open.
func (c *objcCursor) ended() bool { return c.tok().kind == 0 || c.tok().fence }

// maxBalanced is how many tokens are looked at for the end of a bracket.
const maxBalanced = 2000

// past is how many tokens from the n-th one on a bracket that opens there takes, 0 if it has no end near.
func (c *objcCursor) past(n, limit int) int {
	depth := 0
	for k := n; k < n+limit; k++ {
		switch t := c.ahead(k); t.kind {
		case '(', '[', '{', '<':
			if t.kind == '<' == (c.ahead(n).kind == '<') {
				depth++
			}
		case ')', ']', '}', '>':
			if t.kind == '>' != (c.ahead(n).kind == '<') {
				break
			}
			if depth--; depth == 0 {
				return k + 1 - n
			}
		case ';':
			if c.ahead(n).kind == '<' {
				return 0
			}
		case 0:
			return 0
		}
	}
	return 0
}

// skipBrackets goes behind the bracket that opens here.
func (c *objcCursor) skipBrackets() { c.i += max(c.past(0, maxBalanced), 1) }

// objcTokens are the tokens of a text whose code is known. Of what the preprocessor may leave out all is
// there, unless brackets do not match in it: then the first of the choices is.
func objcTokens(src *lex.Source) []objcToken {
	s := &objcScanner{src: src}
	for s.i < len(src.Code) {
		s.step()
	}
	return append(s.toks, objcToken{at: len(src.Code)})
}

type objcScanner struct {
	src     *lex.Source
	i       int
	toks    []objcToken
	choices [][]int // for each #if that is open: where its parts begin
	comment int     // comments before it are behind
}

func (s *objcScanner) step() {
	code, text := s.src.Code, s.src.Text
	ch := code[s.i]
	for s.comment < len(s.src.Comments) && s.src.Comments[s.comment].End <= s.i {
		s.comment++
	}
	switch {
	case text[s.i] == '#' && s.indent() >= 0:
		s.directive()
	case ch <= ' ' && text[s.i] == '"':
		s.str()
	case ch <= ' ':
		s.i++
		if s.comment < len(s.src.Comments) && s.src.Comments[s.comment].Start < s.i {
			s.i = max(s.i, s.src.Comments[s.comment].End)
		}
	case isStart(ch) || ch == '$':
		s.add('a', s.word(s.i))
	case isDigit(ch):
		s.add('0', s.word(s.i))
	case ch == '@' && s.i+1 < len(code) && isStart(code[s.i+1]):
		s.add('@', s.word(s.i+1))
	case ch == '@' && s.i+1 < len(code) && text[s.i+1] == '"':
		s.i++
	default:
		s.mark(ch)
	}
}

func (s *objcScanner) word(i int) int {
	for i < len(s.src.Code) && (lex.IsWord(s.src.Code[i]) || s.src.Code[i] == '$' || s.src.Code[i] >= 0x80) {
		i++
	}
	return i
}

// objcFences begin and end what methods are in.
var objcFences = resolve.Set("@interface @implementation @end")

func (s *objcScanner) add(kind byte, end int) {
	t := objcToken{kind: kind, text: s.src.Text[s.i:end], at: s.i}
	t.fence = kind == '@' && objcFences[t.text] || (kind == '-' || kind == '+') && s.indent() == 0 &&
		strings.HasPrefix(strings.TrimLeft(s.src.Text[end:min(len(s.src.Text), end+20)], " \t"), "(")
	s.toks, s.i = append(s.toks, t), end
}

// indent is how many blanks are before this place on its line, -1 if there is something else.
func (s *objcScanner) indent() int {
	for n := range maxIndent {
		switch i := s.i - n - 1; {
		case i < 0 || s.src.Code[i] == '\n':
			return n
		case s.src.Code[i] > ' ':
			return -1
		}
	}
	return -1
}

// str reads a string.
func (s *objcScanner) str() {
	end := s.i + 1
	for end < len(s.src.Text) && s.src.Text[end] != '"' && s.src.Text[end] != '\n' && s.src.Code[end] <= ' ' {
		if s.src.Text[end] == '\\' {
			end++
		}
		end++
	}
	s.add('"', min(end+1, len(s.src.Text)))
}

// objcMarks are marks of several bytes, by what they count as.
var objcMarks = map[string]byte{
	"->": '.', "==": 'o', "!=": 'o', "<=": 'o', ">=": 'o', "&&": 'o', "||": 'o', "+=": 'o', "-=": 'o', "*=": 'o',
	"/=": 'o', "|=": 'o', "&=": 'o', "^=": 'o', "%=": 'o', "++": 'u', "--": 'u', "::": 's',
}

func (s *objcScanner) mark(ch byte) {
	if s.i+2 <= len(s.src.Code) {
		if kind, ok := objcMarks[string(s.src.Code[s.i:s.i+2])]; ok {
			s.add(kind, s.i+2)
			return
		}
	}
	s.add(ch, s.i+1)
}

// directive reads a line of the preprocessor, of which nothing is kept.
func (s *objcScanner) directive() {
	start := s.i
	for s.i < len(s.src.Text) {
		s.i += lineLength(s.src.Text[s.i:])
		if !strings.HasSuffix(strings.TrimRight(s.src.Text[start:s.i], "\r"), "\\") {
			break
		}
		s.i++
	}
	s.i = min(s.i, len(s.src.Text))
	word := strings.TrimLeft(s.src.Text[start+1:s.i], " \t")
	last := len(s.choices) - 1
	switch {
	case strings.HasPrefix(word, "if"):
		s.choices = append(s.choices, []int{len(s.toks)})
	case last < 0:
	case strings.HasPrefix(word, "el"):
		s.choices[last] = append(s.choices[last], len(s.toks))
	case strings.HasPrefix(word, "endif"):
		if parts := s.choices[last]; len(parts) > 1 && !s.balanced(parts) {
			s.toks = s.toks[:parts[1]]
		}
		s.choices = s.choices[:last]
	}
}

// balanced reports whether each part has as many brackets that open as close.
func (s *objcScanner) balanced(parts []int) bool {
	for n, from := range parts {
		to := len(s.toks)
		if n+1 < len(parts) {
			to = parts[n+1]
		}
		depth := 0
		for _, t := range s.toks[from:to] {
			switch t.kind {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		if depth != 0 {
			return false
		}
	}
	return true
}
