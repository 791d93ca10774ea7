package change

import (
	"slices"
	"strings"
	"testing"
)

// Words begin where a case, a kind of letter or none does, and are compared by their first letters.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"HTTPServer": "http server", "readFile_fromDisk": "read file from disk", "sha256Sum": "sha 256 sum",
		"completion": "comple", "größe(Straße)": "größe straße"[:len("größe")-1] + " straß", "TestTests_test": "",
		"a b": "", "x1": "", "xy12": "xy 12", "": "", "ABc": "bc", "aBC": "bc",
	} {
		var got []string
		EachWord(text, func(word []byte) { got = append(got, string(word)) })
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
