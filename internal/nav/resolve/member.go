package resolve

import (
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Member finds a member of what an expression of file from evaluated to.
func (q *Query) Member(from FileID, e Entity, name string) Found {
	switch e.Kind {
	case Module:
		return moduleLanguage(q, from, e).Member(q, from, e.Files, name)
	case TypeName, Value:
		if parts := apart(q, e); parts != nil {
			return q.Member(from, Entity{Kind: Union, Args: parts}, name)
		}
		found := q.Inherited(e, name)
		if len(found.Symbols) == 0 && found.Entity == nil {
			found = lacking(q, from, e, name, found)
		}
		return found
	case Function:
		found := assigned(q, e, name)
		if len(found.Symbols) == 0 {
			found = lacking(q, from, e, name, found)
		}
		return found
	case Union:
		return ofUnion(q, from, e, name)
	case External:
		if e.Name != "" {
			return Found{External: true, Entity: &Entity{Kind: External, Name: e.Name + "." + name, Args: e.Args}}
		}
		found := lacking(q, from, e, name, Found{External: true})
		if found.External && found.Entity == nil && len(found.Symbols) == 0 {
			found.Entity = foreignMember(q, from, e, name)
		}
		return found
	case Predicate:
		return Found{External: true}
	case Class:
		return q.Member(from, e.Arg(0), name)
	case Mapped:
		return mapped(q, from, e, name)
	case Fields:
		return q.LanguageOf(from).Field(q, e.Arg(0), name)
	case List, Map, Func, Tuple:
		if found := q.LanguageOf(from).Builtin(q, e, name); !found.None() {
			return found
		}
		return lacking(q, from, e, name, Found{External: true})
	}
	return Found{}
}

// ofUnion finds a member of all that a value may be.
func ofUnion(q *Query, from FileID, e Entity, name string) Found {
	var out Found
	var other Entity
	for _, a := range e.Args {
		f := q.Member(from, a, name)
		out.External = out.External || f.External
		if f.Entity != nil {
			other = Merge(other, *f.Entity)
		}
		for _, s := range f.Symbols {
			if !slices.Contains(out.Symbols, s) {
				out.Symbols, out.Tier, out.Recv = append(out.Symbols, s), TierC, f.Recv
			}
		}
	}
	if len(out.Symbols) == 0 && other.Kind != Unknown && other.Kind != External {
		out.Entity = &other
	}
	return out
}

// apart are the values of several types that are not declarations of one, nil if there are
// none: of these each has its own bases.
func apart(q *Query, e Entity) (parts []Entity) {
	if e.Kind != Value || len(e.Symbols) < 2 {
		return nil
	}
	for _, id := range e.Symbols {
		i := slices.IndexFunc(parts, func(p Entity) bool { return q.Symbol(p.Symbols[0]).Name == q.Symbol(id).Name })
		if i < 0 {
			parts = append(parts, e)
			i = len(parts) - 1
			parts[i].Symbols = nil
		}
		parts[i].Symbols = append(parts[i].Symbols, id)
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// lacking is what the language knows of a member that was not found, or else what was.
func lacking(q *Query, from FileID, e Entity, name string, found Found) Found {
	if other := q.LanguageOf(from).Lacking(q, from, e, name); !other.None() {
		return other
	}
	return found
}

// invoked is what is called of a value: in C# a property hides no extension method of its name, unless it is a
// function.
func invoked(q *Query, from FileID, e Entity, name string, found Found) Found {
	if q.File(from).Language != "C#" || len(found.Symbols) == 0 {
		return found
	}
	for _, id := range found.Symbols {
		s := q.Symbol(id)
		value := q.StandsFor(id, found.Recv)
		if IsFunction(s) || IsType(s) || value.Kind != External && value.Kind != Value || isDelegate(q, value) {
			return found
		}
	}
	if other := q.LanguageOf(from).Lacking(q, from, e, name); len(other.Symbols) > 0 && other.Tier <= TierC {
		return other
	}
	return found
}

// isDelegate reports whether a value of C# may be a function.
func isDelegate(q *Query, e Entity) bool {
	if e.Kind == External {
		last := e.Foreign[strings.LastIndexByte(e.Foreign, '.')+1:]
		return last == "Action" || last == "Func" || last == "Predicate" || strings.HasSuffix(last, "Handler")
	}
	return slices.ContainsFunc(e.Symbols, func(id SymbolID) bool { return q.Symbol(id).Kind == "type" })
}

func moduleLanguage(q *Query, from FileID, e Entity) Language {
	if len(e.Files) > 0 {
		return q.LanguageOf(e.Files[0])
	}
	return q.LanguageOf(from)
}

// maxLevels and maxTypes bound how far bases are followed.
const (
	MaxLevels = 16
	MaxTypes  = 200
	maxAlias  = 4 // of an alias with parameters, which may stand for itself with others
)

func isAlias(q *Query, id SymbolID) bool {
	s := q.Symbol(id)
	return s.Kind == "type" && s.Type != facts.Nothing && len(s.Params) > 0
}

// Inherited looks for a member in a type, then in its bases, level by level.
// Members of one level are all found, of different types of one level only
// those of the first, as the languages order their bases.
func (q *Query) Inherited(e Entity, name string) Found {
	if len(e.Symbols) > 0 {
		if line := q.LanguageOf(e.Symbols[0].File).Line(q, e); line != nil {
			return inLine(q, e, line, name)
		}
	}
	level, seen := []Entity{e}, map[SymbolID]int{} // on how many levels
	external, named := false, Found{}
	joined := false // the level is what an alias stands for
	for depth := 0; len(level) > 0 && depth < MaxLevels && len(seen) < MaxTypes; depth++ {
		var next []Entity
		var all Found
		here := map[SymbolID]bool{}
		for _, t := range flat(level) {
			if !t.Keys.has(name) {
				external = true
				continue
			}
			if t.Kind != TypeName && t.Kind != Value {
				external = external || t.Kind != Unknown
				if found := outside(q, e, t, name); !found.None() &&
					(named.None() || len(named.Symbols) == 0 && len(found.Symbols) > 0) {
					named = found
				}
				continue
			}
			if found := q.Own(t, name); len(found) > 0 && (depth > 0 || !t.Super) && !isCsharpInterface(q, e, t) {
				recv := &Entity{Kind: TypeName, Symbols: t.Symbols, Args: t.Args}
				if depth > 0 && givesThis(q, found) {
					recv.This = &Entity{Kind: TypeName, Symbols: e.Symbols, Args: e.Args}
				}
				all = joinFound(all, Found{Symbols: found, Tier: TierC, Recv: recv})
				if !joined && depth > 0 && isJavaInterface(q, t) {
					return ofClasses(q, e, name, all)
				}
				if !joined {
					return all
				}
				continue
			}
			for _, id := range t.Symbols {
				if seen[id] == 0 || (here[id] || seen[id] < maxAlias) && isAlias(q, id) && len(next) < MaxTypes {
					if !here[id] {
						here[id] = true
						seen[id]++
					}
					next = append(next, q.BasesOf(id, t.Args)...)
				}
			}
		}
		if len(all.Symbols) > 0 {
			return all
		}
		joined = aliases(q, level)
		level = next
	}
	if !named.None() {
		return named
	}
	return Found{External: external}
}

// ofClasses is the method of a class above a type of Java, which goes before one that was
// found in an interface (JLS 8.4.8).
func ofClasses(q *Query, e Entity, name string, found Found) Found {
	for range MaxLevels {
		up := Entity{}
		for _, id := range e.Symbols {
			for _, b := range q.BasesOf(id, e.Args) {
				if b.Kind == TypeName && up.Kind == Unknown && q.Symbol(b.Symbols[0]).Kind == "class" {
					up = b
				}
			}
		}
		if up.Kind == Unknown {
			break
		}
		if own := q.Own(up, name); len(own) > 0 {
			return Found{Symbols: own, Tier: TierC, Recv: &Entity{Kind: TypeName, Symbols: up.Symbols, Args: up.Args}}
		}
		e = up
	}
	return found
}

// joinFound adds the members of one part of a union to those of others.
func joinFound(all, more Found) Found {
	if len(all.Symbols) == 0 {
		return more
	}
	for _, id := range more.Symbols {
		if !slices.Contains(all.Symbols, id) {
			all.Symbols = append(all.Symbols, id)
		}
	}
	return all
}

// aliases reports whether all types of a level are aliases of TypeScript: what
// they stand for has no order.
func aliases(q *Query, level []Entity) bool {
	for _, t := range flat(level) {
		for _, id := range t.Symbols {
			if s := q.Symbol(id); s.Kind != "type" || !q.isStructural(id.File) {
				return false
			}
		}
	}
	return true
}

// inLine looks for a member of something in types one after the other.
func inLine(q *Query, of Entity, line iter.Seq[Entity], name string) Found {
	external, first := false, true
	for t := range line {
		skip := first && t.Super
		first = false
		if t.Kind != TypeName && t.Kind != Value {
			external = external || t.Kind != Unknown
			continue
		}
		if skip {
			continue
		}
		if found := q.Own(t, name); len(found) > 0 {
			recv := &Entity{Kind: TypeName, Symbols: t.Symbols, Args: t.Args}
			if _, ok := q.LanguageOf(found[0].File).(Labeller); ok {
				recv.This = &Entity{Kind: TypeName, Symbols: of.Symbols, Args: of.Args}
			}
			return Found{Symbols: found, Tier: TierC, Recv: recv}
		}
	}
	return Found{External: external}
}

// assigned finds members that are assigned to functions.
func assigned(q *Query, e Entity, name string) Found {
	var out []SymbolID
	for _, m := range q.Own(e, name) {
		if q.Symbol(m).Static {
			out = append(out, m)
		}
	}
	return Found{Symbols: out, Tier: TierC}
}

// flat takes unions apart.
func flat(list []Entity) []Entity {
	if !slices.ContainsFunc(list, func(e Entity) bool { return e.Kind == Union }) {
		return list
	}
	var out []Entity
	for _, e := range list {
		if e.Kind == Union {
			out = append(out, flat(e.Args)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// outside is the member of a base that is not of the repository: what the
// language knows of it, or its name.
func outside(q *Query, e, base Entity, name string) Found {
	if len(e.Symbols) > 0 {
		if found := q.LanguageOf(e.Symbols[0].File).Builtin(q, base, name); !found.None() {
			return found
		}
	}
	if base.Kind == Module && len(e.Symbols) > 0 && q.isStructural(e.Symbols[0].File) { // typeof of all of a module
		if found := q.Member(e.Symbols[0].File, base, name); len(found.Symbols) > 0 {
			return Found{Symbols: found.Symbols, Tier: TierC}
		}
	}
	if base.Kind == External && base.Name != "" {
		return q.Member(0, base, name)
	}
	if base.Kind == Mapped {
		return mapped(q, e.Symbols[0].File, base, name)
	}
	return Found{}
}

// mapped is the member of a type whose members have the names of those of
// another one.
func mapped(q *Query, from FileID, e Entity, name string) Found {
	found := q.Member(from, Instance(e.Arg(0)), name)
	if len(found.Symbols) == 0 {
		return Found{External: true}
	}
	value := Entity{Kind: External}
	if e.Arg(1).Kind == Func {
		value = Entity{Kind: Func, Args: []Entity{typeOfValue(q.Entity(from, found))}}
	}
	found.Entity = &value
	return found
}

// Own finds the members that the types of e declare themselves.
func (q *Query) Own(e Entity, name string) []SymbolID {
	if len(e.Symbols) > 0 {
		if l, ok := q.LanguageOf(e.Symbols[0].File).(Sided); ok {
			return l.OwnOf(q, e, name)
		}
	}
	var out []SymbolID
	for _, id := range e.Symbols {
		for _, m := range q.LanguageOf(id.File).Own(q, id, name) {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// declared are the symbols of a name by what is around them; owned are those that are
// declared elsewhere than what they are members of.
type declared struct {
	under map[SymbolID][]SymbolID
	owned bool
}

type declaredKey string

func declaredAs(q *Query, name string) *declared {
	return Once(q, declaredKey(name), func() *declared {
		d := &declared{under: map[SymbolID][]SymbolID{}}
		for _, m := range q.World().Defs(name) {
			if s := q.Symbol(m); s.Owner != facts.Nothing {
				d.owned = true
			} else if s.Parent >= 0 {
				at := SymbolID{m.File, int32(s.Parent)}
				d.under[at] = append(d.under[at], m)
			}
		}
		return d
	})
}

// declaredFor finds the members of a type among its children and those that are
// declared with it as their Owner.
func declaredFor(q *Query, id SymbolID, name string) []SymbolID {
	all := declaredAs(q, name)
	if !all.owned {
		return slices.Clip(all.under[id])
	}
	var out []SymbolID
	for _, m := range q.World().Defs(name) {
		s := q.Symbol(m)
		switch {
		case s.Owner == facts.Nothing:
			if m.File == id.File && s.Parent == int(id.Index) {
				out = append(out, m)
			}
		case q.LanguageOf(m.File) == q.LanguageOf(id.File):
			if t := q.OwnerOf(m); t.Kind == TypeName && slices.Contains(t.Symbols, id) {
				out = append(out, m)
			}
		}
	}
	return out
}

// BasesOf evaluates what a type is made from, with its type arguments. Of a
// type defined by another one that is the other one's.
func (q *Query) BasesOf(id SymbolID, args []Entity) []Entity {
	s := q.Symbol(id)
	in := scope{id.File, int(id.Index), bind(nil, s.Params, args), true, true}
	var out []Entity
	for _, b := range s.Bases {
		if b.Kind != facts.Shorthand && q.Enter(id, "base "+b.Of.String()) {
			e := q.eval(in, b.Of)
			if b.Kind == facts.Extends && s.Kind == "class" && q.isStructural(id.File) {
				e = extended(q, id.File, e)
			}
			out = append(out, e)
			q.Leave(id, "base "+b.Of.String())
		}
	}
	if l, ok := q.LanguageOf(id.File).(Parted); ok {
		for _, part := range l.Parts(q, id) {
			s := q.Symbol(part)
			in := scope{part.File, int(part.Index), bind(nil, s.Params, args), true, true}
			for _, b := range s.Bases {
				if q.Enter(id, "base "+b.Of.String()) {
					out = append(out, q.eval(in, b.Of))
					q.Leave(id, "base "+b.Of.String())
				}
			}
		}
	}
	// of which Under is what its members by keys are
	if s.Under != facts.Nothing && isAlias(q, id) && q.Enter(id, "alias") {
		out = append(out, q.eval(in, s.Type))
		q.Leave(id, "alias")
	}
	u := under(q, Entity{Kind: TypeName, Symbols: []SymbolID{id}, Args: args})
	if u.Kind != Unknown && (u.Kind != Func || s.Kind != "interface") { // an interface of Java has no members of functions
		out = append(out, u)
	}
	return out
}

// SeeksBase reports whether a base of a type is being found out.
func (q *Query) SeeksBase(id SymbolID) bool {
	for _, b := range q.Symbol(id).Bases {
		if q.active[Activity{id, "base " + b.Of.String()}] {
			return true
		}
	}
	return false
}

// Injected is what was found of a type by a bare name, with the type itself for
// its constructors: a class has its own name as a member, which derived ones
// inherit.
func (q *Query) Injected(found Found) Found {
	if !slices.ContainsFunc(found.Symbols, q.Constructs) {
		return found
	}
	var out []SymbolID
	for _, id := range found.Symbols {
		types := []SymbolID{id}
		if q.Constructs(id) {
			types = constructed(q, id)
		}
		for _, t := range types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	found.Symbols = out
	return found
}
