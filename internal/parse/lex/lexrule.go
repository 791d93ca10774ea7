package lex

import (
	"strings"
	"unicode/utf8"
)

// MaxSpan is how far in bytes a string that may span lines is followed in the
// languages where a stray quote is common.
const MaxSpan = 20_000

// LineComment runs from open to the end of the line.
func LineComment(open string) Rule {
	return Rule{Open: open, Comment: true, End: func(l *Lexer, i int) int { return LineEnd(l.Text, i) }}
}

// WordComment is a lineComment that begins a word: not the # of "$#" or "a#b".
func WordComment(open string) Rule {
	return Rule{Open: open, Comment: true, End: func(l *Lexer, i int) int {
		if i > 0 && strings.IndexByte(" \t\n\r;(){}&|", l.Text[i-1]) < 0 {
			return i
		}
		return LineEnd(l.Text, i)
	}}
}

// BlockComment runs from open to the next closing, or to the end of the text.
func BlockComment(open, closing string) Rule {
	return Rule{Open: open, Closing: closing, Comment: true, End: func(l *Lexer, i int) int {
		return Past(l.Text, i+len(open), closing)
	}}
}

// NestedComment is a blockComment that may hold others of its kind.
func NestedComment(open, closing string) Rule {
	return Rule{Open: open, Closing: closing, Comment: true, End: func(l *Lexer, i int) int {
		depth := 0
		for i < len(l.Text) {
			switch {
			case strings.HasPrefix(l.Text[i:], open):
				depth++
				i += len(open)
			case strings.HasPrefix(l.Text[i:], closing):
				depth--
				i += len(closing)
			default:
				i++
			}
			if depth == 0 {
				break
			}
		}
		return i
	}}
}

// LineBlock runs from a line that begins with open to the end of the line
// that begins with closing: Ruby's =begin.
func LineBlock(open, closing string) Rule {
	return LineStart(Rule{Open: open, Closing: closing, Comment: true, End: func(l *Lexer, i int) int {
		return LineEnd(l.Text, Past(l.Text, i, "\n"+closing))
	}})
}

// Pod is Perl's documentation: from a line with "=" and a word to "=cut".
func Pod() Rule {
	r := LineBlock("=", "=cut")
	end := r.End
	r.End = func(l *Lexer, i int) int {
		if i+1 < len(l.Text) && !IsLetter(l.Text[i+1]) {
			return i
		}
		return end(l, i)
	}
	return r
}

// Quoted is a string on one line, with backslash escapes. A backslash before
// the newline continues it.
func Quoted(quote byte) Rule {
	return Rule{Open: string(quote), End: func(l *Lexer, i int) int {
		for j := i + 1; j < len(l.Text); j++ {
			switch l.Text[j] {
			case '\\':
				j++
				if j < len(l.Text) && l.Text[j] == '\r' {
					j++
				}
			case '\n':
				return j
			case quote:
				return j + 1
			}
		}
		return len(l.Text)
	}}
}

// Closed is a string from open to closing over any number of lines.
func Closed(open, closing string, escapes bool) Rule {
	return Rule{Open: open, End: func(l *Lexer, i int) int {
		end, ok := ClosingAt(l.Text, i+len(open), closing, escapes)
		if !ok {
			return len(l.Text)
		}
		return end
	}}
}

// Spanning is a string that may span lines in a language where the quote is
// often no quote: without an end nearby it is none, nor when the line foreign,
// which ends a block, is in it.
func Spanning(quote string, escapes bool, foreign string) Rule {
	return Rule{Open: quote, End: func(l *Lexer, i int) int {
		window := l.Text[:min(len(l.Text), i+MaxSpan)]
		if l.Failures > MaxFailures {
			window = l.Text[:LineEnd(l.Text, i)]
		}
		end, ok := ClosingAt(window, i+len(quote), quote, escapes)
		if !ok || foreign != "" && strings.Contains(l.Text[i:end], "\n"+foreign+"\n") {
			l.Failures++
			return i
		}
		return end
	}}
}

// Char is a character literal; a lone ' (a lifetime, a prime, a digit
// separator) is not one.
func Char() Rule {
	return Rule{Open: "'", End: func(l *Lexer, i int) int {
		rest := l.Text[i+1 : min(len(l.Text), i+14)]
		if strings.HasPrefix(rest, `\`) && len(rest) > 2 {
			if j := strings.IndexAny(rest[2:], "'\n"); j >= 0 && rest[2+j] == '\'' {
				return i + 1 + 2 + j + 1
			}
			return i
		}
		if _, size := utf8.DecodeRuneInString(rest); size < len(rest) && size > 0 && rest[size] == '\'' && rest[0] != '\'' {
			return i + 1 + size + 1
		}
		return i
	}}
}

// LineEnd is the offset of the newline that ends the line at i.
func LineEnd(text string, i int) int {
	if i >= len(text) {
		return len(text)
	}
	if j := strings.IndexByte(text[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(text)
}

// Past is the offset behind the next closing from i on.
func Past(text string, i int, closing string) int {
	if i >= len(text) {
		return len(text)
	}
	if j := strings.Index(text[i:], closing); j >= 0 {
		return i + j + len(closing)
	}
	return len(text)
}

// ClosingAt is the offset behind the next closing from i on, and whether there is
// one; a backslash may escape it.
func ClosingAt(text string, i int, closing string, escapes bool) (int, bool) {
	for i < len(text) {
		switch {
		case escapes && text[i] == '\\':
			i += 2
		case text[i] == closing[0] && strings.HasPrefix(text[i:], closing):
			return i + len(closing), true
		default:
			i++
		}
	}
	return len(text), false
}

// IsLetter reports whether a name may begin with c.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

// IsWord reports whether c may be in a name.
func IsWord(c byte) bool { return IsLetter(c) || c >= '0' && c <= '9' }
