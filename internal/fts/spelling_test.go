package fts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
)

// TestSpellings has words that must be found by one another, a line each.
func TestSpellings(t *testing.T) {
	for line := range strings.Lines(`
organise organize organised organizing
serialisation serialization serialise serializer serialisers
customise customize
customisable customizable
summarise summarize
authorisation authorization
tokeniser tokenizer
publicise publicize
analyse analyze analyser analyzing analysing
colour color colours colored colouring
behaviour behavior behavioural
favourite favorite
neighbouring neighboring
colourise colorize
centre center centred centering centres
licence license licensed licences
catalogue catalog cataloguing
grey gray
metre meter metres
cancelled canceled cancelling cancellation
labelled labeled
modelling modeling
marshalled marshaled
precise precision
revise revision revised
promise promised promising
supervise supervision
practise practice practising
`) {
		var first string
		for i, word := range strings.Fields(line) {
			terms := fts.Analyze(word)
			switch {
			case len(terms) != 1:
				t.Errorf("Analyze(%q) = %q, want one term", word, terms)
			case i == 0:
				first = terms[0]
			case terms[0] != first:
				t.Errorf("Analyze(%q) = %q, want that of the first word of its line, %q", word, terms[0], first)
			}
		}
	}
}

// TestSpellingsApart has words that follow no other spelling.
func TestSpellingsApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"hour", "hor"},
		{"four", "for4"},
		{"source", "sorce"},
		{"course", "corse"},
		{"disable", "dizable"},
		{"raise", "raize"},
		{"noise", "noize"},
		{"surprise", "surpriz"},
		{"analysis", "analyzis"},
	} {
		if a, b := fts.Analyze(pair[0]), fts.Analyze(pair[1]); cmp.Equal(a, b) {
			t.Errorf("Analyze(%q) is that of %q: %q", pair[0], pair[1], a)
		}
	}
}
