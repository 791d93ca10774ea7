package text

import (
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
)

// A counter that was made for a long text is empty for a short one.
func TestCounterIsEmptied(t *testing.T) {
	c := &counter{table: make([]uint32, counterSlots)}
	for _, n := range []int{5, 40, 2000, 3, 500, 1, 0} {
		for i := range n {
			c.add(&fts.Token{Number: uint32(i % 7 * (counterSlots - 1))}) //nolint:gosec // small
		}
		if c.total != n || len(c.terms) != n {
			t.Errorf("%d terms, %d different ones, want %d", c.total, len(c.terms), n)
		}
		c.empty()
		clear(c.terms)
		c.terms, c.total = c.terms[:0], 0
		for i, at := range c.table {
			if at != 0 {
				t.Fatalf("after %d terms slot %d of %d is %d", n, i, len(c.table), at)
			}
		}
	}
}
