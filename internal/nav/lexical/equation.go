package lexical

import (
	"bytes"
	"strings"
)

// maxEquation is the longest line in bytes that is looked through for each of its names.
const maxEquation = 1000

// inPattern reports whether a name stands before the "=", "->" or "<-" of its line that an
// equation, a case or a lambda has, and is no guard.
func (c *code) inPattern(t token) bool {
	if isCapital(c.text(t)) || c.text(t)[0] == '_' {
		return false
	}
	start, end := c.src.Lines[t.line-1], c.src.Lines[t.line]
	if end-start > maxEquation {
		return false
	}
	code := c.src.Code
	if i := bytes.LastIndexByte(code[start:t.start], '\\'); i >= 0 &&
		!bytes.Contains(code[start+i:t.start], []byte("->")) {
		return bytes.Contains(code[t.end:end], []byte("->"))
	}
	if i := bytes.LastIndex(code[start:t.start], []byte("fun ")); i >= 0 &&
		!bytes.Contains(code[start+i:t.start], []byte("->")) {
		return bytes.Contains(code[t.end:end], []byte("->"))
	}
	head := strings.TrimSpace(string(code[start:t.start]))
	if strings.ContainsAny(head, "=") || strings.Contains(head, "->") || strings.Contains(head, "<-") ||
		strings.Contains(head, "::") || strings.HasPrefix(head, "{") || strings.HasPrefix(head, ",") {
		return false
	}
	rest := code[t.end:end]
	eq, arrow, from := standalone(rest, "="), bytes.Index(rest, []byte("->")), bytes.Index(rest, []byte("<-"))
	if colons := bytes.Index(rest, []byte("::")); colons >= 0 && arrow > colons {
		arrow = -1
	}
	guard := strings.Contains(head, "|") && arrow < 0
	switch {
	case from >= 0 && (eq < 0 || from < eq):
		return true
	case eq >= 0:
		return !guard && !bytes.Contains(rest[:eq], []byte("|"))
	}
	return arrow >= 0 && !strings.Contains(head, ":")
}

// standalone is where an operator is in a line that is not a part of another one, or -1.
func standalone(line []byte, op string) int {
	for from := 0; ; {
		i := bytes.Index(line[from:], []byte(op))
		if i < 0 {
			return -1
		}
		i += from
		const others = "=<>!/:+-*|&^~$.%"
		if (i == 0 || strings.IndexByte(others, line[i-1]) < 0) &&
			(i+len(op) == len(line) || strings.IndexByte(others, line[i+len(op)]) < 0) {
			return i
		}
		from = i + 1
	}
}
