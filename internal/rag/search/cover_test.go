package search

import (
	"math"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What names have of a query is found where they say it shorter, longer or in
// one word.
func TestCoverOfOtherForms(t *testing.T) {
	var words []Word
	for _, text := range []string{"parse", "url", "authentication", "config"} {
		words = append(words, Word{Text: text, In: 10, Of: 1000})
	}
	c := newCover(fts.NewAnalyser, wording{all: words})
	for name, want := range map[string]float64{
		"urlparse":      0.5,
		"parse_url":     0.5,
		"urlparser":     0.25 * shortShare, // not only words of the query, but it begins with one
		"url":           0.25,
		"auth":          0.25 * shortShare,
		"configuration": 0.25 * shortShare,
		"aut":           0.25 * shortShare,
		"au":            0,
		"parser":        0.25 * shortShare,
		"pars3":         0,
	} {
		if got := c.name(&models.Header{SymbolName: name}); math.Abs(got-want) > 0.01 {
			t.Errorf("name(%s) = %.3f, want %.3f", name, got, want)
		}
	}
}

// Initials stand for three or four words that follow one another, whether all are known
// or not.
func TestCoverOfInitials(t *testing.T) {
	c := newCover(fts.NewAnalyser, wording{all: []Word{
		{Text: "Control", In: 10, Of: 1000},
		{Text: "flow", In: 10, Of: 1000},
		{Text: "graph", In: 0, Of: 1000},
		{Text: "built", In: 10, Of: 1000},
	}})
	for name, want := range map[string]float64{
		"CFG": 2.0 / 3, "cfg": 2.0 / 3, "CFGB": 1, "fgb": 2.0 / 3, "buildCfg": 1, "cf": 0, "FCG": 0, "CGB": 0,
	} {
		if got := c.name(&models.Header{SymbolName: name}); math.Abs(got-want) > 0.01 {
			t.Errorf("name(%s) = %.3f, want %.3f", name, got, want)
		}
	}
}

// TestCover weighs words by their rarity in what is searched: that all documents
// have counts next to nothing, that none has nothing.
func TestCover(t *testing.T) {
	twin := func() *cover {
		return newCover(fts.NewAnalyser,
			wording{all: []Word{
				{Text: "retries", In: 10, Of: 1000},
				{Text: "requests", In: 10, Of: 1000},
				{Text: "the", In: 990, Of: 1000},
				{Text: "zzz", In: 0, Of: 1000},
			}})
	}
	c := twin()
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
	for file, want := range map[string]float64{"net/retry.go": 0.5, "requests/retry.go": 1, "net/http.go": 0} {
		if got := c.location(file, false); math.Abs(got-want) > 0.01 {
			t.Errorf("location(%s) = %.3f, want %.3f", file, got, want)
		}
	}
	for file, want := range map[string]float64{
		"net/retry.go": 0.5 * (1 + weightSubject), "retry/net.go": 0.5, "net/retry_loop.go": 0.5, "net/http.go": 0,
		"retries/base.go": 0.5 * (1 + weightSubject), "retry/requests/index.js": 1 + 0.5*weightSubject, "base.go": 0,
	} {
		if got := twin().location(file, true); math.Abs(got-want) > 0.01 {
			t.Errorf("location(%s) as a subject = %.3f, want %.3f", file, got, want)
		}
	}
	if newCover(fts.NewAnalyser, wording{}) != nil {
		t.Error("a cover of no words")
	}
}

// What is written shorter in a query is a word of a name in full, though nothing has it so.
func TestCoverOfAbbreviations(t *testing.T) {
	c := newCover(fts.NewAnalyser, wording{all: []Word{{Text: "Mgr", Of: 9}, {Text: "pool", In: 3, Of: 9}}})
	manager := c.name(&models.Header{SymbolName: "poolManager"})
	if other := c.name(&models.Header{SymbolName: "poolMap"}); manager <= other {
		t.Errorf("poolManager has %v of \"Mgr pool\", poolMap %v", manager, other)
	}
}

// A word that nothing has may be misspelt: names with almost the same word have it.
func TestCoverOfMisspeltWords(t *testing.T) {
	words := []Word{{Text: "transcation", Of: 9}, {Text: "pool", In: 3, Of: 9}}
	meant, other := &models.Header{SymbolName: "poolTransaction"}, &models.Header{SymbolName: "poolTransport"}
	c := newCover(fts.NewAnalyser, wording{all: words})
	if c.name(meant) <= c.name(other) {
		t.Errorf("poolTransaction has %v of \"transcation pool\", poolTransport %v", c.name(meant), c.name(other))
	}
	words[0].In = 1 // then it is a word
	c = newCover(fts.NewAnalyser, wording{all: words})
	if c.name(meant) != c.name(other) {
		t.Error("a word that something has is taken for a misspelt one")
	}
}

// Resources of Terraform are called "this": their type tells what they are.
func TestCoverOfResources(t *testing.T) {
	c := newCover(fts.NewAnalyser, wording{all: []Word{
		{Text: "bucket", In: 3, Of: 9}, {Text: "lifecycle", In: 1, Of: 9},
	}})
	h := &models.Header{
		SymbolName: "this", QualifiedName: "aws_s3_bucket_lifecycle.this", Kind: "resource", Language: "HCL",
	}
	if got := c.name(h); got == 0 {
		t.Error("a resource has nothing of the words that its type has")
	}
	h.Language = "YAML"
	if got := c.name(h); got != 0 {
		t.Errorf("a name that has no word of the query has %v of it", got)
	}
}
