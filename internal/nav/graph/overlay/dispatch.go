package overlay

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Calls through interfaces of other modules are no uses of what they may reach, so
// the graph does not keep them: they are found when a lineage asks.

// DispatchedBy are the calls by a symbol that may reach methods of the repository
// through interfaces of other modules, in order.
func (v *View) DispatchedBy(s resolve.SymbolID) (all []graph.Edge) {
	r := v.resolver()
	if r == nil || !graph.IsCode(v.w.Kind(s)) {
		return nil
	}
	file := v.w.File(s.File)
	for i := range file.Refs {
		if ref := &file.Refs[i]; ref.In == int(s.Index) && ref.Kind == facts.Call && r.Dispatches(file.Language, ref.Name) {
			if to := r.Dispatched(s.File, i); len(to.Targets) > 0 {
				all = append(all, dispatchEdge(s.File, ref, to))
			}
		}
	}
	return all
}

func dispatchEdge(f resolve.FileID, ref *facts.Ref, to resolve.Resolution) graph.Edge {
	return graph.Edge{
		File: f, From: int32(ref.In), Line: uint32(ref.Line), Column: uint32(ref.Column), //nolint:gosec // of a text
		Kind: graph.KindOf(ref.Kind), Tier: to.Tier, Confidence: to.Confidence, To: to.Targets, Name: ref.Name,
	}
}

// DispatchedTo are the calls that may reach a method through interfaces of other
// modules, in order.
func (v *View) DispatchedTo(ctx context.Context, s resolve.SymbolID) []graph.Edge {
	r := v.resolver()
	if r == nil || !graph.IsCode(v.w.Kind(s)) || !r.Open(s) {
		return nil
	}
	return v.dispatched.Of(ctx, v.w.Symbol(s).Name, v.dispatchNamed)[s]
}

// dispatchNamed finds what calls of a name may reach.
func (v *View) dispatchNamed(ctx context.Context, name string) Edges {
	found, r := Edges{}, v.resolver()
	files := v.FilesWith(name)
	slices.Sort(files)
	known := map[string]bool{} // of languages, whether there it may reach any
	for _, f := range slices.Compact(files) {
		language := languageOf(v.w, f)
		dispatches, asked := known[language]
		if !asked {
			dispatches = r.Dispatches(language, name)
			known[language] = dispatches
		}
		if !dispatches {
			continue
		}
		refs, reached := v.w.File(f).Refs, dispatchedIn(r, f)
		for i := range refs {
			if refs[i].Name != name || refs[i].Kind != facts.Call || ctx.Err() != nil {
				continue
			}
			to := reached(i)
			for _, s := range to.Targets {
				found[s] = append(found[s], dispatchEdge(f, &refs[i], to))
			}
		}
	}
	return found
}

// dispatchedIn returns what calls in a file may reach, of names that the resolver says it of.
func dispatchedIn(r graph.Resolver, f resolve.FileID) func(i int) resolve.Resolution {
	if own, ok := r.(*resolve.Resolver); ok {
		return own.DispatchedIn(f)
	}
	return func(i int) resolve.Resolution { return r.Dispatched(f, i) }
}

// Satisfying are the types that satisfy an interface of another module, and its
// import path, "" if it is not known. pkg is that path or what it ends with.
func (v *View) Satisfying(pkg, name string) (types []Def, path string) {
	if v.resolver() == nil {
		return nil, ""
	}
	all, path := v.resolver().Satisfying("Go", pkg, name)
	for _, s := range all {
		types = append(types, v.w.Def(s))
	}
	return types, path
}

// Methods are not always named where they run: constructors where a value is made, others
// by the language or a library. What names their type is no use of them, so the graph does
// not keep that: it is found when a lineage asks.

// UsesImplied are the places that make a value of the type of a constructor, types that
// are made from it among them; of methods that a library or the language runs, all that use
// their type. most is the last way to run methods that counts. They are in order of the types.
func (v *View) UsesImplied(ctx context.Context, s resolve.SymbolID, most resolve.Implied) (all []graph.Edge) {
	if !graph.IsCode(v.w.Kind(s)) || v.resolver() == nil {
		return nil
	}
	types, how := v.resolver().Implied(s)
	if how == resolve.ByName || how > most {
		return nil
	}
	for _, t := range types {
		for _, e := range v.UsesOf(ctx, t) {
			switch {
			case how >= resolve.ByValue:
				e.Tier = max(e.Tier, resolve.TierD)
			case e.Kind != graph.KindOf(facts.Call) && e.Kind != graph.KindOf(facts.Extends):
				continue
			}
			all = append(all, e)
		}
	}
	return all
}
