package scan

import (
	"bytes"
	"context"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A Matcher finds the lines that a query asks for. Any number of goroutines may
// use it.
type Matcher struct {
	query   Query
	re      *regexp.Regexp // group 1 is the match
	needles []needle       // each match holds one; nil is not known

	prog *syntax.Prog // of re, for the automaton

	// trigrams are clauses: a file that matches has all trigrams of one string of each.
	trigrams [][][]uint32
}

func newMatcher(q Query, re *regexp.Regexp, prog *syntax.Prog, tree *syntax.Regexp) *Matcher {
	m := &Matcher{query: q, re: re, prog: prog, trigrams: trigramClauses(tree)}
	if literal, ok := onlyLiteral(tree); ok {
		fold := foldsCase(tree)
		if (!fold || longestASCII(literal) == literal) && !strings.HasSuffix(literal, "\r") {
			n := newNeedle(literal, fold)
			n.certain = true
			m.needles = []needle{n}
			if fold {
				m.needles = append(m.needles, signNeedles(n.text)...)
			}
			return m
		}
	}
	m.needles = needlesFor(tree)
	return m
}

// MatchText reports whether a text on one line matches, as a path.
func (m *Matcher) MatchText(ctx context.Context, text string) (ok bool) {
	f := finder{m: m}
	f.lines(ctx, []byte(text), func(hit) bool { ok = true; return false })
	return ok
}

// trigramClauses are the clauses that say something of trigrams.
func trigramClauses(tree *syntax.Regexp) [][][]uint32 {
	var all [][][]uint32
	for _, c := range require(tree, true).clauses() {
		var some [][]uint32
		for _, s := range c {
			if len(s) < 3 {
				some = nil
				break
			}
			some = append(some, trigramsOf(s))
		}
		if some != nil {
			all = append(all, some)
		}
	}
	return all
}

// A hit is a line that matches.
type hit struct {
	line       int // 1-based
	start, end int // of the first match, offsets in the text
	from, to   int // of the line, without its end
}

// A finder looks through one text at a time for the lines that match.
type finder struct {
	m    *Matcher
	text []byte
	next []int // of each needle, where it is first at or behind the last place that was asked for
	dfa  *dfa  // nil until it is needed, and when it does not help
	slow bool  // the automaton does not help with this text
}

// From longLine bytes on, and from fewer where each takes many steps, a line is
// held against an expression in a way that ends with the context.
const (
	longLine = 64 << 10
	longWork = 8 << 20 // steps: some 50 ms
)

// lines calls yield for each line that matches, until that returns false or the
// context ends.
func (f *finder) lines(ctx context.Context, text []byte, yield func(hit) bool) {
	f.text, f.slow = text, false
	f.next = f.next[:0]
	for range f.m.needles {
		f.next = append(f.next, -1)
	}
	number, counted, checked := 1, 0, 0
	for pos := 0; pos < len(text); {
		if pos-checked > 1<<16 {
			if checked = pos; ctx.Err() != nil {
				return
			}
		}
		h, found := f.candidate(ctx, pos)
		if h.from >= len(text) {
			return
		}
		if found {
			number += bytes.Count(text[counted:h.from], newline)
			counted, h.line = h.from, number
			if !yield(h) {
				return
			}
		}
		pos = h.to + 1
	}
}

var newline = []byte{'\n'}

// candidate looks at the first line at or behind pos, where a line begins, that
// may match, and reports whether it does. The end of the hit's line is that of
// the line with its carriage return then.
func (f *finder) candidate(ctx context.Context, pos int) (hit, bool) {
	at, which := f.where(ctx, pos)
	if at > len(f.text) {
		return hit{from: len(f.text)}, false
	}
	h := hit{from: bytes.LastIndexByte(f.text[pos:at], '\n') + 1 + pos, to: len(f.text)}
	if i := bytes.IndexByte(f.text[at:], '\n'); i >= 0 {
		h.to = at + i
	}
	if which >= 0 && f.m.needles[which].certain {
		if !f.m.query.Word {
			h.start, h.end = at, at+len(f.m.needles[which].text)
			return h, true
		}
		return f.word(ctx, h, at)
	}
	return f.hold(ctx, h)
}

// where is a place on the first line at or behind pos that may match, or at its
// newline, and which needle is there, -1 if none was looked for. It is
// behind the text when no line is left.
func (f *finder) where(ctx context.Context, pos int) (at, which int) {
	switch {
	case f.m.needles != nil:
		if at, which = f.first(ctx, pos); at == len(f.text) {
			at++
		}
		return at, which
	case f.slow:
		return pos, -1
	}
	if f.dfa == nil {
		f.dfa = newDFA(f.m.prog)
	}
	at, ok := f.dfa.find(ctx, f.text, pos)
	f.slow = !ok
	return at, -1
}

// first is where the first needle at or behind pos is, and which that is.
func (f *finder) first(ctx context.Context, pos int) (at, which int) {
	at = len(f.text)
	for i, next := range f.next {
		if next < pos {
			next = f.m.needles[i].index(ctx, f.text, pos)
			f.next[i] = next
		}
		if next < at {
			at, which = next, i
		}
	}
	return at, which
}

// word looks for the first needle as a whole word in the line, in which it is
// at at for the first time. A line that holds another needle too, a sign that
// is a letter, is one for the expression.
func (f *finder) word(ctx context.Context, h hit, at int) (hit, bool) {
	for _, next := range f.next[1:] {
		if next < h.to {
			return f.hold(ctx, h)
		}
	}
	n := &f.m.needles[0]
	line := f.text[:h.to]
	for at < h.to {
		end := at + len(n.text)
		before, _ := utf8.DecodeLastRune(line[h.from:at])
		after, _ := utf8.DecodeRune(line[end:])
		if (at == h.from || !isWord(before)) && (end == h.to || !isWord(after)) {
			h.start, h.end = at, end
			return h, true
		}
		at = n.index(ctx, line, at+1)
	}
	return h, false
}

// hold holds the expression against the line.
func (f *finder) hold(ctx context.Context, h hit) (hit, bool) {
	line := f.text[h.from:lineEnd(f.text, h.to)]
	var at []int
	if len(line) < min(longLine, longWork/len(f.m.prog.Inst)) {
		if f.m.needles != nil && !f.m.re.Match(line) { // faster than to look where; the automaton said yes already
			return h, false
		}
		at = f.m.re.FindSubmatchIndex(line)
	} else {
		at = f.m.re.FindReaderSubmatchIndex(&lineReader{ctx: ctx, rest: line})
		if ctx.Err() != nil {
			return h, false
		}
	}
	if at == nil {
		return h, false
	}
	h.start, h.end = h.from+at[2], h.from+at[3]
	return h, true
}

// lineEnd is the end of the line whose newline is at to, without a carriage
// return before that. A last line without newline has none to take off.
func lineEnd(text []byte, to int) int {
	if to < len(text) && to > 0 && text[to-1] == '\r' {
		to--
	}
	return to
}
