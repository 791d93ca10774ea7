package change

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Kind says what an edit did to a symbol.
type Kind string

// The kinds, those that break callers first.
const (
	Removed   Kind = "removed"
	Signature Kind = "signature"
	Body      Kind = "body"
	Added     Kind = "added"
)

// Rank orders kinds by how much they break.
func (k Kind) Rank() int {
	for i, other := range []Kind{Removed, Signature, Body} {
		if k == other {
			return i
		}
	}
	return 3
}

// A Side is a file before or after an edit. The zero Side is no file.
type Side struct {
	Facts *facts.File
	Text  string
	// Signatures are those of the symbols of Facts, "" where only the text of
	// the declaration tells.
	Signatures []string
	// Remarks tells of each line whether it is nothing but a comment, or empty; nil: none is.
	Remarks []bool
}

// A Change is what an edit did to one symbol. Old and New are its indexes on the
// two sides, or -1. Text is that of one that is new or gone, without what is inside of it that
// is a symbol itself.
type Change struct {
	Kind     Kind
	Old, New int
	Text     string
}

// Compare finds the symbols that differ between two sides of a file, in order of
// the new side, those removed behind. What is inside of a symbol and one itself
// is no change of the outer one. A symbol that is on the other side by its
// qualified name is the same one. Remarks make no difference.
func Compare(before, after Side) []Change {
	old, now := read(before), read(after)
	var all []Change
	for i, name := range now.names {
		j, known := old.byName[name]
		switch {
		case !known:
			all = append(all, Change{Added, -1, i, now.own[i]})
		case old.signature(j) != now.signature(i):
			all = append(all, Change{Signature, j, i, ""})
		case old.own[j] != now.own[i]:
			all = append(all, Change{Body, j, i, ""})
		}
	}
	for j, name := range old.names {
		if _, still := now.byName[name]; !still {
			all = append(all, Change{Removed, j, -1, old.own[j]})
		}
	}
	return all
}

// symbols are the symbols of a side: their names, made unique, and their own
// text.
type symbols struct {
	Side

	names  []string
	byName map[string]int
	own    []string
}

func read(s Side) symbols {
	r := symbols{Side: s, byName: map[string]int{}}
	if s.Facts == nil {
		return r
	}
	lines := strings.Split(s.Text, "\n")
	owner := owners(s.Facts, len(lines))
	texts := make([]strings.Builder, len(s.Facts.Symbols))
	for n, line := range lines {
		if o := owner[n]; o >= 0 && (n >= len(s.Remarks) || !s.Remarks[n]) {
			texts[o].WriteString(strings.TrimSpace(line))
			texts[o].WriteByte('\n')
		}
	}
	for i := range s.Facts.Symbols {
		name := s.Facts.Symbols[i].Qualified
		for r.has(name) {
			name += "~"
		}
		r.byName[name] = i
		r.names = append(r.names, name)
		r.own = append(r.own, texts[i].String())
	}
	return r
}

func (r *symbols) has(name string) bool {
	_, ok := r.byName[name]
	return ok
}

// owners are the innermost symbols of lines, or -1: of those around a line the
// shortest, of several as short the first.
func owners(f *facts.File, lines int) []int {
	owner := make([]int, lines)
	for n := range owner {
		owner[n] = -1
	}
	size := func(i int) int { return f.Symbols[i].EndLine - f.Symbols[i].StartLine }
	for i := range f.Symbols {
		s := &f.Symbols[i]
		for n := max(s.StartLine, 1) - 1; n < min(s.EndLine, lines); n++ {
			if owner[n] < 0 || size(i) < size(owner[n]) {
				owner[n] = i
			}
		}
	}
	return owner
}

// signature is what others see of a symbol.
func (r *symbols) signature(i int) string {
	if i < len(r.Signatures) && r.Signatures[i] != "" {
		return r.Signatures[i]
	}
	s := &r.Facts.Symbols[i]
	if s.StartLine != s.EndLine {
		return strings.Join(append([]string{s.Kind, s.Type.String(), s.Shape, s.Under.String()}, s.Params...), "\x00")
	}
	text, _, _ := strings.Cut(r.own[i], "//")
	if s.Kind != "type" {
		text, _, _ = strings.Cut(text, "=")
	}
	return strings.TrimSpace(text)
}
