package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// A Dispatcher is a language with interfaces that types satisfy without saying so,
// those of other modules too.
type Dispatcher interface {
	// Dispatched are the methods of the repository that a call may reach whose
	// method an interface of another module declares, in order of path and position.
	Dispatched(q *Query, f FileID, ref *facts.Ref) []SymbolID
	// Satisfying are the types of the repository that satisfy an interface of another
	// module, in order of path and position, and its import path, "" if it is not
	// known. pkg is that path or what it ends with.
	Satisfying(q *Query, pkg, name string) (types []SymbolID, path string)
	// Dispatches reports whether interfaces of other modules that are known have a
	// method of that name.
	Dispatches(name string) bool
}

// Dispatched returns the methods of the repository that the call File(f).Refs[i]
// may reach through an interface of another module.
func (r *Resolver) Dispatched(f FileID, i int) []SymbolID {
	file := r.world.File(f)
	ref := &file.Refs[i]
	if d, ok := r.langs[file.Language].(Dispatcher); ok && ref.Kind == facts.Call && d.Dispatches(ref.Name) {
		return d.Dispatched(r.query(), f, ref)
	}
	return nil
}

// Dispatches reports whether a method of that name in a language may be reached so.
func (r *Resolver) Dispatches(language, name string) bool {
	d, ok := r.langs[language].(Dispatcher)
	return ok && d.Dispatches(name)
}

// Satisfying returns the types of a language that satisfy an interface of another
// module, and its import path, "" if that interface is not known.
func (r *Resolver) Satisfying(language, pkg, name string) (types []SymbolID, path string) {
	d, ok := r.langs[language].(Dispatcher)
	if !ok {
		return nil, ""
	}
	return d.Satisfying(r.query(), pkg, name)
}

// An Implied says how a method is run where the text does not name it.
type Implied int

// How methods are run, the closest first.
const (
	ByName         Implied = iota // only where they are named
	ByConstruction                // where a value of their type is made
	ByValue                       // by a library that is given a value of their type: what drives a future, a server
	ByLanguage                    // by operators, conversions and the like, wherever there is a value of their type
)

// An Implier is a language with methods that are run where the text does not name
// them, constructors of the name of their type apart, which many languages have.
type Implier interface {
	// Implied tells how a method of a type is run.
	Implied(q *Query, id SymbolID) Implied
}

// Implied tells how a symbol is run, and of which types of the repository it is a method.
func (r *Resolver) Implied(id SymbolID) (types []SymbolID, how Implied) {
	q := r.query()
	if !IsFunction(q.Symbol(id)) {
		return nil, ByName
	}
	if l, ok := q.LanguageOf(id.File).(Implier); ok {
		how = l.Implied(q, id)
	}
	if how == ByName && q.Constructs(id) {
		how = ByConstruction
	}
	if owner := q.OwnerOf(id); how != ByName && owner.Kind == TypeName {
		return owner.Symbols, how
	}
	return nil, ByName
}
