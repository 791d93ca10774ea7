package syntax

import "github.com/ragnav/ragnav/internal/nav/facts"

// A source is where a value comes from: an expression of the text, a type, or
// what is known already, and what is done to it then. It is evaluated when all
// of the file has been declared. It is comparable; zero is none.
type source struct {
	node   at
	isType bool       // the node is a type
	expr   facts.Expr // instead of node
	mark   mark       // instead of what the node gives
	then   *step      // the last thing that is done to it
}

// known is a source of which the expression is known already.
func known(e facts.Expr) source { return source{expr: e} }

var (
	unknownSource  = known(facts.Unknown)
	externalSource = known(facts.External)
)

// typeAt is the type at a node, valueOfType a value of it.
func typeAt(n at) source      { return source{node: n, isType: true} }
func valueOfType(n at) source { return typeAt(n).value() }

// A step is something that is done to what a source gives, after what is done
// before.
type step struct {
	before *step
	do     action
	name   string
	n      int
}

type action byte

const (
	takeMember   action = iota // name
	takeValue                  // a value of the type
	takeElem                   // an element
	takeResult                 // the first result of calling it
	takePart                   // the n-th of what is taken apart
	takeParam                  // what the n-th parameter is
	takeEntered                // what a with statement binds
	takeListOf                 // a list of the type
	takeArray                  // a list of the values
	takeCompared               // an element, for each parameter of a function
)

func (s source) done(do action) source {
	s.then = &step{before: s.then, do: do}
	return s
}

func (s source) value() source { return s.done(takeValue) }
func (s source) elem() source  { return s.done(takeElem) }
func (s source) call() source  { return s.done(takeResult) }

func (s source) member(name string) source {
	s.then = &step{before: s.then, do: takeMember, name: name}
	return s
}

// mostParts is the highest index of a parameter or part that is told from others.
const mostParts = 20

// part is the n-th of what is taken apart.
func (s source) part(n int) source {
	s.then = &step{before: s.then, do: takePart, n: min(n, mostParts)}
	return s
}

// param is what the n-th parameter is.
func (s source) param(n int) source {
	s.then = &step{before: s.then, do: takeParam, n: min(n, mostParts)}
	return s
}

// ends reports whether the last thing that is done is that.
func (s source) ends(do action) bool { return s.then != nil && s.then.do == do }

// isPlain reports whether a source is an expression of the text as it is.
func (s source) isPlain() bool {
	return s.then == nil && s.expr == facts.Nothing && s.mark == markNone && !s.isType
}

// isDeclared reports whether a source is a value of a type that is written.
func (s source) isDeclared() bool {
	return s.isType && s.ends(takeValue) && s.then.before == nil
}

// A mark says what a source is that is no expression of the text.
type mark byte

const (
	markNone     mark = iota
	markUnknown       // of this: not known
	markSelf          // a value of the class around
	markClass         // the class around
	markOwner         // the object literal around
	markOwned         // the symbol that is named by the node
	markSelfType      // a value of what Self is in Rust
	markCallee        // what is called, with its type arguments
)

// eval is the expression of what a source gives.
func (b *builder) eval(s source) facts.Expr {
	e := b.after(b.origin(s), s.then)
	switch {
	case e == facts.Nothing:
		return facts.Unknown
	case e.IsExternal():
		return facts.External
	}
	return e
}

func (b *builder) origin(s source) facts.Expr {
	switch {
	case s.mark != markNone:
		return b.marked(s)
	case s.expr != facts.Nothing:
		return s.expr
	case s.isType:
		return b.typeOf(s.node)
	}
	return b.expr(s.node)
}

// marked is the expression of a source with a mark.
func (b *builder) marked(s source) facts.Expr {
	switch s.mark {
	case markSelf, markClass:
		c := b.scopeAround(s.node).symbol
		for c != nil && !types[c.Kind] {
			c = c.parent
		}
		switch {
		case c == nil:
			return facts.Unknown
		case s.mark == markSelf:
			return c.expr().Value()
		}
		return c.expr()
	case markOwned:
		return b.bySpot[int(b.Nodes[s.node].Start)].expr()
	case markSelfType:
		return valueOf(b.walker.(*rust).self(s.node)) //nolint:forcetypeassert // it alone sets the mark
	case markCallee:
		return b.walker.(*script).callee(s.node) //nolint:forcetypeassert // it alone sets the mark
	}
	return facts.Unknown
}

// after is what steps make of an expression.
func (b *builder) after(e facts.Expr, s *step) facts.Expr {
	if s == nil {
		return e
	}
	e = b.after(e, s.before)
	switch s.do {
	case takeMember:
		return member(e, s.name)
	case takeValue:
		return valueOf(e)
	case takeElem, takeCompared:
		return elem(e)
	case takeResult:
		return call(e)
	case takePart:
		return taken(e, s.n)
	case takeParam:
		return param(e, s.n)
	case takeEntered:
		return unionOf(e, call(member(e, "__enter__")))
	case takeListOf:
		if !e.Known() {
			return e
		}
		return facts.List(e).Value()
	case takeArray:
		return list(e)
	}
	return facts.Unknown
}

// types are the kinds that self and this are values of.
var types = map[string]bool{
	"class": true, "struct": true, "interface": true, "trait": true, "enum": true, "union": true, "impl": true,
	"record": true, "type": true,
	"annotation": true, "object": true,
}
