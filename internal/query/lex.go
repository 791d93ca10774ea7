package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is one of: "(", ")", "-", "or", or a leaf.
type token struct {
	mark string // "" for a leaf
	leaf Node
	at   int
}

// A lexer cuts a text into tokens.
type lexer struct {
	text   string
	i      int // of the next byte
	runes  int // characters before i
	depth  int // open parentheses
	tokens []token

	operators bool // there is more than words
	valueless int  // place of a field with nothing behind it; 0: none is
	caseYes   bool
	broken    error // the first mistake
}

func (l *lexer) run() {
	for l.skipSpace(); l.i < len(l.text); l.skipSpace() {
		if l.next(); l.broken != nil {
			return
		}
	}
}

func (l *lexer) next() {
	switch rest := l.text[l.i:]; {
	case rest[0] == '(':
		l.depth++
		l.mark("(", 1)
	case rest[0] == ')':
		l.depth--
		l.mark(")", 1)
	case rest[0] == '-' && l.negates(rest[1:]):
		l.mark("-", 1)
	case rest[0] == '"':
		l.quoted()
	case l.isRegexp(rest):
		n := closing(rest, '/')
		l.operator(Regexp{strings.ReplaceAll(rest[1:n], `\/`, "/"), l.at()}, n+1)
	case fieldName(rest) != "":
		l.field(fieldName(rest))
	default:
		l.word()
	}
}

func (l *lexer) at() int { return l.runes + 1 }

func (l *lexer) advance(n int) {
	l.runes += utf8.RuneCountInString(l.text[l.i : l.i+n])
	l.i += n
}

func (l *lexer) skipSpace() {
	rest := l.text[l.i:]
	l.advance(len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace)))
}

func (l *lexer) mark(mark string, n int) {
	l.tokens = append(l.tokens, token{mark: mark, at: l.at()})
	l.advance(n)
}

func (l *lexer) leaf(leaf Node, n int) {
	l.tokens = append(l.tokens, token{leaf: leaf, at: l.at()})
	l.advance(n)
}

// operator adds a leaf that makes a text more than words.
func (l *lexer) operator(leaf Node, n int) {
	l.operators = true
	l.leaf(leaf, n)
}

// negates reports whether what follows a dash can be negated: flags of one
// letter, long flags, numbers, arrows and dashes are words.
func (l *lexer) negates(rest string) bool {
	if rest == "" {
		return false
	}
	if rest[0] == '"' {
		n := closing(rest, '"')
		return n < 0 || l.ends(rest[n+1:])
	}
	if rest[0] == '(' || l.isRegexp(rest) || fieldName(rest) != "" {
		return true
	}
	first, size := utf8.DecodeRuneInString(rest)
	second, _ := utf8.DecodeRuneInString(rest[size:])
	return unicode.IsLetter(first) && (unicode.IsLetter(second) || unicode.IsDigit(second) || second == '_')
}

// selects reports whether a text begins with what selects anyway: "not" before it
// is meant.
func (l *lexer) selects(rest string) bool {
	return rest != "" && (fieldName(rest) != "" && !strings.HasPrefix(rest, fieldCase) || l.isRegexp(rest))
}

// quoted reads a phrase. A quote behind which the text goes on is of code.
func (l *lexer) quoted() {
	rest := l.text[l.i:]
	switch n := closing(rest, '"'); {
	case n < 0:
		l.broken = NewMistake(l.at(), `the quote is not closed; write "exact phrase", or leave it out`)
	case !l.ends(rest[n+1:]):
		l.word()
	case strings.TrimSpace(rest[1:n]) == "":
		l.advance(n + 1)
	default:
		l.operator(Phrase{strings.ReplaceAll(rest[1:n], `\"`, `"`), l.at()}, n+1)
	}
}

// isRegexp reports whether a text begins with an expression between slashes. One
// that goes on behind the second slash is a path, one that begins with another
// slash or a star a comment.
func (l *lexer) isRegexp(rest string) bool {
	if rest[0] != '/' || len(rest) < 3 || rest[1] == '*' {
		return false
	}
	n := closing(rest, '/')
	return n > 1 && l.ends(rest[n+1:])
}

// closing is where the delimiter that begins a text stands again, without a
// backslash before it; -1 if nowhere.
func closing(rest string, delimiter byte) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case delimiter:
			return i
		}
	}
	return -1
}

// ends reports whether a token may end before rest.
func (l *lexer) ends(rest string) bool {
	if rest == "" || rest[0] == ')' && l.depth > 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsSpace(r)
}

// fieldName is the field that a text begins with, "" if none: "file:" is one
// before a value, not in file::open, file://host or "file: it".
func fieldName(rest string) string {
	name, value, ok := strings.Cut(rest, ":")
	if !ok || !fields[name] || value == "" || value[0] == ':' || strings.HasPrefix(value, "//") {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(value); unicode.IsSpace(r) {
		return ""
	}
	if name == fieldCase && strings.ContainsFunc(value[:wordEnd(value)], isMark) {
		return ""
	}
	return name
}

func isMark(r rune) bool { return !unicode.IsLetter(r) }

func (l *lexer) field(name string) {
	at, start := l.at(), l.i
	l.advance(len(name) + 1)
	rest := l.text[l.i:]
	n := l.wordLength(rest)
	value := rest[:n]
	if rest[0] == '"' {
		end := closing(rest, '"')
		if end < 0 {
			l.broken = NewMistake(l.at(), "the quote is not closed")
			return
		}
		value, n = strings.ReplaceAll(rest[1:end], `\"`, `"`), end+1
	}
	if strings.TrimSpace(value) == "" {
		l.broken = NewMistake(at, "%s has no value; write %s:VALUE without a space", l.text[start:l.i], name)
		return
	}
	l.operators = true
	if name == fieldCase {
		if value != "yes" && value != "no" {
			l.broken = NewMistake(at, "case: is yes or no; write case:yes, or quote it")
			return
		}
		l.caseYes = value == "yes"
		l.advance(n)
		return
	}
	l.tokens = append(l.tokens, token{leaf: Field{name, value, at}, at: at})
	l.advance(n)
}

func (l *lexer) word() {
	n := l.wordLength(l.text[l.i:])
	word := l.text[l.i : l.i+n]
	switch {
	case word == "or" || word == "OR":
		l.mark("or", n)
		return
	case (word == "not" || word == "NOT") && l.selects(strings.TrimLeftFunc(l.text[l.i+n:], unicode.IsSpace)):
		l.mark("-", n)
		return
	}
	if name, ok := strings.CutSuffix(word, ":"); ok && fields[name] && closes(l.text[l.i+n:]) {
		l.valueless = l.at()
	}
	l.leaf(Word{word, l.at()}, n)
}

// closes reports whether nothing more stands in the text, or in parentheses.
func closes(rest string) bool {
	rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	return rest == "" || rest[0] == ')'
}

// wordLength is how long a word is: up to white space, or to a parenthesis that
// closes one opened before the word.
func (l *lexer) wordLength(rest string) int {
	end, open := wordEnd(rest), 0
	for i := range end {
		switch rest[i] {
		case '(':
			open++
		case ')':
			if open--; open < 0 && l.depth > 0 && i > 0 {
				return i
			}
		}
	}
	return end
}

func wordEnd(rest string) int {
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(rest)
}
