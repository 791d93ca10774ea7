package filekind

import "testing"

// A control character is found wherever it stands, and nothing else is taken for one.
func TestHasControls(t *testing.T) {
	for b := range 256 {
		for at := range 20 {
			text := []byte("Text, é\ttabs\r\n\x1b and\n")
			text[at] = byte(b)
			if got := hasControls(text); got != notOfText[b] {
				t.Errorf("%q: %v, want %v", text, got, notOfText[b])
			}
		}
	}
}
