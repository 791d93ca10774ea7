package match

import (
	"bytes"
	"context"
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A dfa finds lines that match an expression, in one step for each byte. Its
// states are made when they are first reached, as in RE2 (Cox, "Regular
// Expression Matching in the Wild"); here a step takes a rune, and only those
// of ASCII are in the table. It says that there is a match on a line, not where.
// It is used by one goroutine.
type dfa struct {
	prog   *syntax.Prog
	words  bool // has \b or \B
	table  []int32
	states []state
	known  map[string]int32
	set    []bool // by instruction: is in list
	list   []uint32
	key    []byte
	made   int // states, in all
}

// A state is where an expression may be, between two runes of a line.
type state struct {
	at   []uint32 // instructions, in order, before what takes no rune was followed
	prev rune     // stands for the rune before: atStart, inWord or notWord
	wide map[rune]int32
}

// What stands for the rune before a place, to tell which conditions hold.
const (
	atStart = -1
	inWord  = 'a'
	notWord = ' '
)

// Numbers of states that are none.
const (
	unmade  = 0 // of the table: to be made, or not in the table
	matched = 1
	fresh   = 2 // the start of a line, the first true state
)

const (
	maxStates = 1000 // then all are forgotten
	maxMade   = 100  // states for each 64 KiB of text; more are not worth it
	maxWide   = 4096 // runes that a state keeps
)

func newDFA(prog *syntax.Prog) *dfa {
	d := &dfa{prog: prog, set: make([]bool, len(prog.Inst))}
	for _, inst := range prog.Inst {
		conditions := syntax.EmptyOp(inst.Arg) & (syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary) //nolint:gosec // as its own Prog does
		d.words = d.words || inst.Op == syntax.InstEmptyWidth && conditions != 0
	}
	d.forget()
	return d
}

func (d *dfa) forget() {
	d.table = append(d.table[:0], make([]int32, fresh<<8)...)
	d.states = append(d.states[:0], state{}, state{})
	d.known = map[string]int32{}
	d.stateOf(nil, atStart) // fresh
}

// find looks for a line with a match at or behind from, where a line begins. It
// returns a place on that line or at its newline; len(text)+1 when there is none
// or the context ended. It is false, and the place where a line begins up to
// which there is none, when the expression has too many states.
func (d *dfa) find(ctx context.Context, text []byte, from int) (at int, ok bool) {
	s, i := int32(fresh), from
	made, start := d.made, from
	for turn := 0; i < len(text); turn++ {
		if d.made-made > maxMade {
			return lineStart(text, from, i), false
		}
		if turn%64 == 63 && ctx.Err() != nil {
			return len(text) + 1, true
		}
		if i-start > 1<<16 {
			made, start = d.made, i
		}
		i, s = d.run(text, i, min(len(text), i+1<<16), s)
		if s == matched {
			return i, true
		}
		if i == len(text) {
			break
		}
		s, i = d.slow(text, i, s)
		if s == matched {
			return i, true
		}
	}
	if len(text) > from && text[len(text)-1] != '\n' {
		if s, _ = d.step(s, -1); s == matched {
			return len(text), true
		}
	}
	return len(text) + 1, true
}

// run takes steps that are in the table, until one that isn't or to the end.
func (d *dfa) run(text []byte, i, end int, s int32) (int, int32) {
	table := d.table
	for ; i < end; i++ {
		next := table[int(s)<<8|int(text[i])]
		if next <= matched {
			if next == matched {
				return i, matched
			}
			break
		}
		s = next
	}
	return i, s
}

// slow takes a step that may not be in the table, from the rune at i. When it
// leads to a match the place that it returns is on the line still.
func (d *dfa) slow(text []byte, i int, s int32) (next int32, after int) {
	c := text[i]
	if c == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		return s, i + 1 // the line ends here, with the step of the newline
	}
	r, size := utf8.DecodeRune(text[i:])
	switch {
	case c == '\n':
		next = d.toASCII(s, c, -1)
	case c < utf8.RuneSelf && c != '\r':
		next = d.toASCII(s, c, r)
	default:
		next = d.toWide(s, r)
	}
	if next == matched {
		return matched, i
	}
	return next, i + size
}

// toASCII steps from s, and keeps where to in the table.
func (d *dfa) toASCII(s int32, c byte, r rune) int32 {
	at := int(s)<<8 | int(c)
	if d.table[at] != unmade {
		return d.table[at]
	}
	next, kept := d.step(s, r)
	if kept {
		d.table[at] = next
	}
	return next
}

// toWide steps from s by a rune that has no place in the table.
func (d *dfa) toWide(s int32, r rune) int32 {
	if next, ok := d.states[s].wide[r]; ok {
		return next
	}
	next, kept := d.step(s, r)
	if wide := d.states[min(int(s), len(d.states)-1)].wide; kept && len(wide) < maxWide {
		if wide == nil {
			wide = map[rune]int32{}
			d.states[s].wide = wide
		}
		wide[r] = next
	}
	return next
}

// step is where s leads with the rune r, -1 at the end of the line. It is false
// when all states were forgotten, s too.
func (d *dfa) step(s int32, r rune) (next int32, kept bool) {
	from := &d.states[s]
	conditions := syntax.EmptyOpContext(from.prev, r)
	d.list = d.list[:0]
	found := d.follow(uint32(d.prog.Start), conditions) //nolint:gosec // an index
	for _, pc := range from.at {
		found = d.follow(pc, conditions) || found
	}
	for _, pc := range d.list {
		d.set[pc] = false
	}
	switch {
	case found:
		return matched, true
	case r < 0:
		return fresh, true
	}
	at := make([]uint32, 0, len(d.list))
	for _, pc := range d.list {
		if inst := &d.prog.Inst[pc]; isRune(inst.Op) && inst.MatchRune(r) {
			at = append(at, inst.Out)
		}
	}
	slices.Sort(at)
	return d.stateOf(slices.Compact(at), d.before(r))
}

// before is what stands for r when it is the rune before.
func (d *dfa) before(r rune) rune {
	if d.words && syntax.IsWordChar(r) {
		return inWord
	}
	return notWord
}

// follow adds the instructions to which pc leads without a rune to the list, and
// reports whether a match is among them.
func (d *dfa) follow(pc uint32, conditions syntax.EmptyOp) (found bool) {
	if d.set[pc] {
		return false
	}
	d.set[pc] = true
	d.list = append(d.list, pc)
	switch inst := &d.prog.Inst[pc]; inst.Op {
	case syntax.InstMatch:
		return true
	case syntax.InstAlt, syntax.InstAltMatch:
		found = d.follow(inst.Out, conditions)
		return d.follow(inst.Arg, conditions) || found
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^conditions == 0 { //nolint:gosec // as its own Prog does
			return d.follow(inst.Out, conditions)
		}
	case syntax.InstCapture, syntax.InstNop:
		return d.follow(inst.Out, conditions)
	case syntax.InstFail, syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
	}
	return false
}

func isRune(op syntax.InstOp) bool {
	return op == syntax.InstRune || op == syntax.InstRune1 || op == syntax.InstRuneAny || op == syntax.InstRuneAnyNotNL
}

// stateOf is the number of a state, which is made if it is not known.
func (d *dfa) stateOf(at []uint32, prev rune) (number int32, kept bool) {
	d.key = binary.LittleEndian.AppendUint32(d.key[:0], uint32(prev)) //nolint:gosec // the bits are kept
	for _, pc := range at {
		d.key = binary.LittleEndian.AppendUint32(d.key, pc)
	}
	if number, ok := d.known[string(d.key)]; ok {
		return number, true
	}
	kept = len(d.states) < maxStates
	if !kept {
		key := string(d.key)
		d.forget()
		d.key = append(d.key[:0], key...)
	}
	number = int32(len(d.states)) //nolint:gosec // maxStates at most
	d.states = append(d.states, state{at: at, prev: prev})
	d.table = append(d.table, make([]int32, 256)...)
	d.known[string(d.key)] = number
	d.made++
	return number, kept
}

// lineStart is the beginning of the line that i is on, not before from.
func lineStart(text []byte, from, i int) int {
	return from + bytes.LastIndexByte(text[from:i], '\n') + 1
}
