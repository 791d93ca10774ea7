package facts

import (
	"strconv"
	"strings"
)

// An Expr is an expression of the grammar in the comment of this package. Here
// is the only place that writes that grammar and reads it: others make
// expressions by constructors and methods, and take them apart by Node. It is
// comparable; the zero value says nothing.
type Expr struct{ text string }

// MaxExpr is the longest expression in bytes. In place of a longer one there
// is TooLong.
const MaxExpr = 240

// Expressions without parts.
var (
	Nothing  = Expr{}       // none is there
	Unknown  = Expr{"?"}    // not known
	TooLong  = Expr{"…"}    // longer than MaxExpr, so that what it is was not kept; it evaluates to what is not known
	External = Expr{"~ext"} // known to be outside of the repository: a literal, a builtin
	This     = Expr{"this"} // the type that a member is asked of, in the member; else the type around
)

// Parse is the expression that a text is at rest. A text that is none is an
// expression whose Node is invalid: nothing is evaluated of it.
func Parse(text string) Expr { return Expr{text} }

// String is the expression as it is at rest.
func (e Expr) String() string { return e.text }

// Equal reports whether two expressions are the same, as == does.
func (e Expr) Equal(other Expr) bool { return e == other }

// MarshalText implements encoding.TextMarshaler.
func (e Expr) MarshalText() ([]byte, error) { return []byte(e.text), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *Expr) UnmarshalText(text []byte) error {
	e.text = string(text)
	return nil
}

// Known reports whether an expression says something: at least that it is
// outside of the repository.
func (e Expr) Known() bool { return e != Nothing && e != Unknown && e != TooLong }

// IsExternal reports whether an expression is External, or made of that.
func (e Expr) IsExternal() bool { return strings.HasPrefix(e.text, External.text) }

// Size is how long an expression is at rest, in bytes.
func (e Expr) Size() int { return len(e.text) }

// OfValue is the type that e is a value of, if it is written so.
func (e Expr) OfValue() (t Expr, ok bool) {
	text, ok := strings.CutSuffix(e.text, "{}")
	return Expr{text}, ok
}

// OfType is the value that e is the type of, if it is written so.
func (e Expr) OfType() (value Expr, ok bool) {
	n := len(e.text) - 1
	if !strings.HasPrefix(e.text, "~of<") || opening(e.text, '<', '>') != len("~of") {
		return e, false
	}
	return Expr{e.text[len("~of<"):n]}, true
}

// Root is what e begins with: of a value of a list, and of whatever is taken
// from that, OpList.
func (e Expr) Root() Op {
	if !strings.HasPrefix(e.text, "~") {
		return OpInvalid
	}
	if i := strings.IndexByte(e.text, '<'); i > 0 {
		if op, ok := composites[e.text[:i]]; ok {
			return op
		}
	}
	return OpExternal
}

// Name is what a name stands for in the file: one of its symbols or imports,
// something of its package, a builtin.
func Name(name string) Expr { return limited(name) }

// Dotted is a name, or the member of one, with dots between: "a.b.c".
func Dotted(names string) Expr { return limited(names) }

// SymbolAt is the symbol with that index in File.Symbols.
func SymbolAt(index int) Expr { return Expr{"^" + strconv.Itoa(index)} }

// TypeAt is the type without a name that the symbol with that index, a variable
// or field, has or is made of.
func TypeAt(index int) Expr { return Expr{"@" + strconv.Itoa(index)} }

// ModuleAt is the module that File.Imports[index].Path names, whatever is taken
// from it.
func ModuleAt(index int) Expr { return Expr{"#" + strconv.Itoa(index)} }

// Member is the member of that name; of the name "[x]" the one whose key is the
// value of x, or an element of e if it has none.
func (e Expr) Member(name string) Expr { return e.with(".", name) }

// Call is the n-th result of calling e, from 0. The first result of calling a
// type is a value of it.
func (e Expr) Call(n int) Expr {
	if n == 0 {
		return e.with("()")
	}
	return e.Taken(n)
}

// Taken is the n-th result of a call, or of what is taken apart.
func (e Expr) Taken(n int) Expr { return e.with("(", strconv.Itoa(n), ")") }

// CallWith is Call with the values that e is called with, by which type
// parameters are found out.
func (e Expr) CallWith(n int, args ...Expr) Expr {
	nth := ""
	if n > 0 {
		nth = strconv.Itoa(n)
	}
	return e.with("(", nth, "=", joined(args), ")")
}

// LastParam is the n of Param for the last parameter, however many there are.
const LastParam = 99

// Param is what the n-th parameter of e is, as a value; if e is a type, of its
// constructor.
func (e Expr) Param(n int) Expr { return e.with("(:", strconv.Itoa(n), ")") }

// ParamWith is Param of e where that is called with values, by which type parameters
// are found out, and to give a t, which is Unknown if nothing says so.
func ParamWith(e Expr, n int, t Expr, args ...Expr) Expr {
	return e.with("(:", strconv.Itoa(n), "=", joined(append([]Expr{t}, args...)), ")")
}

// Fields are the fields that the constructor of the class e takes by name.
func (e Expr) Fields() Expr { return e.with("(:__init__)") }

// Value is a value of the type e: a variable declared with it, a conversion.
func (e Expr) Value() Expr { return e.with("{}") }

// Elem is an element of e: of a slice, array, map, channel, iterator.
func (e Expr) Elem() Expr { return e.with("[]") }

// Key is a key of e.
func (e Expr) Key() Expr { return e.with("[k]") }

// Super is e seen from its bases only.
func (e Expr) Super() Expr { return e.with("!") }

// Generic is e with type arguments.
func (e Expr) Generic(args ...Expr) Expr { return e.with("<", joined(args), ">") }

// List is a slice, array, channel or iterator of a type.
func List(t Expr) Expr { return limited("~list<", t.text, ">") }

// Map is a map of types.
func Map(key, elem Expr) Expr { return limited("~map<", key.text, ";", elem.text, ">") }

// Func is a function with these result types.
func Func(results ...Expr) Expr { return limited("~func<", joined(results), ">") }

// FuncWith is a function with one result that also says what its parameters are.
func FuncWith(result Expr, params ...Expr) Expr {
	return limited("~func<", result.text, ";~args<", joined(params), ">>")
}

// FuncOf is FuncWith for a function that is called of a value.
func FuncOf(receiver, result Expr, params ...Expr) Expr {
	return limited("~func<", result.text, ";", receiver.text, ";~args<", joined(params), ">>")
}

// Args are the types of parameters, or the decorators of a function.
func Args(types ...Expr) Expr { return limited("~args<", joined(types), ">") }

// Tuple is several types at once, of which Call takes one.
func Tuple(types ...Expr) Expr { return limited("~tuple<", joined(types), ">") }

// Union is one of several types.
func Union(types ...Expr) Expr { return limited("~union<", joined(types), ">") }

// Both is what is of two types at once.
func Both(a, b Expr) Expr { return limited("~both<", a.text, ";", b.text, ">") }

// Only is what of the union t has one of the values for its member key, and
// Except what has none of them: literals, or members of enums. What is not
// known to have another value, or one of them, stays.
func Only(t Expr, key string, values ...Expr) Expr {
	return limited("~only<", t.text, ";", key, ";", joined(values), ">")
}

// Except is said at Only.
func Except(t Expr, key string, values ...Expr) Expr {
	return limited("~except<", t.text, ";", key, ";", joined(values), ">")
}

// Is is what of the union t is one of some types, or a Guard, and Isnt what is none.
// Of what is not known it is those types.
func Is(t Expr, types ...Expr) Expr { return limited("~is<", t.text, ";", joined(types), ">") }

// Isnt is said at Is.
func Isnt(t Expr, types ...Expr) Expr { return limited("~isnt<", t.text, ";", joined(types), ">") }

// Has is what of the union t has a member of that name, and Hasnt what has none.
func Has(t Expr, key string) Expr { return limited("~has<", t.text, ";", key, ">") }

// Hasnt is said at Has.
func Hasnt(t Expr, key string) Expr { return limited("~hasnt<", t.text, ";", key, ">") }

// Pick is the type t with the members of some names only, and Omit without them.
func Pick(t Expr, keys ...string) Expr {
	return limited("~pick<", t.text, ";", strings.Join(keys, ";"), ">")
}

// Omit is said at Pick.
func Omit(t Expr, keys ...string) Expr {
	return limited("~omit<", t.text, ";", strings.Join(keys, ";"), ">")
}

// Predicate is the result of a function that tells whether one of its parameters,
// by its index or "this", is a t.
func Predicate(parameter string, t Expr) Expr {
	return limited("~predicate<", parameter, ";", t.text, ">")
}

// Guard is the type that the function f, whose result is a Predicate, tells of that
// parameter; nothing is known of another function's.
func Guard(f Expr, parameter string) Expr { return limited("~guard<", f.text, ";", parameter, ">") }

// Literal is External, and known to be that text, which has letters, digits, "_",
// "-" and "$" only.
func Literal(text string) Expr { return limited(External.text, ":", text) }

// LiteralText is the text of a Literal.
func (e Expr) LiteralText() (text string, ok bool) {
	return strings.CutPrefix(e.text, External.text+":")
}

// Default is the bound of a type parameter that stands for another type where no
// argument is given for it.
func Default(bound, given Expr) Expr {
	return limited("~default<", bound.text, ";", given.text, ">")
}

// Cond is the type yes if the type t is as asked, else no; one of both where
// that is not known. Asked is Tuple() or Tuple(External), a tuple of none or of
// some, List(External), one of no certain length, or External, the type unknown.
func Cond(t, asked, yes, no Expr) Expr {
	return limited("~cond<", joined([]Expr{t, asked, yes, no}), ">")
}

// Infer is the type that name stands for in pattern where the type t is one of that.
func Infer(t, pattern Expr, name string) Expr {
	return limited("~infer<", t.text, ";", pattern.text, ";", name, ">")
}

// Mapped is a type with members of the names of those of t, of whose values
// nothing is known.
func Mapped(t Expr) Expr { return limited("~mapped<", t.text, ">") }

// MappedFunc is a type with functions of the names of the members of t, that
// return what these are.
func MappedFunc(t Expr) Expr { return limited("~mapped<", t.text, ";~func>") }

// TypeOf is the type of the value e.
func TypeOf(e Expr) Expr { return limited("~of<", e.text, ">") }

// Class is what is not a value of the type t but that type, or one made from
// it.
func Class(t Expr) Expr { return limited("~class<", t.text, ">") }

// Rest is the type of a parameter that takes all that follow, each a t.
func Rest(t Expr) Expr { return limited("...", t.text) }

func joined(list []Expr) string {
	if len(list) == 1 {
		return list[0].text
	}
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = e.text
	}
	return strings.Join(texts, ";")
}

// with adds an operator. What is made of something that is not known is not
// known either.
func (e Expr) with(parts ...string) Expr {
	if !e.Known() {
		if e == TooLong {
			return e
		}
		return Unknown
	}
	n := len(e.text)
	for _, p := range parts {
		n += len(p)
	}
	if n > MaxExpr {
		return TooLong
	}
	text := make([]byte, 0, n)
	text = append(text, e.text...)
	for _, p := range parts {
		text = append(text, p...)
	}
	return Expr{string(text)}
}

// limited puts an expression together.
func limited(parts ...string) Expr {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n > MaxExpr {
		return TooLong
	}
	return Expr{strings.Join(parts, "")}
}

// Base is an expression without the type arguments at its end.
func (e Expr) Base() Expr {
	if n := e.Node(); n.Op == OpGeneric {
		return n.Of
	}
	return e
}

// LastName is the name that an expression ends with, before type arguments; ""
// if it ends with something else.
func (e Expr) LastName() string {
	n := e.Base().Node()
	if n.Op == OpName || n.Op == OpMember {
		return n.Name
	}
	return ""
}

// Mentions reports whether a name is in an expression.
func (e Expr) Mentions(name string) bool {
	found := false
	e.Names(func(other string) { found = found || other == name }, func(int) {})
	return found
}
