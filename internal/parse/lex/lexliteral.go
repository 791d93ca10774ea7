package lex

import "strings"

// prefixed is rule for a token with letters in front, like r" and R"x(: they
// must not be the end of a longer word.
func prefixed(rule Rule) Rule {
	end := rule.End
	rule.End = func(l *Lexer, i int) int {
		if i > 0 && IsWord(l.Text[i-1]) {
			return i
		}
		return end(l, i)
	}
	return rule
}

// LineStart is rule at the start of a line only.
func LineStart(rule Rule) Rule {
	end := rule.End
	rule.End = func(l *Lexer, i int) int {
		if i > 0 && l.Text[i-1] != '\n' {
			return i
		}
		return end(l, i)
	}
	return rule
}

// RustRaw is r"…", r#"…"#, with any number of #.
func RustRaw(open string) Rule {
	return prefixed(Rule{Open: open, End: func(l *Lexer, i int) int {
		j := i + len(open) - 1
		for j < len(l.Text) && l.Text[j] == '#' {
			j++
		}
		if j >= len(l.Text) || l.Text[j] != '"' {
			return i
		}
		return Past(l.Text, j+1, `"`+l.Text[i+len(open)-1:j])
	}})
}

// CPPRaw is R"tag(…)tag".
func CPPRaw() Rule {
	return Rule{Open: `R"`, End: func(l *Lexer, i int) int {
		j := strings.IndexAny(l.Text[i+2:min(len(l.Text), i+20)], "(\n\"")
		if j < 0 || l.Text[i+2+j] != '(' {
			return i
		}
		return Past(l.Text, i+2, ")"+l.Text[i+2:i+2+j]+`"`)
	}}
}

// LongBracket is Lua's [[…]] and [==[…]==], as a comment after "--".
func LongBracket(prefix string) Rule {
	r := Rule{Open: prefix + "[", Closing: "]]", Comment: prefix != ""}
	r.End = func(l *Lexer, i int) int {
		level := i + len(r.Open)
		j := level
		for j < len(l.Text) && l.Text[j] == '=' {
			j++
		}
		if j >= len(l.Text) || l.Text[j] != '[' {
			return i
		}
		return Past(l.Text, j, "]"+l.Text[level:j]+"]")
	}
	return r
}

// Heredoc is a string that begins on the line after open and its tag and ends
// with the line that holds only the tag. In some languages there may be a
// space before the tag.
func Heredoc(open string, spaced bool) Rule {
	return Rule{Open: open, End: func(l *Lexer, i int) int {
		if l.Failures > MaxFailures {
			return i
		}
		rest := l.Text[i+len(open) : min(LineEnd(l.Text, i), max(i+80, i+len(open)))]
		if spaced {
			rest = strings.TrimLeft(rest, " ")
		}
		tag := heredocTag(rest)
		if tag == "" {
			return i
		}
		for at := LineEnd(l.Text, i); at < len(l.Text); {
			next := LineEnd(l.Text, at+1)
			line := strings.TrimSpace(l.Text[at:next])
			if strings.TrimRight(line, ";,)") == strings.TrimSpace(tag) {
				return next
			}
			at = next
		}
		l.Failures++
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
	for n < len(rest) && IsWord(rest[n]) {
		n++
	}
	if n == 0 || !IsLetter(rest[0]) {
		return ""
	}
	return rest[:n]
}

// HCLString is a string of HCL on one line, with strings in what it interpolates: "a${f("b")}".
func HCLString() Rule {
	return Rule{Open: `"`, End: func(l *Lexer, i int) int {
		var braces []int // open in each interpolation around
		inString := true
		for j := i + 1; j < len(l.Text); j++ {
			switch c, last := l.Text[j], len(braces)-1; {
			case c == '\n':
				return j
			case c == '"' && inString && last < 0:
				return j + 1
			case c == '"':
				inString = !inString
			case inString && c == '\\', inString && (strings.HasPrefix(l.Text[j:], "$$") || strings.HasPrefix(l.Text[j:], "%%")):
				j++
			case inString && (strings.HasPrefix(l.Text[j:], "${") || strings.HasPrefix(l.Text[j:], "%{")):
				braces, inString = append(braces, 1), false
				j++
			case !inString && c == '{':
				braces[last]++
			case !inString && c == '}':
				if braces[last]--; braces[last] == 0 {
					braces, inString = braces[:last], true
				}
			}
		}
		return len(l.Text)
	}}
}

// NixString is a string of Nix, between " or two ', with strings in what it interpolates.
func NixString(quote string) Rule {
	return Rule{Open: quote, End: func(l *Lexer, i int) int {
		open := []byte{quote[0]} // quotes, and braces of code
		for j := i + len(quote); j < len(l.Text); j++ {
			c, rest, top := l.Text[j], l.Text[j:], open[len(open)-1]
			isQuote := c == '"' || strings.HasPrefix(rest, "''")
			switch {
			case top == '{' && (c == '{' || isQuote):
				open = append(open, c)
			case top == '{' && c != '}':
				continue
			case top == '"' && c == '\\', top != '{' && strings.HasPrefix(rest, "$$"):
				j++
				continue
			case top == '\'' && len(rest) > 2 && isQuote && c == '\'' && strings.IndexByte("$'\\", rest[2]) >= 0:
				j += 2
				continue
			case top != '{' && strings.HasPrefix(rest, "${"):
				open = append(open, '{')
				j++
				continue
			case top == '{', isQuote && c == top:
				open = open[:len(open)-1]
			default:
				continue
			}
			if c == '\'' {
				j++
			}
			if len(open) == 0 {
				return j + 1
			}
		}
		return len(l.Text)
	}}
}

// Directive is a C preprocessor line with its continuations. It counts as
// code, but nothing in it opens or closes a block.
func Directive() Rule {
	return Rule{Open: "#", End: func(l *Lexer, i int) int {
		if !isBlank([]byte(l.Text[strings.LastIndexByte(l.Text[:i], '\n')+1 : i])) {
			return i
		}
		for end := i; ; end++ {
			end = LineEnd(l.Text, end)
			line := strings.TrimSuffix(l.Text[i:end], "\r")
			if end == len(l.Text) || !strings.HasSuffix(line, `\`) {
				return directiveEnd(l.Text, i, end)
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

// PHPPrologue is the text before the first "<?php".
func PHPPrologue(text string) int {
	i := strings.Index(text, "<?")
	if i < 0 {
		return len(text)
	}
	return phpOpen(text, i)
}

// PHPHTML is the text between "?>" and the next "<?php".
func PHPHTML() Rule {
	return Rule{Open: "?>", End: func(l *Lexer, i int) int {
		j := strings.Index(l.Text[i:], "<?")
		if j < 0 {
			return len(l.Text)
		}
		return phpOpen(l.Text, i+j)
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
