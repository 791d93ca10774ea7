package facts

// A File is all that the text of one file says about names.
type File struct {
	Path     string // relative to the root, with slashes
	Language string // as go-enry names it
	Build    string // the go:build constraint of a Go file, without "//go:build "; else ""
	// as it is declared: the package of Go, Java, Kotlin, Scala, the namespace of C# or PHP, the module of go.mod, the
	// name in package.json; else ""
	Package string

	Imports []Import
	Symbols []Symbol // in order of position; a parent is before its children
	// in order of position; of two at one place, as {name} in an object of JavaScript, the variable is before the member
	Refs []Ref
}

// An Import makes something of another file known in this one.
type Import struct {
	// as it is written, without quotes: "net/http", "os.path", "..util", "./util", "java.util.List", "crate::a::b",
	// "stdio.h"
	Path   string
	Name   string // what is taken from it: "" for the module itself, "*" for all that it exports, else one name
	Local  string // the name here, when the text gives one: an alias, "_" or "."; else ""
	Export bool   // it is exported from here again; in C# all files of the project know it
	System bool   // an include in angle brackets
	In     int    // the symbol that it is inside of, or -1
	Line   int    // 1-indexed
	Column int    // 1-indexed, in bytes
}

// A Symbol is a declaration. Locals and parameters are none.
type Symbol struct {
	Name      string
	Qualified string // as in the index: "Client.Do"; unique in a file but for overloads and repeated declarations
	Kind      string // func, method, class, struct, interface, enum, trait, impl, type, const, var, field, module, …
	Parent    int    // the symbol that it is a member of or nested in, or -1
	// expression of the type that it is a member of, when that is not Parent: Go methods, Rust impls, C++ members; else ""
	Owner     Expr
	Line      int  // of the name, 1-indexed
	Column    int  // of the name, 1-indexed, in bytes
	StartLine int  // of the declaration
	EndLine   int  // inclusive
	Exported  bool // may be used by name outside of its file or package
	Static    bool // a member of the type itself and not of its values
	// a function of C or C++ that is declared here, and defined where it has a body; a clause of Elixir after the first
	Prototype bool

	// expression of the value: of a const, var, field, property. Of a type alias what it stands for, as a type. Of a
	// decorated function of Python, ~args<> of its decorators, outermost first, with () behind those that are called. Else
	// ""
	Type    Expr
	Results []Expr // of a function, expressions of its results, as types
	// of a function, expressions of what its parameters are, as types; one that takes all the rest begins with "...";
	// of a method of Ruby that runs its block with another self, or hands it on, only what that is
	Args []Expr
	// of a function in a language with overloads, what its parameters are called by: "(int,String,Item)", "?" for one of
	// which nothing can be said, "..." before one that takes all the rest, "=" before one that may be left out; "" if not
	// known. Of a constructor of Python that takes any argument by its name: TakesAny
	Signature string
	// of a type; of a method of a class without a name, what that is made from; of one of Rust that says how a trait is
	// implemented, the trait; of a member of C# that is there for an interface only, that
	Bases []Base
	// of a type that is defined by another one without being it (Go: type A []B; C++: enum class), that one, as a type; of
	// an extension method of C# what it is called of; of an interface of Java that functions are given for, its method
	Under Expr
	// of a function with type parameters, the types of its parameters; of a class of Python whose constructor takes its
	// fields by name (a dataclass and the like), their names, Unknown if it has none; if it does so only where a base is
	// such a class, External before them
	ParameterTypes []Expr
	Params         []string // names of type parameters
	// expressions of what type parameters must be, in their order; may be shorter, "" where anything goes
	Bounds []Expr
	// of Go functions, methods and interface methods: the signature in one canonical form with package paths, to compare
	// method sets; of a variable or function of C++, its type or result as Signature has them, if that is outside of the
	// repository or a pointer, and of an alias what it stands for; Specialized; else ""
	Shape string
}

// TakesAny is the Signature of a function that takes any arguments.
const TakesAny = "(...)"

// Specialized is the Shape of a class of C++ that specializes a template.
const Specialized = "<>"

// A Base is what a type is made from.
type Base struct {
	Kind Kind // Extends, Implements or, of what Go embeds, Embeds
	Of   Expr // expression of it, as a type
}

// A Kind says how a name is used.
type Kind string

// The kinds of references. Embeds is of Go and is shown as Extends.
const (
	Call       Kind = "calls"
	Type       Kind = "uses_type"
	Imported   Kind = "imports"
	Extends    Kind = "extends"
	Implements Kind = "implements"
	Embeds     Kind = "embeds"
	Read       Kind = "reads"
	Write      Kind = "writes"
)

// Shorthand is the Kind of a Base that is none: a member of a literal of JavaScript
// that is the variable by its name, as in {name}; a macro of C that stands for members.
const Shorthand Kind = "shorthand"

// A Ref is a place where the text uses a name that may be declared elsewhere.
// Names that are bound locally (parameters, variables of a function, type
// parameters) are not among them, and neither are the names of declarations,
// keywords, or what is in comments and strings.
type Ref struct {
	Name string
	Kind Kind
	Of   Expr // expression of what it is a member of; "" for a bare name
	// with Of "": looked up from the file (false: the member of something that is not known). With Of: looked up from the
	// file if it is no member of that
	Bare bool
	Is   int // 1 + the index of the symbol of this file that it stands for, when the text alone says so; else 0
	Args int // of a call in a language with overloads, 1 + the number of arguments; else 0
	// of such a call, what its arguments are where the text says so, as in Signature without brackets, nothing where it
	// does not: "int,,String", "null", "->" for a lambda, with how it is made in Java ("->1r") and of how many parameters
	// in C# ("->1"), GivenAs an expression in Java and C#; "!" of the call of a macro of Rust; Fixture; Attribute;
	// Route; Promoted; Selector; Protocol; of a key of an object, ObjectAt; else ""
	Arguments string
	TypeArgs  int // of a name of C#, how many type arguments it has
	In        int // the innermost symbol around it, or -1
	Line      int // 1-indexed
	Column    int // 1-indexed, in bytes
}

// Fixture are the arguments of a parameter of Python that is named like the fixture of
// pytest that it is.
const Fixture = "@"

// Attribute are the arguments of a type of C# that is one: its name may lack "Attribute" at the end.
const Attribute = "[]"

// Route are the arguments of an action that a route of Rails names: it is of that class, or not of the repository.
const Route = "#"

// Promoted are the arguments of a name of PHP that is that of an argument of a constructor, which may declare a
// property by it.
const Promoted = "name:"

// Selector are the arguments of a method of Objective-C that is named and not called.
const Selector = "@selector"

// Protocol are the arguments of a name of Objective-C that is that of a protocol, and not of the class of that name; as
// a member of a type it is the protocol of its name.
const Protocol = "@"

// Augmented is the Local of an Import of an interface that its file adds members to, by
// "declare module" in TypeScript: it binds no name, and is where the addition is declared.
const Augmented = "declare module"

// Script reports whether files of a language, by go-enry's name, are modules of
// JavaScript, or components that hold one.
func Script(language string) bool {
	switch language {
	case "JavaScript", "JSX", "TypeScript", "TSX", "Vue", "Svelte", "Astro":
		return true
	}
	return false
}
