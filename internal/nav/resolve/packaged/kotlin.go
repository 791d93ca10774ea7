package packaged

import (
	"slices"
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
	resolve.TierA: 0.996, resolve.TierB: 0.999, resolve.TierC: 0.99, resolve.TierD: 0.85, resolve.TierE: 0.6,
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
	case e.Kind == resolve.TypeName:
		return resolve.Found{}
	}
	imported := slices.ContainsFunc(q.File(from).Imports, func(x facts.Import) bool {
		return x.Local == name || x.Local == "" && x.Name == name
	})
	found := resolve.Found{Tier: resolve.TierC}
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if s.Owner == facts.Nothing || s.Parent >= 0 || q.File(id.File).Language != l.Name || !l.sees(q, from, id, imported) {
			continue
		}
		own := q.Eval(id.File, int(id.Index), s.Owner).Kind == resolve.TypeName
		if own && !slices.Contains(s.Params, s.Owner.LastName()) {
			continue // members of that are found by what is declared for it
		}
		found.Symbols = append(found.Symbols, id)
	}
	return found
}

// Reference implements Language: what is imported from elsewhere is not of here.
func (l kotlinLanguage) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if n := ref.Of.Node(); ref.Kind == facts.Imported && n.Op == facts.OpModuleAt && n.N < len(q.File(f).Imports) {
		found := l.Module(q, f, n.N)
		return found, found.External
	}
	return resolve.Found{}, false
}

// Sees implements Language: what is declared for a type beside it is imported.
func (l kotlinLanguage) Sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	s := q.Symbol(id)
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
	if ref.Arguments == "" {
		return nil
	}
	return chosen(q, f, ref, list, kotlinGiven)
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
