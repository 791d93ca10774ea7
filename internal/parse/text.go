package parse

import "strings"

// commentMarkers are what comments begin and end with, longer ones first.
var commentMarkers = []struct{ open, closing string }{
	{"<!--", "-->"},
	{"--[[", "]]"},
	{"--[=[", "]=]"},
	{"=begin", "=end"},
	{"{-", "-}"},
	{"(*", "*)"},
	{"/*", "*/"},
	{"//", ""},
	{"--", ""},
	{"#", ""},
	{";", ""},
	{"%", ""},
}

// CommentText is what comments say that follow each other, without their
// markers and without lines that only decorate.
func CommentText(comments []string) string {
	var parts []string
	for len(comments) > 0 {
		n, first := 1, comments[0]
		open, closing := markersOf(first)
		for closing == "" && n < len(comments) && strings.HasPrefix(comments[n], open) {
			n++
		}
		parts = append(parts, CleanComment(strings.Join(comments[:n], "\n"), open, closing))
		comments = comments[n:]
	}
	return JoinTrimmed(parts)
}

func markersOf(comment string) (open, closing string) {
	for _, m := range commentMarkers {
		if strings.HasPrefix(comment, m.open) {
			return m.open, m.closing
		}
	}
	return "", ""
}

// StringText is what a string literal of Python or Elixir says, without its quotes
// and the indentation of its lines.
func StringText(literal string) string {
	text := strings.TrimLeft(literal, "rRuUbBfF~sS")
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if rest, ok := strings.CutPrefix(text, quote); ok {
			text = strings.TrimSuffix(rest, quote)
			break
		}
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return JoinTrimmed(lines)
}

// SignatureText is the head of a declaration on one line, cut to a length.
func SignatureText(head string) string {
	sig := strings.TrimRight(Fold(unbroken(head)), " :{=[")
	for _, word := range []string{" =>", " ->", " do", " where"} {
		sig = strings.TrimSuffix(sig, word)
	}
	return sig
}

// unbroken takes out line breaks behind opening brackets and before closing ones,
// with the comma that only stands there for the break: "f(", "a,", ")" is "f(a)".
// That of a tuple stays, of which it may be all.
func unbroken(head string) string {
	if !strings.Contains(head, "\n") {
		return head
	}
	var b []byte
	var lists []bool // brackets that are open: whether they stand behind a name
	for i := 0; i < len(head); i++ {
		rest := strings.TrimLeft(head[i:], " \t\r\n")
		space := head[i : len(head)-len(rest)]
		broken := strings.Contains(space, "\n")
		closes := rest != "" && (rest[0] == ')' || rest[0] == ']')
		if broken && (closes || len(b) > 0 && (b[len(b)-1] == '(' || b[len(b)-1] == '[')) {
			if n := len(b) - 1; closes && len(lists) > 0 && lists[len(lists)-1] && b[n] == ',' {
				b = b[:n]
			}
			i += len(space) - 1
			continue
		}
		switch head[i] {
		case '(', '[':
			lists = append(lists, len(b) > 0 && (isName(b[len(b)-1]) || b[len(b)-1] == '>' || b[len(b)-1] == ']'))
		case ')', ']':
			lists = lists[:max(len(lists)-1, 0)]
		}
		b = append(b, head[i])
	}
	return string(b)
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// Qualify is the qualified name of what is in parent, which may be empty.
func Qualify(parent, name string) string {
	if parent == "" || name == "" {
		return parent + name
	}
	return parent + "." + name
}

// FirstOf is the first of names that says something: not "" and not ".".
func FirstOf(names ...string) string {
	for _, name := range names {
		if name != "" && name != "." {
			return name
		}
	}
	return ""
}
