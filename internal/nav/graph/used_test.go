package graph_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
)

func useLines(uses []usage.Use) []string {
	var all []string
	for _, u := range uses {
		all = append(all, fmt.Sprintf("%s:%d:%d %s by %s", u.File, u.Line, u.Column, u.Edge, u.In.Qualified))
	}
	return all
}

func TestUses(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	for _, test := range []struct {
		name, ask string
		want      []string
	}{
		{
			"a function, by itself too", "total",
			[]string{"cart/cart.go:15:37 calls by Cart.Total", "cart/cart.go:21:13 calls by total"},
		},
		{
			"the one that is meant", "cart.New",
			[]string{"cart/cart_test.go:6:7 calls by TestTotal", "main.go:9:12 calls by main"},
		},
		{"not the other one", "main.New", nil},
		{
			"a method by the types of locals", "Cart.Add",
			[]string{"cart/cart_test.go:7:4 calls by TestTotal", "main.go:10:4 calls by main"},
		},
		{"an interface's method", "Payer.Pay", []string{"main.go:15:4 calls by run"}},
		{"a method behind an interface", "Card.Pay", nil},
		{"a constant", "limit", []string{"main.go:19:25 reads by New"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			defs := lookup.Find(t.Context(), v, test.ask, lookup.Pick{})
			if len(defs) != 1 {
				t.Fatalf("%d definitions of %q", len(defs), test.ask)
			}
			u := usesOf(t.Context(), v, defs[0], usage.Options{})
			if diff := cmp.Diff(test.want, useLines(u.Uses)); diff != "" {
				t.Errorf("uses of %s (-want +got):\n%s", test.ask, diff)
			}
		})
	}
}

func TestUsesThroughInterfaces(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	card := usesOf(t.Context(), v, lookup.Find(t.Context(), v, "Card.Pay", lookup.Pick{})[0], usage.Options{})
	if diff := cmp.Diff([]string{"pay/pay.go:Payer.Pay"}, ids(card.Via)); diff != "" || card.ViaUses != 1 {
		t.Errorf("via with %d uses, want 1 (-want +got):\n%s", card.ViaUses, diff)
	}
	payer := usesOf(t.Context(), v, lookup.Find(t.Context(), v, "Payer.Pay", lookup.Pick{})[0], usage.Options{})
	if diff := cmp.Diff([]string{"pay/pay.go:Card.Pay", "pay/pay.go:Cash.Pay"}, ids(payer.Implementations)); diff != "" {
		t.Errorf("implementations (-want +got):\n%s", diff)
	}
	types := usage.Implementations(t.Context(), v, lookup.Find(t.Context(), v, "Payer", lookup.Pick{})[0])
	if diff := cmp.Diff([]string{"pay/pay.go:Card", "pay/pay.go:Cash"}, ids(types)); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}

func TestUsesThatAreWanted(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	d := lookup.Find(t.Context(), v, "Item", lookup.Pick{})[0]
	if all := usesOf(t.Context(), v, d, usage.Options{}).Uses; len(all) < 3 {
		t.Fatalf("%d uses", len(all))
	}
	made := lookup.Find(t.Context(), v, "cart.New", lookup.Pick{})[0] // in cart/cart_test.go and main.go
	inMain := func(file string) bool { return file == "main.go" }
	kept := usesOf(t.Context(), v, made, usage.Options{Keep: inMain})
	if len(kept.Uses) != 1 || kept.Uses[0].File != "main.go" {
		t.Errorf("kept %+v", kept.Uses)
	}
	isTest := func(file string) bool { return file != "main.go" }
	last := usesOf(t.Context(), v, made, usage.Options{Last: isTest})
	if len(last.Uses) != 2 || last.Last != 1 || last.Uses[0].File != "main.go" {
		t.Errorf("%d of %d come last: %+v", last.Last, len(last.Uses), last.Uses)
	}
	if none := usesOf(t.Context(), v, d, usage.Options{Edges: []string{"writes"}}); len(none.Uses) != 0 {
		t.Errorf("%d writes of a type", len(none.Uses))
	}
}

// Several candidates stay candidates.
func TestCandidates(t *testing.T) {
	v := overlay.Lay(built(t, tree{"a.toy": text(&facts.File{
		Symbols: []facts.Symbol{
			{Name: "One", Qualified: "One", Kind: "struct", Parent: -1, Line: 1},
			{Name: "ping", Qualified: "One.ping", Kind: "method", Parent: 0, Line: 2},
			{Name: "Two", Qualified: "Two", Kind: "struct", Parent: -1, Line: 3},
			{Name: "ping", Qualified: "Two.ping", Kind: "method", Parent: 2, Line: 4},
		},
		Refs: []facts.Ref{{Name: "ping", Kind: facts.Call, Of: facts.Unknown, In: -1, Line: 5, Column: 3}},
	})}, nil, 1), overlay.Changes{}, nil)
	defs := lookup.Find(t.Context(), v, "ping", lookup.Pick{})
	if len(defs) != 2 {
		t.Fatalf("%d definitions", len(defs))
	}
	for _, d := range defs {
		want := []usage.Use{{
			File: "a.toy", Line: 5, Column: 3, Edge: "calls", Tier: "F", Confidence: 0.35,
			Candidates: []string{defs[0].ID, defs[1].ID},
		}}
		got := usesOf(t.Context(), v, d, usage.Options{}).Uses
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(overlay.Def{})); diff != "" {
			t.Errorf("uses of %s (-want +got):\n%s", d.ID, diff)
		}
	}
}

func TestPlaces(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop), overlay.Changes{}, goResolver)
	want := []usage.Place{
		{File: "cart/cart.go", Line: 11, Column: 6},
		{File: "cart/cart_test.go", Line: 6, Column: 7},
		{File: "main.go", Line: 9, Column: 12},
		{File: "main.go", Line: 19, Column: 6},
	}
	if diff := cmp.Diff(want, usage.Places(v, "New")); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// Names of its own begin where a symbol is that has none, as the type parameters of a
// call signature: "<A>(f: A): B".
func TestAtSignature(t *testing.T) {
	files := tree{"a.toy": `{"Symbols": [{"Name": "()", "Qualified": "T.()", "Kind": "method", "Parent": -1, "Line": 2,
		"Column": 3, "StartLine": 2, "EndLine": 2}]}`}
	g, _, err := build.Graph(t.Context(), files.input(), nil)
	if err != nil {
		t.Fatal(err)
	}
	v := overlay.Lay(g, overlay.Changes{}, toyResolver)
	for column, want := range map[int]bool{2: false, 3: true, 4: false, 5: false} {
		if _, got := usage.At(v, "a.toy", 2, column); got != want {
			t.Errorf("column %d: got %v, want %v", column, got, want)
		}
	}
}

// Of a name of which it is not known what it means, all places are told, or the first one in each symbol.
func TestUnknownPlaces(t *testing.T) {
	g := goGraph(t, "-- go.mod --\nmodule example.com/m\n-- a.go --\npackage m\n\n"+
		"func one() {\n\tno().nosuch()\n\tno().nosuch()\n}\n\n"+
		"func two() {\n\tno().nosuch()\n}\n\nvar _ = no().nosuch() + no().nosuch()\n")
	v := overlay.Lay(g, overlay.Changes{}, goResolver)
	for _, c := range []struct {
		few  bool
		want []int
	}{{false, []int{4, 5, 9, 12, 12}}, {true, []int{4, 9, 12}}} {
		places, all := usage.Unknown(t.Context(), v, usage.Sought{
			Name: "nosuch", Outside: true, Few: c.few, Takes: func(string) bool { return true },
		})
		var lines []int
		for _, p := range places {
			lines = append(lines, p.Line)
		}
		if diff := cmp.Diff(c.want, lines); diff != "" || !all {
			t.Errorf("few %v, all %v (-want +got):\n%s", c.few, all, diff)
		}
	}
}
