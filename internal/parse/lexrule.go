package parse

import (
	"strings"
	"unicode/utf8"
)

// maxSpan is how far in bytes a string that may span lines is followed in the
// languages where a stray quote is common.
const maxSpan = 20_000

// lineComment runs from open to the end of the line.
func lineComment(open string) lexRule {
	return lexRule{open: open, comment: true, end: func(l *lexer, i int) int { return lineEnd(l.text, i) }}
}

// wordComment is a lineComment that begins a word: not the # of "$#" or "a#b".
func wordComment(open string) lexRule {
	return lexRule{open: open, comment: true, end: func(l *lexer, i int) int {
		if i > 0 && strings.IndexByte(" \t\n\r;(){}&|", l.text[i-1]) < 0 {
			return i
		}
		return lineEnd(l.text, i)
	}}
}

// blockComment runs from open to the next closing, or to the end of the text.
func blockComment(open, closing string) lexRule {
	return lexRule{open: open, closing: closing, comment: true, end: func(l *lexer, i int) int {
		return past(l.text, i+len(open), closing)
	}}
}

// nestedComment is a blockComment that may hold others of its kind.
func nestedComment(open, closing string) lexRule {
	return lexRule{open: open, closing: closing, comment: true, end: func(l *lexer, i int) int {
		depth := 0
		for i < len(l.text) {
			switch {
			case strings.HasPrefix(l.text[i:], open):
				depth++
				i += len(open)
			case strings.HasPrefix(l.text[i:], closing):
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

// lineBlock runs from a line that begins with open to the end of the line
// that begins with closing: Ruby's =begin.
func lineBlock(open, closing string) lexRule {
	return lineStart(lexRule{open: open, closing: closing, comment: true, end: func(l *lexer, i int) int {
		return lineEnd(l.text, past(l.text, i, "\n"+closing))
	}})
}

// pod is Perl's documentation: from a line with "=" and a word to "=cut".
func pod() lexRule {
	r := lineBlock("=", "=cut")
	end := r.end
	r.end = func(l *lexer, i int) int {
		if i+1 < len(l.text) && !isLetter(l.text[i+1]) {
			return i
		}
		return end(l, i)
	}
	return r
}

// quoted is a string on one line, with backslash escapes. A backslash before
// the newline continues it.
func quoted(quote byte) lexRule {
	return lexRule{open: string(quote), end: func(l *lexer, i int) int {
		for j := i + 1; j < len(l.text); j++ {
			switch l.text[j] {
			case '\\':
				j++
				if j < len(l.text) && l.text[j] == '\r' {
					j++
				}
			case '\n':
				return j
			case quote:
				return j + 1
			}
		}
		return len(l.text)
	}}
}

// closed is a string from open to closing over any number of lines.
func closed(open, closing string, escapes bool) lexRule {
	return lexRule{open: open, end: func(l *lexer, i int) int {
		end, ok := closingAt(l.text, i+len(open), closing, escapes)
		if !ok {
			return len(l.text)
		}
		return end
	}}
}

// spanning is a string that may span lines in a language where the quote is
// often no quote: without an end nearby it is none, nor when the line foreign,
// which ends a block, is in it.
func spanning(quote string, escapes bool, foreign string) lexRule {
	return lexRule{open: quote, end: func(l *lexer, i int) int {
		window := l.text[:min(len(l.text), i+maxSpan)]
		if l.failures > maxFailures {
			window = l.text[:lineEnd(l.text, i)]
		}
		end, ok := closingAt(window, i+len(quote), quote, escapes)
		if !ok || foreign != "" && strings.Contains(l.text[i:end], "\n"+foreign+"\n") {
			l.failures++
			return i
		}
		return end
	}}
}

// char is a character literal; a lone ' (a lifetime, a prime, a digit
// separator) is not one.
func char() lexRule {
	return lexRule{open: "'", end: func(l *lexer, i int) int {
		rest := l.text[i+1 : min(len(l.text), i+14)]
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

func lineEnd(text string, i int) int {
	if i >= len(text) {
		return len(text)
	}
	if j := strings.IndexByte(text[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(text)
}

// past is the offset behind the next closing from i on.
func past(text string, i int, closing string) int {
	if i >= len(text) {
		return len(text)
	}
	if j := strings.Index(text[i:], closing); j >= 0 {
		return i + j + len(closing)
	}
	return len(text)
}

func closingAt(text string, i int, closing string, escapes bool) (int, bool) {
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

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

func isWord(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
