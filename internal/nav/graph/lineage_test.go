package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

func followed(t *testing.T, v *overlay.View, ask string, dir lineage.Direction, o lineage.Options) lineage.Result {
	t.Helper()
	defs := lookup.Find(t.Context(), v, ask, lookup.Pick{})
	if len(defs) != 1 {
		t.Fatalf("%d definitions of %q", len(defs), ask)
	}
	l, err := lineage.Follow(t.Context(), v, defs[0], dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func steps(l lineage.Result) []string {
	var all []string
	for _, item := range l.Items {
		var path []string
		for _, d := range item.Path {
			path = append(path, d.Qualified)
		}
		all = append(all, fmt.Sprintf("%d %s %s:%d %s", item.Depth, strings.Join(path, " "), item.File, item.Line, item.Edge))
	}
	return all
}

func TestLineage(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	for _, test := range []struct {
		name, ask string
		dir       lineage.Direction
		want      []string
	}{
		{"who reaches it, through an interface", "charge", lineage.Upstream, []string{
			"1 charge Card.Pay pay/pay.go:7 calls",
			"2 charge Card.Pay Payer.Pay pay/pay.go:7 implements",
			"3 charge Card.Pay Payer.Pay run main.go:15 calls",
		}},
		{"what it reaches, through an interface", "run", lineage.Downstream, []string{
			"1 run Payer main.go:14 uses_type",
			"1 run Cart main.go:14 uses_type",
			"1 run Payer.Pay main.go:15 calls",
			"1 run Cart.Total main.go:15 calls",
			"2 run Cart Item cart/cart.go:5 uses_type",
			"2 run Cart.Total total cart/cart.go:15 calls",
			"2 run Cart.Total Cart.items cart/cart.go:15 reads",
			"2 run Payer.Pay Card.Pay pay/pay.go:7 implements",
			"2 run Payer.Pay Cash.Pay pay/pay.go:11 implements",
			"3 run Payer.Pay Card.Pay Card pay/pay.go:7 uses_type",
			"3 run Payer.Pay Card.Pay charge pay/pay.go:7 calls",
			"3 run Payer.Pay Cash.Pay Cash pay/pay.go:11 uses_type",
		}},
		{"a type, by fields of others", "Item", lineage.Upstream, []string{
			"1 Item Cart cart/cart.go:5 uses_type",
			"1 Item Cart.Add cart/cart.go:13 uses_type",
			"1 Item total cart/cart.go:17 uses_type",
			"2 Item Cart New cart/cart.go:11 uses_type",
			"2 Item Cart Cart.Total cart/cart.go:15 uses_type",
			"2 Item Cart.Add TestTotal cart/cart_test.go:7 calls",
			"2 Item Cart.Add main main.go:10 calls",
			"2 Item Cart run main.go:14 uses_type",
		}},
		{"a function that calls itself, once", "total", lineage.Upstream, []string{
			"1 total Cart.Total cart/cart.go:15 calls",
			"1 total total cart/cart.go:21 calls",
			"2 total Cart.Total TestTotal cart/cart_test.go:8 calls",
			"2 total Cart.Total run main.go:15 calls",
			"3 total Cart.Total run main main.go:11 calls",
		}},
		{"what a function that calls itself reaches", "total", lineage.Downstream, []string{
			"1 total Item cart/cart.go:17 uses_type",
			"1 total total cart/cart.go:21 calls",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := followed(t, v, test.ask, test.dir, lineage.Options{Recursion: true})
			if diff := cmp.Diff(test.want, steps(l)); diff != "" {
				t.Errorf("lineage (-want +got):\n%s", diff)
			}
			if l.Total != len(l.Items) || len(l.Hubs) > 0 || l.Cut {
				t.Errorf("total %d of %d, hubs %v, cut %t", l.Total, len(l.Items), l.Hubs, l.Cut)
			}
		})
	}
}

// Whatever is reached downstream reaches back upstream, at the same depth.
func TestLineageHasTwoEnds(t *testing.T) {
	for seed := range uint64(60) {
		v := overlay.Lay(built(t, newRandom(seed).tree(), nil, 1), overlay.Changes{}, nil)
		far := lineage.Options{Depth: 2, Hub: 1e6, MaxResults: 1e6}
		for _, name := range names {
			for _, d := range lookup.Find(t.Context(), v, name, lookup.Pick{}) {
				if d.Kind != "func" && d.Kind != "method" {
					continue // the start of a downstream lineage stands for what is inside of it
				}
				down, err := lineage.Follow(t.Context(), v, d, lineage.Downstream, far)
				if err != nil {
					t.Fatal(err)
				}
				for _, item := range down.Items {
					checkBack(t, v, d, item, far)
				}
			}
		}
	}
}

func checkBack(t *testing.T, v *overlay.View, d overlay.Def, item lineage.Reached, far lineage.Options) {
	t.Helper()
	up, err := lineage.Follow(t.Context(), v, item.Def, lineage.Upstream, far)
	if err != nil {
		t.Fatal(err)
	}
	for _, back := range up.Items {
		if back.Def.ID == d.ID {
			if back.Depth != item.Depth {
				t.Errorf("%s reaches %s in %d hops, the way back has %d", d.ID, item.Def.ID, item.Depth, back.Depth)
			}
			return
		}
	}
	if item.Def.ID != d.ID {
		t.Errorf("%s reaches %s, there is no way back", d.ID, item.Def.ID)
	}
}

func TestLineageOfTests(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	l := followed(t, v, "total", lineage.Upstream, lineage.Options{
		Keep: func(r lineage.Reached) bool { return strings.HasSuffix(r.Def.File, "_test.go") },
	})
	if diff := cmp.Diff([]string{"2 total Cart.Total TestTotal cart/cart_test.go:8 calls"}, steps(l)); diff != "" {
		t.Errorf("tests that reach it (-want +got):\n%s", diff)
	}
}

func TestLineageIsBoundedHonestly(t *testing.T) {
	var calls strings.Builder
	for i := range 30 {
		fmt.Fprintf(&calls, "func f%d() { middle() }\n", i)
	}
	v := overlay.Lay(goGraph(t, "-- a.go --\npackage a\n\nfunc deep() { deep() }\n\nfunc middle() { deep() }\n\n"+
		"func top() { f1() }\n\n"+calls.String()), overlay.Changes{}, goResolver)
	all := followed(t, v, "deep", lineage.Upstream, lineage.Options{})
	if all.Total != 32 || len(all.Items) != 32 || all.Cut {
		t.Errorf("%d of %d items, cut %t", len(all.Items), all.Total, all.Cut)
	}
	few := followed(t, v, "deep", lineage.Upstream, lineage.Options{MaxResults: 5})
	if few.Total != 32 || len(few.Items) != 5 {
		t.Errorf("%d of %d items", len(few.Items), few.Total)
	}
	again := followed(t, v, "deep", lineage.Upstream, lineage.Options{Recursion: true})
	if again.Total != 33 || len(again.Items) != 33 || again.Items[0].Def.Qualified != "deep" || len(again.Hubs) > 0 {
		t.Errorf("%d of %d items with the call to itself, hubs %v", len(again.Items), again.Total, again.Hubs)
	}
	near := followed(t, v, "deep", lineage.Upstream, lineage.Options{Depth: 1})
	if near.Total != 1 {
		t.Errorf("%d items one hop away", near.Total)
	}
	hub := followed(t, v, "deep", lineage.Upstream, lineage.Options{Hub: 10})
	if diff := cmp.Diff([]string{"a.go:middle"}, ids(hub.Hubs)); diff != "" || hub.Total != 1 {
		t.Errorf("%d items, hubs (-want +got):\n%s", hub.Total, diff)
	}
	if all.Items[0].Confidence != 1 {
		t.Errorf("confidence %v of a sure step", all.Items[0].Confidence)
	}
}

func TestLineageIsCancelled(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	charge := lookup.Find(t.Context(), v, "charge", lookup.Pick{})[0]
	if _, err := lineage.Follow(ctx, v, charge, lineage.Upstream, lineage.Options{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestParseDirection(t *testing.T) {
	for want, all := range map[lineage.Direction][]string{
		lineage.Upstream:   {"upstream", "callers", "incoming", "used_by"},
		lineage.Downstream: {"downstream", "callees", "outgoing", "uses"},
	} {
		for _, s := range all {
			if got, err := lineage.ParseDirection(s); got != want || err != nil {
				t.Errorf("%s is %s, %v", s, got, err)
			}
		}
	}
	for _, s := range []string{"", "up", "Upstream "} {
		if _, err := lineage.ParseDirection(s); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: %v", s, err)
		}
	}
}
