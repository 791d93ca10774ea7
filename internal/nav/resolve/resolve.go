package resolve

import (
	"go/ast"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Resolver resolves the references of one World. It may be used
// concurrently, and remembers what it found out.
type Resolver struct {
	world World
	langs map[string]Language
	memo  *memo
}

// New returns a Resolver for the languages by the names of go-enry; Languages
// has them all.
func New(w World, langs map[string]Language) *Resolver {
	return &Resolver{world: w, langs: langs, memo: newMemo()}
}

// Ref resolves File(f).Refs[i].
func (r *Resolver) Ref(f FileID, i int) Resolution {
	return r.query().ref(f, &r.world.File(f).Refs[i])
}

// Refs resolves all references of a file, faster than one by one.
func (r *Resolver) Refs(f FileID) []Resolution {
	file, q := r.world.File(f), r.query()
	out := make([]Resolution, len(file.Refs))
	for i := range file.Refs {
		out[i] = q.ref(f, &file.Refs[i])
	}
	return out
}

// Import returns the files of the repository that File(f).Imports[i] makes
// known.
func (r *Resolver) Import(f FileID, i int) []FileID {
	q := r.query()
	return q.LanguageOf(f).Import(q, f, i)
}

// ref resolves one reference.
func (q *Query) ref(f FileID, ref *facts.Ref) Resolution {
	res := q.meant(f, ref)
	res.Conversion = ref.Kind == facts.Call && len(res.Targets) > 0 && q.File(f).Language == "Go" &&
		IsType(q.Symbol(res.Targets[0]))
	res.Construction = ref.Kind == facts.Write && len(res.Targets) > 0 && q.File(f).Language == "C++" &&
		IsType(q.Symbol(res.Targets[0]))
	return res
}

// meant finds what a reference stands for.
func (q *Query) meant(f FileID, ref *facts.Ref) Resolution {
	q.steps, q.cut = 0, false
	if ref.Is > 0 && ref.Is <= len(q.File(f).Symbols) {
		return q.resolution(f, Found{Symbols: []SymbolID{{f, int32(ref.Is - 1)}}, Tier: TierA}) //nolint:gosec // checked above
	}
	if found, ok := q.LanguageOf(f).Reference(q, f, ref); ok {
		return q.resolution(f, found)
	}
	if ref.Of == facts.Nothing {
		if !ref.Bare {
			return q.guess(f, ref)
		}
		return q.resolution(f, q.fitting(ref, q.inBases(f, ref, q.Bare(f, ref.In, ref.Name))))
	}
	e := q.Eval(f, ref.In, ref.Of)
	found := q.Member(f, e, ref.Name)
	if ref.Kind == facts.Write && q.File(f).Language == "C++" {
		found = q.Injected(found) // ": Base()" stands where fields are initialized
	}
	if len(found.Symbols) == 0 && ref.Bare && q.isKeyed(e, ref.Name) {
		return q.resolution(f, q.Bare(f, ref.In, ref.Name))
	}
	if len(found.Symbols) == 0 && q.isStructural(f) {
		if guessed := q.ofConditional(e, ref.Name); len(guessed.Symbols) > 0 {
			return q.resolution(f, guessed)
		}
	}
	if found.None() && e.Kind == Unknown {
		return q.guess(f, ref)
	}
	return q.resolution(f, q.fitting(ref, q.inBases(f, ref, found)))
}

// fitting leaves out what a reference cannot mean where there is something
// else: variables of calls, functions of others, overloads that cannot take
// the arguments.
func (q *Query) fitting(ref *facts.Ref, found Found) Found {
	if len(found.Symbols) < 2 {
		return found
	}
	if q.isStructural(found.Symbols[0].File) {
		found.Symbols = ofMeaning(q, ref, found.Symbols)
		if ref.Kind == facts.Write && len(found.Symbols) > MaxTargets && !q.sameName(found.Symbols) {
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
		keep(func(s *facts.Symbol) bool { return IsFunction(s) || IsType(s) })
	case facts.Type, facts.Extends, facts.Implements:
		keep(IsType)
	case facts.Read, facts.Write:
		keep(func(s *facts.Symbol) bool { return !IsFunction(s) })
	}
	found.Symbols = q.overloads(ref, found.Symbols)
	return found
}

// isKeyed reports whether a value has elements rather than members. What is
// outside of the repository has no fields that are not exported.
func (q *Query) isKeyed(e Entity, name string) bool {
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
func (q *Query) resolution(f FileID, found Found) Resolution {
	if len(found.Symbols) == 0 {
		return Resolution{External: found.External}
	}
	list := found.Symbols
	script := q.isStructural(f)
	if len(list) > 1 {
		list = q.LanguageOf(f).Narrow(q, f, list)
	}
	most := MaxTargets
	switch {
	case q.sameName(list):
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
	return Resolution{
		Targets: list, Tier: found.Tier,
		Confidence: q.confidence(f, found.Tier) / float32(q.alternatives(f, found.Tier, list)),
	}
}

// alternatives is of how many symbols a reference that has several targets is
// one: overloads of Java and C++ and variants of Go exclude each other. A
// prototype and what it declares, the signatures of one function, the members of
// all that a union is made of and what is bound twice are meant together.
func (q *Query) alternatives(f FileID, t Tier, list []SymbolID) int {
	if t == TierF { // measured with its candidates
		return 1
	}
	switch q.File(f).Language {
	case "Python", "JavaScript", "TypeScript", "TSX":
		if t <= TierC {
			return 1
		}
	case "C", "C++":
		return q.overloaded(list)
	}
	return max(len(list), 1)
}

// overloaded is how many functions or types of C and C++ symbols declare: one
// in a header and one in a source are the same.
func (q *Query) overloaded(list []SymbolID) int {
	headers := 0
	for _, id := range list {
		if IsHeader(q.File(id.File).Path) {
			headers++
		}
	}
	return max(headers, len(list)-headers, 1)
}

// sameName reports whether symbols are declarations of one qualified name in
// one folder: overloads, variants, a signature and what implements it.
func (q *Query) sameName(list []SymbolID) bool {
	for _, id := range list[1:] {
		a, b := q.Symbol(list[0]), q.Symbol(id)
		if a.Qualified != b.Qualified || a.Owner != b.Owner ||
			FolderOf(q.File(list[0].File).Path) != FolderOf(q.File(id.File).Path) {
			return false
		}
	}
	return true
}

// Compare orders symbols by path and position.
func (q *Query) Compare(a, b SymbolID) int {
	if a.File == b.File {
		return int(a.Index) - int(b.Index)
	}
	if q.r.world.File(a.File).Path < q.r.world.File(b.File).Path {
		return -1
	}
	return 1
}
