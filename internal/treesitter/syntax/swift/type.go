package swift

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// typeAt is the expression of a type: an optional is what it may hold.
func typeAt(p *walker, n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "user_type":
		return userType(p, n)
	case "type_identifier", "simple_identifier":
		return firstType(p, n)
	case "optional_type":
		return p.TypeOf(p.Child(n, "wrapped"))
	case "opaque_type", "existential_type", "type_annotation", "tuple_type_item", "inheritance_specifier":
		return p.TypeOf(p.Last(n))
	case "array_type":
		return facts.List(binder.PartType(p.Builder, p.Child(n, "name")))
	case "dictionary_type":
		return facts.Map(binder.PartType(p.Builder, p.Nth(n, 0)), binder.PartType(p.Builder, p.Nth(n, 1)))
	case "protocol_composition_type":
		e := p.TypeOf(p.Nth(n, 0))
		for c := range p.Named(n) {
			if c != p.Nth(n, 0) {
				e = facts.Both(e, p.TypeOf(c))
			}
		}
		return e
	case "tuple_type":
		return binder.TupleType(p.Builder, n)
	case "function_type":
		return functionType(p, n)
	case "metatype":
		return facts.Class(p.TypeOf(p.Nth(n, 0)))
	}
	return facts.Unknown
}

func functionType(p *walker, n binder.At) facts.Expr {
	params := p.Child(n, "params")
	var args []facts.Expr
	if p.Kind(params) == "tuple_type" {
		for c := range p.Named(params) {
			args = append(args, binder.PartType(p.Builder, c))
		}
	} else {
		args = append(args, binder.PartType(p.Builder, params))
	}
	result := facts.External
	if r := p.Child(n, "name"); r >= 0 {
		result = binder.PartType(p.Builder, r)
	}
	return facts.FuncWith(result, args...)
}

// firstType is what a type is by its first name.
func firstType(p *walker, n binder.At) facts.Expr {
	switch p.TextAt(n) {
	case "Self":
		return facts.This
	case "Void", "Never", "Any", "AnyObject":
		return facts.External
	}
	name := p.Plain(n)
	if m := p.Resolve(n, name, true); !m.Bare {
		return m.Expr
	}
	return facts.Name(name)
}

// userType is a name of a type with what it is in, and type arguments.
func userType(p *walker, n binder.At) facts.Expr {
	e, first := facts.Nothing, true
	last := ""
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "type_identifier":
			switch name := p.Plain(c); {
			case first:
				e = firstType(p, c)
			case name == "Type" || name == "Protocol":
				e = facts.Class(e)
			default:
				e = binder.Member(e, name)
			}
			last, first = p.Plain(c), false
		case "type_arguments":
			var args []facts.Expr
			for a := range p.Named(c) {
				args = append(args, binder.PartType(p.Builder, a))
			}
			e = generic(e, last, args)
		}
	}
	return e
}

// generic is a type with type arguments. What holds one value is that, and what holds
// several a list.
func generic(e facts.Expr, name string, args []facts.Expr) facts.Expr {
	if len(args) == 0 || e.Node().Op != facts.OpName {
		return e.Generic(args...)
	}
	switch name {
	case "Array", "Set", "ArraySlice", "ContiguousArray", "AnySequence", "AnyCollection", "AnyIterator", "AsyncStream",
		"AsyncThrowingStream", "ReversedCollection", "LazySequence", "CollectionOfOne", "Slice", "IndexingIterator":
		return facts.List(args[0])
	case "Optional", "ImplicitlyUnwrappedOptional":
		return args[0]
	// of a path where it begins and what it leads to
	case "Dictionary", "KeyPath", "WritableKeyPath", "ReferenceWritableKeyPath":
		if len(args) > 1 {
			return facts.Map(args[0], args[1])
		}
	case "PartialKeyPath":
		return facts.Map(args[0], facts.External)
	}
	return e.Generic(args...)
}

// selfType is the type around a node: the one that is extended, too.
func selfType(p *walker, n binder.At) facts.Expr {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "class_declaration":
			if isExtension(p, up) {
				return extendedType(p, up)
			}
			return binder.SymbolAt(p.Builder, p.Child(up, "name"))
		case "protocol_declaration":
			return binder.SymbolAt(p.Builder, p.Child(up, "name"))
		}
	}
	return facts.Unknown
}

// extendedType is the type that an extension is of, with what its constraints say.
func extendedType(p *walker, n binder.At) facts.Expr {
	name := p.Child(n, "name")
	e := p.TypeOf(name)
	switch plain := plainType(p.TextAt(name)); plain {
	case "Array", "Sequence", "Collection", "Set", "RandomAccessCollection", "MutableCollection",
		"BidirectionalCollection", "ArraySlice", "LazySequenceProtocol", "RangeReplaceableCollection":
		if c := constraintOf(p, n, "Element"); c >= 0 {
			return facts.List(binder.PartType(p.Builder, c))
		}
		if plain == "Array" || plain == "Set" {
			return facts.List(facts.External)
		}
	case "Optional":
		if c := constraintOf(p, n, "Wrapped"); c >= 0 {
			return p.TypeOf(c)
		}
	case "Dictionary":
		if c := constraintOf(p, n, "Value"); c >= 0 {
			return facts.Map(facts.External, binder.PartType(p.Builder, c))
		}
	}
	if c := selfConstraintOf(p, n); c >= 0 && e.Known() {
		if t := p.TypeOf(c); t.Known() && !strings.HasPrefix(t.String(), "this") {
			return facts.Both(e, t)
		}
	}
	return e
}
