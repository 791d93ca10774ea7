package ruby

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// OwnOf implements Sided: a class has methods of its own, constants and what makes its values; those have the rest.
func (l rubyLanguage) OwnOf(q *resolve.Query, e resolve.Entity, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	for _, typ := range e.Symbols {
		for _, id := range l.Own(q, typ, name) {
			s := q.Symbol(id)
			function, sided := resolve.IsFunction(s), marked(s, "sided")
			if e.Kind == resolve.Value && (!function || s.Static && !sided) ||
				e.Kind == resolve.TypeName && function && !s.Static && !sided && s.Name != "initialize" ||
				e.Name == concern && !marked(s, concern) ||
				isWriter(s) && !isReader(s) && s.Name == name || slices.Contains(out, id) {
				continue
			}
			out = append(out, id)
		}
	}
	return out
}

// madeFrom is what a class or module is made from, for its values or for itself: what is mixed in, and the superclass.
// What it extends gives it methods of its own, and so do the ClassMethods of what it includes, as concerns are written.
func (l rubyLanguage) madeFrom(q *resolve.Query, of resolve.Entity, bases []*base) (mixed, above []resolve.Entity) {
	kind := of.Kind
	for _, b := range bases {
		if of.Name == concern && b.kind != facts.Implements {
			continue // of the module alone
		}
		e, ok := b.Eval(q)
		if !ok {
			continue
		}
		if b.kind == facts.Extends {
			if e.Kind == resolve.TypeName {
				e.Kind = kind
			}
			above = append(above, e)
			continue
		}
		switch {
		case e.Kind != resolve.TypeName:
			mixed = append(mixed, e)
		case (b.kind == facts.Embeds) == (kind == resolve.TypeName):
			mixed = append(mixed, resolve.Instance(e))
		case b.kind == facts.Implements:
			if e.Name = concern; concerns(q)[q.Symbol(e.Symbols[0]).Qualified] {
				mixed = append(mixed, e)
			}
			if methods := l.index(q)[q.Symbol(e.Symbols[0]).Qualified+".ClassMethods"]; methods != nil {
				mixed = append(mixed, resolve.Entity{Kind: resolve.Value, Symbols: methods[:1]})
			}
		}
	}
	return mixed, above
}

// inheritedConstant finds a constant of a class or module, of its superclass or of what it includes.
func (l rubyLanguage) inheritedConstant(q *resolve.Query, typ resolve.SymbolID, name string) resolve.Found {
	line := []resolve.SymbolID{typ}
	var seen []string
	external, index, based := false, l.index(q), l.based(q)
	for i := 0; i < len(line); i++ {
		whole := q.Symbol(line[i]).Qualified
		if len(seen) >= resolve.MaxTypes || slices.Contains(seen, whole) {
			continue
		}
		seen = append(seen, whole)
		if list := index[whole+"."+name]; list != nil {
			return resolve.Found{Symbols: list, Tier: resolve.TierC}
		}
		for _, b := range based[whole] {
			if b.kind == facts.Embeds {
				continue
			}
			e, ok := b.Eval(q)
			external = external || ok && e.Kind == resolve.External
			if e.Kind == resolve.TypeName {
				line = append(line, e.Symbols...)
			}
		}
	}
	return resolve.Found{External: external}
}

// Lacking implements Language: constants that a class inherits; methods that a module has made its own by
// module_function and the like, or that a class answers with those of a value, as mailers do; what those declare
// that are made from it.
func (l rubyLanguage) Lacking(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	first, _ := utf8.DecodeRuneInString(name)
	if e.Kind == resolve.External && e.Foreign != "" && unicode.IsUpper(first) { // class A::B, where only B is of here
		if list := l.index(q)[e.Foreign+"."+name]; list != nil {
			return resolve.Found{Symbols: list, Tier: resolve.TierB}
		}
		return outside(e.Foreign + "." + name)
	}
	if len(e.Symbols) == 0 {
		return resolve.Found{}
	}
	if e.Kind == resolve.TypeName && unicode.IsUpper(first) {
		return l.inheritedConstant(q, e.Symbols[0], name)
	}
	if e.Super {
		return l.behind(q, e, name)
	}
	if rubyModule[name] {
		return resolve.Found{}
	}
	if found := l.record(q, e, name); !found.None() {
		return found
	}
	if e.Kind == resolve.TypeName && name != "new" && !l.ofRelation(q, e, name) {
		value := e
		value.Kind = resolve.Value
		if found := q.Inherited(value, name); len(found.Symbols) > 0 {
			return found
		}
	}
	if resolve.Finding(q, everywhere, "derived") {
		return resolve.Found{}
	}
	if e.Kind == resolve.TypeName && q.Symbol(e.Symbols[0]).Kind == "module" { // "self.class" in it
		var all []resolve.SymbolID
		for _, id := range l.derived(q)[string(facts.Implements)+" "+q.Symbol(e.Symbols[0]).Qualified] {
			found := q.Inherited(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}, name)
			all = appendNew(all, found.Symbols)
		}
		return amongSome(all)
	}
	return l.ofDerived(q, e, name)
}

// New implements Factory: a method of the class or module itself, if it is known what that gives.
func (l rubyLanguage) New(q *resolve.Query, f resolve.FileID, of resolve.Entity, name string) (resolve.Entity, bool) {
	if name != "new" {
		return resolve.Entity{}, false
	}
	switch {
	case of.Kind == resolve.Value && len(q.Inherited(of, name).Symbols) > 0: // of a factory, which is no class
		return resolve.Entity{}, false
	case of.Kind == resolve.TypeName && len(of.Symbols) > 0:
		own := slices.DeleteFunc(slices.Clone(l.within(q, "new")[q.Symbol(of.Symbols[0]).Qualified]),
			func(id resolve.SymbolID) bool { return !q.Symbol(id).Static })
		made := resolve.Entity{Kind: resolve.Function, Symbols: own}
		if given := q.Call(f, made, 0); len(own) > 0 && given.Kind != resolve.Unknown && given.Kind != resolve.External {
			return made, true
		}
	}
	return resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{of}}, true
}

// appendNew adds symbols that are not there.
func appendNew(list, more []resolve.SymbolID) []resolve.SymbolID {
	for _, id := range more {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// selfIn is what self is inside of a symbol.
func selfIn(q *resolve.Query, f resolve.FileID, in int) resolve.Entity {
	symbols, kind := q.File(f).Symbols, resolve.TypeName
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		switch s := &symbols[i]; {
		case isRubyType(s):
			return resolve.Entity{Kind: kind, Symbols: []resolve.SymbolID{{File: f, Index: int32(i)}}} //nolint:gosec // an index
		case resolve.IsFunction(s) && !s.Static:
			kind = resolve.Value
		}
	}
	return resolve.Entity{}
}

// called finds the method that is called by a bare name.
func (l rubyLanguage) called(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	self := selfIn(q, f, in)
	if self.Kind != resolve.Unknown {
		found := q.Inherited(self, name)
		switch {
		case len(found.Symbols) > 0 || rubyKernel[name]:
		case self.Kind == resolve.Value || q.Symbol(self.Symbols[0]).Kind == "class":
			found = l.Lacking(q, f, self, name)
		default: // of a block that its values run
			found = q.Inherited(resolve.Instance(self), name)
		}
		isCode := in >= 0 && resolve.IsFunction(&q.File(f).Symbols[in]) // blocks in classes have a self of their own
		if len(found.Symbols) > 0 || found.Entity != nil && isCode {
			return found
		}
	}
	var own, all []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		if q.Symbol(id).Parent < 0 && q.File(id.File).Language == l.Name && resolve.IsFunction(q.Symbol(id)) {
			if id.File == f {
				own = append(own, id)
			}
			if !marked(q.Symbol(id), "grouped") {
				all = append(all, id)
			}
		}
	}
	switch {
	case len(own) > 0:
		return resolve.Found{Symbols: own, Tier: resolve.TierA}
	case rubyKernel[name]:
		return resolve.Found{External: true}
	case l.Common(name):
		return resolve.Found{}
	case len(all) == 1:
		return resolve.Found{Symbols: all, Tier: resolve.TierD}
	}
	// Associations and what is delegated are called of something, or in their own class.
	list := slices.DeleteFunc(methods(q, name), func(id resolve.SymbolID) bool {
		s := q.Symbol(id)
		return marked(s, "record") || l.IsOneOfMany(s) || marked(s, "grouped") && id.File != f
	})
	if len(list) != 1 {
		return resolve.Found{}
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierD}
}

// writer is the one method of the repository that is called by an assignment to a name.
func (l rubyLanguage) writer(q *resolve.Query, name string) resolve.Found {
	list := methods(q, name+"=")
	for _, id := range methods(q, name) {
		if isWriter(q.Symbol(id)) {
			list = append(list, id)
		}
	}
	if len(list) != 1 || l.IsOneOfMany(q.Symbol(list[0])) {
		return resolve.Found{}
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierD}
}

// methods are those of a name.
func methods(q *resolve.Query, name string) (list []resolve.SymbolID) {
	for _, id := range q.World().Defs(name) {
		if q.File(id.File).Language == Language.Name && resolve.IsFunction(q.Symbol(id)) {
			list = append(list, id)
		}
	}
	return list
}

// Reference implements Language: "a.b = c", methods that are called like constants, and symbols that name methods
// where a class is declared.
func (l rubyLanguage) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if isBlock(ref.Of) {
		if found := ofBlock(q, f, ref); len(found.Symbols) > 0 {
			return found, true
		}
	}
	switch first, _ := utf8.DecodeRuneInString(ref.Name); {
	case ref.Kind == facts.Write:
		return l.written(q, f, ref), true
	case ref.Arguments == facts.Route:
		found := q.Inherited(q.Eval(f, ref.In, ref.Of), ref.Name)
		return resolve.Found{Symbols: found.Symbols, Tier: found.Tier, External: len(found.Symbols) == 0}, true
	case ref.Kind == facts.Read:
		self := selfIn(q, f, ref.In)
		self.Kind = resolve.Value
		if len(self.Symbols) == 0 {
			return resolve.Found{External: true}, true
		}
		found := q.Inherited(self, ref.Name)
		if len(found.Symbols) == 0 {
			self.Kind = resolve.TypeName
			found = q.Inherited(self, ref.Name)
		}
		return resolve.Found{Symbols: found.Symbols, Tier: found.Tier, External: len(found.Symbols) == 0}, true
	case ref.Kind == facts.Call && ref.Bare && unicode.IsUpper(first):
		return l.called(q, f, ref.In, ref.Name), true
	case ref.Kind == facts.Call && unicode.IsUpper(first):
		found := q.Member(f, q.Eval(f, ref.In, ref.Of), ref.Name)
		found.Symbols = slices.DeleteFunc(slices.Clone(found.Symbols), func(id resolve.SymbolID) bool {
			return !resolve.IsFunction(q.Symbol(id))
		})
		return found, len(found.Symbols) > 0
	}
	return resolve.Found{}, false
}

// written finds the method that "a.b = c" calls.
func (l rubyLanguage) written(q *resolve.Query, f resolve.FileID, ref *facts.Ref) resolve.Found {
	e := q.Eval(f, ref.In, ref.Of)
	found := q.Member(f, e, ref.Name+"=")
	if len(found.Symbols) > 0 || e.Kind != resolve.Unknown {
		return found
	}
	return l.writer(q, ref.Name)
}

// concern is the Name of a module as a part of the classes that include it: of what it declares itself, they have what
// is marked so.
const concern = "concern"

type rubyConcernsKey struct{}

// concerns are the modules that have something so.
func concerns(q *resolve.Query) map[string]bool {
	return resolve.Once(q, rubyConcernsKey{}, func() map[string]bool {
		out := map[string]bool{}
		for _, f := range q.World().Language(Language.Name) {
			symbols := q.File(f).Symbols
			for i := range symbols {
				if s := &symbols[i]; s.Parent >= 0 && marked(s, concern) {
					out[symbols[s.Parent].Qualified] = true
				}
			}
		}
		return out
	})
}

// IsOneOfMany implements Language: what is delegated is called so elsewhere, mostly by a column of a table that no
// file declares, and so are attributes; fields of structs have the plainest names.
func (rubyLanguage) IsOneOfMany(s *facts.Symbol) bool { return marked(s, "elsewhere") }

type rubyDerivedKey struct{}

// everywhere is what derived and below are found out of: while they are, nobody asks for them again, as what a method
// gives may do that a base is made by.
var everywhere = resolve.SymbolID{Index: -1}

// derived are the classes and modules that are made from each class or module, by its qualified name.
func (l rubyLanguage) derived(q *resolve.Query) map[string][]resolve.SymbolID {
	return resolve.Once(q, rubyDerivedKey{}, func() map[string][]resolve.SymbolID {
		out := map[string][]resolve.SymbolID{}
		q := resolve.AnewFinding(q, everywhere, "derived")
		for _, f := range q.World().Language(l.Name) {
			symbols := q.File(f).Symbols
			for i := range symbols {
				id := resolve.SymbolID{File: f, Index: int32(i)} //nolint:gosec // an index
				for _, b := range symbols[i].Bases {
					if !isConstantPath(b.Of) { // what methods give may depend on what is being found out
						continue
					}
					e := q.Eval(f, i, b.Of)
					if e.Kind != resolve.TypeName {
						continue
					}
					name := q.Symbol(e.Symbols[0]).Qualified
					if b.Kind != facts.Extends {
						name = string(b.Kind) + " " + name
					}
					out[name] = append(out[name], id)
				}
			}
		}
		return out
	})
}

// isConstantPath reports whether an expression is a constant or several with "::" between.
func isConstantPath(e facts.Expr) bool {
	for {
		n := e.Node()
		first, _ := utf8.DecodeRuneInString(n.Name)
		switch {
		case n.Op == facts.OpSymbolAt, n.Op == facts.OpName && unicode.IsUpper(first):
			return true
		case n.Op != facts.OpMember || !unicode.IsUpper(first):
			return false
		}
		e = n.Of
	}
}

// ofDerived finds a method in what is made from a class or module: self is one of them.
func (l rubyLanguage) ofDerived(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	if len(e.Symbols) == 0 {
		return resolve.Found{}
	}
	b := l.below(q, e)
	if !slices.ContainsFunc(q.World().Defs(name), func(id resolve.SymbolID) bool {
		parent := q.Symbol(id).Parent
		return parent >= 0 && b.made[q.File(id.File).Symbols[parent].Qualified]
	}) {
		return resolve.Found{}
	}
	var out []resolve.SymbolID
	for _, d := range b.types {
		out = appendNew(out, q.Inherited(d, name).Symbols)
	}
	return amongSome(out)
}

// belows are the classes that are made from one, or include or extend a module, or their values.
type belows struct {
	types []resolve.Entity
	made  map[string]bool // the qualified names of these and of all that they are made from
}

type rubySide struct {
	name string
	kind resolve.EntityKind
}

// below finds them, once for each class or module.
func (l rubyLanguage) below(q *resolve.Query, e resolve.Entity) *belows {
	of := rubySide{q.Symbol(e.Symbols[0]).Qualified, e.Kind}
	return resolve.Once(q, of, func() *belows {
		b, q := &belows{made: map[string]bool{}}, resolve.AnewFinding(q, everywhere, "derived")
		derived, seen := l.derived(q), map[rubySide]bool{}
		for next := []rubySide{of}; len(next) > 0 && len(b.types) < resolve.MaxTypes; next = next[1:] {
			at := next[0]
			if seen[at] {
				continue
			}
			seen[at] = true
			add := func(list []resolve.SymbolID, kind resolve.EntityKind) {
				for _, id := range list {
					b.types = append(b.types, resolve.Entity{Kind: kind, Symbols: []resolve.SymbolID{id}})
					next = append(next, rubySide{q.Symbol(id).Qualified, kind})
				}
			}
			add(derived[at.name], at.kind)
			if at.kind == resolve.Value {
				add(derived[string(facts.Implements)+" "+at.name], resolve.Value)
				add(derived[string(facts.Embeds)+" "+at.name], resolve.TypeName)
				if around, ok := strings.CutSuffix(at.name, ".ClassMethods"); ok {
					add(derived[string(facts.Implements)+" "+around], resolve.TypeName)
				}
			}
		}
		for _, t := range b.types {
			for up := range l.Line(q, t) {
				for _, id := range up.Symbols {
					b.made[q.Symbol(id).Qualified] = true
				}
			}
		}
		return b
	})
}

// behind finds what super calls in a module: in each class that has it, the next of its line.
func (l rubyLanguage) behind(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	module := q.Symbol(e.Symbols[0])
	if module.Kind != "module" || resolve.Finding(q, everywhere, "derived") {
		return resolve.Found{}
	}
	e.Super = false
	var out []resolve.SymbolID
	for _, d := range l.below(q, e).types {
		passed := false
		for t := range l.Line(q, d) {
			if len(t.Symbols) == 0 || t.Kind != resolve.Value && t.Kind != resolve.TypeName {
				continue
			}
			if !passed {
				passed = q.Symbol(t.Symbols[0]).Qualified == module.Qualified
				continue
			}
			if own := l.OwnOf(q, t, name); len(own) > 0 {
				out = appendNew(out, own)
				break
			}
		}
	}
	return amongSome(out)
}

// amongSome is what was found in several classes that self may be of.
func amongSome(list []resolve.SymbolID) resolve.Found {
	switch len(list) {
	case 0:
		return resolve.Found{}
	case 1:
		return resolve.Found{Symbols: list, Tier: resolve.TierD}
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierF}
}
