package resolve

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// dispatchConfidence is what is stated of methods of types that are named as made from the
// type of another module that is called. All of 97 that were read may be reached.
const dispatchConfidence = 0.75

// Dispatched returns the methods of the repository that the call File(f).Refs[i]
// may reach through a type of another module.
func (r *Resolver) Dispatched(f FileID, i int) Resolution {
	file := r.world.File(f)
	ref := &file.Refs[i]
	if ref.Kind != facts.Call || !r.Dispatches(file.Language, ref.Name) {
		return Resolution{}
	}
	return r.DispatchedIn(f)(i)
}

// DispatchedIn returns what Dispatched gives of the calls in a file of names that Dispatches
// takes, which is faster for several. It is not for concurrent use.
func (r *Resolver) DispatchedIn(f FileID) func(i int) Resolution {
	file := r.world.File(f)
	d, own := r.langs[file.Language].(Dispatcher)
	if own {
		q := r.query()
		return func(i int) Resolution {
			q.steps, q.cut = 0, false
			return d.Dispatched(q, f, &file.Refs[i])
		}
	}
	q := r.deep().query()
	return func(i int) Resolution {
		q.steps, q.cut = 0, false
		return Resolution{Targets: dispatched(q, f, &file.Refs[i]), Tier: TierD, Confidence: dispatchConfidence}
	}
}

// Dispatches reports whether a method of that name in a language may be reached so.
func (r *Resolver) Dispatches(language, name string) bool {
	switch l := r.langs[language].(type) {
	case nil:
		return false
	case Dispatcher:
		return l.Dispatches(name)
	default:
		return slices.ContainsFunc(openMethods(r.query(), name), func(o open) bool { return r.langs[o.language] == l })
	}
}

// Open reports whether a method may be reached so.
func (r *Resolver) Open(method SymbolID) bool {
	q := r.query()
	if d, ok := q.LanguageOf(method.File).(Dispatcher); ok {
		return d.Dispatches(q.Symbol(method).Name)
	}
	return q.LanguageOf(method.File).NamesForeign() && len(foreignOf(q, method)) > 0
}

// Undecided reports whether the call File(f).Refs[i] may reach a method through something of
// another module of which it is not known what it is, or whether it is what the type of the
// method is made from: both are of one module.
func (r *Resolver) Undecided(f FileID, i int, method SymbolID) bool {
	return r.UndecidedAt(f, i)(method)
}

// UndecidedAt returns what Undecided tells of a call, which is faster for several methods. It is not for concurrent
// use.
func (r *Resolver) UndecidedAt(f FileID, i int) func(method SymbolID) bool {
	q, ref := r.deep().query(), &r.world.File(f).Refs[i]
	if ref.Kind != facts.Call || ref.Of == facts.Nothing {
		return func(SymbolID) bool { return false }
	}
	e := sync.OnceValue(func() Entity { return q.Eval(f, ref.In, ref.Of) })
	return func(method SymbolID) bool {
		if ref.Name != q.Symbol(method).Name {
			return false
		}
		foreign := foreignOf(q, method)
		if len(foreign) == 0 || !MayTake(q, ref, method) {
			return false
		}
		e := e()
		if _, literal := e.literal(); e.Kind != External || literal {
			return false
		}
		if e.Foreign == "" {
			return !isModule(q, f, ref.Of)
		}
		return slices.ContainsFunc(foreign, func(name string) bool { return isBeside(e.Foreign, name) })
	}
}

// isModule reports whether an expression is the name of an import.
func isModule(q *Query, f FileID, e facts.Expr) bool {
	n := e.Node()
	named := func(i facts.Import) bool { return n.Name == cmp.Or(i.Local, i.Name, i.Path) }
	return n.Op == facts.OpModuleAt || n.Op == facts.OpName && slices.ContainsFunc(q.File(f).Imports, named)
}

// An open method is one of a type that is made from types outside of the repository.
type open struct {
	method   SymbolID
	language string
	foreign  []string // their names
}

type openKey string

// openMethods are the open methods of a name.
func openMethods(q *Query, name string) []open {
	return Once(q, openKey(name), func() (all []open) {
		q := plainly(q)
		for _, id := range q.World().Defs(name) {
			if !q.LanguageOf(id.File).NamesForeign() {
				continue
			}
			if names := foreignOf(q, id); len(names) > 0 {
				all = append(all, open{id, q.File(id.File).Language, names})
			}
		}
		return all
	})
}

// plainly is a question of its own, in which what methods of types outside of the repository
// give is not looked for: that may ask the same.
func plainly(q *Query) *Query { return cmp.Or(q.r.plain, q.r).query() }

type foreignKey struct{ typ SymbolID }

// foreignOf are the names of the types outside of the repository that the type of a method
// is made from, itself or by other types.
func foreignOf(q *Query, method SymbolID) (names []string) {
	s := q.Symbol(method)
	if !IsFunction(s) || s.Static || s.Parent < 0 && s.Owner == facts.Nothing || q.Constructs(method) {
		return nil
	}
	for _, typ := range q.OwnerOf(method).Symbols {
		names = append(names, Once(q, foreignKey{typ}, func() (names []string) {
			q := plainly(q)
			line, isOpen := Above(q, typ)
			if !isOpen {
				return nil
			}
			for id := range line {
				for _, b := range q.Symbol(id).Bases {
					if b.Kind == facts.Shorthand {
						continue
					}
					if e := q.Eval(id.File, int(id.Index), b.Of.Base().Value()); e.Kind == External {
						names = append(names, e.Foreign)
					}
				}
			}
			slices.Sort(names)
			return slices.Compact(names)
		})...)
	}
	return names
}

// dispatched are the open methods that a call may reach by the name of what it is of.
func dispatched(q *Query, f FileID, ref *facts.Ref) []SymbolID {
	if ref.Of == facts.Nothing {
		return nil
	}
	var names []string
	e := q.Eval(f, ref.In, ref.Of)
	for _, e := range flat([]Entity{e}) {
		if e.Kind == External && e.Foreign != "" {
			names = append(names, e.Foreign)
		}
	}
	own := q.Member(f, e, ref.Name).Symbols // of what else it may be
	return slices.DeleteFunc(reached(q, q.LanguageOf(f), names, ref.Name), func(m SymbolID) bool {
		return !MayTake(q, ref, m) || slices.Contains(own, m)
	})
}

// reached are the open methods of types that are made from one of some outside.
func reached(q *Query, l Language, foreign []string, name string) (out []SymbolID) {
	if len(foreign) == 0 {
		return nil
	}
	for _, o := range openMethods(q, name) {
		if q.r.langs[o.language] == l && slices.ContainsFunc(foreign, func(name string) bool {
			return slices.ContainsFunc(o.foreign, func(of string) bool { return isForeign(name, of) })
		}) {
			out = append(out, o.method)
		}
	}
	return out
}

// called ends what Foreign is of a function that gives a value of a type.
const called = "()"

type foreignMemberKey struct{ language, foreign, name string }

// foreignMember is a method of a type outside of the repository of which methods of the
// repository that implement it say what it gives: a type that is outside, too. Else it is nil.
func foreignMember(q *Query, from FileID, e Entity, name string) *Entity {
	if q.r.plain == nil || e.Foreign == "" || strings.HasSuffix(e.Foreign, called) {
		return nil
	}
	key := foreignMemberKey{q.File(from).Language, e.Foreign, name}
	gives := Once(q, key, func() (gives string) {
		q := plainly(q)
		for _, o := range reached(q, q.LanguageOf(from), []string{e.Foreign}, name) {
			result := q.Result(o, Entity{Kind: Function, Symbols: []SymbolID{o}}, 0)
			foreign := result.Foreign
			if result.Kind == Value && slices.Equal(result.Symbols, q.OwnerOf(o).Symbols) {
				foreign = e.Foreign
			}
			if foreign == "" || gives != "" && gives != foreign {
				return ""
			}
			gives = foreign
		}
		return gives
	})
	if gives == "" {
		return nil
	}
	return &Entity{Kind: External, Foreign: gives + called}
}

// isForeign reports whether two names are those of one type: of one of them it may not be
// known what module it is of.
func isForeign(name, other string) bool {
	pkg, last := cutModule(name)
	of, otherLast := cutModule(other)
	return last == otherLast && (pkg == of || pkg == "" || of == "")
}

// isBeside reports whether two types may be of one module.
func isBeside(name, other string) bool {
	pkg, _ := cutModule(name)
	of, _ := cutModule(other)
	return pkg == of || pkg == "" || of == ""
}

// separator is between the names of a module and a type.
func separator(q *Query, f FileID) string {
	if q.File(f).Language == "PHP" {
		return `\`
	}
	return "."
}

func cutModule(name string) (module, last string) {
	i := strings.LastIndexAny(name, `\.`)
	return name[:max(i, 0)], name[i+1:]
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

// Implied tells how a symbol is run, and of which types of the repository it is a method.
func (r *Resolver) Implied(id SymbolID) (types []SymbolID, how Implied) {
	q := r.query()
	if !IsFunction(q.Symbol(id)) {
		return nil, ByName
	}
	if how = q.LanguageOf(id.File).Implied(q, id); how == ByName && q.Constructs(id) {
		how = ByConstruction
	}
	if owner := q.OwnerOf(id); how != ByName && owner.Kind == TypeName {
		return owner.Symbols, how
	}
	return nil, ByName
}
