package lexical

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// noType are words that a name follows without being declared by them.
var noType = resolve.Set(`
return throw new else case await in is as yield emit delete import export package extends implements with on typeof
goto assert instanceof print echo and or not when if do async show hide of then raise include using open match default
try finally where unless until while for require defer errdefer comptime orelse catch break continue`)

// binding are words that bind the name behind them.
var binding = resolve.Set(`
let var val final const my our local auto mut late for foreach each global static def rec lambda`)

// declares reports whether a token is declared by the type before it, as in
// "int n =", "List<int> list;", "char *text)".
func (c *code) declares(t token, ends string) bool {
	if !c.typed || t.member || t.own || strings.IndexByte("=;,):", t.after) < 0 && c.wordAt(t.next) != "in" {
		return false
	}
	if code := c.src.Code; t.after == '=' && t.next+1 < len(code) && strings.IndexByte("=>", code[t.next+1]) >= 0 ||
		t.after == ':' && t.next+1 < len(code) && code[t.next+1] == ':' {
		return false
	}
	if t.word != "" {
		return !noType[t.word]
	}
	i := t.start - 1
	for i >= 0 && (c.src.Code[i] == '*' || c.src.Code[i] == '&') {
		i--
	}
	spaced := i < t.start-1 || i >= 0 && c.src.Code[i] == ' '
	for i >= 0 && c.src.Code[i] == ' ' {
		i--
	}
	if i < 0 || !spaced || i == t.start-1 {
		return false
	}
	ch := c.src.Code[i]
	if i+1 < t.start && strings.IndexByte("*&", c.src.Code[t.start-1]) >= 0 {
		return c.isLetter(c.src.Code, i)
	}
	return strings.IndexByte(ends, ch) >= 0 && (i == 0 || c.src.Code[i-1] != '=' && c.src.Code[i-1] != '-')
}

// isNew reports whether a word before a name binds it, as in "let x", and no type is between.
func (c *code) isNew(t token) bool {
	return binding[t.word] && (!c.typed || strings.IndexByte("=;,):\r\n", t.after) >= 0 || c.wordAt(t.next) == "in")
}

// isAssigned reports whether "=", ":=" or "<-" follows a name.
func (c *code) isAssigned(t token) bool {
	rest := c.src.Code[t.next:min(len(c.src.Code), t.next+3)]
	switch {
	case c.isLabel(t):
		return false
	case bytes.HasPrefix(rest, []byte(":=")), bytes.HasPrefix(rest, []byte("<-")), bytes.HasPrefix(rest, []byte("=>")) &&
		t.before != '.':
		return true
	}
	return len(rest) > 1 && rest[0] == '=' && strings.IndexByte("=~>", rest[1]) < 0
}
