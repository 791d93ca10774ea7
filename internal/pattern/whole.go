package pattern

import (
	"encoding/binary"
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A Whole holds whole texts against a regular expression, many of them in a row:
// in one step for each byte, where package regexp takes one for each place in the
// expression. It is an automaton whose states are made when they are first
// reached (Cox, "Regular Expression Matching in the Wild"), of which it forgets
// all when there are many. It is used by one goroutine.
type Whole struct {
	prog  *syntax.Prog
	table []int32    // by state and byte of ASCII; 0 is not known
	sets  [][]uint32 // of each state: where in the program it may be, in order
	final []bool     // by state: a text may end here
	known map[string]int32
	start int32 // the state before a text; 0 is not known

	seen []bool // by instruction: it is in next
	next []uint32
	key  []byte
}

const (
	nowhere   = 1 // the state from which no text matches
	maxStates = 2000
	ascii     = utf8.RuneSelf
)

// NewWhole makes the automaton of an expression without anchors and word
// boundaries, which are an error.
func NewWhole(re *syntax.Regexp) (*Whole, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	for _, inst := range prog.Inst {
		if inst.Op == syntax.InstEmptyWidth {
			return nil, fmt.Errorf("the expression %s asks what is around a text", re)
		}
	}
	w := &Whole{prog: prog, seen: make([]bool, len(prog.Inst))}
	w.forget()
	return w, nil
}

// Match reports whether the expression matches the text from its first byte to
// its last.
func (w *Whole) Match(text string) bool {
	state := w.begin()
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ascii {
			r, size := utf8.DecodeRuneInString(text[i:])
			state, i = w.step(state, r), i+size
		} else {
			next := w.table[int(state)*ascii+int(c)]
			if next == 0 {
				next = w.learn(state, c)
			}
			state, i = next, i+1
		}
		if state == nowhere {
			return false
		}
	}
	return w.final[state]
}

// begin is the state before a text.
func (w *Whole) begin() int32 {
	if w.start == 0 {
		w.add(uint32(w.prog.Start)) //nolint:gosec // an index
		w.start = w.made()
	}
	return w.start
}

// learn takes a step that is not in the table.
func (w *Whole) learn(state int32, c byte) int32 {
	before := len(w.sets)
	next := w.step(state, rune(c))
	if len(w.sets) >= before { // else all were forgotten
		w.table[int(state)*ascii+int(c)] = next
	}
	return next
}

// step is the state behind a rune.
func (w *Whole) step(state int32, r rune) int32 {
	for _, at := range w.sets[state] {
		if inst := &w.prog.Inst[at]; inst.Op != syntax.InstMatch && inst.MatchRune(r) {
			w.add(inst.Out)
		}
	}
	return w.made()
}

// add takes an instruction into the next state, or those that it leads to before
// the next rune.
func (w *Whole) add(at uint32) {
	if w.seen[at] {
		return
	}
	w.seen[at] = true
	w.next = append(w.next, at)
	switch inst := &w.prog.Inst[at]; inst.Op { //nolint:exhaustive // others wait for a rune
	case syntax.InstAlt, syntax.InstAltMatch:
		w.add(inst.Out)
		w.add(inst.Arg)
	case syntax.InstCapture, syntax.InstNop:
		w.add(inst.Out)
	}
}

// made is the state of what was added.
func (w *Whole) made() int32 {
	final := false
	w.next = slices.DeleteFunc(w.next, func(at uint32) bool {
		w.seen[at] = false
		switch w.prog.Inst[at].Op { //nolint:exhaustive // others are not waited at
		case syntax.InstMatch:
			final = true
			return false
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			return false
		}
		return true
	})
	slices.Sort(w.next)
	w.key = w.key[:0]
	for _, at := range w.next {
		w.key = binary.LittleEndian.AppendUint32(w.key, at)
	}
	state, ok := w.known[string(w.key)]
	if !ok {
		if len(w.sets) >= maxStates {
			w.forget()
		}
		state = w.keep(slices.Clone(w.next), final)
	}
	w.next = w.next[:0]
	return state
}

func (w *Whole) keep(set []uint32, final bool) int32 {
	state := int32(len(w.sets)) //nolint:gosec // at most maxStates
	w.sets, w.final = append(w.sets, set), append(w.final, final)
	w.table = append(w.table, make([]int32, ascii)...)
	w.known[string(w.key)] = state
	return state
}

func (w *Whole) forget() {
	w.table = append(w.table[:0], make([]int32, 2*ascii)...)
	w.sets, w.final = append(w.sets[:0], nil, nil), append(w.final[:0], false, false)
	w.known, w.start = map[string]int32{"": nowhere}, 0
}
