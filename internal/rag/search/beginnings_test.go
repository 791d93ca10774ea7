package search

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
)

// What is passed over without being analysed has none of the query's words: of
// all words of this package's files, each held against each that may be like it.
func TestBeginnings(t *testing.T) {
	found := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range fts.Words(string(text)) {
			found[word] = true
		}
	}
	words := slices.Collect(maps.Keys(found))
	words = append(words, "dying", "lying", "Tying", "skies", "GENTLY", "http2", "Größe", "İstanbul", "aKelvin", "_x_",
		"a_b", "crying", "crisis", "using", "owed", "Icing", "icedTea", "keptOpen", "keepers", "grün", "go", "going")
	analyser := fts.NewAnalyser()
	passed, looked := 0, 0
	for _, word := range words {
		c := newCover(func() *fts.Analyser { return analyser }, wording{all: []Word{{Text: word, In: 1, Of: 9}}})
		if c == nil {
			continue
		}
		for _, text := range words {
			if c.begins.in(text) {
				looked++
				continue
			}
			passed++
			for _, term := range c.terms(text, false) {
				if _, has := c.weights[term]; has || c.short(term) > 0 {
					t.Errorf("%s has a part of %s", text, word)
				}
			}
		}
	}
	if passed < looked {
		t.Errorf("%d of %d were passed over", passed, passed+looked)
	}
	for _, pair := range []string{
		"die dying", "tie Tying", "cry cries", "auth Authenticate", "configuration cfg_config",
		"finding fileFound", "took take_over", "written write", "crying cries", "use using", "owe OWED", "ices icing",
		"keeper kept",
	} {
		term, text, _ := strings.Cut(pair, " ")
		c := newCover(func() *fts.Analyser { return analyser }, wording{all: []Word{{Text: term, In: 1, Of: 9}}})
		if s := c.of(text); s.of == 0 {
			t.Errorf("%s has nothing of %s", text, term)
		}
	}
}
