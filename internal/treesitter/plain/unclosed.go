package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// pythonHead is how a line of Python begins that can't be inside of brackets:
// def and class are words of the language.
var pythonHead = pattern.NewLazy(`^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[(\[]|class[ \t]+\w+[ \t]*[:(\[])`)

// ClosePython puts spaces in the place of brackets that nobody closed, as they
// are in a file that somebody is typing in: a grammar takes all lines behind one
// for what is in it. They are the ones that are open where a declaration begins.
func ClosePython(text string) string {
	var out []byte
	s := pythonScan{text: text}
	for s.at < len(text) {
		if len(s.open) > 0 && pythonHead().MatchString(s.lineFrom(s.at)) {
			if out == nil {
				out = []byte(text)
			}
			for _, i := range s.open {
				out[i] = ' '
			}
			s.open = s.open[:0]
		}
		s.line()
	}
	if out == nil {
		return text
	}
	return string(out)
}

// A pythonScan reads Python line by line and knows which brackets are open.
type pythonScan struct {
	text string
	at   int
	open []int // offsets
}

func (s *pythonScan) lineFrom(at int) string {
	line, _, _ := strings.Cut(s.text[at:], "\n")
	return line
}

// line reads to the begin of the next line that does not begin in a string.
func (s *pythonScan) line() {
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch c {
		case '\n':
			s.at++
			return
		case '#':
			s.at += len(s.lineFrom(s.at))
			continue
		case '"', '\'':
			s.quoted()
			continue
		case '\\':
			s.at++
		case '(', '[', '{':
			s.open = append(s.open, s.at)
		case ')', ']', '}':
			s.open = s.open[:max(len(s.open)-1, 0)]
		}
		s.at++
	}
}

// quoted reads a string. One of a line ends with it, closed or not; one in three
// quotes that nobody closes is the rest of the text.
func (s *pythonScan) quoted() {
	quote := s.text[s.at : s.at+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(s.text[s.at:], long) {
		quote = long
	}
	for s.at += len(quote); s.at < len(s.text); s.at++ {
		switch {
		case s.text[s.at] == '\\':
			s.at++
		case strings.HasPrefix(s.text[s.at:], quote):
			s.at += len(quote)
			return
		case s.text[s.at] == '\n' && len(quote) == 1:
			return
		}
	}
}
