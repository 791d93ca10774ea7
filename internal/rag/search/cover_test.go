package search

import (
	"math"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// TestCover weighs words by their rarity in what is searched: that all documents
// have counts next to nothing, that none has nothing.
func TestCover(t *testing.T) {
	c := newCover(fts.NewAnalyser,
		wording{all: []Word{
			{Text: "retries", In: 10, Of: 1000},
			{Text: "requests", In: 10, Of: 1000},
			{Text: "the", In: 990, Of: 1000},
			{Text: "zzz", In: 0, Of: 1000},
		}})
	for name, want := range map[string]float64{
		"retryRequest":        1,
		"retry_request_twice": 1 - fitShare/3,
		"Request":             0.5,
		"Response":            0,
	} {
		if got := c.name(&models.Header{SymbolName: name}); math.Abs(got-want) > 0.01 {
			t.Errorf("name(%s) = %.3f, want %.3f", name, got, want)
		}
	}
	if got := c.base("net/retry.go"); math.Abs(got-0.5) > 0.01 {
		t.Errorf("base = %.3f", got)
	}
	if newCover(fts.NewAnalyser, wording{}) != nil {
		t.Error("a cover of no words")
	}
}
