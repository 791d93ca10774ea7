package query

import "github.com/ragnav/ragnav/internal/treesitter/syntax/binder"

// A Capture is a node that a capture of a match stands for.
type Capture struct {
	Index int // in Query.Captures
	Node  binder.At
}

// Each calls do with the pattern of each match in a text and what it captures, a
// node before what is in it, which is good until it returns. Matches are in order
// of the nodes with which they begin, then of patterns.
func (q *Query) Each(text string, nodes []binder.Node, do func(pattern int, all []Capture)) {
	m := matcher{Query: q, text: text, nodes: nodes, do: do}
	for n := range nodes {
		kind := min(int(nodes[n].Kind), len(q.roots)-1)
		for _, p := range q.roots[kind] {
			m.pattern, m.all = int(p), m.all[:0]
			m.begin(q.patterns[p], binder.At(n)) //nolint:gosec // a tree has fewer
		}
	}
}

// begin matches a pattern that begins with a node.
func (m *matcher) begin(s *step, n binder.At) {
	if s.siblings == nil {
		m.node(s, n, nil)
		return
	}
	around := m.nodes[n].Parent
	if around >= 0 && m.nodes[around].Kind != errorKind {
		m.node(s, n, &rest{of: s.siblings, at: m.nodes[n].Next, end: m.nodes[around].Next})
	}
}

// A matcher goes on with what is left of a pattern whenever a part of it
// matches, which finds all ways.
type matcher struct {
	*Query

	text    string
	nodes   []binder.Node
	do      func(int, []Capture)
	pattern int
	all     []Capture
	held    bool // the end was reached, of a part that captures nothing
}

// rest is what is to be matched behind a node: the items of its step from a child
// on, then what is behind that.
type rest struct {
	of    *step
	item  int
	at    binder.At // the first child that may be next
	end   binder.At // behind the last child
	then  *rest     // nil: it is the whole pattern
	held  bool      // it is the end of a part that captures nothing
	again bool      // the item has matched before
}

// node matches a step against a node, then what is left.
func (m *matcher) node(s *step, n binder.At, then *rest) {
	if len(s.options) > 0 {
		for _, o := range s.options {
			before := len(m.all)
			m.catch(s, n)
			m.node(o, n, then)
			m.all = m.all[:before]
		}
		return
	}
	if !m.is(s, n) {
		return
	}
	before := len(m.all)
	m.catch(s, n)
	if len(s.children) == 0 && !s.closed {
		m.goOn(then)
	} else {
		m.goOn(&rest{of: s, at: n + 1, end: m.nodes[n].Next, then: then})
	}
	m.all = m.all[:before]
}

func (m *matcher) catch(s *step, n binder.At) {
	for _, c := range s.captures {
		m.all = append(m.all, Capture{c, n})
	}
}

// is reports whether a node is what a step says, but for its children.
func (m *matcher) is(s *step, n binder.At) bool {
	node := &m.nodes[n]
	switch s.kind {
	case anyKind:
		if node.Kind == errorKind {
			return false
		}
	case namedKind:
		if node.Kind == errorKind || !node.Named {
			return false
		}
	default:
		if m.same[min(int(node.Kind), len(m.same)-1)] != s.kind {
			return false
		}
	}
	for _, field := range s.without {
		for c := n + 1; c < node.Next; c = m.nodes[c].Next {
			if m.nodes[c].Field == field {
				return false
			}
		}
	}
	return true
}

// goOn matches what is left.
func (m *matcher) goOn(r *rest) {
	switch {
	case r == nil:
		if m.passes() {
			m.do(m.pattern, m.all)
		}
	case r.held:
		m.held = true
	case r.item < len(r.of.children):
		m.children(r, r.of.children[r.item])
	case !r.of.closed || !m.anyNamed(r.at, r.end):
		m.goOn(r.then)
	}
}

// passes reports whether what is captured is what the pattern's predicates say.
func (m *matcher) passes() bool {
	for _, t := range m.tests[m.pattern] {
		for _, c := range m.all {
			n := &m.nodes[c.Node]
			if c.Index == t.capture && !t.text.MatchString(m.text[n.Start:n.End]) {
				return false
			}
		}
	}
	return true
}

// anyNamed reports whether a named child is from at to end.
func (m *matcher) anyNamed(at, end binder.At) bool {
	for ; at < end; at = m.nodes[at].Next {
		if m.nodes[at].Named {
			return true
		}
	}
	return false
}

// children tries an item against each child that it may be. Of what captures
// nothing the first child that it can be leaves the most to what is behind it,
// unless that has to be next to it.
func (m *matcher) children(r *rest, it item) {
	bound := r.of.closed
	if r.item+1 < len(r.of.children) {
		bound = r.of.children[r.item+1].adjoins
	}
	if it.least == 0 || r.again {
		m.goOn(&rest{of: r.of, item: r.item + 1, at: r.at, end: r.end, then: r.then})
		if !bound {
			return
		}
	}
	for c := r.at; c < r.end; c = m.nodes[c].Next {
		child := &m.nodes[c]
		if (it.field == 0 || it.field == child.Field) && m.child(r, it, c) && !bound {
			return
		}
		if it.adjoins && child.Named {
			return
		}
	}
}

// child tries an item against one child. It reports whether that is what the item
// says, which captures nothing.
func (m *matcher) child(r *rest, it item, c binder.At) bool {
	if !m.may(it.step, c) || !it.catches && !m.holds(it.step, c) {
		return false
	}
	behind := &rest{of: r.of, item: r.item + 1, at: m.nodes[c].Next, end: r.end, then: r.then}
	if it.many {
		behind.item, behind.again = r.item, true
	}
	if it.catches {
		m.node(it.step, c, behind)
	} else {
		m.goOn(behind)
	}
	return !it.catches
}

// may reports whether a step, or one of its options, is what a node is.
func (m *matcher) may(s *step, n binder.At) bool {
	for _, o := range s.options {
		if m.may(o, n) {
			return true
		}
	}
	return len(s.options) == 0 && m.is(s, n)
}

// holds reports whether a step that captures nothing matches a node.
func (m *matcher) holds(s *step, n binder.At) bool {
	before := m.held
	m.held = false
	m.node(s, n, &rest{held: true})
	held := m.held
	m.held = before
	return held
}
