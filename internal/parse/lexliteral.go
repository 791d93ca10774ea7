package parse

import "strings"

// prefixed is rule for a token with letters in front, like r" and R"x(: they
// must not be the end of a longer word.
func prefixed(rule lexRule) lexRule {
	end := rule.end
	rule.end = func(l *lexer, i int) int {
		if i > 0 && isWord(l.text[i-1]) {
			return i
		}
		return end(l, i)
	}
	return rule
}

// lineStart is rule at the start of a line only.
func lineStart(rule lexRule) lexRule {
	end := rule.end
	rule.end = func(l *lexer, i int) int {
		if i > 0 && l.text[i-1] != '\n' {
			return i
		}
		return end(l, i)
	}
	return rule
}

// rustRaw is r"…", r#"…"#, with any number of #.
func rustRaw(open string) lexRule {
	return prefixed(lexRule{open: open, end: func(l *lexer, i int) int {
		j := i + len(open) - 1
		for j < len(l.text) && l.text[j] == '#' {
			j++
		}
		if j >= len(l.text) || l.text[j] != '"' {
			return i
		}
		return past(l.text, j+1, `"`+l.text[i+len(open)-1:j])
	}})
}

// cppRaw is R"tag(…)tag".
func cppRaw() lexRule {
	return lexRule{open: `R"`, end: func(l *lexer, i int) int {
		j := strings.IndexAny(l.text[i+2:min(len(l.text), i+20)], "(\n\"")
		if j < 0 || l.text[i+2+j] != '(' {
			return i
		}
		return past(l.text, i+2, ")"+l.text[i+2:i+2+j]+`"`)
	}}
}

// longBracket is Lua's [[…]] and [==[…]==], as a comment after "--".
func longBracket(prefix string) lexRule {
	r := lexRule{open: prefix + "[", closing: "]]", comment: prefix != ""}
	r.end = func(l *lexer, i int) int {
		level := i + len(r.open)
		j := level
		for j < len(l.text) && l.text[j] == '=' {
			j++
		}
		if j >= len(l.text) || l.text[j] != '[' {
			return i
		}
		return past(l.text, j, "]"+l.text[level:j]+"]")
	}
	return r
}

// heredoc is a string that begins on the line after open and its tag and ends
// with the line that holds only the tag. In some languages there may be a
// space before the tag.
func heredoc(open string, spaced bool) lexRule {
	return lexRule{open: open, end: func(l *lexer, i int) int {
		if l.failures > maxFailures {
			return i
		}
		rest := l.text[i+len(open) : min(lineEnd(l.text, i), max(i+80, i+len(open)))]
		if spaced {
			rest = strings.TrimLeft(rest, " ")
		}
		tag := heredocTag(rest)
		if tag == "" {
			return i
		}
		for at := lineEnd(l.text, i); at < len(l.text); {
			next := lineEnd(l.text, at+1)
			line := strings.TrimSpace(l.text[at:next])
			if strings.TrimRight(line, ";,)") == strings.TrimSpace(tag) {
				return next
			}
			at = next
		}
		l.failures++
		return i
	}}
}

// heredocTag is the tag at the start of rest: EOF, -EOF, ~'EOF', "EOF".
func heredocTag(rest string) string {
	rest = strings.TrimLeft(rest, "-~")
	rest = strings.TrimPrefix(rest, `\`)
	if rest != "" && strings.IndexByte("'\"`", rest[0]) >= 0 {
		tag, _, ok := strings.Cut(rest[1:], rest[:1])
		if !ok {
			return ""
		}
		return tag
	}
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	if n == 0 || !isLetter(rest[0]) {
		return ""
	}
	return rest[:n]
}

// directive is a C preprocessor line with its continuations. It counts as
// code, but nothing in it opens or closes a block.
func directive() lexRule {
	return lexRule{open: "#", end: func(l *lexer, i int) int {
		if !isBlank([]byte(l.text[strings.LastIndexByte(l.text[:i], '\n')+1 : i])) {
			return i
		}
		for end := i; ; end++ {
			end = lineEnd(l.text, end)
			line := strings.TrimSuffix(l.text[i:end], "\r")
			if end == len(l.text) || !strings.HasSuffix(line, `\`) {
				return directiveEnd(l.text, i, end)
			}
		}
	}}
}

// directiveEnd leaves a comment that begins on a directive's line, and may
// run on, to the rule for comments.
func directiveEnd(text string, i, end int) int {
	if j := strings.Index(text[i:end], "/*"); j >= 0 && !strings.Contains(text[i+j:end], "*/") {
		return i + j
	}
	return end
}

// phpPrologue is the text before the first "<?php".
func phpPrologue(text string) int {
	i := strings.Index(text, "<?")
	if i < 0 {
		return len(text)
	}
	return phpOpen(text, i)
}

// phpHTML is the text between "?>" and the next "<?php".
func phpHTML() lexRule {
	return lexRule{open: "?>", end: func(l *lexer, i int) int {
		j := strings.Index(l.text[i:], "<?")
		if j < 0 {
			return len(l.text)
		}
		return phpOpen(l.text, i+j)
	}}
}

func phpOpen(text string, i int) int {
	for _, tag := range []string{"<?php", "<?=", "<?"} {
		if strings.HasPrefix(text[i:], tag) {
			return i + len(tag)
		}
	}
	return i
}
