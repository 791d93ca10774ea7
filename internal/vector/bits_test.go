package vector

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func members(b Bits) []int {
	var out []int
	for i := range len(b) * 64 {
		if b.Has(i) {
			out = append(out, i)
		}
	}
	return out
}

func setOf(n int, members ...int) Bits {
	b := NewBits(n)
	for _, i := range members {
		b.Set(i)
	}
	return b
}

func TestBits(t *testing.T) {
	tests := []struct {
		name string
		do   func(b Bits)
		want []int
	}{
		{"as made", func(Bits) {}, []int{0, 63, 64, 130}},
		{"set twice", func(b Bits) { b.Set(5); b.Set(5) }, []int{0, 5, 63, 64, 130}},
		{"clear", func(b Bits) { b.Clear(63); b.Clear(1) }, []int{0, 64, 130}},
		{"and", func(b Bits) { b.And(setOf(200, 0, 1, 130)) }, []int{0, 130}},
		{"and a shorter set", func(b Bits) { b.And(setOf(64, 0, 1)) }, []int{0}},
		{"and nil", func(b Bits) { b.And(nil) }, nil},
		{"or", func(b Bits) { b.Or(setOf(64, 1)) }, []int{0, 1, 63, 64, 130}},
		{"or a longer set with nothing more", func(b Bits) { b.Or(setOf(1000, 1)) }, []int{0, 1, 63, 64, 130}},
		{"and not", func(b Bits) { b.AndNot(setOf(500, 1, 64, 400)) }, []int{0, 63, 130}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := setOf(131, 0, 63, 64, 130)
			tt.do(b)
			if diff := cmp.Diff(tt.want, members(b)); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			if b.Count() != len(tt.want) {
				t.Errorf("Count = %d, want %d", b.Count(), len(tt.want))
			}
			if b.Has(-1) || b.Has(100_000) {
				t.Error("has a number that it has no room for")
			}
		})
	}
}

func TestRunsCoverTheSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n := 1 + rng.IntN(400)
		b := NewBits(n)
		for i, on := 0, false; i < n; i++ {
			if rng.IntN(20) == 0 {
				on = !on
			}
			if on {
				b.Set(i)
			}
		}
		low := rng.IntN(n)
		high := low + rng.IntN(n-low+1)
		want := slices.DeleteFunc(members(b), func(i int) bool { return i < low || i >= high })
		var got []int
		for from, to := b.run(low, high); from < to; from, to = b.run(to, high) {
			if to < high && b.Has(to) {
				t.Fatalf("the run %d..%d stops early", from, to)
			}
			for i := from; i < to; i++ {
				got = append(got, i)
			}
		}
		if !slices.Equal(want, got) {
			t.Fatalf("runs in %d..%d cover %v, want %v", low, high, got, want)
		}
	}
}
