package parse

import "strings"

// template is a JavaScript template string, with the code and the further
// templates that "${" may bring.
func template() lexRule {
	return lexRule{open: "`", end: func(l *lexer, i int) int {
		if l.failures > maxFailures {
			return i
		}
		if end := templateEnd(l.text, i+1); end > 0 {
			return end
		}
		l.failures += maxFailures / 4 // each look goes to the end of the text
		return i
	}}
}

// templateText marks the text of a template on the stack of templateEnd.
const templateText = -1

// templateEnd is the offset behind the template whose text starts at i, or 0.
func templateEnd(text string, i int) int {
	stack := []int{templateText} // other elements are code: the braces open in it
	for ; i < len(text); i++ {
		top := &stack[len(stack)-1]
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '`' && *top == templateText:
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return i + 1
			}
		case c == '`':
			stack = append(stack, templateText)
		case *top == templateText:
			if c == '$' && strings.HasPrefix(text[i:], "${") {
				stack = append(stack, 0)
				i++
			}
		case c == '{':
			*top++
		case c == '}' && *top > 0:
			*top--
		case c == '}':
			stack = stack[:len(stack)-1]
		case c == '"' || c == '\'':
			i = shortString(text, i)
		}
	}
	return 0
}

// shortString is the offset of the quote that closes the one at i on its
// line, or i.
func shortString(text string, i int) int {
	for j := i + 1; j < len(text) && text[j] != '\n'; j++ {
		switch text[j] {
		case '\\':
			j++
		case text[i]:
			return j
		}
	}
	return i
}

// maxRegex is the length in bytes up to which a regular expression is followed.
const maxRegex = 500

// regex is a regular expression literal between slashes on one line. Whether
// a slash divides is told by what is before it.
func regex(keywords string) lexRule {
	return lexRule{open: "/", end: func(l *lexer, i int) int {
		if !l.operandExpected(i, keywords) {
			return i
		}
		class := false
		for j := i + 1; j < min(len(l.text), i+maxRegex) && l.text[j] != '\n'; j++ {
			switch c := l.text[j]; {
			case c == '\\':
				j++
			case c == '[':
				class = true
			case c == ']':
				class = false
			case c == '/' && !class:
				return j + 1
			}
		}
		return i
	}}
}

// operandExpected reports whether an operand, not an operator, can be at i.
func (l *lexer) operandExpected(i int, keywords string) bool {
	j := i - 1
	for j >= 0 && i-j < 200 && l.code[j] <= ' ' {
		j--
	}
	if j < 0 {
		return true
	}
	c := l.code[j]
	if !isWord(c) {
		return strings.IndexByte(")]}\"'`$", c) < 0
	}
	end := j + 1
	for j >= 0 && end-j < 12 && isWord(l.code[j]) {
		j--
	}
	return strings.Contains(keywords, " "+string(l.code[j+1:end])+" ")
}

// The words after which an operand is expected, for the rule regex.
const (
	jsOperators   = " return typeof case in of delete void throw new else do instanceof yield await "
	rubyOperators = " if unless when and or not return while until split match elsif puts then in scan gsub sub grep "
)

// fixed is a token of its own that only looks like the start of a string: the
// variable $' or the character ?".
func fixed(token string) lexRule {
	return lexRule{open: token, end: func(l *lexer, i int) int {
		if token[0] == '?' && i > 0 && isWord(l.text[i-1]) {
			return i
		}
		return i + len(token)
	}}
}

// percent is one of the quote-like operators of Perl and Ruby: q{}, qw(), m//,
// s///, %w[]. After the opening word comes a delimiter; parts is how many
// delimited parts there are.
func percent(open string, parts int) lexRule {
	return lexRule{open: open, end: func(l *lexer, i int) int {
		j := i + len(open)
		if l.failures > maxFailures || j >= len(l.text) || !l.startsQuoteLike(i, j) {
			return i
		}
		end, ok := delimited(l.text[:min(len(l.text), i+maxSpan)], j, parts)
		if !ok {
			l.failures++
			return i
		}
		return end
	}}
}

func (l *lexer) startsQuoteLike(i, delimiter int) bool {
	if i > 0 && (isWord(l.text[i-1]) || strings.IndexByte("$@%&{->:", l.text[i-1]) >= 0) {
		return false
	}
	d := l.text[delimiter]
	if l.text[i] == '%' && !l.operandExpected(i, rubyOperators) && !strings.HasPrefix(l.text[delimiter:], "[") {
		return false
	}
	if d == ',' && (l.text[i] == 'm' || l.text[i] == 's') {
		return l.operandExpected(i, rubyOperators)
	}
	return d > ' ' && !isWord(d) && strings.IndexByte("=,;)&.?:", d) < 0
}

// delimited is the end of the parts that begin with the delimiter at i.
func delimited(text string, i, parts int) (int, bool) {
	open := text[i]
	closing := open
	if k := strings.IndexByte("([{<", open); k >= 0 {
		closing = ")]}>"[k]
	}
	depth := 0
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == open && (depth == 0 || open != closing):
			depth++
		case c == closing:
			depth--
			if parts > 1 && open == closing {
				parts--
				depth++
			}
			if depth == 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}
