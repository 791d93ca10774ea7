package resolve

import (
	"go/ast"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Resolver resolves the references of one World. It may be used
// concurrently, and remembers what it found out.
type Resolver struct {
	world World
	langs map[string]Language
	memo  *memo

	plain *Resolver        // nil, or of one that looks for what methods of types outside of the repository give
	deep  func() *Resolver // that one: no symbol is found by it, but what calls may reach
}

// New returns a Resolver for the languages by the names of go-enry; Languages
// has them all.
func New(w World, langs map[string]Language) *Resolver {
	r := &Resolver{world: w, langs: langs, memo: newMemo()}
	r.deep = sync.OnceValue(func() *Resolver { return &Resolver{world: w, langs: langs, memo: newMemo(), plain: r} })
	return r
}

// Ref resolves File(f).Refs[i].
func (r *Resolver) Ref(f FileID, i int) Resolution {
	return ref(r.query(), f, &r.world.File(f).Refs[i])
}

// Refs resolves all references of a file, faster than one by one.
func (r *Resolver) Refs(f FileID) []Resolution {
	one := r.OfFile(f)
	out := make([]Resolution, len(r.world.File(f).Refs))
	for i := range out {
		out[i] = one(i)
	}
	return out
}

// OfFile returns what Ref gives of a file, which is faster for several references. It is not for
// concurrent use.
func (r *Resolver) OfFile(f FileID) func(i int) Resolution {
	file, q := r.world.File(f), r.query()
	return func(i int) Resolution { return ref(q, f, &file.Refs[i]) }
}

// Taken returns the types of what File(f).Refs[i] is a member of, of a union all.
func (r *Resolver) Taken(f FileID, i int) (types []SymbolID) {
	q, ref := r.query(), &r.world.File(f).Refs[i]
	for _, e := range flat([]Entity{q.Eval(f, ref.In, ref.Of)}) {
		types = append(types, e.Symbols...)
	}
	return types
}

// Import returns the files of the repository that File(f).Imports[i] makes
// known.
func (r *Resolver) Import(f FileID, i int) []FileID {
	q := r.query()
	return q.LanguageOf(f).Import(q, f, i)
}

// ref resolves one reference.
func ref(q *Query, f FileID, ref *facts.Ref) Resolution {
	res := meant(q, f, ref)
	res.Conversion = ref.Kind == facts.Call && len(res.Targets) > 0 && q.File(f).Language == "Go" &&
		IsType(q.Symbol(res.Targets[0]))
	res.Construction = ref.Kind == facts.Write && len(res.Targets) > 0 && q.File(f).Language == "C++" &&
		IsType(q.Symbol(res.Targets[0]))
	if language := q.File(f).Language; ref.Kind == facts.Type && (language == "Ruby" || language == "Swift") {
		res.Constant = len(res.Targets) > 0 && isVariable[q.Symbol(res.Targets[0]).Kind]
	}
	return res
}

// isVariable are the kinds of symbols that are read where their name looks like that of a
// type.
var isVariable = map[string]bool{"const": true, "var": true, "property": true}

// meant finds what a reference stands for.
func meant(q *Query, f FileID, ref *facts.Ref) Resolution {
	q.steps, q.cut = 0, false
	if ref.Is > 0 && ref.Is <= len(q.File(f).Symbols) {
		return resolution(q, f, Found{Symbols: []SymbolID{{f, int32(ref.Is - 1)}}, Tier: TierA}) //nolint:gosec // checked above
	}
	if found, ok := q.LanguageOf(f).Reference(q, f, ref); ok {
		return resolution(q, f, found)
	}
	if ref.Of == facts.Nothing || ref.Bare && q.File(f).Language == "Ruby" { // of no block with a self of its own
		if !ref.Bare {
			return guess(q, f, ref)
		}
		return resolution(q, f, fitting(q, f, ref, inBases(q, f, ref, bare(q, f, ref))))
	}
	if isOwnKey(q, f, ref) {
		return Resolution{External: true}
	}
	e := q.Eval(f, ref.In, ref.Of)
	found := q.Member(f, e, ref.Name)
	if all := found.Symbols; len(all) > 0 {
		if found.Symbols = seen(q, f, all); len(found.Symbols) == 0 {
			found = lacking(q, f, e, ref.Name, found)
		}
	}
	if ref.Kind == facts.Call {
		found = invoked(q, f, e, ref.Name, found)
	}
	if ref.Kind == facts.Write && q.File(f).Language == "C++" {
		found = q.Injected(found) // ": Base()" stands where fields are initialized
	}
	if len(found.Symbols) == 0 && ref.Bare && q.File(f).Language == "Kotlin" { // of no lambda around it
		return resolution(q, f, fitting(q, f, ref, inBases(q, f, ref, bare(q, f, ref))))
	}
	if len(found.Symbols) == 0 && ref.Bare && isKeyed(q, e, ref.Name) {
		return resolution(q, f, q.Bare(f, ref.In, ref.Name))
	}
	if len(found.Symbols) == 0 && q.isStructural(f) {
		if guessed := ofConditional(q, e, ref.Name); len(guessed.Symbols) > 0 {
			return resolution(q, f, guessed)
		}
	}
	if len(found.Symbols) == 0 && ref.Kind == facts.Call && q.isStructural(f) {
		found = signatureOf(q, found)
	}
	if found.None() && e.Kind == Unknown || len(found.Symbols) == 0 && isOpen(e) {
		return guess(q, f, ref)
	}
	if e.Kind == External && len(found.Symbols) > 0 { // which may have a member of that name itself
		found.External = true
		found.Symbols = slices.DeleteFunc(slices.Clone(found.Symbols), func(id SymbolID) bool { return !MayTake(q, ref, id) })
	}
	return resolution(q, f, fitting(q, f, ref, inBases(q, f, ref, found)))
}

// isOpen reports whether a value is of something of no repository that is looked at, or else
// of what is not known. The type of keys, a union of one, is not meant.
func isOpen(e Entity) bool {
	return e.Kind == Union && len(e.Args) > 1 &&
		slices.ContainsFunc(e.Args, func(a Entity) bool { return a.Kind == Unknown }) &&
		!slices.ContainsFunc(e.Args, func(a Entity) bool { return a.Kind != Unknown && a.Kind != External })
}

// seen are the members that a file may mean.
func seen(q *Query, f FileID, list []SymbolID) []SymbolID {
	l := q.LanguageOf(f)
	unseen := func(id SymbolID) bool { return !l.Sees(q, f, id) }
	if !slices.ContainsFunc(list, unseen) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), unseen)
}

// bare finds what the name of a reference stands for by itself.
func bare(q *Query, f FileID, ref *facts.Ref) Found {
	switch ref.Kind {
	case facts.Type, facts.Extends, facts.Implements:
		return q.Type(f, ref.In, ref.Name)
	}
	if ref.Kind == facts.Call && ref.Args == 0 && q.File(f).Language == "Java" { // new
		if made := q.Type(f, ref.In, ref.Name); len(made.Symbols) > 0 {
			return made
		}
	}
	found := bareOf(q, f, ref.In, ref.Name, ref.Kind == facts.Call)
	if ref.Kind == facts.Call && len(found.Symbols) > 0 && q.Symbol(found.Symbols[0]).Type != facts.Nothing {
		if made, ok := q.LanguageOf(f).Type(q, f, ref.In, ref.Name); ok && len(made.Symbols) > 0 {
			return made // "new Category()" beside a property Category
		}
	}
	return found
}

// fitting leaves out what a reference cannot mean where there is something
// else: variables of calls, functions of others, overloads that cannot take
// the arguments.
func fitting(q *Query, f FileID, ref *facts.Ref, found Found) Found {
	if len(found.Symbols) < 2 {
		return found
	}
	if q.isStructural(found.Symbols[0].File) {
		found.Symbols = ofMeaning(q, ref, found.Symbols)
		if ref.Kind == facts.Write && len(found.Symbols) > MaxTargets && !sameName(q, found.Symbols) {
			// what is written is one of them, mostly told by the value of another member
			found.Symbols = found.Symbols[:MaxTargets]
		}
	}
	keep := func(fits func(s *facts.Symbol) bool) {
		var list []SymbolID
		for _, id := range found.Symbols {
			if fits(q.Symbol(id)) {
				list = append(list, id)
			}
		}
		if len(list) > 0 {
			found.Symbols = list
		}
	}
	switch ref.Kind {
	case facts.Call:
		if i := slices.IndexFunc(found.Symbols, func(id SymbolID) bool { return isAccessor(q, ref, id) }); i >= 0 &&
			!slices.ContainsFunc(found.Symbols, func(id SymbolID) bool {
				return IsFunction(q.Symbol(id)) && MayTake(q, ref, id)
			}) {
			found.Symbols = found.Symbols[i : i+1]
		}
		keep(func(s *facts.Symbol) bool { return IsFunction(s) || IsType(s) })
		if q.File(f).Language == "Elixir" && ref.In >= 0 && IsFunction(&q.File(f).Symbols[ref.In]) {
			keep(IsFunction) // types are named in specifications, outside of functions
		}
	case facts.Type, facts.Extends, facts.Implements:
		keep(IsType)
	case facts.Read, facts.Write:
		keep(func(s *facts.Symbol) bool { return !IsFunction(s) || s.Kind == "macro" })
	}
	if q.File(f).Language == "C#" {
		keep(func(s *facts.Symbol) bool { return ofTypeArguments(s, ref.TypeArgs) })
	}
	found.Symbols = overloads(q, f, ref, found.Symbols)
	return found
}

// ofTypeArguments reports whether a name of C# with n type arguments may mean a type or method: without any, methods
// may find them out from what they take.
func ofTypeArguments(s *facts.Symbol, n int) bool {
	if len(s.Params) == n || n > 0 || !IsFunction(s) {
		return len(s.Params) == n
	}
	list, known := Parameters(s)
	if !known || s.Under != facts.Nothing || len(s.Args) < len(list) || slices.Contains(s.Args, facts.TooLong) {
		return s.Signature != "()"
	}
	told := map[string]bool{}
	for _, e := range s.Args {
		e.Names(func(name string) { told[name] = true }, func(int) {})
	}
	return !slices.ContainsFunc(s.Params, func(p string) bool { return !told[p] && !slices.Contains(list, p) })
}

// isKeyed reports whether a value has elements rather than members. What is
// outside of the repository has no fields that are not exported.
func isKeyed(q *Query, e Entity, name string) bool {
	if e.Kind == Value {
		e = q.underlying(e)
	}
	return e.Kind == List || e.Kind == Map || e.Kind == External && !ast.IsExported(name)
}

// maxTargets is how many candidates a guess has at most. Declarations of one
// name in one place, that is overloads and variants for other systems, are no
// guess: of those there are up to maxVariants.
const (
	MaxTargets  = 3
	maxVariants = 32
)

// resolution is what was found, as file f may mean it.
func resolution(q *Query, f FileID, found Found) Resolution {
	if len(found.Symbols) == 0 {
		return Resolution{External: found.External, Module: found.Files}
	}
	list := found.Symbols
	script := q.isStructural(f)
	if script {
		list = merged(q, list)
	}
	if len(list) > 1 {
		list = q.LanguageOf(f).Narrow(q, f, list)
		if undecided(q, list) {
			found.Tier = TierF
		}
	}
	most := MaxTargets
	switch {
	case sameName(q, list), found.Tier <= TierC && overloadsOfLine(q, list):
		most = maxVariants
	case script && found.Tier <= TierC: // members of all that a union is made of
		most = MaxSymbols
	}
	if len(list) > most {
		list = list[:most]
	}
	if len(list) > 1 {
		list = slices.Clone(list)
		slices.SortFunc(list, q.Compare)
	}
	confidence := confidenceOf(q, f, found.Tier) / float32(alternatives(q, f, found.Tier, list))
	if script && found.Tier == TierC && len(list) > 1 && !sameName(q, list) {
		confidence = unionConfidence
	}
	return Resolution{Targets: list, Tier: found.Tier, Confidence: confidence}
}

// unionConfidence is the share of the members of unions, among those that a
// reference may mean, which TypeScript's language service says: what else narrows a
// union is not all followed (bench/RESULTS.md, Graph).
const unionConfidence = 0.83

// alternatives is of how many symbols a reference that has several targets is
// one: overloads of Java and C++ and variants of Go exclude each other. A
// prototype and what it declares, the signatures of one function, the members of
// all that a union is made of and what is bound twice are meant together.
func alternatives(q *Query, f FileID, t Tier, list []SymbolID) int {
	if t == TierF { // measured with its candidates
		return 1
	}
	switch language := q.File(f).Language; {
	case language == "Python", facts.Script(language):
		if t <= TierC {
			return 1
		}
	case language == "C", language == "C++", IsObjC(language):
		return overloaded(q, list)
	}
	return max(len(list), 1)
}

// overloaded is how many functions or types of C and C++ symbols declare: one
// in a header and one in a source are the same, and so are a prototype and what it
// declares.
func overloaded(q *Query, list []SymbolID) int {
	headers, sources := 0, 0
	for _, id := range list {
		switch {
		case slices.ContainsFunc(list, func(other SymbolID) bool {
			return Declares(q.Symbol(id), q.Symbol(other), id.File == other.File)
		}):
		case IsHeader(q.File(id.File).Path):
			headers++
		default:
			sources++
		}
	}
	return max(headers, sources, 1)
}

// Declares reports whether a symbol is the prototype of another one of its file or
// another: in C, where one name is one function, or in C++, where it is of one signature.
// What is static is of its file. Clauses of Elixir are of one signature, too.
func Declares(s, other *facts.Symbol, sameFile bool) bool {
	return s.Prototype && !other.Prototype && s.Qualified == other.Qualified && IsFunction(other) &&
		s.Exported == other.Exported && (sameFile || s.Exported) && plain(s) == plain(other)
}

// sameName reports whether symbols are declarations of one qualified name in
// one folder: overloads, variants, a signature and what implements it. In C and
// C++ headers and sources are in several.
func sameName(q *Query, list []SymbolID) bool {
	language := q.File(list[0].File).Language
	joined := language == "C++" || language == "C" || IsObjC(language)
	for _, id := range list[1:] {
		a, b := q.Symbol(list[0]), q.Symbol(id)
		if a.Qualified != b.Qualified || !joined && (a.Owner != b.Owner ||
			FolderOf(q.File(list[0].File).Path) != FolderOf(q.File(id.File).Path)) {
			return false
		}
	}
	return true
}

func (r *Resolver) query() *Query {
	return &Query{r: r, active: map[Activity]bool{}, memo: map[exprKey]entry{}}
}

// Bases returns the direct base types of a type that are of the repository; of
// a Go type also the interfaces that its method set satisfies.
func (r *Resolver) Bases(s SymbolID) []Base { return basesOf(r.query(), s) }

// Overrides returns the methods of base types that a method implements or
// overrides; in a structural language the members that any member does.
func (r *Resolver) Overrides(s SymbolID) []SymbolID {
	q := r.query()
	if l, ok := q.LanguageOf(s.File).(Labeller); ok {
		return l.Overrides(q, s)
	}
	if symbol := q.Symbol(s); !IsFunction(symbol) && (symbol.Static || !q.isStructural(s.File)) {
		return nil
	}
	name := q.Symbol(s).Name // new of Ruby is not initialize
	return slices.DeleteFunc(above(q, s, false), func(m SymbolID) bool {
		other := q.Symbol(m)
		return other.Name != name || !IsFunction(other) && (other.Static || !q.isStructural(m.File))
	})
}

// Hides returns the members of base types that are found by the name of a member where
// that is not there.
func (r *Resolver) Hides(s SymbolID) []SymbolID { return above(r.query(), s, true) }

// above are the members of base types with the name of a member. Those that it hides are
// of what the text says: what a struct of Go embeds, but no interface that it satisfies.
func above(q *Query, s SymbolID, hidden bool) (all []SymbolID) {
	bases := basesOf
	if hidden {
		bases = declaredBases
	}
	name := q.Symbol(s).Name
	if l, ok := q.LanguageOf(s.File).(Labeller); ok {
		name = l.Called(q.Symbol(s))
	}
	types := []SymbolID{s} // of a class without a name: the method says what that is made from
	if len(q.Symbol(s).Bases) == 0 || hidden {
		owner := q.OwnerOf(s)
		if owner.Kind != TypeName {
			return nil
		}
		types = owner.Symbols
	}
	for _, t := range types {
		for _, b := range bases(q, t) {
			if !hidden && b.Kind == facts.Embeds && q.Symbol(t).Kind != "interface" && q.File(t.File).Language == "Go" {
				continue // what a struct declares hides what it embeds
			}
			for _, target := range b.Targets {
				found := q.Inherited(Entity{Kind: sideOf(q, s), Symbols: []SymbolID{target}}, name)
				for _, m := range found.Symbols {
					if m != s && !slices.Contains(all, m) {
						all = append(all, m)
					}
				}
			}
		}
	}
	return all
}

// sideOf tells whether a member is one of its type or, where that is told apart, of values of it.
func sideOf(q *Query, s SymbolID) EntityKind {
	if _, sided := q.LanguageOf(s.File).(Sided); sided && IsFunction(q.Symbol(s)) && !q.Symbol(s).Static {
		return Value
	}
	return TypeName
}

// Inherited returns the members of a name that a type has, its own or else
// those of the nearest of its bases, in the order of its language. outside
// reports of a type without such a member that something it is made from is
// outside of the repository or not known, so that it may have one after all.
func (r *Resolver) Inherited(typ SymbolID, name string) (members []SymbolID, outside bool) {
	q := r.query()
	e := Entity{Kind: TypeName, Symbols: []SymbolID{typ}}
	found := q.Inherited(e, name)
	if _, sided := q.LanguageOf(typ.File).(Sided); sided && len(found.Symbols) == 0 {
		found = q.Inherited(Instance(e), name)
	}
	line, open := Above(q, typ)
	for _, id := range found.Symbols {
		if passesOn(q, line, id) {
			members = append(members, id)
		}
	}
	return members, len(members) == 0 && (open || found.External)
}
