// Package match finds what a query asks for in texts: literals by their rarest pair
// of bytes, expressions by automata, and which trigrams a text must have.
package match

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
	Query   Query
	re      *regexp.Regexp // group 1 is the match
	needles []needle       // each match holds one; nil is not known

	prog *syntax.Prog // of re, for the automaton

	// trigrams are clauses: a file that matches has all trigrams of one string of each.
	Trigrams [][][]uint32
}

func newMatcher(q Query, re *regexp.Regexp, prog *syntax.Prog, tree *syntax.Regexp) *Matcher {
	m := &Matcher{Query: q, re: re, prog: prog, Trigrams: trigramClauses(tree)}
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
	f := Finder{M: m}
	f.Lines(ctx, []byte(text), func(Hit) bool { ok = true; return false })
	return ok
}

// Sensitive reports whether letters are compared with their case.
func (m *Matcher) Sensitive() bool {
	return m.Query.Case == Sensitive || m.Query.Case == Smart && hasUpper(m.Query)
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

// A Hit is a line that matches.
type Hit struct {
	Line       int // 1-based
	Start, End int // of the first match, offsets in the text
	From, To   int // of the line, without its end
}

// A Finder looks through one text at a time for the lines that match.
type Finder struct {
	M    *Matcher
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

// Lines calls yield for each line that matches, until that returns false or the
// context ends.
func (f *Finder) Lines(ctx context.Context, text []byte, yield func(Hit) bool) {
	f.text, f.slow = text, false
	f.next = f.next[:0]
	for range f.M.needles {
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
		if h.From >= len(text) {
			return
		}
		if found {
			number += bytes.Count(text[counted:h.From], newline)
			counted, h.Line = h.From, number
			if !yield(h) {
				return
			}
		}
		pos = h.To + 1
	}
}

var newline = []byte{'\n'}

// candidate looks at the first line at or behind pos, where a line begins, that
// may match, and reports whether it does. The end of the hit's line is that of
// the line with its carriage return then.
func (f *Finder) candidate(ctx context.Context, pos int) (Hit, bool) {
	at, which := f.where(ctx, pos)
	if at > len(f.text) {
		return Hit{From: len(f.text)}, false
	}
	h := Hit{From: bytes.LastIndexByte(f.text[pos:at], '\n') + 1 + pos, To: len(f.text)}
	if i := bytes.IndexByte(f.text[at:], '\n'); i >= 0 {
		h.To = at + i
	}
	if which >= 0 && f.M.needles[which].certain {
		if !f.M.Query.Word {
			h.Start, h.End = at, at+len(f.M.needles[which].text)
			return h, true
		}
		return f.word(ctx, h, at)
	}
	return f.hold(ctx, h)
}

// where is a place on the first line at or behind pos that may match, or at its
// newline, and which needle is there, -1 if none was looked for. It is
// behind the text when no line is left.
func (f *Finder) where(ctx context.Context, pos int) (at, which int) {
	switch {
	case f.M.needles != nil:
		if at, which = f.first(ctx, pos); at == len(f.text) {
			at++
		}
		return at, which
	case f.slow:
		return pos, -1
	}
	if f.dfa == nil {
		f.dfa = newDFA(f.M.prog)
	}
	at, ok := f.dfa.find(ctx, f.text, pos)
	f.slow = !ok
	return at, -1
}

// first is where the first needle at or behind pos is, and which that is.
func (f *Finder) first(ctx context.Context, pos int) (at, which int) {
	at = len(f.text)
	for i, next := range f.next {
		if next < pos {
			next = f.M.needles[i].index(ctx, f.text, pos)
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
func (f *Finder) word(ctx context.Context, h Hit, at int) (Hit, bool) {
	for _, next := range f.next[1:] {
		if next < h.To {
			return f.hold(ctx, h)
		}
	}
	n := &f.M.needles[0]
	line := f.text[:h.To]
	for at < h.To {
		end := at + len(n.text)
		before, _ := utf8.DecodeLastRune(line[h.From:at])
		after, _ := utf8.DecodeRune(line[end:])
		if (at == h.From || !IsWord(before)) && (end == h.To || !IsWord(after)) {
			h.Start, h.End = at, end
			return h, true
		}
		at = n.index(ctx, line, at+1)
	}
	return h, false
}

// hold holds the expression against the line.
func (f *Finder) hold(ctx context.Context, h Hit) (Hit, bool) {
	line := f.text[h.From:LineEnd(f.text, h.To)]
	var at []int
	if len(line) < min(longLine, longWork/len(f.M.prog.Inst)) {
		if f.M.needles != nil && !f.M.re.Match(line) { // faster than to look where; the automaton said yes already
			return h, false
		}
		at = f.M.re.FindSubmatchIndex(line)
	} else {
		at = f.M.re.FindReaderSubmatchIndex(&lineReader{ctx: ctx, rest: line})
		if ctx.Err() != nil {
			return h, false
		}
	}
	if at == nil {
		return h, false
	}
	h.Start, h.End = h.From+at[2], h.From+at[3]
	return h, true
}

// LineEnd is the end of the line whose newline is at to, without a carriage
// return before that. A last line without newline has none to take off.
func LineEnd(text []byte, to int) int {
	if to < len(text) && to > 0 && text[to-1] == '\r' {
		to--
	}
	return to
}
