package graph_test

import (
	"fmt"
	"maps"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
)

func built(t testing.TB, files tree, previous *graph.Graph, workers int) *graph.Graph {
	t.Helper()
	in := files.input()
	in.Workers = workers
	g, _, err := build.Graph(t.Context(), in, previous)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// names are all that symbols are called in the random trees, and more.
var names = []string{
	"T0", "T1", "T2", "T3", "F0", "F1", "F2", "F3", "F4", "m0", "m1", "m2", "m3", "x0", "x1", "x2", "v0", "U0", "G0",
	"new", "t0",
	"T0.m0", "T1.m1", "T2.m2", "T1.x0", "T3.x1", "t0.M1", "a.F0", "p.T1", "b/f0.toy:T2",
}

// checkSame checks that two views answer the same.
func checkSame(t *testing.T, want, got *overlay.View) {
	t.Helper()
	any := func(string) bool { return true }
	a, n, between := usage.Ranking(t.Context(), want, 1000, any, any)
	b, m, betweenEdited := usage.Ranking(t.Context(), got, 1000, any, any)
	same(t, "ranking", a, b)
	same(t, "ranked", n, m)
	same(t, "uses between folders", between, betweenEdited)
	for _, name := range names {
		same(t, "places of "+name, usage.Places(want, name), usage.Places(got, name))
		for _, p := range usage.Places(want, name) {
			a, _ := usage.At(want, p.File, p.Line, p.Column)
			b, _ := usage.At(got, p.File, p.Line, p.Column)
			same(t, fmt.Sprintf("what stands at %v", p), a, b)
		}
		checkSymbol(t, want, got, name, true)
	}
}

// checkSymbol checks what is answered of a name.
func checkSymbol(t *testing.T, want, got *overlay.View, name string, deep bool) {
	t.Helper()
	ctx := t.Context()
	defs := lookup.Find(ctx, want, name, lookup.Pick{})
	none := lookup.Pick{}
	same(t, "inheritance of "+name, lookup.Inherited(ctx, want, name, none), lookup.Inherited(ctx, got, name, none))
	same(t, "definitions of "+name, defs, lookup.Find(ctx, got, name, lookup.Pick{}))
	for _, d := range defs {
		same(t, "uses of "+d.ID, usage.Of(ctx, want, d, usage.Options{}), usage.Of(ctx, got, d, usage.Options{}))
		same(t, "implementations of "+d.ID, usage.Implementations(ctx, want, d), usage.Implementations(ctx, got, d))
		for _, up := range []bool{false, true} {
			a, _ := lineage.Hierarchy(ctx, want, d, up)
			b, _ := lineage.Hierarchy(ctx, got, d, up)
			same(t, "hierarchy of "+d.ID, a, b)
		}
		for _, dir := range []lineage.Direction{lineage.Upstream, lineage.Downstream} {
			if !deep {
				continue
			}
			bounds := lineage.Options{Depth: 4, Hub: 6, MaxResults: 30}
			a, err := lineage.Follow(ctx, want, d, dir, bounds)
			if err != nil {
				t.Fatal(err)
			}
			b, err := lineage.Follow(ctx, got, d, dir, bounds)
			if err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprintf("lineage %s of %s", dir, d.ID), a, b)
		}
		if deep {
			same(t, "what comes to "+d.ID, reaching(t, want, d), reaching(t, got, d))
		}
	}
}

// reaching is what comes to a symbol, also where nothing names it.
func reaching(t *testing.T, v *overlay.View, d overlay.Def) (all []lineage.Arrival) {
	t.Helper()
	from := lineage.Reach{Starts: []lineage.Start{{Def: d}}, Hops: 4}
	if _, err := lineage.Reaching(t.Context(), v, from, func(a lineage.Arrival) { all = append(all, a) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// same compares a rebuilt answer with an overlaid one.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		all := cmp.Exporter(func(reflect.Type) bool { return true })
		t.Fatalf("%s (-rebuilt +overlaid):\n%s", what, cmp.Diff(want, got, all))
	}
}

// What is answered over an overlay is what a rebuild answers, and what a build
// that goes on from the old graph makes is what a clean one makes.
func TestOverlayIsARebuild(t *testing.T) {
	runs, uses := 300, 0
	if testing.Short() {
		runs = 50
	}
	for seed := range uint64(runs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := newRandom(seed)
			before := r.tree()
			after := maps.Clone(before)
			for range 1 + r.IntN(3) {
				r.edit(after)
			}
			old := built(t, before, nil, 1)
			clean := built(t, after, nil, 1)
			if got := built(t, after, old, 2); got.ID() != clean.ID() {
				t.Errorf("incremental build %s, clean build %s", got.ID(), clean.ID())
			}
			want := overlay.Lay(clean, overlay.Changes{}, toyResolver)
			checkSame(t, want, overlay.Lay(old, changesOf(before, after), toyResolver))
			uses += clean.Stats().Edges
		})
	}
	if uses < runs*3 {
		t.Errorf("%d edges in %d trees: the trees test nothing", uses, runs)
	}
}
