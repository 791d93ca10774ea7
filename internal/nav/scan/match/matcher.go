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
	if len(text) < longest(m) && !strings.Contains(text, "\n") {
		return m.re.MatchString(text)
	}
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
	Start, End int // of the first match, offsets in the text, once it was located
	From, To   int // of the line, without its end

	located bool
}

// A Finder looks through one text at a time for the lines that match.
type Finder struct {
	M    *Matcher
	text []byte
	next []int // of each needle, where it is first at or behind the last place that was asked for
	dfa  *dfa  // nil until it is needed, and when it does not help
	slow bool  // the automaton does not help with this text

	tested, made int // of this text: bytes of lines that the automaton was held against, and its states before
}

// From longLine bytes on, and from fewer where each takes many steps, a line is
// held against an expression in a way that ends with the context.
const (
	longLine = 64 << 10
	longWork = 8 << 20 // steps: some 50 ms
)

// Lines calls yield for each line that matches, until that returns false or the
// context ends. Where on the line the match is has to be located.
func (f *Finder) Lines(ctx context.Context, text []byte, yield func(Hit) bool) {
	f.text, f.slow, f.tested = text, false, 0
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
			h.Start, h.End, h.located = at, at+len(f.M.needles[which].text), true
			return h, true
		}
		return f.word(ctx, h, at)
	}
	return h, which < 0 && !f.slow || f.test(ctx, h) // the automaton said yes already
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
			return h, f.test(ctx, h)
		}
	}
	n := &f.M.needles[0]
	line := f.text[:h.To]
	for at < h.To {
		end := at + len(n.text)
		before, _ := utf8.DecodeLastRune(line[h.From:at])
		after, _ := utf8.DecodeRune(line[end:])
		if (at == h.From || !IsWord(before)) && (end == h.To || !IsWord(after)) {
			h.Start, h.End, h.located = at, end, true
			return h, true
		}
		at = n.index(ctx, line, at+1)
	}
	return h, false
}

// test holds the expression against the line: by the automaton, which is faster
// unless it has many states.
func (f *Finder) test(ctx context.Context, h Hit) bool {
	if f.dfa == nil {
		f.dfa = newDFA(f.M.prog)
	}
	if f.tested == 0 {
		f.made = f.dfa.made
	}
	if !f.slow {
		f.tested += h.To - h.From + 1
		end := min(h.To+1, len(f.text))
		at, ok := f.dfa.find(ctx, f.text[:end], h.From)
		f.slow = f.dfa.made-f.made > maxMade*(1+f.tested>>16)
		if ok {
			return at <= end && ctx.Err() == nil
		}
		f.slow = true
	}
	if line := f.line(h); len(line) < longest(f.M) {
		return f.M.re.Match(line)
	}
	_, ok := f.Locate(ctx, h)
	return ok
}

// Locate finds where on a line of the text that was searched last its match is. It
// is false when the context ended.
func (f *Finder) Locate(ctx context.Context, h Hit) (Hit, bool) {
	if h.located {
		return h, true
	}
	line := f.line(h)
	var at []int
	if len(line) < longest(f.M) {
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
	h.Start, h.End, h.located = h.From+at[2], h.From+at[3], true
	return h, true
}

func (f *Finder) line(h Hit) []byte { return f.text[h.From:LineEnd(f.text, h.To)] }

// longest is how long a line may be to be held against the expression at once.
func longest(m *Matcher) int { return min(longLine, longWork/len(m.prog.Inst)) }

// LineEnd is the end of the line whose newline is at to, without a carriage
// return before that. A last line without newline has none to take off.
func LineEnd(text []byte, to int) int {
	if to < len(text) && to > 0 && text[to-1] == '\r' {
		to--
	}
	return to
}
