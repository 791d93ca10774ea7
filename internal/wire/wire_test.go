package wire_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/ragnav/ragnav/internal/wire"
)

func TestNumbersComeBack(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 20, math.MaxInt64, math.MinInt64} {
		r := wire.Reader[[]byte]{Rest: binary.AppendVarint(nil, n)}
		if got := r.Varint(); got != n || r.Bad || len(r.Rest) > 0 {
			t.Errorf("%d came back as %d, bad %v, %d bytes left", n, got, r.Bad, len(r.Rest))
		}
		s := wire.Reader[string]{Rest: string(binary.AppendUvarint(nil, uint64(n)))}
		if got := s.Uvarint(); got != uint64(n) || s.Bad || s.Rest != "" {
			t.Errorf("%d came back as %d, bad %v, %d bytes left", uint64(n), got, s.Bad, len(s.Rest))
		}
	}
}

func TestTextsComeBack(t *testing.T) {
	r := wire.Reader[string]{Rest: string(wire.AppendText(wire.AppendText(nil, ""), []byte("two"))) + "x"}
	if a, b, c := r.Text(), r.Text(), r.Byte(); a != "" || b != "two" || c != 'x' || r.Bad || r.Rest != "" {
		t.Errorf("got %q, %q, %q, bad %v, %q left", a, b, c, r.Bad, r.Rest)
	}
}

// What can't be makes a reader bad, and all that is read then zero.
func TestDamageIsNoticed(t *testing.T) {
	type reader = wire.Reader[[]byte]
	long := binary.AppendUvarint(nil, math.MaxUint64)
	long[9] = 2
	for name, c := range map[string]struct {
		in   []byte
		read func(*reader) int
	}{
		"nothing":         {nil, func(r *reader) int { return int(r.Uvarint()) }},
		"half a number":   {[]byte{0x80}, func(r *reader) int { return int(r.Uvarint()) }},
		"over 64 bits":    {long, func(r *reader) int { return int(r.Uvarint()) }},
		"no byte":         {nil, func(r *reader) int { return int(r.Byte()) }},
		"a large number":  {binary.AppendUvarint(nil, 1<<31), (*reader).Int},
		"a large one":     {binary.AppendVarint(nil, 1<<31), (*reader).Int32},
		"a low one":       {binary.AppendVarint(nil, -1<<31-1), (*reader).Int32},
		"above the limit": {[]byte{8}, func(r *reader) int { return r.UpTo(7) }},
		"too many":        {[]byte{2, 1}, (*reader).Count},
		"half a text":     {[]byte{2, 'a'}, func(r *reader) int { return len(r.Text()) }},
	} {
		t.Run(name, func(t *testing.T) {
			r := reader{Rest: append(c.in, 1)[:len(c.in)]}
			if got := c.read(&r); got != 0 || !r.Bad {
				t.Errorf("read %d, bad %v; want 0, true", got, r.Bad)
			}
			if n := r.Uvarint() + uint64(r.Byte()) + uint64(len(r.Take(1))); n != 0 || !r.Bad {
				t.Errorf("afterwards it reads %d, bad %v; want 0, true", n, r.Bad)
			}
		})
	}
}

func FuzzUvarint(f *testing.F) {
	f.Add([]byte{0x80, 1})
	f.Fuzz(func(t *testing.T, in []byte) {
		want, size := binary.Uvarint(in)
		r := wire.Reader[[]byte]{Rest: in}
		got := r.Uvarint()
		if r.Bad != (size <= 0) || !r.Bad && (got != want || len(r.Rest) != len(in)-size) {
			t.Errorf("got %d, bad %v, %d left; binary.Uvarint says %d in %d bytes of %d", got, r.Bad, len(r.Rest), want,
				size, len(in))
		}
	})
}
