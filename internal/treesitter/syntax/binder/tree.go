package binder

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
	Hidden  []int    // offsets of names of macros in Text that are not in the tree
}

// HiddenName is the name at an offset, and what comes behind it.
func (t *Tree) HiddenName(offset int) (name, behind string) {
	text := t.Text[offset:]
	end := strings.IndexFunc(text, func(r rune) bool { return !isNameRune(r) })
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimLeft(text[end:], " \t")
}

func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
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

// At is a node of a tree, by its index.
type At = int32

// None is no node.
const None At = -1

// Kind is the kind of a node, "" of none.
func (t *Tree) Kind(n At) string {
	if n < 0 {
		return ""
	}
	if k := int(t.Nodes[n].Kind); k < len(t.Kinds) {
		return t.Kinds[k]
	}
	return "ERROR"
}

// TextAt is the text of a node, "" of none.
func (t *Tree) TextAt(n At) string {
	if n < 0 {
		return ""
	}
	return t.Text[t.Nodes[n].Start:t.Nodes[n].End]
}

// Parent is the node around one, or None.
func (t *Tree) Parent(n At) At {
	if n < 0 {
		return None
	}
	return t.Nodes[n].Parent
}

// Field is the name by which the node around one has it, or "".
func (t *Tree) Field(n At) string {
	if n < 0 {
		return ""
	}
	return t.Fields[t.Nodes[n].Field]
}

// All calls yield with the children of a node.
func (t *Tree) All(n At) func(yield func(At) bool) {
	return func(yield func(At) bool) {
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

// Named calls yield with the named children of a node that are no comments.
func (t *Tree) Named(n At) func(yield func(At) bool) {
	return func(yield func(At) bool) {
		for c := range t.All(n) {
			if t.Nodes[c].Named && !strings.HasSuffix(t.Kind(c), "comment") && !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child with a field name, or none.
func (t *Tree) Child(n At, field string) At {
	for c := range t.All(n) {
		if t.Field(c) == field {
			return c
		}
	}
	return None
}

// First returns the first child of one of the kinds, or none.
func (t *Tree) First(n At, kinds ...string) At {
	for c := range t.All(n) {
		if slices.Contains(kinds, t.Kind(c)) {
			return c
		}
	}
	return None
}

// Has reports whether a child is the keyword or of the kind.
func (t *Tree) Has(n At, kind string) bool { return t.First(n, kind) >= 0 }

// Nth returns the i-th named child, or none.
func (t *Tree) Nth(n At, i int) At {
	for c := range t.Named(n) {
		if i == 0 {
			return c
		}
		i--
	}
	return None
}

// Last returns the last named child, or none.
func (t *Tree) Last(n At) At {
	l := None
	for c := range t.Named(n) {
		l = c
	}
	return l
}

// Up returns the closest node around n of one of the kinds, or none.
func (t *Tree) Up(n At, kinds ...string) At {
	for p := t.Parent(n); p >= 0; p = t.Parent(p) {
		if slices.Contains(kinds, t.Kind(p)) {
			return p
		}
	}
	return None
}

// A Match is what one pattern of a language's bindings matched. The names of
// captures follow the convention of tree-sitter's locals. One of these is what
// the match says of its node, the others are its parts:
//
//	@scope.KIND         names in it are its own: function, closed (a function that sees no locals around), class,
//	                    block
//	@definition.KIND    a declaration: a symbol of that kind with @name, or a local: variable, parameter, assigned
//	                    (one that is declared by its first assignment), member (one that all functions of the class
//	                    around share), implicit (the "it" of a lambda), pattern (all names in it are assigned)
//	@import             @path and what is taken from it: @name, @all, as @alias; @group is what the paths of a list
//	                    begin with; @import.file of a file by its path; @everywhere: of all files of the project
//	@reference.KIND     a use of @name, else of the node: call, type, extends, implements, read, write, import; none
//	                    is no use. @of is what it is a member of. @arguments and @argument are what is called with
//	@value.KIND         an expression: name, called (a variable, or a call without arguments), call (@function, or
//	                    @name of @object), member (@object, @name), new (@type), self, super, same (the value of the
//	                    last @inner), either (of all), list (of all), element (of @inner), type (the type itself),
//	                    whole (a name with its separators), literal
//	@type.KIND          a type: name, member (@object, @name), path (a qualified name), whole (one of a thing that is
//	                    no member), list, map (the last @inner), apply (@base with @arguments), same (@inner), self,
//	                    super, builtin
//
// Parts of a definition: @type, @returns (a type), @result (a value), @value, @element (the value is one of), @alias
// (what a type stands for), @extends, @implements, @owner (the type that it is a member of elsewhere), @static,
// @parameters, @typeparameter, @extended. Several matches of one declaration add up; of one expression the first
// pattern counts.
type Match struct {
	Pattern  int
	Captures []Captured
}

// Captured is a node by its index, and what a query calls it.
type Captured struct {
	Name string
	Node int32
}
