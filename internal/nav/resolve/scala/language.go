// Package scala finds what names stand for in Scala: members of types in the order of their
// linearization, what imports and packages make known, extension methods by what they are of.
package scala

import (
	"iter"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language is Scala.
type Language struct{ resolve.Default }

const languageName = "Scala"

// Bare implements Language.
func (Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	plain, typ, _ := facts.Plain(name)
	return find(q, in, sought{f, plain, typ, -1})
}

// Type implements Language.
func (Language) Type(q *resolve.Query, f resolve.FileID, in int, name string) (resolve.Found, bool) {
	plain, _, _ := facts.Plain(name)
	return find(q, in, sought{f, plain, !facts.IsTerm(name), -1}), true
}

// Member implements Language: nothing is a module.
func (Language) Member(*resolve.Query, resolve.FileID, []resolve.FileID, string) resolve.Found {
	return resolve.Found{External: true}
}

// Import implements Language: the files that declare what is imported.
func (Language) Import(q *resolve.Query, f resolve.FileID, i int) (files []resolve.FileID) {
	x := &q.File(f).Imports[i]
	e := pathOf(q, f, i)
	if x.Name == "*" {
		if name := packageNamed(e); name != "" {
			return packagesOf(q).files[name]
		}
		for _, id := range e.Symbols {
			files = append(files, id.File)
		}
		return files
	}
	for _, id := range memberOf(q, f, e, x.Name).Symbols {
		if !slices.Contains(files, id.File) {
			files = append(files, id.File)
		}
	}
	return files
}

// Module implements Language: the package or object that something is imported from.
func (Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	e := pathOf(q, f, i)
	return resolve.Found{Entity: &e, External: e.Kind == resolve.External}
}

// NamesForeign implements Language.
func (Language) NamesForeign() bool { return true }

// Reference implements Language.
func (Language) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	return reference(q, f, ref)
}

// Builtin implements Language.
func (Language) Builtin(_ *resolve.Query, e resolve.Entity, name string) resolve.Found {
	return builtin(e, name)
}

// Own implements Language: of a type only types, of what is taken apart its parts.
func (Language) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	plain, isType, isExtracted := facts.Plain(name)
	if isExtracted {
		return nil
	}
	list := ownedBy(q, plain)[typ]
	if q.Symbol(typ).Kind == "object" { // the cases of an enum are members of its object
		if c, ok := companion(q, typ); ok && q.Symbol(c).Kind == "enum" {
			list = append(slices.Clip(list), static(q, ownedBy(q, plain)[c])...)
		}
	}
	return ofMeaning(q, list, isType)
}

func static(q *resolve.Query, list []resolve.SymbolID) []resolve.SymbolID {
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return q.Symbol(id).Kind != "const" })
}

// ofMeaning are the types among declarations, or what is none; a class is a value too where
// there is no object of its name.
func ofMeaning(q *resolve.Query, list []resolve.SymbolID, types bool) []resolve.SymbolID {
	if len(list) < 2 && !types {
		return list
	}
	var out, classes []resolve.SymbolID
	for _, id := range list {
		s := q.Symbol(id)
		isType := resolve.IsType(s) && s.Kind != "object"
		switch {
		case isType == types:
			out = append(out, id)
		case isType:
			classes = append(classes, id)
		}
	}
	if len(out) == 0 && !types {
		return classes
	}
	return out
}

type ownedKey string

// ownedBy are the members of a name by the type that declares them.
func ownedBy(q *resolve.Query, name string) map[resolve.SymbolID][]resolve.SymbolID {
	return resolve.Once(q, ownedKey(name), func() map[resolve.SymbolID][]resolve.SymbolID {
		out := map[resolve.SymbolID][]resolve.SymbolID{}
		for _, id := range q.World().Defs(name) {
			if s := q.Symbol(id); s.Parent >= 0 && q.File(id.File).Language == languageName {
				at := resolve.SymbolID{File: id.File, Index: int32(s.Parent)} //nolint:gosec // an index
				out[at] = append(out[at], id)
			}
		}
		return out
	})
}

// companion is the object of a class or the class of an object: of the same name beside it.
func companion(q *resolve.Query, id resolve.SymbolID) (resolve.SymbolID, bool) {
	s := q.Symbol(id)
	for _, other := range q.World().Defs(s.Name) {
		o := q.Symbol(other)
		if other.File == id.File && o.Parent == s.Parent && other != id && resolve.IsType(o) &&
			(o.Kind == "object") != (s.Kind == "object") && o.Kind != "type" {
			return other, true
		}
	}
	return resolve.SymbolID{}, false
}

// Line implements Language: the linearization, then what a self type says.
func (Language) Line(q *resolve.Query, e resolve.Entity) iter.Seq[resolve.Entity] {
	return func(yield func(resolve.Entity) bool) {
		l := line{q: q, seen: map[resolve.SymbolID]int{}}
		l.add(e, 0)
		for i, t := range slices.Backward(l.all) {
			if len(t.Symbols) > 0 && l.seen[t.Symbols[0]] != i {
				continue
			}
			if !yield(t) {
				return
			}
		}
	}
}

// A line is a linearization from its end.
type line struct {
	q    *resolve.Query
	all  []resolve.Entity
	seen map[resolve.SymbolID]int // where a type is in all: the first time
}

// add adds the linearization of a type: what it is made from, the last one behind the others,
// and then itself.
func (l *line) add(e resolve.Entity, depth int) {
	switch {
	case e.Kind == resolve.Union:
		for _, a := range e.Args {
			l.add(a, depth)
		}
		return
	case e.Kind != resolve.TypeName && e.Kind != resolve.Value || len(e.Symbols) == 0:
		if e.Kind != resolve.Unknown {
			l.all = append(l.all, e)
		}
		return
	}
	for _, id := range e.Symbols {
		if _, ok := l.seen[id]; ok || depth > resolve.MaxLevels || len(l.all) > resolve.MaxTypes {
			continue
		}
		l.seen[id] = -1
		s := l.q.Symbol(id)
		for _, b := range s.Bases { // first, so that it is asked last
			if b.Kind == facts.Shorthand && l.q.Enter(id, "self "+b.Of.String()) {
				l.add(l.q.Eval(id.File, int(id.Index), b.Of.Value()), depth+1)
				l.q.Leave(id, "self "+b.Of.String())
			}
		}
		for _, b := range l.q.BasesOf(id, e.Args) {
			l.add(b, depth+1)
		}
		one := e
		one.Symbols = []resolve.SymbolID{id}
		l.seen[id] = len(l.all)
		l.all = append(l.all, one)
	}
}

// confidence is the share of each tier that the compilers say too, in three repositories (bench/RESULTS.md,
// Graph). Of D there were 64, all right; of E and F too few to state that: they are what other languages have.
var confidence = map[resolve.Tier]float32{
	resolve.TierA: .991, resolve.TierB: .998, resolve.TierC: .995, resolve.TierD: .95, resolve.TierE: .6,
	resolve.TierF: .35,
}

// Confidence implements Language by what was measured for Scala.
func (Language) Confidence(t resolve.Tier) float32 { return confidence[t] }

// Common implements Language: names of the standard library.
func (Language) Common(name string) bool { return common[name] || name != "" && !isLetter(name[0]) }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

var common = resolve.Set(`
map flatMap filter foreach get getOrElse size length head tail apply toString equals hashCode isEmpty nonEmpty mkString
contains exists forall find fold foldLeft foldRight reduce collect zip zipWithIndex toList toSeq toVector toMap toSet
toArray iterator next hasNext append add remove update put clear copy value name key values keys take drop slice split
trim replace startsWith endsWith substring format run close read write print println start end min max sum sorted sortBy
groupBy partition reverse last init lift andThen compose orElse isDefined withFilter some none left right unapply
compare id result toInt toLong toDouble stripMargin getClass asInstanceOf isInstanceOf length concat push pop`)
