package match

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
)

const (
	// MaxPattern is the length in bytes of the longest pattern.
	MaxPattern = 4096
	// maxSteps is the largest cost of a pattern, as pattern.Steps counts it.
	maxSteps = 10_000
)

// A Case says whether letters are compared with their case.
type Case int

// The cases. Smart is sensitive when a letter of the pattern is upper-case;
// escapes such as \W and \pL are not letters.
const (
	Smart Case = iota
	Sensitive
	Insensitive
)

// A Query is what to look for.
type Query struct {
	Pattern string
	Regexp  bool // RE2 syntax; else a substring
	Case    Case
	Word    bool // only where no letter, mark, digit or "_" is before or behind the match
	Limit   int  // matching lines that are returned at most; 0 is no limit
}

// Compile checks a query and prepares it. What is wrong with it is an
// InvalidRequest: an empty or too long pattern, one with a newline or NUL, or
// with bytes that are not UTF-8, a bad expression, one that costs more than
// maxSteps, a negative limit.
func Compile(q Query) (*Matcher, error) {
	if err := check(q); err != nil {
		return nil, err
	}
	source, flags := q.Pattern, syntax.Perl
	if !q.Regexp {
		source = regexp.QuoteMeta(source)
	}
	if !(&Matcher{Query: q}).Sensitive() {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(source, flags)
	if err == nil {
		err = refuseNewline(tree)
	}
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "query is not a valid regular expression: %s",
			pattern.Mistake(err))
	}
	if n := pattern.Steps(tree); n > maxSteps {
		return nil, fault.New(fault.InvalidRequest,
			"query takes %d steps a character as a regular expression, the limit is %d; write fewer or smaller repetitions", n,
			maxSteps)
	}
	wrapped := "(" + tree.String() + ")"
	if q.Word {
		wrapped = `(?:^|[^` + wordClass + `])` + wrapped + `(?:[^` + wordClass + `]|$)`
	}
	re, err := regexp.Compile(wrapped)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "query is too large as a regular expression: %s",
			pattern.Mistake(err))
	}
	whole, err := syntax.Parse(wrapped, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("parse an expression again: %w", err)
	}
	prog, err := syntax.Compile(whole.Simplify())
	if err != nil {
		return nil, fmt.Errorf("compile an expression again: %w", err)
	}
	return newMatcher(q, re, prog, tree.Simplify()), nil
}

func check(q Query) error {
	var rule string
	switch {
	case q.Pattern == "":
		rule = "is empty; give the text to look for"
	case len(q.Pattern) > MaxPattern:
		return fault.New(fault.InvalidRequest, "query is longer than %d bytes", MaxPattern)
	case strings.ContainsRune(q.Pattern, 0):
		rule = "has a NUL, which no text file has"
	case strings.ContainsRune(q.Pattern, '\n'):
		rule = "has a newline; a match is always within one line"
	case !utf8.ValidString(q.Pattern):
		rule = "is not valid UTF-8"
	case q.Limit < 0:
		return fault.New(fault.InvalidRequest, "limit is negative")
	default:
		return nil
	}
	return fault.New(fault.InvalidRequest, "query %s", rule)
}

var errNewline = errors.New("it asks for a newline; a match is always within one line")

// refuseNewline finds escapes such as \n that could only match a newline.
func refuseNewline(re *syntax.Regexp) error {
	switch re.Op {
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, '\n') {
			return errNewline
		}
	case syntax.OpCharClass:
		if len(re.Rune) == 2 && re.Rune[0] == '\n' && re.Rune[1] == '\n' {
			return errNewline
		}
	}
	for _, sub := range re.Sub {
		if err := refuseNewline(sub); err != nil {
			return err
		}
	}
	return nil
}

// wordClass are the characters of words, to be put in brackets.
const wordClass = `\pL\pM\p{Nd}\p{Nl}\p{Pc}`

// IsWord reports whether a character is one of words.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc)
}

// hasUpper reports whether a letter of the pattern itself is upper-case.
func hasUpper(q Query) bool {
	p := q.Pattern
	if q.Regexp {
		p = withoutEscapes(p)
	}
	return strings.ContainsFunc(p, unicode.IsUpper)
}

var notLetters = regexp.MustCompile(
	`\\x\{[^}]*\}|\\x..|\\[pP]\{[^}]*\}|\\[pP].|\\Q|\\E|\\.|\(\?P?<[^>]*>|\(\?[imsU-]+[:)]|\[:\^?[a-z]+:\]`)

// withoutEscapes takes off a pattern what is not a character to be found.
func withoutEscapes(p string) string { return notLetters.ReplaceAllString(p, "") }
