package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
)

// A text that was copied from code, its documentation or an error that it gives is in one
// document, word after word. The index tells which documents have most of the words; their
// lines tell whether one has them in that order.
const (
	fewestQuoted = 4   // words that follow one another
	mostQuoted   = 40  // words of a text that may be one
	leastQuoted  = 0.5 // of its words, which follow one another
	quotedWeight = 0.5 // of what BM25 gives for all words, for lines to be read
	quotedPool   = 8   // whose lines are read
)

// quoted measures how much of a text the best candidates by words have word for word.
// Those whose lines can't be read have nothing.
func (s lineFinder) quoted(ctx context.Context, text string, w wording, p pool) error {
	words := quotable(text)
	if s.lines == nil || len(words) < fewestQuoted || len(words) > mostQuoted || w.weight == 0 {
		return nil
	}
	var best []*candidate
	for _, c := range p.all {
		if c.bm25 >= quotedWeight*w.weight && c.StartLine > 0 {
			best = append(best, c)
		}
	}
	slices.SortFunc(best, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.bm25, a.bm25), cmp.Compare(a.ID, b.ID))
	})
	at := wordsAt(words)
	for _, c := range best[:min(len(best), quotedPool)] {
		text, _, err := s.lines.Lines(ctx, c.RepoID, c.FilePath, c.StartLine, c.EndLine)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue
		}
		if n := longestRun(at, len(words), text); n >= fewestQuoted {
			c.quoted = max(0, (float64(n)/float64(len(words))-leastQuoted)/(1-leastQuoted))
		}
	}
	return nil
}

// quotable are the words of a text, in lower case.
func quotable(text string) []string {
	var words []string
	for _, word := range fts.Words(strings.ToLower(text)) {
		words = append(words, word)
	}
	return words
}

// wordsAt is where each word is.
func wordsAt(words []string) map[string][]int {
	at := map[string][]int{}
	for i, word := range words {
		at[word] = append(at[word], i)
	}
	return at
}

// longestRun is how many of so many words, of which it is known where they are, follow
// one another in a text.
func longestRun(at map[string][]int, words int, text string) int {
	longest := 0
	runs := make([]int, words) // that end with a word of the query and the last one of the text
	var last []int
	for _, word := range fts.Words(strings.ToLower(text)) {
		here := at[word]
		for _, i := range slices.Backward(here) { // each needs what the one before it was
			n := 1
			if slices.Contains(last, i-1) {
				n += runs[i-1]
			}
			runs[i] = n
			longest = max(longest, n)
		}
		last = here
	}
	return longest
}
