package graph_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/graph"
)

func ids(defs []graph.Def) []string {
	var all []string
	for _, d := range defs {
		all = append(all, d.ID)
	}
	return all
}

func TestFind(t *testing.T) {
	v := goGraph(t, shop+`
-- old/cart.go --
package old

type Cart struct{}

func (Cart) Add() {}

func init() {}

func init() {}
`).With(graph.Overlay{}, goResolver)
	for _, test := range []struct {
		name, ask string
		pick      graph.Pick
		want      []string
	}{
		{"bare", "Total", graph.Pick{}, []string{"cart/cart.go:Cart.Total"}},
		{"bare and ambiguous", "New", graph.Pick{}, []string{"cart/cart.go:New", "main.go:New"}},
		{"with a type", "Cart.Add", graph.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"with a package", "cart.Cart.Add", graph.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"with a folder", "old.Cart.Add", graph.Pick{}, []string{"old/cart.go:Cart.Add"}},
		{"package and function", "cart.New", graph.Pick{}, []string{"cart/cart.go:New"}},
		{"other separators", "Cart::Add()", graph.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"as Go prints it", "old.(*Cart).Add", graph.Pick{}, []string{"old/cart.go:Cart.Add"}},
		{"without a package", "(*Cart).Total", graph.Pick{}, []string{"cart/cart.go:Cart.Total"}},
		{"import path", "example.org/shop/cart.New", graph.Pick{}, nil},
		{"path of folders", "cart/cart.New", graph.Pick{}, []string{"cart/cart.go:New"}},
		{"id", "cart/cart.go:Cart.Add", graph.Pick{}, []string{"cart/cart.go:Cart.Add"}},
		{"end of a path", "cart.go:Cart.Add", graph.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"path and bare name", "cart/cart.go:Add", graph.Pick{}, []string{"cart/cart.go:Cart.Add"}},
		{"not the end of a path", "art.go:Add", graph.Pick{}, nil},
		{"first of the same", "old/cart.go:init", graph.Pick{}, []string{"old/cart.go:init", "old/cart.go:init~2"}},
		{"second of the same", "old/cart.go:init~2", graph.Pick{}, []string{"old/cart.go:init~2"}},
		{"there is no third", "old/cart.go:init~3", graph.Pick{}, nil},
		{"case", "cart.total", graph.Pick{}, []string{"cart/cart.go:total"}},
		{"other case", "TOTAL", graph.Pick{}, []string{"cart/cart.go:Cart.Total", "cart/cart.go:total"}},
		{"other case of all", "CART.TOTAL", graph.Pick{}, []string{"cart/cart.go:Cart.Total", "cart/cart.go:total"}},
		{"picked by file", "New", graph.Pick{File: "main.go"}, []string{"main.go:New"}},
		{"picked by end of path", "New", graph.Pick{File: "cart.go"}, []string{"cart/cart.go:New"}},
		{"picked by line", "New", graph.Pick{Line: 19}, []string{"main.go:New"}},
		{"picked by a line inside", "Cart", graph.Pick{File: "cart/cart.go", Line: 6}, []string{"cart/cart.go:Cart"}},
		{"picked wrongly", "New", graph.Pick{Line: 1000}, nil},
		{"unknown", "Nothing", graph.Pick{}, nil},
		{"empty", " ", graph.Pick{}, nil},
		{"only separators", "::", graph.Pick{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, ids(v.Find(test.ask, test.pick))); diff != "" {
				t.Errorf("Find(%q, %+v) (-want +got):\n%s", test.ask, test.pick, diff)
			}
		})
	}
}
