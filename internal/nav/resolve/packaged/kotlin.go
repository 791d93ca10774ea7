package packaged

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// kotlinLanguage is a packagedLanguage with functions and properties that are declared
// for types of elsewhere.
type kotlinLanguage struct{ packagedLanguage }

// kotlinConfidence is the share of each tier that Kotlin's compiler says too, in five
// repositories (bench/RESULTS.md, Graph).
var kotlinConfidence = map[resolve.Tier]float32{
	resolve.TierA: 0.996, resolve.TierB: 0.999, resolve.TierC: 0.98, resolve.TierD: 0.8, resolve.TierE: 0.6,
	resolve.TierF: 0.35,
}

// Confidence implements Language by what was measured for Kotlin.
func (kotlinLanguage) Confidence(t resolve.Tier) float32 { return kotlinConfidence[t] }

// Lacking implements Language: of a class its companion, and of a value what is declared
// for types that are not of the repository, or for any, where the file sees it.
func (l kotlinLanguage) Lacking(
	q *resolve.Query, from resolve.FileID, e resolve.Entity, name string,
) resolve.Found {
	switch {
	case e.Kind == resolve.TypeName && isCompanion(l.Name, name):
		return resolve.Found{Entity: &e, Tier: resolve.TierB}
	case e.Kind == resolve.TypeName && isEnum(q, e):
		return ofEnum(e, name)
	case e.Kind == resolve.TypeName && !isObject(q, e):
		return resolve.Found{}
	}
	if found := ofProperty(q, e, name); len(found.Symbols) > 0 {
		return found
	}
	imported := slices.ContainsFunc(q.File(from).Imports, func(x facts.Import) bool {
		return x.Local == name || x.Local == "" && x.Name == name
	})
	found := resolve.Found{Tier: resolve.TierC}
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Parent >= 0 && s.Under != facts.Nothing && !resolve.IsType(s) && q.File(id.File).Language == l.Name {
			if l.seesMember(q, from, id) && extends(q, id, e) {
				found.Symbols = append(found.Symbols, id)
			}
			continue
		}
		if s.Owner == facts.Nothing || s.Parent >= 0 || q.File(id.File).Language != l.Name || !l.sees(q, from, id, imported) {
			continue
		}
		t := q.Eval(id.File, int(id.Index), s.Owner)
		if t.Kind == resolve.TypeName && !slices.Contains(s.Params, s.Owner.LastName()) {
			if q.File(t.Symbols[0].File).Language != l.Name && isMadeFrom(q, e, t.Symbols) {
				found.Symbols = append(found.Symbols, id)
			}
			continue // members of that are found by what is declared for it
		}
		if (t.Kind == resolve.List || t.Kind == resolve.Map) && e.Kind != t.Kind {
			continue
		}
		found.Symbols = append(found.Symbols, id)
	}
	return found
}

// ofProperty is the method of a class of Java that Kotlin has as a property.
func ofProperty(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	if e.Kind != resolve.Value || len(e.Symbols) == 0 || name == "" {
		return resolve.Found{}
	}
	method := "get" + strings.ToUpper(name[:1]) + name[1:]
	if strings.HasPrefix(name, "is") {
		method = name
	}
	found := q.Inherited(e, method)
	found.Symbols = slices.DeleteFunc(slices.Clone(found.Symbols), func(id resolve.SymbolID) bool {
		return q.File(id.File).Language != "Java" || q.Symbol(id).Signature != "()"
	})
	if len(found.Symbols) == 0 {
		return resolve.Found{}
	}
	getter := resolve.Entity{Kind: resolve.Function, Symbols: found.Symbols, Recv: found.Recv}
	value := q.Call(found.Symbols[0].File, getter, 0)
	found.Entity = &value
	return found
}

// Operate implements Language: ":0" is what a constructor takes; an interface with one method is made of a function.
func (kotlinLanguage) Operate(q *resolve.Query, _ resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	nth, ok := strings.CutPrefix(op, ":")
	if !ok || e.Kind != resolve.TypeName {
		return resolve.Entity{}
	}
	if q.Symbol(e.Symbols[0]).Kind == "interface" {
		return resolve.Instance(e)
	}
	n, _ := strconv.Atoi(nth) // what is none is the first
	return resolve.ParameterIn(q, e.Symbols[0], e, n)
}

// seesMember reports whether a file may call a function of something that is declared for that in a class:
// it has the class, one that is made from it, or imports what an object has.
func (l kotlinLanguage) seesMember(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	if from == id.File {
		return true
	}
	s := q.Symbol(id)
	in := resolve.SymbolID{File: id.File, Index: int32(s.Parent)} //nolint:gosec // an index
	name := q.Symbol(in).Name
	if slices.ContainsFunc(q.File(from).Imports, func(x facts.Import) bool {
		_, last := l.cutLast(x.Path)
		return x.Name == s.Name && last == name
	}) {
		return true
	}
	for i := range q.File(from).Symbols {
		if other := &q.File(from).Symbols[i]; !resolve.IsType(other) || len(other.Bases) == 0 {
			continue
		}
		typ := resolve.SymbolID{File: from, Index: int32(i)} //nolint:gosec // an index
		if isMadeFrom(q, resolve.Entity{Symbols: []resolve.SymbolID{typ}}, []resolve.SymbolID{in}) {
			return true
		}
	}
	return false
}

// extends reports whether a function that a class declares for something else may be called of a value: of what is
// exactly the type or is made from it; what is for a type parameter of anything, and what is for a type that is not of
// the repository of anything that is not either.
func extends(q *resolve.Query, id resolve.SymbolID, e resolve.Entity) bool {
	s := q.Symbol(id)
	last, around := s.Under.LastName(), &q.File(id.File).Symbols[s.Parent]
	if slices.Contains(s.Params, last) || slices.Contains(around.Params, last) {
		return true
	}
	t := q.Eval(id.File, s.Parent, s.Under.Base())
	if t.Kind == resolve.TypeName {
		return isMadeFrom(q, e, t.Symbols)
	}
	return e.Kind != resolve.Value && e.Kind != resolve.TypeName || last == "Any"
}

func isEnum(q *resolve.Query, e resolve.Entity) bool { return q.Symbol(e.Symbols[0]).Kind == "enum" }

func isObject(q *resolve.Query, e resolve.Entity) bool {
	return q.Symbol(e.Symbols[0]).Kind == "object"
}

// ofEnum is what each enum has without declaring it.
func ofEnum(e resolve.Entity, name string) resolve.Found {
	list := resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{e}}
	switch name {
	case "entries":
		return resolve.Found{Entity: &list, External: true}
	case "values":
		return resolve.Gives(list)
	case "valueOf":
		return resolve.Gives(e)
	}
	return resolve.Found{}
}

// Reference implements Language: what is imported from elsewhere is not of here.
func (l kotlinLanguage) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if n := ref.Of.Node(); ref.Kind == facts.Imported && n.Op == facts.OpModuleAt && n.N < len(q.File(f).Imports) {
		found := l.Module(q, f, n.N)
		return found, found.External
	}
	return resolve.Found{}, false
}

// Sees implements Language: what is declared for a type beside it is imported; fields of Java's classes
// are read by the methods that these have for them.
func (l kotlinLanguage) Sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	if s.Kind == "field" && s.Parent >= 0 && q.File(id.File).Language == "Java" {
		in := resolve.Entity{Kind: resolve.Value, Symbols: []resolve.SymbolID{{File: id.File, Index: int32(s.Parent)}}} //nolint:gosec // an index
		return len(ofProperty(q, in, s.Name).Symbols) == 0
	}
	return s.Owner == facts.Nothing || s.Parent >= 0 || q.File(id.File).Language != l.Name || l.sees(q, from, id, false)
}

// sees reports whether a file means a top declaration by its name: it imports that, all of
// the package, or is of it.
func (l kotlinLanguage) sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID, imported bool) bool {
	pkg, name := q.File(id.File).Package, q.Symbol(id).Name
	if !imported && q.File(from).Package == pkg {
		return true
	}
	return slices.ContainsFunc(q.File(from).Imports, func(x facts.Import) bool {
		return x.Path == pkg && (x.Name == name || x.Name == "*" && !imported)
	})
}

// Chosen implements Language by the types of arguments, as for Java.
func (kotlinLanguage) Chosen(
	q *resolve.Query, f resolve.FileID, ref *facts.Ref, list []resolve.SymbolID,
) []resolve.SymbolID {
	list = withoutRest(q, ref, list)
	if ref.Arguments == "" {
		return list
	}
	return chosen(q, f, ref, list, kotlinGiven)
}

// withoutRest leaves out functions that take any number of arguments, or give some a default, where another one takes
// just these and the same types. What is declared for a type elsewhere does not hide a member of it.
func withoutRest(q *resolve.Query, ref *facts.Ref, list []resolve.SymbolID) []resolve.SymbolID {
	n := ref.Args - 1
	plain := func(id resolve.SymbolID) ([]string, bool) {
		params, known := resolve.Parameters(q.Symbol(id))
		return params, known
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		params, known := plain(id)
		if !known || len(params) <= n {
			return false
		}
		return slices.ContainsFunc(list, func(m resolve.SymbolID) bool {
			other, known := plain(m)
			if !known || m == id || len(other) != n || q.Symbol(m).Parent < 0 && q.Symbol(id).Parent >= 0 {
				return false
			}
			for i, t := range other {
				if t != strings.TrimPrefix(params[i], "=") || t == "" {
					return false
				}
			}
			return true
		})
	})
}

// kotlinGiven are the parameters of a function for as many arguments: a function that comes
// last is for the last one, whatever has a default before it.
func kotlinGiven(params, given []javaType) []javaType {
	last, n := len(params)-1, len(given)
	switch {
	case last < 0 || n == 0:
		return params
	case strings.HasPrefix(params[last].name, "..."):
		return asGiven(params, given)
	case n < len(params) && given[n-1].name == "->" && params[last].name == "->":
		return append(slices.Clone(params[:n-1]), params[last])
	}
	return params[:min(n, len(params))]
}

// kotlinParameter is the type of a parameter of a function, as its Signature says it.
func kotlinParameter(q *resolve.Query, id resolve.SymbolID, text string) javaType {
	name := strings.TrimSuffix(strings.TrimPrefix(text, "="), "?")
	rest, all := strings.CutPrefix(name, "...")
	if rest == "" {
		return javaType{name: name}
	}
	t := namedType(q, id.File, int(id.Index), rest)
	if t.class != nil && (q.Symbol(t.class[0]).Kind == "type" || !resolve.IsType(q.Symbol(t.class[0]))) {
		return javaType{} // another name of anything
	}
	if all {
		t.name = name
	}
	return t
}
