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
	"github.com/ragnav/ragnav/internal/nav/resolve"
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

func all(string) bool { return true }

// sameViews checks that two views answer the same, of what has names that are chosen and of
// more.
func sameViews(t *testing.T, want, got *overlay.View, chosen func(name string) bool, more ...string) {
	t.Helper()
	ctx, none, w, names := t.Context(), lookup.Pick{}, want.World(), map[string]bool{}
	for _, name := range more {
		names[name] = true
	}
	for f := range resolve.FileID(w.Len()) {
		p := w.Path(f)
		same(t, "references in "+p, usage.References(want, p), usage.References(got, p))
		for _, ref := range w.File(f).Refs {
			if chosen(ref.Name) {
				names[ref.Name] = true
				a, _ := usage.At(want, p, ref.Line, ref.Column)
				b, _ := usage.At(got, p, ref.Line, ref.Column)
				same(t, fmt.Sprintf("what stands at %s:%d:%d", p, ref.Line, ref.Column), a, b)
			}
		}
		for i, s := range w.File(f).Symbols {
			if chosen(s.Name) {
				d := w.Def(resolve.SymbolID{File: f, Index: int32(i)})
				names[s.Name], names[s.Qualified], names[d.ID] = true, true, true
				same(t, "description of "+d.ID, d, got.World().Def(d.Symbol))
				sameDefs(t, want, got, d)
			}
		}
	}
	for name := range got.World().Names { // also of what is gone
		if chosen(name) {
			names[name] = true
		}
	}
	for name := range names {
		same(t, "places of "+name, usage.Places(want, name), usage.Places(got, name))
		same(t, "definitions of "+name, lookup.Find(ctx, want, name, none), lookup.Find(ctx, got, name, none))
		same(t, "inheritance of "+name, lookup.Inherited(ctx, want, name, none), lookup.Inherited(ctx, got, name, none))
	}
	a, n, between := usage.Ranking(ctx, want, 1000, all, all)
	b, m, betweenEdited := usage.Ranking(ctx, got, 1000, all, all)
	same(t, "ranking", a, b)
	same(t, "ranked", n, m)
	same(t, "uses between folders", between, betweenEdited)
}

// sameDefs checks what is answered of a declaration.
func sameDefs(t *testing.T, want, got *overlay.View, d overlay.Def) {
	t.Helper()
	ctx := t.Context()
	same(t, "uses of "+d.ID, usesOf(ctx, want, d, usage.Options{}), usesOf(ctx, got, d, usage.Options{}))
	same(t, "implementations of "+d.ID, usage.Implementations(ctx, want, d), usage.Implementations(ctx, got, d))
	for _, up := range []bool{false, true} {
		a, _ := lineage.Hierarchy(ctx, want, d, up)
		b, _ := lineage.Hierarchy(ctx, got, d, up)
		same(t, "hierarchy of "+d.ID, a, b)
	}
	for _, dir := range []lineage.Direction{lineage.Upstream, lineage.Downstream} {
		bounds := lineage.Options{Depth: 4, Hub: 6, MaxResults: 30}
		a, _ := lineage.Follow(ctx, want, d, dir, bounds)
		b, _ := lineage.Follow(ctx, got, d, dir, bounds)
		same(t, fmt.Sprintf("lineage %s of %s", dir, d.ID), a, b)
	}
	same(t, "what comes to "+d.ID, reaching(t, want, d), reaching(t, got, d))
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
			if again := built(t, after, old, 2); again.ID() != clean.ID() {
				t.Errorf("incremental build %s, clean build %s", again.ID(), clean.ID())
			}
			want := overlay.Lay(clean, overlay.Changes{}, toyResolver)
			got := overlay.Lay(old, changesOf(before, after), toyResolver)
			sameViews(t, want, got, all, names...)
			uses += clean.Stats().Edges
		})
	}
	if uses < runs*3 {
		t.Errorf("%d edges in %d trees: the trees test nothing", uses, runs)
	}
}

// What is decoded may be let go of at any time, and is counted while it is kept.
func TestForgetWhileItIsAsked(t *testing.T) {
	for seed := range uint64(5) {
		files := newRandom(seed).tree()
		g := built(t, files, nil, 1)
		want := overlay.Lay(built(t, files, nil, 1), overlay.Changes{}, toyResolver)
		ended, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for {
				select {
				case <-done:
					return
				default:
					g.Age()
					g.Forget()
				}
			}
		}()
		sameViews(t, want, overlay.Lay(g, overlay.Changes{}, toyResolver), all, names...)
		close(done)
		<-ended
		g.Forget()
		none := g.Kept()
		sameViews(t, want, overlay.Lay(g, overlay.Changes{}, toyResolver), all, names...)
		if kept := g.Kept(); none != 0 || kept == 0 && g.Stats().References > 0 {
			t.Errorf("%d bytes are kept after all were let go of, then %d", none, kept)
		}
		before := g.Kept()
		g.Age()
		young := g.Kept()
		g.Age()
		if old := g.Kept(); young != before || old != 0 {
			t.Errorf("of %d bytes that were asked for %d are kept, and %d when nobody asked again", before, young, old)
		}
	}
}
