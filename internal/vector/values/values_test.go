package values

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func made(n int) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([][]byte, n)
	for i := range all {
		all[i] = []byte(strings.Repeat(fmt.Sprintf("value %d of some ", i), random.IntN(30)))
	}
	if n > 5 {
		all[5] = bytes.Repeat([]byte("large"), 3*chunkBytes)
	}
	return all
}

func TestEachValueIsRead(t *testing.T) {
	var again, reused Reader
	for _, n := range []int{0, 1, 2, 7, 500} {
		all := made(n)
		section := Encode(all)
		again.Reuse(section)
		inOrder := NewReader(section)
		for i, want := range all {
			reused.Reuse(section)
			for _, r := range []*Reader{inOrder, NewReader(section), &again, &reused} {
				if got, err := r.Value(i); err != nil || !bytes.Equal(got, want) {
					t.Errorf("value %d of %d: %d bytes, %v; want %d", i, n, len(got), err, len(want))
				}
			}
		}
		for _, i := range []int{-1, n, n + 1000} {
			if got, err := inOrder.Value(i); !errors.Is(err, ErrDamaged) {
				t.Errorf("value %d of %d: %d bytes, %v; want ErrDamaged", i, n, len(got), err)
			}
		}
	}
}

func TestValuesThatAreAlikeTakeFewBytes(t *testing.T) {
	all := made(500)
	size := 0
	for _, v := range all {
		size += len(v)
	}
	if got := len(Encode(all)); got > size/8 {
		t.Errorf("%d bytes of %d", got, size)
	}
}

// What is damaged is told or read as something else; it is never a panic.
func FuzzDamage(f *testing.F) {
	section := Encode(made(20))
	f.Add(section)
	f.Add(section[:7])
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		for i := range 25 {
			if _, err := r.Value(i); err != nil && !errors.Is(err, ErrDamaged) {
				t.Error(err)
			}
		}
	})
}

func TestAFlippedByteDoesNoHarm(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and in one goroutine")
	}
	section := Encode(made(40))
	for at := range section {
		damaged := bytes.Clone(section)
		damaged[at] ^= 0x85
		r := NewReader(damaged)
		for i := range 40 {
			if _, err := r.Value(i); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
		}
	}
}
