package resolve

import (
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Query is one question to a Resolver while it is being answered. It bounds
// how far the answer is followed, so that the answer to a question does not
// depend on what was asked before: a part that was cut short by a bound is not
// remembered, and what is remembered counts as much as finding it out again.
type Query struct {
	r      *Resolver
	depth  int
	steps  int
	high   int  // the greatest depth since the last reset of it
	cut    bool // something was cut short
	inside int  // how many of type Inside are being evaluated, or what these are found out for
	active map[Activity]bool
	memo   map[exprKey]entry
}

// An Activity is what must not be done again inside of itself.
type Activity struct {
	Symbol SymbolID
	Name   string
}

// Bounds of one question: nested evaluations, and evaluations altogether.
const (
	MaxDepth = 48
	maxSteps = 4000
)

// entry is what is remembered of an evaluation, with what it cost.
type entry struct {
	entity        Entity
	steps, height int
}

type exprKey struct {
	file    FileID
	in      int32
	outside bool
	types   bool
	expr    facts.Expr
}

// Anew is a question of its own, with all bounds: for what is found out Once.
func (q *Query) Anew() *Query { return q.r.query() }

// World is what is asked about.
func (q *Query) World() World { return q.r.world }

// File returns the facts of a file, but for its references.
func (q *Query) File(f FileID) *facts.File { return q.r.world.Declared(f) }

// A Packager is a World that tells the package of a file without reading what it declares.
type Packager interface {
	Package(id FileID) string
}

// PackageOf is that of a file. It is asked for of all files of a language.
func PackageOf(q *Query, f FileID) string {
	if p, ok := q.r.world.(Packager); ok {
		return p.Package(f)
	}
	return q.File(f).Package
}

// Symbol returns a declaration.
func (q *Query) Symbol(s SymbolID) *facts.Symbol {
	return &q.File(s.File).Symbols[s.Index]
}

// Enter marks that something is being found out, and reports whether it was
// not already. Leave undoes it. Languages use it for imports that may go in
// circles, with the index -1.
func (q *Query) Enter(s SymbolID, name string) bool {
	a := Activity{s, name}
	if q.active[a] || q.depth >= MaxDepth || q.steps >= maxSteps {
		q.cut = true
		return false
	}
	q.active[a] = true
	q.depth++
	q.steps++
	q.high = max(q.high, q.depth)
	return true
}

// AnewFinding is Anew while something is being found out.
func AnewFinding(q *Query, s SymbolID, name string) *Query {
	q = q.Anew()
	q.active[Activity{s, name}] = true
	q.inside++
	return q
}

// Finding reports whether something is being found out, as Enter says. What is found without it is not remembered.
func Finding(q *Query, s SymbolID, name string) bool {
	finding := q.active[Activity{s, name}]
	q.cut = q.cut || finding
	return finding
}

// Leave ends what Enter began.
func (q *Query) Leave(s SymbolID, name string) {
	delete(q.active, Activity{s, name})
	q.depth--
}

// An Inside is an expression that is evaluated in the symbol of Two while both are being found out, as Enter says.
type Inside struct {
	One, Two Activity
	Expr     facts.Expr

	known atomic.Pointer[entry] // what it is where none is being found out, height 0: that is cut short
}

// Eval is Eval of the expression; ok is false if one of the two is being found out already. What it is for all who
// find out nothing of the kind is remembered for all queries.
func (i *Inside) Eval(q *Query) (e Entity, ok bool) {
	if q.inside > 0 {
		return i.eval(q)
	}
	known := i.known.Load()
	if known == nil {
		anew := q.Anew()
		if e, _ := i.eval(anew); anew.cut {
			known = &entry{}
		} else {
			known = &entry{e, anew.steps, anew.high}
		}
		i.known.Store(known)
	}
	if known.height == 0 || q.depth+known.height > MaxDepth || q.steps+known.steps > maxSteps {
		return i.eval(q)
	}
	q.steps += known.steps
	q.high = max(q.high, q.depth+known.height)
	return known.entity, true
}

func (i *Inside) eval(q *Query) (Entity, bool) {
	q.inside++
	defer func() { q.inside-- }()
	if !q.Enter(i.One.Symbol, i.One.Name) {
		return Entity{}, false
	}
	defer q.Leave(i.One.Symbol, i.One.Name)
	if !q.Enter(i.Two.Symbol, i.Two.Name) {
		return Entity{}, false
	}
	defer q.Leave(i.Two.Symbol, i.Two.Name)
	return q.Eval(i.Two.Symbol.File, int(i.Two.Symbol.Index), i.Expr), true
}

// remembered finds out by do, or takes what load has. What is cut short is not
// given to save.
func (q *Query) remembered(load func() (entry, bool), save func(entry), do func() Entity) Entity {
	if e, ok := load(); ok {
		if q.depth+e.height > MaxDepth || q.steps+e.steps > maxSteps {
			q.cut = true
			return Entity{}
		}
		q.steps += e.steps
		q.high = max(q.high, q.depth+e.height)
		return e.entity
	}
	if q.depth >= MaxDepth || q.steps >= maxSteps {
		q.cut = true
		return Entity{}
	}
	if q.depth == 0 {
		q.steps = 0
	}
	before, high, cut := q.steps, q.high, q.cut
	q.depth++
	q.steps++
	q.high, q.cut = q.depth, false
	e := do()
	q.depth--
	if !q.cut {
		save(entry{e, q.steps - before, q.high - q.depth})
	}
	q.high, q.cut = max(high, q.high), q.cut || cut
	return e
}

// LanguageOf is that of a file; of one that is not spoken nothing is known.
func (q *Query) LanguageOf(f FileID) Language {
	if lang := q.r.langs[q.File(f).Language]; lang != nil {
		return lang
	}
	return none{}
}

// isStructural reports whether the language of a file is.
func (q *Query) isStructural(f FileID) bool { return q.LanguageOf(f).Structural() }

// Compare orders symbols by path and position.
func (q *Query) Compare(a, b SymbolID) int {
	if a.File == b.File {
		return int(a.Index) - int(b.Index)
	}
	if q.File(a.File).Path < q.File(b.File).Path {
		return -1
	}
	return 1
}

// Constructs reports whether a symbol is a constructor in a language that calls
// it like its type.
func (q *Query) Constructs(id SymbolID) bool {
	s := q.Symbol(id)
	switch {
	case !IsFunction(s) || s.Kind == "macro":
		return false
	case s.Owner != facts.Nothing:
		return s.Owner.LastName() == s.Name
	case s.Parent < 0:
		return false
	}
	up := &q.File(id.File).Symbols[s.Parent]
	return IsType(up) && up.Name == s.Name
}

// OwnerOf is the type that a member belongs to.
func (q *Query) OwnerOf(id SymbolID) Entity {
	s := q.Symbol(id)
	if s.Owner == facts.Nothing {
		if s.Parent < 0 {
			return Entity{}
		}
		return Entity{Kind: TypeName, Symbols: []SymbolID{{id.File, int32(s.Parent)}}}
	}
	if !q.Enter(id, "owner") {
		return Entity{}
	}
	defer q.Leave(id, "owner")
	return q.eval(scope{file: id.File, in: s.Parent, types: true}, s.Owner.Base())
}

// StandsFor is what a symbol stands for as a member of recv, or nil.
func (q *Query) StandsFor(id SymbolID, recv *Entity) Entity {
	s := q.Symbol(id)
	if IsFunction(s) && (s.Signature != facts.Parameterless || s.Type == facts.Nothing) {
		if s.Type != facts.Nothing {
			if e := q.LanguageOf(id.File).Decorated(q, id); e.Kind == Value {
				return e
			}
		}
		return Entity{Kind: Function, Symbols: []SymbolID{id}, Recv: recv}
	}
	if IsType(s) && (s.Type == facts.Nothing || len(s.Params) > 0) {
		return Entity{Kind: TypeName, Symbols: []SymbolID{id}}
	}
	if recv == nil || len(recv.Args) == 0 && recv.This == nil {
		return q.remembered(
			func() (entry, bool) { return q.r.memo.load(id) },
			func(e entry) { q.r.memo.save(id, e) },
			func() Entity { return typeOf(q, id, nil) })
	}
	return typeOf(q, id, bindings(q, id, recv, nil))
}

// underlying is what a type is defined by in the end.
func (q *Query) underlying(e Entity) Entity {
	for range 8 {
		if e.Kind != Value && e.Kind != TypeName {
			return e
		}
		e = under(q, e)
	}
	return Entity{}
}
