//go:build cgo

package treesitter

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/treesitter/query"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A role is what a capture of a query stands for, by its name:
//
//	@def.KIND     a declaration, which becomes a symbol of that kind
//	@def.closure  one that is a func, and only counts outside of functions
//	@def.maybe    one that is a const, and only counts if it is exported or in upper case
//	@def.proto    one that is a func, and only counts in types and header files, where the file does not define it
//	              too
//	@def.upper    the same, and only counts in upper case
//	@def.made     one that is a const which a call made, and only counts outside of declarations or in upper case
//	@def.static   one that is a property, or a const in upper case
//	@def.promoted one that is a property of the type of the constructor that it is a parameter of
//	@def.entry    one that is a method or func in a table or object, and only counts outside of functions
//	@def.generated one that is a method which a call makes, and only counts in the body of a type or module
//	@def.flag     one that is a macro without value, and only counts if it is no include guard and no name like _THIS
//	@def.member   one that is a const: of an enum, and exported if that is
//	@name         the name of a declaration or scope; may hold the language's separators; "default" without one; from
//	              the first such capture to the last
//	@of           the type that a method is declared for, outside of it; what a reference's name is taken from
//	@head         the head of a declaration that is not where it begins; from the first such capture to the last
//	@body         where the head of a declaration ends
//	@by.SET       what is called or inherited for the declaration; it only counts if that is in the set
//	@tail         what belongs to the declaration before it
//	@scope        no symbol itself, but what is in it belongs to @name
//	@wrap         what belongs around the declaration in it: decorators, template parameters
//	@export       a wrap that makes what is in it exported
//	@exported     a name that is exported elsewhere in the file
//	@attr         an attribute or decorator before a declaration
//	@comment      a comment
//	@docstring    a string that documents the declaration that it is in, or the file
//	@doc          one that documents the declaration below it, in an @attr
//	@package      the file's package or module name
//	@error        text that could not be parsed
//	@ref.KIND     a reference: call, type, read, import or extends, or require for an import if @of is such a function
//
// Of several matches for the same declaration the first pattern counts.
type role int

const (
	roleNone role = iota
	roleDef
	roleName
	roleOf
	roleHead
	roleBody
	roleBy
	roleTail
	roleScope
	roleWrap
	roleExport
	roleExported
	roleAttr
	roleComment
	roleDocstring
	roleDoc
	rolePackage
	roleError
	roleRef
)

var roles = map[string]role{
	"def": roleDef, "name": roleName, "of": roleOf, "head": roleHead, "body": roleBody, "by": roleBy,
	"tail": roleTail, "scope": roleScope, "wrap": roleWrap, "export": roleExport,
	"exported": roleExported, "attr": roleAttr, "comment": roleComment, "docstring": roleDocstring, "doc": roleDoc,
	"package": rolePackage, "error": roleError, "ref": roleRef,
}

// A capture is the role and kind behind the index of a capture in a query.
type capture struct {
	role role
	kind string
}

func captures(q *query.Query) []capture {
	all := make([]capture, len(q.Captures))
	for i, whole := range q.Captures {
		name, kind, _ := strings.Cut(whole, ".")
		all[i] = capture{roles[name], kind}
	}
	return all
}

// A span is a range of bytes.
type span struct{ start, end int }

func (s span) holds(t span) bool { return s.start <= t.start && t.end <= s.end }

// A node is a declaration, a scope or a wrap.
type node struct {
	span
	role    role
	kind    string
	name    span
	of      span
	head    span
	body    int // offset of it, or 0
	pattern int // of the query
}

// A ref is a reference.
type ref struct {
	kind string
	name span
	of   span
}

// found is all that a query matched in a text.
type found struct {
	text       string
	source     string // what was parsed
	nodes      []node
	comments   []span
	attrs      []span
	docstrings []span
	docs       []span
	exported   map[string]bool
	packages   []span // their names
	errors     int    // bytes
	wrong      []span // the errors
	refs       []ref
}

// collect runs a query over the nodes of a tree.
func (f *found) collect(c *compiled, nodes []binder.Node) {
	c.query.Each(f.text, nodes, func(pattern int, all []query.Capture) { f.match(pattern, all, c.captures, nodes) })
}

func (f *found) match(pattern int, all []query.Capture, captures []capture, nodes []binder.Node) {
	var n node
	var r ref
	var tail span
	by := true
	for _, c := range all {
		s := span{int(nodes[c.Node].Start), int(nodes[c.Node].End)}
		switch what := captures[c.Index]; what.role {
		case roleDef, roleScope:
			n.span, n.role, n.kind = f.trimmed(s), what.role, what.kind
		case roleWrap, roleExport:
			f.nodes = append(f.nodes, node{span: s, role: what.role})
		case roleName:
			if n.name != (span{}) {
				s.start = n.name.start
			}
			n.name = s
		case roleOf:
			n.of, r.of = s, s
		case roleHead:
			if n.head != (span{}) {
				s.start = n.head.start
			}
			n.head = s
		case roleBody:
			n.body = s.start
		case roleBy:
			by = by && declaredBy(what.kind, f.slice(s))
		case roleTail:
			tail = s
		case roleRef:
			r.kind, r.name = what.kind, s
		default:
			f.other(what.role, s)
		}
	}
	if n.role != roleNone && by {
		n.pattern = pattern
		if tail != (span{}) {
			n.body, n.end = n.end, tail.end
		}
		f.nodes = append(f.nodes, n)
	}
	if r.kind != "" {
		f.refs = append(f.refs, r)
	}
}

func (f *found) other(what role, s span) {
	switch what {
	case roleComment:
		f.comments = append(f.comments, f.trimmed(s))
	case roleAttr:
		f.attrs = append(f.attrs, f.trimmed(s))
	case roleDocstring:
		f.docstrings = append(f.docstrings, s)
	case roleDoc:
		f.docs = append(f.docs, s)
	case roleExported:
		if f.exported == nil {
			f.exported = make(map[string]bool)
		}
		f.exported[f.slice(s)] = true
	case rolePackage:
		f.packages = append(f.packages, s)
	case roleError:
		f.errors += s.end - s.start
		f.wrong = append(f.wrong, s)
	}
}

// packageName is the package of a file: the first that is named; of several side by side in braces, as namespaces of
// C# are, the longest.
func (f *found) packageName() (name string) {
	slices.SortFunc(f.packages, func(a, b span) int { return a.start - b.start })
	longest, from := 0, 0
	for i, s := range f.packages {
		end := len(f.text)
		if i+1 < len(f.packages) {
			end = f.packages[i+1].start
		}
		own, before := strings.Join(strings.Fields(f.slice(s)), ""), f.text[from:s.start]
		switch from = s.end; {
		case i > 0 && !strings.Contains(before, "{"):
		case i > 0 && !strings.Contains(before, "}"):
			longest += end - s.start // it is within the one before
		case end-s.start > longest:
			name, longest = own, end-s.start
		}
	}
	return name
}

// offsets are those of the errors, in order of where they begin.
func (f *found) offsets() [][2]int {
	all := make([][2]int, len(f.wrong))
	for i, w := range f.wrong {
		all[i] = [2]int{w.start, w.end}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}

// garbled counts the bytes that are in errors and of no declaration within them: one word
// that a grammar can't read may make all that follows an error in which everything was found.
func (f *found) garbled() int {
	sound := make([]span, 0, len(f.nodes))
	for _, n := range f.nodes {
		if n.role == roleDef {
			sound = append(sound, n.span)
		}
	}
	sortSpans(sound)
	var parts []span
	for _, w := range f.wrong {
		at := w.start
		first, _ := slices.BinarySearchFunc(sound, at, func(s span, at int) int { return s.start - at })
		for _, s := range sound[first:] {
			if s.start >= w.end {
				break
			}
			if s.start >= at && s.end <= w.end {
				parts = append(parts, span{at, s.start})
				at = s.end
			}
		}
		parts = append(parts, span{at, w.end})
	}
	sortSpans(parts)
	total, at := 0, 0
	for _, s := range parts { // an error may be within another
		total += max(s.end-max(s.start, at), 0)
		at = max(at, s.end)
	}
	return total
}

func (f *found) slice(s span) string { return f.text[s.start:s.end] }

// trimmed is a span without white space at its ends: some grammars have it in
// line comments and function bodies.
func (f *found) trimmed(s span) span {
	s.start = s.end - len(strings.TrimLeft(f.slice(s), " \t\r\n"))
	s.end = s.start + len(strings.TrimRight(f.slice(s), " \t\r\n"))
	return s
}
