package search

import (
	"fmt"
	"math"
	"testing"
)

// Cosines of a model on a server begin anywhere: what they add is the same wherever they
// do, and for questions too. Those of the table count as they are.
func TestJoinedCosines(t *testing.T) {
	pool := func(from, width float64) (all []*candidate) {
		for i := range 150 {
			all = append(all, sym("a.go", fmt.Sprintf("F%d", i), func(c *candidate) {
				c.cosine, c.known = from+width*float64(150-i)/150, true
			}))
		}
		return all
	}
	for _, text := range []string{"finds the nearest exchange", "how is the nearest exchange found"} {
		q := asks(text)
		own := maximaOf(q, pool(0.1, 0.6))
		if own.weight != weightSemantic {
			t.Errorf("%s: cosines of the table count %v", text, own.weight)
		}
		q.joined = true
		for _, all := range [][]*candidate{pool(0.1, 0.6), pool(0.75, 0.2)} {
			m := maximaOf(q, all)
			if m.weight != weightJoined {
				t.Errorf("%s: joined cosines count %v", text, m.weight)
			}
			for at, want := range map[int]float64{0: 1, 50: 0.5, baseOf: 0, 120: -0.2} {
				if got := m.semantic(all[at]); math.Abs(got-want) > 1e-9 {
					t.Errorf("%s: number %d of cosines up to %v counts %v, want %v", text, at, all[0].cosine, got, want)
				}
			}
		}
		few := maximaOf(q, pool(0.75, 0.2)[:20])
		if few.base >= 0.5 {
			t.Errorf("%s: of 20 candidates the last counts nothing", text)
		}
	}
}
