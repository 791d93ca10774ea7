package lex

import "strings"

// Template is a JavaScript template string, with the code and the further
// templates that "${" may bring.
func Template() Rule {
	return Rule{Open: "`", End: func(l *Lexer, i int) int {
		if l.Failures > MaxFailures {
			return i
		}
		if end := templateEnd(l.Text, i+1); end > 0 {
			return end
		}
		l.Failures += MaxFailures / 4 // each look goes to the end of the text
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

// Regex is a regular expression literal between slashes on one line. Whether
// a slash divides is told by what is before it.
func Regex(keywords string) Rule {
	return Rule{Open: "/", End: func(l *Lexer, i int) int {
		if !l.operandExpected(i, keywords) {
			return i
		}
		class := false
		for j := i + 1; j < min(len(l.Text), i+maxRegex) && l.Text[j] != '\n'; j++ {
			switch c := l.Text[j]; {
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
func (l *Lexer) operandExpected(i int, keywords string) bool {
	j := i - 1
	for j >= 0 && i-j < 200 && l.Code[j] <= ' ' {
		j--
	}
	if j < 0 {
		return true
	}
	c := l.Code[j]
	if !IsWord(c) {
		return strings.IndexByte(")]}\"'`$", c) < 0
	}
	end := j + 1
	for j >= 0 && end-j < 12 && IsWord(l.Code[j]) {
		j--
	}
	return strings.Contains(keywords, " "+string(l.Code[j+1:end])+" ")
}

// The words after which an operand is expected, for the rule regex.
const (
	JSOperators   = " return typeof case in of delete void throw new else do instanceof yield await "
	RubyOperators = " if unless when and or not return while until split match elsif puts then in scan gsub sub grep "
)

// Fixed is a token of its own that only looks like the start of a string: the
// variable $' or the character ?".
func Fixed(token string) Rule {
	return Rule{Open: token, End: func(l *Lexer, i int) int {
		if token[0] == '?' && i > 0 && IsWord(l.Text[i-1]) {
			return i
		}
		return i + len(token)
	}}
}

// Percent is one of the quote-like operators of Perl and Ruby: q{}, qw(), m//,
// s///, %w[]. After the opening word comes a delimiter; parts is how many
// delimited parts there are.
func Percent(open string, parts int) Rule {
	return Rule{Open: open, End: func(l *Lexer, i int) int {
		j := i + len(open)
		if l.Failures > MaxFailures || j >= len(l.Text) || !l.startsQuoteLike(i, j) {
			return i
		}
		end, ok := delimited(l.Text[:min(len(l.Text), i+MaxSpan)], j, parts)
		if !ok {
			l.Failures++
			return i
		}
		return end
	}}
}

func (l *Lexer) startsQuoteLike(i, delimiter int) bool {
	if i > 0 && (IsWord(l.Text[i-1]) || strings.IndexByte("$@%&{->:", l.Text[i-1]) >= 0) {
		return false
	}
	d := l.Text[delimiter]
	if l.Text[i] == '%' && !l.operandExpected(i, RubyOperators) && !strings.HasPrefix(l.Text[delimiter:], "[") {
		return false
	}
	if d == ',' && (l.Text[i] == 'm' || l.Text[i] == 's') {
		return l.operandExpected(i, RubyOperators)
	}
	return d > ' ' && !IsWord(d) && strings.IndexByte("=,;)&.?:", d) < 0
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
