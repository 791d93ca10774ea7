package plain

import (
	"slices"
	"strings"
)

// CloseSwift is what ends the last line of a text and closes the brackets that are open
// there, each on a line: the grammar's repair of errors at the end of a text may not end,
// as of "{m(){t" and of ";t()\n(x: Int) =".
func CloseSwift(text string) string {
	closing := ""
	if !strings.HasSuffix(text, "\n") {
		closing = "\n"
	}
	if balanced(text) {
		return closing
	}
	s := swiftScan{text: text}
	for s.at < len(text) {
		s.token()
	}
	for _, c := range slices.Backward(s.open) {
		closing += string(c) + "\n"
	}
	return closing
}

// balanced reports whether a text has as many brackets that close as open, wherever
// they are: most do, and need no second look.
func balanced(text string) bool {
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
			return false
		}
	}
	return true
}

// A swiftScan reads Swift and knows which brackets are open, by what closes them.
type swiftScan struct {
	text string
	at   int
	open []byte
}

func (s *swiftScan) token() {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "//"):
		s.at += lineOf(rest)
		return
	case strings.HasPrefix(rest, "/*"):
		s.comment()
		return
	case c == '"':
		s.quoted()
		return
	case c == '(':
		s.open = append(s.open, ')')
	case c == '[':
		s.open = append(s.open, ']')
	case c == '{':
		s.open = append(s.open, '}')
	case c == ')', c == ']', c == '}':
		if i := strings.LastIndexByte(string(s.open), c); i >= 0 {
			s.open = s.open[:i]
		}
	}
	s.at++
}

// comment reads one in which there may be others.
func (s *swiftScan) comment() {
	for depth := 0; s.at < len(s.text); {
		switch rest := s.text[s.at:]; {
		case strings.HasPrefix(rest, "/*"):
			depth, s.at = depth+1, s.at+2
		case strings.HasPrefix(rest, "*/"):
			s.at += 2
			if depth--; depth == 0 {
				return
			}
		default:
			s.at++
		}
	}
}

// quoted reads a string, which ends with its line unless it has three quotes.
func (s *swiftScan) quoted() {
	end, limit := `"`, s.at+lineOf(s.text[s.at:])
	if strings.HasPrefix(s.text[s.at:], `"""`) {
		end, limit = `"""`, len(s.text)
	}
	for s.at += len(end); s.at < limit; s.at++ {
		if strings.HasPrefix(s.text[s.at:], end) {
			s.at += len(end)
			return
		}
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
}

// lineOf is the length of the line that a text begins with.
func lineOf(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}
