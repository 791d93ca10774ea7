package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

const (
	unknown  = "?"
	external = "~ext"
)

// deepest is how deep expressions are followed.
const deepest = 60

// expr is the expression of a node, remembered. A node that depends on itself
// is not known.
func (b *builder) expr(n at) string {
	if n < 0 {
		return unknown
	}
	if e, ok := b.memo[n]; ok {
		b.cycles.met(n)
		return e
	}
	if b.depth > deepest {
		return unknown
	}
	b.memo[n] = unknown
	b.depth++
	before := b.cycles.cut
	e := bounded(b.value(n))
	b.depth--
	b.memo[n] = e
	if b.cycles.cut != before {
		b.cycles.add(n)
	}
	return e
}

// typeOf is the expression of a type, not remembered.
func (b *builder) typeOf(n at) string {
	if n < 0 || b.depth > deepest {
		return unknown
	}
	b.depth++
	e := bounded(b.typed(n))
	b.depth--
	return e
}

func (b *builder) eval(s source) string {
	e := s.text
	if strings.HasPrefix(e, "\x00") || strings.Contains(s.suffix, "\x00") {
		return bounded(b.special(s))
	}
	switch {
	case e != "":
	case s.isType:
		e = b.typeOf(s.node)
	default:
		e = b.expr(s.node)
	}
	if s.isType && s.suffix == "{}" {
		return valueOf(e)
	}
	return then(e, s.suffix)
}

// maxUnion is how many alternatives are kept.
const maxUnion = 4

// union is one of several sources. What is not known, or of no interest, is
// left out if there is something else.
func (b *builder) union(from []source) string {
	var all []string
	for _, s := range from {
		all = append(all, b.eval(s))
	}
	return unionOf(all)
}

func unionOf(exprs []string) string {
	var known []string
	ext := false
	for _, e := range exprs {
		if strings.HasPrefix(e, external) {
			ext = true
		} else if e != "" && e != unknown && !slices.Contains(known, e) {
			known = append(known, e)
		}
	}
	switch {
	case len(known) == 1:
		return known[0]
	case len(known) > maxUnion || len(known) == 0 && !ext:
		return unknown
	case len(known) == 0:
		return external
	}
	for i, e := range known {
		known[i] = asType(e)
	}
	return bounded("~union<" + strings.Join(known, ";") + ">{}")
}

// asType is the type of a value.
func asType(e string) string {
	switch {
	case e == "" || e == unknown || strings.HasPrefix(e, external):
		return e
	case strings.HasSuffix(e, "{}"):
		return e[:len(e)-2]
	}
	return bounded("~of<" + e + ">")
}

// valueOf is a value of a type.
func valueOf(t string) string {
	switch {
	case t == "" || t == unknown:
		return unknown
	case strings.HasPrefix(t, external):
		return external
	case strings.HasPrefix(t, "~of<"):
		return t[len("~of<") : len(t)-1]
	}
	return bounded(t + "{}")
}

func bounded(e string) string {
	if len(e) > facts.MaxExpr || e == "" {
		return unknown
	}
	return e
}

// then adds a suffix to what is known.
func then(e, suffix string) string {
	switch {
	case e == unknown || e == "":
		return unknown
	case strings.HasPrefix(e, external):
		return external
	case suffix == "[]" && strings.HasPrefix(e, "~list<") && opens(e) == len("~list"):
		return valueOf(e[len("~list<") : len(e)-len(">{}")])
	}
	return bounded(e + suffix)
}

// opens is where the bracket opens that closes before the "{}" at the end of
// an expression, or -1.
func opens(e string) int {
	if !strings.HasSuffix(e, ">{}") {
		return -1
	}
	depth := 0
	for i := len(e) - 3; i >= 0; i-- {
		switch e[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// list is a list of values with the given expressions.
func list(values ...string) string {
	t := asType(unionOf(values))
	if t == unknown || t == "" {
		return external
	}
	return bounded("~list<" + t + ">{}")
}

// A meaning is what a bare name stands for.
type meaning struct {
	expr string
	of   string  // of a reference to it
	name string  // by which it is declared; "" if it is local and has none
	bare bool    // looked up from the file
	is   *symbol // a symbol of this file that is not looked up
}

// resolve finds what a name stands for from a node.
func (b *builder) resolve(n at, name string, bodies bool) meaning {
	from := b.scopeOf(n)
	switch p := b.walker.(type) {
	case *python:
		from = p.lookFrom(n, name, from)
	case *rust:
		from = p.lookFrom(n, name, from)
	}
	v, sc := from.find(name, bodies)
	switch {
	case v == nil || sc == b.top:
		return meaning{expr: name, name: name, bare: true}
	case v.symbol != nil:
		s := v.meant(int(b.Nodes[n].Start), from.function() == sc.function())
		return meaning{expr: caret(s), name: s.Name, is: s}
	case v.imported > 0 && len(v.sources) == 0:
		e := "#" + strconv.Itoa(v.imported-1)
		if v.taken == "" {
			return meaning{expr: e}
		}
		return meaning{expr: e + "." + v.taken, of: e, name: v.taken}
	}
	b.noteUse(v, n, name)
	return meaning{expr: b.variable(v)}
}

// bare is the expression of a name used at a node.
func (b *builder) bare(n at, bodies bool) string { return b.resolve(n, b.text(n), bodies).expr }

// useName adds a reference for a bare name, unless it is local.
func (b *builder) useName(n at, kind facts.Kind, bodies bool) {
	b.refMeaning(int(b.Nodes[n].Start), kind, b.resolve(n, b.text(n), bodies))
}

func (b *builder) refMeaning(offset int, kind facts.Kind, m meaning) {
	b.refAtOffset(offset, m.name, kind, m.of, m.bare)
	if m.is != nil && len(b.refs) > 0 && b.refAt[offset] {
		if r := &b.refs[len(b.refs)-1]; r.Name == m.name && r.Of == "" && !r.Bare {
			r.Is = m.is.index + 1
		}
	}
}
