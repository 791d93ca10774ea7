package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// C is a text of C without what its grammar cannot read.
func C(text string) string { return hideAttributes(hideLines(hideComments(text))) }

// attribute matches a macro whose arguments are numbers, and what it is said of:
// "void printflike(1, 2) log_debug(const char *, ...);".
var attribute = pattern.NewLazy(`\b([A-Za-z_]\w*)[ \t]*\([ \t]*\d+(?:[ \t]*,[ \t]*\d+)*[ \t]*\)[\s*]+[A-Za-z_]`)

// hideAttributes puts spaces in the place of such macros in declarations: grammars
// take all that follows for an error.
func hideAttributes(text string) string {
	if !mayHaveAttribute(text) {
		return text
	}
	var hidden []byte
	for _, m := range attribute().FindAllStringSubmatchIndex(text, -1) {
		word := text[m[2]:m[3]]
		line := text[strings.LastIndexByte(text[:m[2]], '\n')+1 : m[2]]
		if controls[word] || strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			continue
		}
		if hidden == nil {
			hidden = []byte(text)
		}
		blank(hidden[m[2] : m[3]+strings.IndexByte(text[m[3]:], ')')+1])
	}
	if hidden == nil {
		return text
	}
	return string(hidden)
}

// mayHaveAttribute reports whether there are brackets with numbers that a word is
// behind, which few files have.
func mayHaveAttribute(text string) bool {
	for {
		_, behind, found := strings.Cut(text, "(")
		if !found {
			return false
		}
		text = behind
		inside := strings.TrimLeft(behind, " \t,0123456789")
		if len(inside) == len(behind) || inside == "" || inside[0] != ')' {
			continue
		}
		next := strings.TrimLeft(inside[1:], " \t\r\n\f\v*")
		if next != "" && len(next) < len(inside)-1 && (next[0] == '_' || next[0]|0x20 >= 'a' && next[0]|0x20 <= 'z') {
			return true
		}
	}
}

// controls are the words before brackets with a number behind which a statement
// may follow.
var controls = map[string]bool{"if": true, "while": true, "for": true, "switch": true, "return": true, "sizeof": true}

// hideComments puts spaces in the place of comments in definitions of macros:
// grammars take a comment for the end of one, and the rest for code.
func hideComments(text string) string {
	var hidden []byte
	for from := 0; ; {
		at := defineIn(text, from)
		if at < 0 {
			break
		}
		for from = at; ; {
			start, end := commentOf(text, from)
			if start == end {
				from = end
				break
			}
			if hidden == nil {
				hidden = []byte(text)
			}
			copy(hidden[start:end], strings.Repeat(" ", end-start))
			from = end
		}
	}
	if hidden == nil {
		return text
	}
	return string(hidden)
}

// defineIn is behind the next "#define" that begins a line, or -1.
func defineIn(text string, from int) int {
	const word = "define"
	for {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + len(word)
		line, isDirective := strings.CutSuffix(strings.TrimRight(text[:at], " \t"), "#")
		line = strings.TrimRight(line, " \t")
		if isDirective && (line == "" || line[len(line)-1] == '\n') && (from == len(text) || !isNamePart(text[from])) {
			return from
		}
	}
}

// commentOf is where the next comment is in a directive that goes on at an
// offset; where the directive ends when there is none.
func commentOf(text string, i int) (start, end int) {
	for i < len(text) {
		switch rest := text[i:]; {
		case rest[0] == '\n':
			return i, i
		case strings.HasPrefix(rest, "\\\r\n"):
			i += 3
		case rest[0] == '\\':
			i += 2
		case strings.HasPrefix(rest, "//"):
			return i, i + lineLength(rest)
		case strings.HasPrefix(rest, "/*"):
			if n := strings.Index(rest[2:], "*/"); n >= 0 {
				return i, i + n + len("/**/")
			}
			return len(text), len(text)
		case rest[0] == '"' || rest[0] == '\'':
			i += literalLength(rest)
		default:
			i++
		}
	}
	return len(text), len(text)
}

// lineLength is the length of a line without its end, with the lines that it goes
// on in behind a backslash.
func lineLength(text string) int {
	for i := range len(text) {
		if text[i] == '\n' && !strings.HasSuffix(strings.TrimSuffix(text[:i], "\r"), "\\") {
			return i
		}
	}
	return len(text)
}

// literalLength is the length of the literal that a text begins with, which ends
// at the end of its line at the latest.
func literalLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}
