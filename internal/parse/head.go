package parse

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Head is a regular expression for the beginning of lines: where it starts with "^"
// or "^\s*", most lines are refused by their first byte, or their first that is no
// space, which takes a fraction of the time to match.
type Head struct {
	*regexp.Regexp

	anchored, indented bool      // by "^", by "^\s*"
	begins             [256]bool // what may follow that
}

// A LazyHead is compiled when it is first called.
type LazyHead func() *Head

// NewHead panics when it is first called if the expression is not valid.
func NewHead(expression string) LazyHead {
	return sync.OnceValue(func() *Head {
		h := &Head{Regexp: regexp.MustCompile(expression)}
		h.look(expression)
		return h
	})
}

// Match is that of the Regexp.
func (h *Head) Match(line []byte) bool { return fits(h, line) && h.Regexp.Match(line) }

// MatchString is that of the Regexp.
func (h *Head) MatchString(line string) bool { return fits(h, line) && h.Regexp.MatchString(line) }

// FindSubmatch is that of the Regexp.
func (h *Head) FindSubmatch(line []byte) [][]byte {
	if !fits(h, line) {
		return nil
	}
	return h.Regexp.FindSubmatch(line)
}

// FindSubmatchIndex is that of the Regexp.
func (h *Head) FindSubmatchIndex(line []byte) []int {
	if !fits(h, line) {
		return nil
	}
	return h.Regexp.FindSubmatchIndex(line)
}

// fits reports whether a line may match.
func fits[T string | []byte](h *Head, line T) bool {
	at := 0
	for h.indented && at < len(line) && isSpace(line[at]) {
		at++
	}
	return !h.anchored || at < len(line) && h.begins[line[at]]
}

// isSpace reports whether \s matches.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// look finds out what the expression may begin with.
func (h *Head) look(expression string) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat || re.Sub[0].Op != syntax.OpBeginText {
		return
	}
	rest := re.Sub[1:]
	if h.indented = rest[0].Op == syntax.OpStar && slices.Equal(rest[0].Sub[0].Rune, []rune("\t\n\f\r  ")); h.indented {
		rest = rest[1:]
	}
	if h.anchored = !h.sequence(rest); !h.indented {
		return
	}
	for _, space := range []byte("\t\n\f\r ") { // that may not be all skipped
		h.anchored = h.anchored && !h.begins[space]
	}
}

// sequence adds what one expression behind another may begin with, and reports whether
// all of them may match nothing.
func (h *Head) sequence(all []*syntax.Regexp) bool {
	for _, re := range all {
		if !h.add(re) {
			return false
		}
	}
	return true
}

// add adds what an expression may begin with, and reports whether it may match nothing.
func (h *Head) add(re *syntax.Regexp) (nothing bool) {
	switch re.Op {
	case syntax.OpLiteral:
		h.letter(re.Rune[0], re.Rune[0])
		for r := re.Rune[0]; re.Flags&syntax.FoldCase != 0; {
			if r = unicode.SimpleFold(r); r == re.Rune[0] {
				break
			}
			h.letter(r, r)
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			h.letter(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		h.letter(0, unicode.MaxRune)
	case syntax.OpConcat:
		return h.sequence(re.Sub)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			nothing = h.add(sub) || nothing
		}
		return nothing
	case syntax.OpCapture, syntax.OpPlus:
		return h.add(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		h.add(re.Sub[0])
		return true
	case syntax.OpRepeat:
		return h.add(re.Sub[0]) || re.Min == 0
	default: // bounds of lines and words, and nothing
		return true
	}
	return false
}

// letter adds the runes from one to another; all bytes of more than one count as one.
func (h *Head) letter(from, to rune) {
	for c := from; c <= min(to, utf8.RuneSelf-1); c++ {
		h.begins[c] = true
	}
	for c := utf8.RuneSelf; to >= utf8.RuneSelf && c < len(h.begins); c++ {
		h.begins[c] = true
	}
}
