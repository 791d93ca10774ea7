package chat

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// However a text is cut into pieces, the same of it comes through.
func TestLimitPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const text = "aab aabab é\n\n[1] ababa…\nab"
	for _, stops := range [][]string{
		nil, {"ab a"}, {"aba", "b\n"}, {"é\n\n[2]", "é\n\n[1]"}, {"aaab"}, {"x", "\nabc"}, {"[1] abab", "1", "] a"},
	} {
		for left := -1; left <= len(text)+1; left++ {
			whole := Limit{stops: stops, left: left}
			want := whole.Take(text) + whole.Rest()
			for range 20 {
				l := Limit{stops: stops, left: left}
				var got strings.Builder
				for rest := []rune(text); len(rest) > 0; {
					n := min(len(rest), 1+random.IntN(4))
					got.WriteString(l.Take(string(rest[:n])))
					rest = rest[n:]
				}
				got.WriteString(l.Rest())
				if got.String() != want || l.Reason() != whole.Reason() {
					t.Fatalf("%q, %d: %q (%s) in pieces, %q (%s) whole", stops, left, got.String(), l.Reason(), want, whole.Reason())
				}
			}
		}
	}
}

func TestLimit(t *testing.T) {
	for _, test := range []struct {
		stops        []string
		left         int
		text         string
		want, reason string
	}{
		{nil, -1, "abc", "abc", "stop"},
		{nil, 3, "abc", "abc", "stop"},
		{nil, 2, "abc", "ab", "length"},
		{nil, 2, "aé", "a", "length"},
		{[]string{"c", "b"}, -1, "abc", "a", "stop"},
		{[]string{"c"}, 1, "abc", "a", "length"},
		{[]string{"cd"}, -1, "abc", "abc", "stop"},
		{[]string{"a"}, 0, "abc", "", "stop"},
	} {
		l := Limit{stops: test.stops, left: test.left}
		if got := l.Take(test.text) + l.Rest(); got != test.want || l.Reason() != test.reason {
			t.Errorf("%+v: %q (%s)", test, got, l.Reason())
		}
	}
}
