package lexical

import (
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/pattern"
)

// A sqlToken is a name, a mark, or something that has no name in it.
type sqlToken struct {
	kind byte   // 'w' a word, 'q' a name in quotes, 's' a string, number or variable, '{' and '}' of a body, or the mark
	text string // of a name, without quotes
	low  string // of a word, in lower case
	at   int    // its offset, of a name in quotes behind the quote
}

// A sqlLexer finds the tokens of a script. What stands between dollars is code where a routine of
// SQL or PL/pgSQL has it as its body.
type sqlLexer struct {
	text     string
	i        int
	escapes  bool // a backslash escapes in strings
	all      []sqlToken
	start    int // of the statement, in all
	body     int // the offset behind the body that is read, or 0
	failures int
}

func sqlTokens(text string) []sqlToken {
	l := &sqlLexer{text: text, escapes: strings.Contains(text, "`") && !strings.Contains(text, "$$")}
	for l.i < len(text) {
		if l.body > 0 && l.i >= l.body {
			l.mark('}')
			l.body = 0
		}
		l.step()
	}
	return l.all
}

func (l *sqlLexer) mark(kind byte) { l.all = append(l.all, sqlToken{kind: kind, at: l.i}) }

// before is what stands before the offset, a newline at the start.
func (l *sqlLexer) before() byte {
	if l.i == 0 {
		return '\n'
	}
	return l.text[l.i-1]
}

// step reads one token, or what is none.
func (l *sqlLexer) step() {
	switch c, rest := l.text[l.i], l.text[l.i:]; {
	case c <= ' ':
		l.i++
	case strings.HasPrefix(rest, "--"), (c == '\\' || strings.HasPrefix(rest, "# ")) && l.before() == '\n':
		l.i += lineLength(rest)
	case strings.HasPrefix(rest, "/*!"), strings.HasPrefix(rest, "*/"): // MySQL runs what is between
		for l.i += 2; l.i < len(l.text) && (l.text[l.i] == '!' || isDigit(l.text[l.i])); {
			l.i++
		}
	case strings.HasPrefix(rest, "/*"):
		l.i = lex.Past(l.text, l.i+2, "*/")
	case c == '\'':
		l.quoted()
	case c == '"' || c == '`':
		l.name(c)
	case c == '[':
		l.bracketed()
	case c == '$':
		l.dollar()
	case isStart(c):
		l.word()
	case isDigit(c), strings.IndexByte("@#", c) >= 0, c == ':' && len(rest) > 1 && isStart(rest[1]) && l.before() != ':':
		l.variable()
	case c == '{' || c == '}':
		l.mark('s')
		l.i++
	default:
		l.mark(c)
		if l.i++; c == ';' && l.body == 0 {
			l.copied()
			l.start = len(l.all)
		}
	}
}

// variable reads a number or variable. One that stands for a schema is none of the tokens.
func (l *sqlLexer) variable() {
	n := len(l.all)
	l.mark('s')
	for l.i++; l.i < len(l.text) && (lex.IsWord(l.text[l.i]) || l.text[l.i] == '@'); {
		l.i++
	}
	if l.i+1 < len(l.text) && l.text[l.i] == '.' && isStart(l.text[l.i+1]) {
		l.all = l.all[:n]
		l.i++
	}
}

// copied skips the rows behind "COPY … FROM stdin;".
func (l *sqlLexer) copied() {
	n := len(l.all) - 1
	if l.all[l.start].low != "copy" {
		return
	}
	for i := n; i > max(l.start, n-20); i-- {
		if l.all[i].low == "stdin" {
			l.i = lex.Past(l.text, l.i, "\n\\.")
			return
		}
	}
}

// quoted reads a string.
func (l *sqlLexer) quoted() {
	l.mark('s')
	escapes := l.escapes || l.i > 0 && l.text[l.i-1]|0x20 == 'e' && (l.i < 2 || !lex.IsWord(l.text[l.i-2]))
	limit := min(len(l.text), l.i+lex.MaxSpan)
	if l.failures > lex.MaxFailures {
		limit = l.i + lineLength(l.text[l.i:])
	}
	for j := l.i + 1; j < limit; j++ {
		switch c := l.text[j]; {
		case c == '\\' && escapes:
			j++
		case c == '\'' && j+1 < len(l.text) && l.text[j+1] == '\'':
			j++
		case c == '\'':
			l.i = j + 1
			return
		}
	}
	l.failures++
	l.i++
}

// name reads a name in quotes, which is on one line.
func (l *sqlLexer) name(closing byte) {
	rest := l.text[l.i+1:]
	rest = rest[:min(len(rest), 300)]
	end := strings.IndexByte(rest, closing)
	if end < 0 || strings.IndexByte(rest[:end], '\n') >= 0 {
		l.i++
		return
	}
	l.all = append(l.all, sqlToken{kind: 'q', text: rest[:end], at: l.i + 1})
	l.i += end + 2
}

// bracketed reads a name in brackets, unless these hold an element of an array.
func (l *sqlLexer) bracketed() {
	before, rest := l.before(), l.text[l.i+1:]
	if len(rest) > 0 && isStart(rest[0]) && !lex.IsWord(before) && strings.IndexByte("])", before) < 0 {
		l.name(']')
		return
	}
	l.mark('[')
	l.i++
}

func (l *sqlLexer) word() {
	start := l.i
	for l.i < len(l.text) && (lex.IsWord(l.text[l.i]) || l.text[l.i] == '$') {
		l.i++
	}
	text := l.text[start:l.i]
	l.all = append(l.all, sqlToken{kind: 'w', text: text, low: strings.ToLower(text), at: start})
}

// dollar reads a string between dollars, or enters it.
func (l *sqlLexer) dollar() {
	end := l.i + 1
	for end < min(len(l.text), l.i+40) && lex.IsWord(l.text[end]) {
		end++
	}
	if end >= len(l.text) || l.text[end] != '$' || l.failures > lex.MaxFailures {
		l.mark('s')
		l.i++
		return
	}
	if l.body > 0 && l.body == end+1 { // the end of the body that is read
		l.i = end + 1
		return
	}
	tag := l.text[l.i : end+1]
	limit := len(l.text)
	if l.body > 0 {
		limit = l.body
	}
	closing := strings.Index(l.text[end+1:limit], tag)
	if closing < 0 {
		l.failures++
		l.mark('s')
		l.i++
		return
	}
	behind := end + 1 + closing + len(tag)
	if l.body == 0 && l.isCode(behind) {
		l.mark('{')
		l.body, l.i = behind, end+1
		return
	}
	l.mark('s')
	l.i = behind
}

var ofLanguage = pattern.NewLazy(`(?i)\blanguage\s+['"]?(\w+)`)

// isCode reports whether what stands between dollars, up to an offset, is the body of a routine
// in a language that is read.
func (l *sqlLexer) isCode(behind int) bool {
	head := l.all[l.start:]
	if len(head) == 0 || head[0].low != "create" && head[0].low != "do" && head[0].low != "alter" {
		return false
	}
	language := ""
	for i := range head[:min(len(head), 400)] {
		if head[i].low == "language" && i+1 < len(head) {
			language = strings.ToLower(head[i+1].text)
		}
	}
	if language == "" {
		rest := l.text[behind:min(len(l.text), behind+300)]
		rest, _, _ = strings.Cut(rest, ";")
		if m := ofLanguage().FindStringSubmatch(rest); m != nil {
			language = strings.ToLower(m[1])
		}
	}
	return language == "" || plainSQL.MatchString(language)
}

var plainSQL = regexp.MustCompile(`^(?:sql|plpgsql|pltsql)$`)
