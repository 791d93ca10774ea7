package embed

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzWords splits a text word by word, and as a whole.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{
		"", " ", "parseRFC3339(x)", "HTTPServer_v2 URLs", "__a_b__", "Straße ǅungla İstanbul", "a\xffb\xfe", "e\u0301A",
		"١٢٣ abc४२",
		strings.Repeat("Ab1", 40), strings.Repeat("é", 70), strings.Repeat("_", 130) + "tail",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts := []string{}
		for word, rest := firstWord(text); word != ""; word, rest = firstWord(rest) {
			parts = append(parts, partsOf(word)...)
		}
		if diff := cmp.Diff(partsOf(text), parts); diff != "" {
			t.Errorf("parts of %q (-whole +by words):\n%s", text, diff)
		}
	})
}

func TestVectorsFromMemory(t *testing.T) {
	fresh, used := builtin(t), builtin(t)
	for range 2 { // the second time the words are remembered
		for _, text := range []string{
			"func parseRFC3339(value string)", "HTTPServer_v2 " + strings.Repeat("veryLong", 20),
			"parse parse value",
		} {
			want, err := fresh.Documents(t.Context(), []Input{{Text: text, Name: "parse"}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := used.Documents(t.Context(), []Input{{Text: text, Name: "parse"}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("vector of %q (-first +later):\n%s", text, diff)
			}
			fresh = builtin(t)
		}
	}
}
