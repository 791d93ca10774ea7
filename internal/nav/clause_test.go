//go:build cgo

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
)

// clauses has functions of Elixir of several clauses: with a head that has none of
// the code, with another number of arguments, and in two implementations of a protocol.
const clauses = `
-- a.ex --
defmodule A do
  def step(x, by \\ 1)
  def step(0, _), do: done(0)
  def step(x, by), do: step(x - by, by)
  def step(x, by, why), do: done({x, by, why})
  defp done(x), do: x
  def many(a, b, c), do: step(a, b, c)
end
-- size.ex --
defimpl Size, for: Map do
  def size(%{n: n}), do: n
  def size(map), do: A.step(map)
end
defimpl Size, for: List do
  def size([]), do: 0
  def size(list), do: A.many(list, 2, 1)
end
`

// The clauses of a function are one definition, and what each calls it calls. Of
// two functions of one name each is a definition.
func TestClausesAreOneFunction(t *testing.T) {
	svc := serviceOf(t, clauses)
	for _, tc := range []struct {
		symbol, direction string
		said              bool
		want              []string
	}{
		{"done", "upstream", false, []string{"A.step 1.00", "A.step 1.00", "A.many 1.00", "Size.size 1.00"}},
		{"A.step", "downstream", true, []string{"A.done 1.00", "A.done 1.00"}},
		{"size", "downstream", true, []string{
			"A 1.00", "A.step 1.00", "A 1.00", "A.many 1.00", "A.step 1.00", "A.done 1.00",
		}},
	} {
		resp, err := svc.Lineage(t.Context(), nav.LineageRequest{RepoID: "o/a", Symbol: tc.symbol, Direction: tc.direction})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range resp.Items {
			got = append(got, fmt.Sprintf("%s %.2f", item.Symbol, item.Confidence))
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s %s (-want +got): %s", tc.symbol, tc.direction, d)
		}
		if m := resp.Meta.Message; tc.said != (m != nil && strings.Contains(*m, "the name has 2 definitions")) {
			t.Errorf("%s: %s", tc.symbol, *m)
		}
	}

	resp, err := svc.Lineage(t.Context(), nav.LineageRequest{
		RepoID: "o/a", File: "a.ex", Line: new(2), Column: new(7), Direction: "downstream",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Items) != 1 || resp.Items[0].Symbol != "A.done" {
		t.Errorf("by place: %+v, want A.done, which a later clause calls", resp.Items)
	}
}
