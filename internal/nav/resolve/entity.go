package resolve

import (
	"slices"
	"strings"
)

// An Entity is what an expression evaluates to.
type Entity struct {
	Kind    EntityKind
	Symbols []SymbolID // of a TypeName, Value or Function; several are variants or overloads
	Files   []FileID   // of a Module: what it is made of
	Args    []Entity   // type arguments; what a List, Map, Func, Tuple or Union is made of, as types
	Recv    *Entity    // of a Function: the type that it is a member of, with its arguments
	This    *Entity    // of a Recv that is a base: the type that was asked for the member, if that matters
	Super   bool       // members of its bases only
	// of what is External, where it is of interest: "slices.Clone", of a literal ":text"; of a Function of a Labeller,
	// how it is called; of a Func, Maps
	Name    string
	Keys    *Keys  // of a TypeName or Value: which members it has of those that its types have; nil if all
	Foreign string // of what is External, a type or a value of it: the name of the type, "" if it is not known
}

// An EntityKind says what an Entity is.
type EntityKind uint8

// The kinds of entities. List, Map, Func and Tuple are types and values of them.
const (
	Unknown  EntityKind = iota
	External            // known to be outside of the repository
	Module
	TypeName // the type itself
	Value    // a value of the types Symbols
	Function // calling it gives its results
	List     // Args: the element
	Map      // Args: key and element
	Func     // Args: the results
	Tuple    // Args: the elements
	Union    // Args: one of them
	Class    // the type of what is the type Args[0] itself
	Mapped   // Args: the type that has the members; and Func if they are functions that return its own
	Fields   // what the constructor of the type Args[0] takes by name
	// Predicate is what a type guard gives: whether a parameter, whose index or "this" is
	// Name, is of the type Args[0].
	Predicate
)

// A Found is what a name was found to be. The zero value is nothing.
type Found struct {
	Symbols  []SymbolID // in order of path and position
	Files    []FileID   // of a module
	Entity   *Entity    // of a builtin that is worth knowing; else nil
	External bool       // it is known to be outside of the repository
	Tier     Tier       // TierA, TierB or TierC
	Recv     *Entity    // of a member: the type that declares it, with its arguments
}

// None reports whether nothing was found.
func (f Found) None() bool {
	return len(f.Symbols) == 0 && f.Files == nil && f.Entity == nil && !f.External
}

// both is the Name of a Union that is all of its Args at once.
const both = "&"

// MaxSymbols is the longest list of variants that is followed.
const MaxSymbols = 8

// Instance turns a type into a value of it.
func Instance(e Entity) Entity {
	switch e.Kind {
	case TypeName:
		e.Kind = Value
	case Class:
		return e.Arg(0)
	case Union:
		args := make([]Entity, len(e.Args))
		for i, a := range e.Args {
			args[i] = Instance(a)
		}
		e.Args = args
	}
	return e
}

// Gives is a function of outside of the repository, of which the result is known.
func Gives(result Entity) Found {
	return Found{Entity: &Entity{Kind: Func, Args: []Entity{result}}, External: true}
}

// typeOfValue is the type that instance makes e from.
func typeOfValue(e Entity) Entity {
	switch e.Kind {
	case Value:
		e.Kind = TypeName
	case TypeName:
		return Entity{Kind: Class, Args: []Entity{e}}
	case Union:
		args := make([]Entity, len(e.Args))
		for i, a := range e.Args {
			args[i] = typeOfValue(a)
		}
		e.Args = args
	}
	return e
}

// Merge is what is a or b, as far as one Entity can say it.
func Merge(a, b Entity) Entity {
	switch {
	case a.Kind == Unknown, a.Kind == External && b.Kind != Unknown:
		return b
	case b.Kind == Unknown || b.Kind == External:
		return a
	// a type and a variable of the same name
	case a.Kind == TypeName && b.Kind == Value || a.Kind == Value && b.Kind == TypeName:
		return either(a, b)
	case a.Kind == Union || b.Kind == Union || isGeneric(a) && isGeneric(b) || a.Keys != b.Keys:
		return either(a, b)
	case a.Kind == b.Kind && (a.Kind == Value || a.Kind == TypeName || a.Kind == Function):
		list := slices.Clone(a.Symbols)
		for _, s := range b.Symbols {
			if len(list) < MaxSymbols && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		a.Symbols = list
		return a
	}
	return a
}

// isGeneric reports whether an entity has type arguments, which hold for its own
// symbols only.
func isGeneric(e Entity) bool { return (e.Kind == Value || e.Kind == TypeName) && len(e.Args) > 0 }

// either is the union of two, without what is in it already.
func either(a, b Entity) Entity {
	out := Entity{Kind: Union}
	for _, e := range [...]Entity{a, b} {
		parts := []Entity{e}
		if e.Kind == Union {
			parts = e.Args
		}
		for _, part := range parts {
			if len(out.Args) < MaxSymbols && !slices.ContainsFunc(out.Args, func(x Entity) bool { return same(x, part) }) {
				out.Args = append(out.Args, part)
			}
		}
	}
	if len(out.Args) == 1 {
		return out.Args[0]
	}
	return out
}

func same(a, b Entity) bool {
	return a.Kind == b.Kind && a.Name == b.Name && slices.Equal(a.Symbols, b.Symbols) && slices.Equal(a.Files, b.Files) &&
		slices.EqualFunc(a.Args, b.Args, same) && a.Keys.equal(b.Keys)
}

// literal is the text of a literal.
func (e Entity) literal() (text string, ok bool) {
	text, ok = strings.CutPrefix(e.Name, ":")
	return text, ok && e.Kind == External
}

// Arg is the i-th argument as it is, Unknown if there is none.
func (e Entity) Arg(i int) Entity {
	if i < 0 || i >= len(e.Args) {
		return Entity{}
	}
	return e.Args[i]
}
