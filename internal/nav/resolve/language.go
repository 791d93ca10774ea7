package resolve

import (
	"iter"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Language knows what names mean in one language. It implements this whole:
// the first four methods itself, the others by embedding Default where nothing
// is special. Values of a language are compared: equal ones are one language.
// Methods may be called concurrently; what they answer depends on the World
// only.
type Language interface {
	// Bare finds what a bare name in a file stands for: its own symbols, its
	// package, its imports, builtins, in the order of the language. in is the
	// symbol around the place, or -1. Type parameters are dealt with before.
	Bare(q *Query, f FileID, in int, name string) Found
	// Member finds a name in the module that is made of files, as the file
	// from may see it.
	Member(q *Query, from FileID, files []FileID, name string) Found
	// Import finds the files that File(f).Imports[i] makes known; none if they
	// are outside of the repository.
	Import(q *Query, f FileID, i int) []FileID
	// Module finds the module that File(f).Imports[i].Path names, whatever is
	// taken from it; ModuleOf where that is what Import finds.
	Module(q *Query, f FileID, i int) Found

	// Prefixes finds the modules that the first of some names may mean to those who use
	// the repository: packages by their names, modules by the end of their paths.
	Prefixes(q *Query, names []string) []Prefix
	// Type is Bare where only a type can stand; ok is false in languages where Bare
	// finds that.
	Type(q *Query, f FileID, in int, name string) (found Found, ok bool)
	// Reference finds what a reference means whose kind is looked up in a way of
	// its own, as macros are; of others ok is false.
	Reference(q *Query, f FileID, ref *facts.Ref) (found Found, ok bool)
	// Own finds the members of a name that a type declares itself.
	Own(q *Query, typ SymbolID, name string) []SymbolID
	// Line puts a type and all that it inherits from in the one order in which
	// members are looked for, the type itself first, before its bases are found out;
	// nil if bases are looked into level by level.
	Line(q *Query, e Entity) iter.Seq[Entity]
	// Implements finds base types that are not declared.
	Implements(q *Query, typ SymbolID) []SymbolID
	// Structural reports whether types are compared by what they are made of:
	// unions and aliases are types like others, functions have members, and one
	// name may be a type and a value.
	Structural() bool

	// Decorated is what decorators, which are the Type of a function, make of
	// it; what is no Value leaves it a function.
	Decorated(q *Query, id SymbolID) Entity
	// Field finds the field of a type that its constructor takes by name.
	Field(q *Query, e Entity, name string) Found
	// Builtin finds members of lists, maps, functions and tuples, which are of
	// no file.
	Builtin(q *Query, e Entity, name string) Found
	// Lacking finds a member of a type or value that neither its type nor what that is made
	// from declares, as the file from may mean it.
	Lacking(q *Query, from FileID, e Entity, name string) Found
	// Operate is what calling a value of a type ("()") or taking an element of
	// it ("[]") gives; ":0" is what the elements of a component are given.
	Operate(q *Query, from FileID, e Entity, op string) Entity
	// Known is what calling something outside of the repository gives, by the
	// name that its module and it have, with what is known of type arguments.
	Known(q *Query, f FileID, name string) *Signature

	// Chosen are those of some overloads, all of which may take the arguments of a
	// call, that the language prefers whatever is not known of these; none where it
	// may prefer any.
	Chosen(q *Query, f FileID, ref *facts.Ref, list []SymbolID) []SymbolID
	// Sees reports whether a file may mean a member that was found.
	Sees(q *Query, from FileID, id SymbolID) bool
	// Narrow takes away variants that a file cannot mean, and puts those first
	// that matter most.
	Narrow(q *Query, from FileID, list []SymbolID) []SymbolID
	// Usual is Narrow where one value is wanted: what it is in most programs.
	Usual(q *Query, from FileID, list []SymbolID) []SymbolID
	// Confidence is the share of each tier that is right.
	Confidence(t Tier) float32
	// Common reports whether a name is so usual outside of repositories that
	// being the only one here means nothing.
	Common(name string) bool
	// IsOneOfMany reports whether others have the name of a symbol, so that being the only
	// one of it here means nothing.
	IsOneOfMany(s *facts.Symbol) bool
	// Implied tells how a method of a type is run where the text does not name it.
	// Constructors of the name of their type need not be told of.
	Implied(q *Query, id SymbolID) Implied
	// NamesForeign reports whether files say which type of another module something is of: what
	// implements that is reached by calls of its methods.
	NamesForeign() bool
}

// What only some languages are, beside a Language. The engine does other things where one is.

// A Dispatcher is a language with interfaces that types satisfy without saying so,
// those of other modules too.
type Dispatcher interface {
	// Dispatched are the methods of the repository that a call may reach whose
	// method an interface of another module declares.
	Dispatched(q *Query, f FileID, ref *facts.Ref) Resolution
	// Satisfying are the types of the repository that satisfy an interface of another
	// module, in order of path and position, and its import path, "" if it is not
	// known. pkg is that path or what it ends with.
	Satisfying(q *Query, pkg, name string) (types []SymbolID, path string)
	// Dispatches reports whether interfaces of other modules that are known have a
	// method of that name.
	Dispatches(name string) bool
}

// A Labeller is a language whose functions are told by the labels of their arguments.
type Labeller interface {
	// Accepts reports whether something can be called with the arguments of a call.
	Accepts(s *facts.Symbol, ref *facts.Ref) bool
	// Places are the indexes of the parameters of a function that the arguments are given for
	// with which it is called by a name; none if it can't be.
	Places(s *facts.Symbol, name string) []int
	// Overrides are the members of base types that a member implements or overrides.
	Overrides(q *Query, id SymbolID) []SymbolID
	// Called is the name by which a function is called with all that it takes.
	Called(s *facts.Symbol) string
}

// A Maker is a language that finds out the type arguments of a type by what it is made of.
type Maker interface {
	// Made are those of a type that is called with values, by an expression.
	Made(q *Query, typ Entity, callee facts.Expr, values []Entity) []Entity
}

// Divided is a Language in which methods and variables are looked up apart, whatever of the other kind is nearer.
type Divided interface {
	// BareOf is Bare of what is called, or of what is read or written.
	BareOf(q *Query, f FileID, in int, name string, called bool) Found
}

// Parted is a Language whose types may be declared in parts.
type Parted interface {
	// Parts are the others that say what the type is made from.
	Parts(q *Query, typ SymbolID) []SymbolID
}

// Sided is a Language in which types and their values have members of one name.
type Sided interface {
	// OwnOf is Own of all symbols of a type or a value.
	OwnOf(q *Query, e Entity, name string) []SymbolID
}

// A Factory is a Language in which values of types are made by a method of theirs, which gives what it wants.
type Factory interface {
	// New is what making a value of a type calls, if that is by the method of a name.
	New(q *Query, f FileID, of Entity, name string) (Entity, bool)
}

// Default is what most languages have in common. A language embeds it.
type Default struct{}

// Prefixes implements Language: names of modules are all found as they are declared.
func (Default) Prefixes(*Query, []string) []Prefix { return nil }

// Type implements Language: names of types are looked up as others are.
func (Default) Type(*Query, FileID, int, string) (Found, bool) { return Found{}, false }

// Reference implements Language: no kind is special.
func (Default) Reference(*Query, FileID, *facts.Ref) (Found, bool) { return Found{}, false }

// Own implements Language: members are children of their type, or declared with
// an Owner anywhere.
func (Default) Own(q *Query, typ SymbolID, name string) []SymbolID { return declaredFor(q, typ, name) }

// Line implements Language: level by level.
func (Default) Line(*Query, Entity) iter.Seq[Entity] { return nil }

// Implements implements Language: all is declared.
func (Default) Implements(*Query, SymbolID) []SymbolID { return nil }

// Structural implements Language.
func (Default) Structural() bool { return false }

// Decorated implements Language: a function stays one.
func (Default) Decorated(*Query, SymbolID) Entity { return Entity{} }

// Field implements Language: there are none.
func (Default) Field(*Query, Entity, string) Found { return Found{External: true} }

// Builtin implements Language: nothing is known.
func (Default) Builtin(*Query, Entity, string) Found { return Found{} }

// Lacking implements Language: there is none.
func (Default) Lacking(*Query, FileID, Entity, string) Found { return Found{} }

// Operate implements Language: nothing is known.
func (Default) Operate(*Query, FileID, Entity, string) Entity { return Entity{} }

// Known implements Language: nothing is.
func (Default) Known(*Query, FileID, string) *Signature { return nil }

// Chosen implements Language: any may be preferred.
func (Default) Chosen(*Query, FileID, *facts.Ref, []SymbolID) []SymbolID { return nil }

// Sees implements Language: it may.
func (Default) Sees(*Query, FileID, SymbolID) bool { return true }

// Narrow implements Language: all are meant.
func (Default) Narrow(_ *Query, _ FileID, list []SymbolID) []SymbolID { return list }

// Usual implements Language: all are.
func (Default) Usual(_ *Query, _ FileID, list []SymbolID) []SymbolID { return list }

// Confidence implements Language by what was measured for Go.
func (Default) Confidence(t Tier) float32 { return confidence[t] }

// Common implements Language: no name is.
func (Default) Common(string) bool { return false }

// IsOneOfMany implements Language: none is.
func (Default) IsOneOfMany(*facts.Symbol) bool { return false }

// Implied implements Language: none is.
func (Default) Implied(*Query, SymbolID) Implied { return ByName }

// NamesForeign implements Language: they don't.
func (Default) NamesForeign() bool { return false }

// none is the language of files that are not spoken.
type none struct{ Default }

func (none) Bare(*Query, FileID, int, string) Found        { return Found{} }
func (none) Member(*Query, FileID, []FileID, string) Found { return Found{} }
func (none) Import(*Query, FileID, int) []FileID           { return nil }
func (none) Module(*Query, FileID, int) Found              { return Found{} }

// ModuleOf is the module that is made of files, or something outside of the
// repository.
func ModuleOf(files []FileID) Found {
	if len(files) == 0 {
		return Found{External: true}
	}
	return Found{Files: files}
}
