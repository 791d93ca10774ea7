package graph_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

func ids(defs []overlay.Def) []string {
	var all []string
	for _, d := range defs {
		all = append(all, d.ID)
	}
	return all
}

func TestFind(t *testing.T) {
	v := overlay.Lay(goGraph(t, shop+`
-- old/cart.go --
package old

type Cart struct{}

func (Cart) Add() {}

func init() {}

func init() {}
`), overlay.Changes{}, goResolver)
	for _, test := range []struct {
		name, ask string
		pick      lookup.Pick
		want      []string
	}{
		{"bare", "Total", lookup.Pick{}, []string{"cart/cart.go:Cart.Total"}},
		{"bare and ambiguous", "New", lookup.Pick{}, []string{"cart/cart.go:New", "main.go:New"}},
		{"with a type", "Cart.Add", lookup.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"with a package", "cart.Cart.Add", lookup.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"with a folder", "old.Cart.Add", lookup.Pick{}, []string{"old/cart.go:Cart.Add"}},
		{"package and function", "cart.New", lookup.Pick{}, []string{"cart/cart.go:New"}},
		{"other separators", "Cart::Add()", lookup.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"as Go prints it", "old.(*Cart).Add", lookup.Pick{}, []string{"old/cart.go:Cart.Add"}},
		{"without a package", "(*Cart).Total", lookup.Pick{}, []string{"cart/cart.go:Cart.Total"}},
		{"import path", "example.org/shop/cart.New", lookup.Pick{}, nil},
		{"path of folders", "cart/cart.New", lookup.Pick{}, []string{"cart/cart.go:New"}},
		{"id", "cart/cart.go:Cart.Add", lookup.Pick{}, []string{"cart/cart.go:Cart.Add"}},
		{"end of a path", "cart.go:Cart.Add", lookup.Pick{}, []string{"cart/cart.go:Cart.Add", "old/cart.go:Cart.Add"}},
		{"path and bare name", "cart/cart.go:Add", lookup.Pick{}, []string{"cart/cart.go:Cart.Add"}},
		{"as a file is read by symbol", "cart/cart.go#Cart.Add", lookup.Pick{}, []string{"cart/cart.go:Cart.Add"}},
		{"as a file is read by bare symbol", "old/cart.go#Add", lookup.Pick{}, []string{"old/cart.go:Cart.Add"}},
		{"a file without the symbol", "main.go#Add", lookup.Pick{}, nil},
		{"not the end of a path", "art.go:Add", lookup.Pick{}, nil},
		{"first of the same", "old/cart.go:init", lookup.Pick{}, []string{"old/cart.go:init", "old/cart.go:init~2"}},
		{"second of the same", "old/cart.go:init~2", lookup.Pick{}, []string{"old/cart.go:init~2"}},
		{"there is no third", "old/cart.go:init~3", lookup.Pick{}, nil},
		{"case", "cart.total", lookup.Pick{}, []string{"cart/cart.go:total"}},
		{"other case", "TOTAL", lookup.Pick{}, []string{"cart/cart.go:Cart.Total", "cart/cart.go:total"}},
		{"other case of all", "CART.TOTAL", lookup.Pick{}, []string{"cart/cart.go:Cart.Total", "cart/cart.go:total"}},
		{"picked by file", "New", lookup.Pick{File: "main.go"}, []string{"main.go:New"}},
		{"picked by end of path", "New", lookup.Pick{File: "cart.go"}, []string{"cart/cart.go:New"}},
		{"picked by line", "New", lookup.Pick{Line: 19}, []string{"main.go:New"}},
		{"picked by a line inside", "Cart", lookup.Pick{File: "cart/cart.go", Line: 6}, []string{"cart/cart.go:Cart"}},
		{"picked wrongly", "New", lookup.Pick{Line: 1000}, nil},
		{"unknown", "Nothing", lookup.Pick{}, nil},
		{"empty", " ", lookup.Pick{}, nil},
		{"only separators", "::", lookup.Pick{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, ids(lookup.Find(t.Context(), v, test.ask, test.pick))); diff != "" {
				t.Errorf("Find(%q, %+v) (-want +got):\n%s", test.ask, test.pick, diff)
			}
		})
	}
}
