//go:build cgo

package treesitter_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestQueries compiles every query, with and without references, and those of
// what is bound.
func TestQueries(t *testing.T) {
	p := treesitter.New()
	for _, language := range treesitter.Languages() {
		for _, want := range []parse.Want{parse.WantSymbols, parse.WantReferences} {
			if _, err := p.Outline(parse.File{Path: "a", Language: language, Text: ""}, want); err != nil {
				t.Errorf("%s: %v", language, err)
			}
		}
		if _, err := p.Facts(parse.File{Path: "a", Language: language, Text: ""}); err != nil {
			t.Errorf("%s: %v", language, err)
		}
	}
}
