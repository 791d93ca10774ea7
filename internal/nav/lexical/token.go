package lexical

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// A token is a name in code.
type token struct {
	start, end int
	line       int        // 1-indexed
	in         int        // the innermost symbol around it, or -1
	depth      int        // how many brackets are open around it
	open       int        // offset of the innermost bracket around it, or -1
	before     byte       // what stands before it, white space apart; 0 at the beginning of the file
	word       string     // the name before it on its line, if nothing but blanks is between; else ""
	after      byte       // what stands behind it, white space apart; 0 at the end
	next       int        // the offset of that
	of         string     // what it is a member of, as far as that is names; "" if not
	member     bool       // it is a member of something
	own        bool       // it is the name of a declaration
	heir       facts.Kind // Extends or Implements of what a type is made from; else ""
}

// A code is the code of a file.
type code struct {
	*dialect

	src *lex.Source
}

// isLetter reports whether what is at i may be a part of a name.
func (d *dialect) isLetter(code []byte, i int) bool {
	if i < 0 || i >= len(code) {
		return false
	}
	c := code[i]
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80 ||
		strings.IndexByte(d.letters, c) >= 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isCapital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

func (c *code) text(t token) string { return c.src.Text[t.start:t.end] }

// wordAt is the word that begins at an offset.
func (c *code) wordAt(i int) string {
	end := i
	for c.isLetter(c.src.Code, end) {
		end++
	}
	return c.src.Text[i:end]
}

// closing is the offset behind the bracket that closes the one at an offset, at most 400 bytes on.
func (c *code) closing(open int) int {
	depth := 0
	for i := open; i < min(len(c.src.Code), open+400); i++ {
		switch c.src.Code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(c.src.Code)
}

// around is the offset of the bracket around the one at an offset, at most 400 bytes before, or -1.
func (c *code) around(open int) int {
	depth := 0
	for i := open - 1; i >= max(0, open-400); i-- {
		switch c.src.Code[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// isUsed reports whether a name is called, named with its arity, or marked as a macro or record.
func (c *code) isUsed(t token) bool {
	return t.after == '(' || t.after == '/' && t.next+1 < len(c.src.Code) && isDigit(c.src.Code[t.next+1]) ||
		t.start > 0 && strings.IndexByte("?#", c.src.Code[t.start-1]) >= 0
}

// isKey reports whether a name is the key of an element.
func (c *code) isKey(t token) bool {
	return t.before == '{' && t.after == '}' || bytes.HasPrefix(c.src.Code[t.next:], []byte("=>")) && !t.member
}

// isLabel reports whether a token is the name of an argument, or the key of a literal.
func (c *code) isLabel(t token) bool {
	if t.open < 0 || t.before != '(' && t.before != ',' && t.before != '{' && t.before != '[' {
		return false
	}
	next := byte(0)
	if t.next+1 < len(c.src.Code) {
		next = c.src.Code[t.next+1]
	}
	return t.after == ':' && next != ':' && next != '=' ||
		t.after == '=' && next != '=' && next != '>' && c.src.Code[t.open] == '('
}
