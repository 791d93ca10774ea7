package binder

import "github.com/ragnav/ragnav/internal/nav/facts"

// A Source is where a value comes from: an expression of the text, a type, or
// what is known already, and what is done to it then. It is evaluated when all
// of the file has been declared. It is comparable; zero is none.
type Source struct {
	Node   At
	isType bool       // the node is a type
	Expr   facts.Expr // instead of node
	Mark   Mark       // instead of what the node gives
	then   *step      // the last thing that is done to it
}

// Known is a source of which the expression is known already.
func Known(e facts.Expr) Source { return Source{Expr: e} }

// Sources of which nothing is known, and of what is declared elsewhere.
var (
	UnknownSource  = Known(facts.Unknown)
	ExternalSource = Known(facts.External)
)

// TypeAt is the type at a node.
func TypeAt(n At) Source { return Source{Node: n, isType: true} }

// ValueOfType is a value of the type at a node.
func ValueOfType(n At) Source { return TypeAt(n).Value() }

// A step is something that is done to what a source gives, after what is done
// before.
type step struct {
	before *step
	do     action
	name   string
	n      int
}

type action byte

// What is done to sources.
const (
	takeMember  action = iota // name
	takeValue                 // a value of the type
	takeElem                  // an element
	takeResult                // the first result of calling it
	takePart                  // the n-th of what is taken apart
	takeParam                 // what the n-th parameter is
	takeEntered               // what a with statement binds that calls name
	TakeListOf                // a list of the type
	TakeArray                 // a list of the values
)

// Done is a source to which something is done.
func (s Source) Done(do action) Source {
	s.then = &step{before: s.then, do: do}
	return s
}

// Value is a value of the type.
func (s Source) Value() Source { return s.Done(takeValue) }

// Elem is an element.
func (s Source) Elem() Source { return s.Done(takeElem) }

// Call is the first result of calling it.
func (s Source) Call() Source { return s.Done(takeResult) }

// Member is a member by its name.
func (s Source) Member(name string) Source {
	s.then = &step{before: s.then, do: takeMember, name: name}
	return s
}

// Entered is what a with statement binds that calls a method when it is entered.
func (s Source) Entered(method string) Source {
	s.then = &step{before: s.then, do: takeEntered, name: method}
	return s
}

// MostParts is the highest index of a parameter or part that is told from others.
const MostParts = 20

// Part is the n-th of what is taken apart.
func (s Source) Part(n int) Source {
	s.then = &step{before: s.then, do: takePart, n: min(n, MostParts)}
	return s
}

// Param is what the n-th parameter is.
func (s Source) Param(n int) Source {
	s.then = &step{before: s.then, do: takeParam, n: min(n, MostParts)}
	return s
}

// Ends reports whether the last thing that is done is that.
func (s Source) Ends(do action) bool { return s.then != nil && s.then.do == do }

// IsPlain reports whether a source is an expression of the text as it is.
func (s Source) IsPlain() bool {
	return s.then == nil && s.Expr == facts.Nothing && s.Mark == MarkNone && !s.isType
}

// IsDeclared reports whether a source is a value of a type that is written.
func (s Source) IsDeclared() bool {
	return s.isType && s.Ends(takeValue) && s.then.before == nil
}

// A Mark says what a source is that is no expression of the text.
type Mark byte

// The marks.
const (
	MarkNone     Mark = iota
	MarkUnknown       // of this: not known
	MarkSelf          // a value of the class around
	MarkClass         // the class around
	MarkOwner         // the object literal around
	MarkOwned         // the symbol that is named by the node
	MarkSelfType      // a value of what Self is in Rust
	MarkBound         // what a type parameter must be
	MarkArgument      // what the parameter is that an argument is given for
)

func origin(b *Builder, s Source) facts.Expr {
	switch {
	case s.Mark != MarkNone:
		return marked(b, s)
	case s.Expr != facts.Nothing:
		return s.Expr
	case s.isType:
		return b.TypeOf(s.Node)
	}
	return b.Expr(s.Node)
}

// marked is the expression of a source with a mark.
func marked(b *Builder, s Source) facts.Expr {
	switch s.Mark {
	case MarkSelf, MarkClass:
		c := b.ScopeAround(s.Node).Symbol
		for c != nil && !Types[c.Kind] {
			c = c.Enclosing
		}
		switch {
		case c == nil:
			return facts.Unknown
		case s.Mark == MarkSelf:
			return c.Expr().Value()
		}
		return c.Expr()
	case MarkOwned:
		return b.BySpot[int(b.Nodes[s.Node].Start)].Expr()
	case MarkSelfType:
		return ValueOf(b.Walker.(selfTyper).SelfAt(s.Node)) //nolint:forcetypeassert // it alone sets the mark
	case MarkBound:
		return b.Walker.(typed).Bound(s.Node) //nolint:forcetypeassert // it alone sets the mark
	case MarkArgument:
		return b.Walker.(giver).Argument(s.Node) //nolint:forcetypeassert // it alone sets the mark
	}
	return facts.Unknown
}

// after is what steps make of an expression.
func after(e facts.Expr, s *step) facts.Expr {
	if s == nil {
		return e
	}
	e = after(e, s.before)
	switch s.do {
	case takeMember:
		return Member(e, s.name)
	case takeValue:
		return ValueOf(e)
	case takeElem:
		return Elem(e)
	case takeResult:
		return Call(e)
	case takePart:
		return Taken(e, s.n)
	case takeParam:
		return Param(e, s.n)
	case takeEntered:
		return UnionOf(e, Call(Member(e, s.name)))
	case TakeListOf:
		if !e.Known() {
			return e
		}
		return facts.List(e).Value()
	case TakeArray:
		return List(e)
	}
	return facts.Unknown
}

// Types are the kinds that self and this are values of.
var Types = map[string]bool{
	"class": true, "struct": true, "interface": true, "trait": true, "enum": true, "union": true, "impl": true,
	"record": true, "type": true,
	"annotation": true, "object": true, "protocol": true,
}
