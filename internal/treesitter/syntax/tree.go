// Package syntax finds what the text of one file says about names (facts.File)
// from its syntax tree. It knows no parser: a tree is a slice of nodes. Each
// language is a walker over such a tree with the scopes of that language.
package syntax

import (
	"slices"
	"strings"
)

// A Tree is a syntax tree. Nodes are in order of position, a node before what
// is in it.
type Tree struct {
	Text    string
	Nodes   []Node
	Kinds   []string // names of Node.Kind
	Fields  []string // names of Node.Field; the first is ""
	Bound   bool     // a query says what is bound and used
	Matches []Match  // of that query
}

// A Node is a node of a Tree.
type Node struct {
	Kind       uint16
	Field      uint16 // what it is to its parent
	Named      bool   // not a keyword or punctuation
	Start, End int32  // bytes
	Parent     int32  // -1 for the root
	Next       int32  // the first node that is not in it
}

// A ref to a node is its index; none is -1.
type at = int32

const none at = -1

func (t *Tree) kind(n at) string {
	if n < 0 {
		return ""
	}
	if k := int(t.Nodes[n].Kind); k < len(t.Kinds) {
		return t.Kinds[k]
	}
	return "ERROR"
}

func (t *Tree) text(n at) string {
	if n < 0 {
		return ""
	}
	return t.Text[t.Nodes[n].Start:t.Nodes[n].End]
}

func (t *Tree) parent(n at) at {
	if n < 0 {
		return none
	}
	return t.Nodes[n].Parent
}

func (t *Tree) field(n at) string {
	if n < 0 {
		return ""
	}
	return t.Fields[t.Nodes[n].Field]
}

// all calls yield with the children of a node.
func (t *Tree) all(n at) func(yield func(at) bool) {
	return func(yield func(at) bool) {
		if n < 0 {
			return
		}
		end := t.Nodes[n].Next
		for c := n + 1; c < end; c = t.Nodes[c].Next {
			if !yield(c) {
				return
			}
		}
	}
}

// named calls yield with the named children of a node that are no comments.
func (t *Tree) named(n at) func(yield func(at) bool) {
	return func(yield func(at) bool) {
		for c := range t.all(n) {
			if t.Nodes[c].Named && !strings.HasSuffix(t.kind(c), "comment") && !yield(c) {
				return
			}
		}
	}
}

// child returns the first child with a field name, or none.
func (t *Tree) child(n at, field string) at {
	for c := range t.all(n) {
		if t.field(c) == field {
			return c
		}
	}
	return none
}

// first returns the first child of one of the kinds, or none.
func (t *Tree) first(n at, kinds ...string) at {
	for c := range t.all(n) {
		if slices.Contains(kinds, t.kind(c)) {
			return c
		}
	}
	return none
}

// has reports whether a child is the keyword or of the kind.
func (t *Tree) has(n at, kind string) bool { return t.first(n, kind) >= 0 }

// nth returns the i-th named child, or none.
func (t *Tree) nth(n at, i int) at {
	for c := range t.named(n) {
		if i == 0 {
			return c
		}
		i--
	}
	return none
}

// last returns the last named child, or none.
func (t *Tree) last(n at) at {
	l := none
	for c := range t.named(n) {
		l = c
	}
	return l
}

// up returns the closest node around n of one of the kinds, or none.
func (t *Tree) up(n at, kinds ...string) at {
	for p := t.parent(n); p >= 0; p = t.parent(p) {
		if slices.Contains(kinds, t.kind(p)) {
			return p
		}
	}
	return none
}
