package filefetch

import (
	"bytes"
	"strings"
	"testing"
)

// Lines that are skipped many at a time are those that are skipped one by one.
func TestSkipLines(t *testing.T) {
	for _, text := range []string{
		"", "\n", "one", strings.Repeat("\n", 3*stride), strings.Repeat("a line\n", stride),
		strings.Repeat("a\n", 2*linesApart), strings.Repeat("x", 3*stride),
		strings.Repeat("x", stride) + "\n" + strings.Repeat("y\n", 7) + strings.Repeat("z", 2*stride),
	} {
		at := 0
		for n := range bytes.Count([]byte(text), []byte("\n")) + 3 {
			for _, got := range []int{skipLines([]byte(text), n), marksOf([]byte(text)).skip([]byte(text), n)} {
				if got != at {
					t.Fatalf("%d lines of %.20q end at %d, want %d", n, text, got, at)
				}
			}
			_, rest, _ := strings.Cut(text[at:], "\n")
			at = len(text) - len(rest)
		}
	}
}
