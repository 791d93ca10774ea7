package graph

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Folded finds what a look at all names finds.
func TestFolded(t *testing.T) {
	alphabet := []rune("aAbBkKsS_1ſK{\x7fé")
	word := func() string {
		r := make([]rune, 1+rand.IntN(3))
		for i := range r {
			r[i] = alphabet[rand.IntN(len(alphabet))]
		}
		return string(r)
	}
	var names []string
	for range 600 {
		names = append(names, word())
	}
	slices.Sort(names)
	names = slices.Compact(names)
	all := &texts{starts: []uint32{0}, names: uint32(len(names))}
	for _, s := range names {
		all.text = append(all.text, s...)
		all.starts = append(all.starts, uint32(len(all.text)))
	}
	for _, name := range append(names, "", "zz", "zzz") {
		var got, want []string
		(&Names{texts: all}).Folded(name, func(s string) { got = append(got, s) })
		for _, s := range names {
			if name != "" && len(s) == len(name) && strings.EqualFold(s, name) {
				want = append(want, s)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
	}
}
