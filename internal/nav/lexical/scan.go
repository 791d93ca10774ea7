package lexical

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A scanner finds the names of a code.
type scanner struct {
	code

	at     map[int]int // symbols by the offset of their name
	around []int       // the innermost symbol around each line, from 0, or -1
	all    []token
}

// scan finds the names of the code.
func (s *scanner) scan() {
	code := s.src.Code
	var open []int
	line, last := 1, -1
	for i := 0; i < len(code); {
		ch := code[i]
		switch {
		case ch == '\n':
			line++
		case strings.IndexByte("([{", ch) >= 0:
			open = append(open, i)
		case strings.IndexByte(")]}", ch) >= 0 && len(open) > 0:
			open = open[:len(open)-1]
		}
		if !s.isLetter(code, i) {
			i++
			continue
		}
		end := i + 1
		for s.isLetter(code, end) {
			end++
		}
		if isDigit(ch) || strings.IndexByte(s.letters, ch) >= 0 && end == i+1 {
			i = end
			continue
		}
		for end > i+1 && strings.IndexByte(".:", code[end-1]) >= 0 {
			end--
		}
		t := token{start: i, end: end, line: line, in: s.around[line-1], depth: len(open), open: -1}
		if len(open) > 0 {
			t.open = open[len(open)-1]
		}
		_, t.own = s.at[i]
		s.context(&t, last)
		s.inherits(&t, last)
		last = len(s.all)
		s.all = append(s.all, t)
		i = end
	}
}

// maxIndent is how many blanks at most stand before the mark that begins a line.
const maxIndent = 400

// context finds what stands around a token; last is the one before, or -1.
func (s *scanner) context(t *token, last int) {
	code := s.src.Code
	i := t.start - 1
	for i >= 0 && code[i] <= ' ' {
		i--
	}
	if i >= 0 {
		t.before = code[i]
	}
	if last >= 0 && i == s.all[last].end-1 && s.all[last].line == t.line && i < t.start-1 {
		t.word = s.text(s.all[last])
	}
	for t.next = t.end; t.next < len(code) && (code[t.next] == ' ' || code[t.next] == '\t'); {
		t.next++
	}
	if t.next < len(code) {
		t.after = code[t.next]
	}
	for _, mark := range s.of {
		from := i + 1 - len(mark)
		if from < 0 || string(code[from:i+1]) != mark {
			continue
		}
		if line := code[max(0, from-maxIndent):from]; i != t.start-1 &&
			len(bytes.TrimLeft(line[bytes.LastIndexByte(line, '\n')+1:], " \t\r")) > 0 {
			return // "f . g"
		}
		s.memberOf(t, from, last, mark)
		return
	}
}

// inherits notes that a token is what a type is made from: behind a word that says so, and behind
// a comma after such a one.
func (s *scanner) inherits(t *token, last int) {
	if !s.typed || t.member {
		return
	}
	switch t.word {
	case "extends", "with", "is":
		t.heir = facts.Extends
	case "implements":
		t.heir = facts.Implements
	}
	if t.word == "" && t.before == ',' && last >= 0 {
		t.heir = s.all[last].heir
	}
	if t.heir != "" && t.depth > 0 && t.in >= 0 && t.depth > 1 {
		t.heir = ""
	}
}

// memberOf notes what a token is a member of, whose end is before the offset from.
func (s *scanner) memberOf(t *token, from, last int, mark string) {
	code := s.src.Code
	for from > 0 && code[from-1] <= ' ' {
		from--
	}
	if from == 0 || strings.IndexByte("({[,=;:&|<", code[from-1]) >= 0 {
		t.member = true // of what is not written
		t.of = "."
		return
	}
	named := last >= 0 && s.all[last].end == from
	if s.modules && mark == "." && code[from-1] != ')' && (!named || !isCapital(s.text(s.all[last]))) {
		return // composition
	}
	t.member = true
	if !named {
		return
	}
	before := s.all[last]
	switch {
	case !before.member:
		t.of = s.text(before)
	case before.of != "" && before.of != "." && len(before.of) < facts.MaxExpr:
		t.of = before.of + "." + s.text(before)
	}
	if before.start > 0 && strings.IndexByte(s.sigils, code[before.start-1]) >= 0 && t.of != "self" && t.of != "this" {
		t.of = "" // a variable that is not the object itself
	}
}
