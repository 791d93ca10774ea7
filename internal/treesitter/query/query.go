// Package query runs the queries of tree-sitter that say what a language's
// symbols are, over a syntax tree that was copied. A query is ready at once,
// where tree-sitter analyses the whole grammar for it, and one pass over the
// nodes looks at none that no pattern begins with.
//
// Of the language of queries there are nodes by name, "(_)", "_", "text",
// alternatives in brackets, fields with and without "!", anchors, captures, "?",
// "*" and "+" behind what captures nothing, patterns of several siblings, and of
// predicates #match?. There are no other groups, no supertypes, and no pattern
// that begins with any node. As in tree-sitter, a match is each way in which what
// is captured can be chosen.
package query

import (
	"fmt"
	"regexp"
	"slices"
)

// A Grammar is the vocabulary of a language's trees.
type Grammar struct {
	Kinds  []Kind   // by binder.Node.Kind
	Fields []string // by binder.Node.Field; the first is ""
}

// A Kind is what nodes are.
type Kind struct {
	Name  string
	Named bool // not a keyword or punctuation
	Shown bool // nodes of a tree may be of it
}

// errorKind is binder.Node.Kind of what could not be parsed.
const errorKind = 0xffff

// A Query is ready to run. It may be used by several goroutines.
type Query struct {
	Captures []string // names, without "@", by Capture.Index

	patterns []*step
	tests    map[int][]test // of patterns that have some
	same     []uint16       // by kind: the first kind with its name; the last is errorKind
	roots    [][]int32      // by kind: patterns that begin with it
	keeps    []bool         // by kind: nodes without children are looked at
	fields   []bool         // by kind: fields of children are looked at
}

// A test is a #match? of a pattern.
type test struct {
	capture int
	text    *regexp.Regexp // of what is captured
}

// What a step matches beside one kind.
const (
	anyKind   = 0xfffe // "_"
	namedKind = 0xfffd // "(_)"
)

// A step is a node of a pattern.
type step struct {
	kind     uint16  // as in Query.same
	options  []*step // in its place, if there are any
	field    uint16  // 0 is any
	without  []uint16
	captures []int
	children []item
	siblings *step // of a pattern: its children are behind the node, in what is around it
	closed   bool  // no named child is behind the last that matched
	catches  bool  // it, or what is in it, captures
}

// An item is a child of a step.
type item struct {
	*step

	adjoins bool // no named child is between it and what is before it
	least   int  // how often it stands there: 0 or 1
	many    bool // or more often
}

// Compile makes a query ready for the trees of a grammar.
func Compile(source string, g Grammar) (*Query, error) {
	if len(g.Kinds) > namedKind {
		return nil, fmt.Errorf("a grammar of %d kinds", len(g.Kinds))
	}
	q := &Query{
		tests: make(map[int][]test), same: make([]uint16, len(g.Kinds)+1), roots: make([][]int32, len(g.Kinds)+1),
		keeps: make([]bool, len(g.Kinds)+1), fields: make([]bool, len(g.Kinds)+1),
	}
	r := reader{source: source, grammar: g, query: q, kinds: make(map[Kind]uint16)}
	for i, k := range g.Kinds {
		first, known := r.kinds[k]
		if !known {
			first = uint16(i) //nolint:gosec // see above
			r.kinds[k] = first
		}
		q.same[i] = first
		q.keeps[i] = k.Named
	}
	q.same[len(g.Kinds)] = errorKind
	q.keeps[len(g.Kinds)] = true
	if err := r.patterns(); err != nil {
		return nil, fmt.Errorf("at byte %d: %w", r.at, err)
	}
	for i, p := range q.patterns {
		if err := q.begin(i, p); err != nil {
			return nil, fmt.Errorf("pattern %d: %w", i, err)
		}
		q.note(p)
	}
	return q, nil
}

// begin notes by what kinds a pattern begins.
func (q *Query) begin(i int, p *step) error {
	for _, o := range p.options {
		if err := q.begin(i, o); err != nil {
			return err
		}
	}
	if len(p.options) > 0 {
		return nil
	}
	if p.kind == anyKind || p.kind == namedKind {
		return fmt.Errorf("it begins with any node")
	}
	for k, same := range q.same {
		if same == p.kind && !slices.Contains(q.roots[k], int32(i)) { //nolint:gosec // a query has some hundred
			q.roots[k] = append(q.roots[k], int32(i)) //nolint:gosec // see above
		}
	}
	return nil
}

// note notes what is looked at for a step.
func (q *Query) note(s *step) {
	for k, same := range q.same {
		q.keeps[k] = q.keeps[k] || s.kind == anyKind || s.kind == same
		matches := s.kind == anyKind || s.kind == namedKind || s.kind == same
		q.fields[k] = q.fields[k] || matches && (len(s.without) > 0 || slices.ContainsFunc(s.children, item.asksField))
	}
	for _, o := range s.options {
		q.note(o)
	}
	for _, c := range s.children {
		q.note(c.step)
	}
	if s.siblings != nil {
		q.note(s.siblings)
	}
}

func (i item) asksField() bool { return i.field != 0 }

// Keeps says of each kind, and last of what could not be parsed, whether nodes of
// it that have no children have to be among those that the query looks at.
func (q *Query) Keeps() []bool { return q.keeps }

// Fields says of each kind, likewise, whether the fields of its children have to
// be known.
func (q *Query) Fields() []bool { return q.fields }
