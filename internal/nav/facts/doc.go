// Package facts is the vocabulary between those who read files and those who
// make a graph of them: what one file by itself says about names. Facts of a
// file depend on its text and path only, so they can be kept until it changes.
// What a name stands for is decided later, by package resolve, from the facts
// of all files.
//
// # Expressions
//
// What a name is a member of, and the types of variables, results and fields,
// are written as expressions of one grammar for all languages: type Expr. Its
// constructors and Node are all that writes and reads the grammar; the strings
// below are how expressions are kept in artifacts and shown in tests.
// The extractor has replaced local variables by what is known of them, so an
// expression can be evaluated knowing the file, not the place in it.
//
//	name        what the name stands for in the file: one of its symbols or imports, something of its package, a
//	            builtin
//	^12         the symbol with that index in File.Symbols
//	@12         the type without a name that the symbol with that index, a variable or field, has or is made of
//	#3          the module that File.Imports[3].Path names, whatever is taken from it
//	E.name      the member of E; the name may begin with ~
//	E()         the first result of calling E; if E is a type, a value of it
//	E(1)        the second result
//	E(=A;B)     the first result of calling E with the values A and B; E(1=A;B) the second. Only type parameters need
//	            them
//	E(:0)       what the first parameter of E is, as a value; if E is a type, of its constructor
//	E(:0=T;A;B) the same where E is called with the values A and B and is to give a T
//	E(:__init__) of a class, the fields that its constructor takes by name
//	E{}         a value of the type E: a variable declared with it, a conversion, an assertion
//	E[]         an element of E: of a slice, array, map, channel, iterator
//	E[k]        a key of E
//	E.[name]    the member of E whose key is the value of name, the symbol "[name]", or the literal that the type
//	            parameter name is; if it has none, E[]
//	E!          E seen from its bases only: super
//	E<A;B>      E with type arguments
//	~list<E>    a slice, array, channel, iterator of E; E is a type
//	~map<K;V>   a map; K, V are types
//	~func<A;B>  a function with these result types
//	~func<A;~args<B;C>> one that also says what its parameters are
//	~tuple<A;B> several values at once; (n) and destructuring take one
//	~union<A;B> one of them
//	~only<A;k;V;W> what of the union A has one of the values V and W for its member k; ~except<A;k;V;W> what has none
//	~pick<A;k;l> the type A with its members k and l only; ~omit<A;k;l> without these
//	~cond<P;T;A;B> A if the type P is a T, else B, one of them where that is not known; T is ~tuple<> or
//	            ~tuple<~ext>, a tuple of none or of some, ~list<~ext>, one of no certain length, or ~ext, the type
//	            unknown
//	~infer<T;P;X> what X, a name in the type P, is where the type T is a P
//	~mapped<A>  a type with members of the names of those of A, of whose values nothing is known; ~mapped<A;~func>
//	            functions that return what these are
//	~of<E>      the type of the value E
//	~class<E>   what is not a value of the type E but that type, or one made from it
//	~ext        something that is known not to be of the repository: a literal, a builtin
//	~ext:a      the literal "a"; ~ext:$true and ~ext:$false those of booleans
//	?           not known
//	…           longer than MaxExpr: what it is was not kept, and it evaluates to what is not known
//	...E        of a parameter: it takes all that follow, each an E
//
// A pointer, reference or optional is what it points to. Types stand for
// types: "Client" is the type and "Client{}" a value of it; "~list<Client>{}"
// is a list of clients and "~list<Client>{}[]" one of them, the same as
// "Client{}".
//
// A name that is among the Params of the symbol around it (Ref.In, or the
// symbol that the expression belongs to) or of one of its parents is that type
// parameter. In an Owner, type arguments say what the parameters of that type
// are called there: "List<T>".
package facts
