package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// A text that was copied from code, its documentation or an error that it gives is in one
// document, word after word. The index tells which documents have most of the words; their
// lines tell whether one has them in that order.
const (
	fewestQuoted = 4   // words that follow one another
	mostQuoted   = 40  // words of a text that may be one
	leastQuoted  = 0.5 // of its words, which follow one another
	longQuoted   = 9   // words that are quoted, whatever else is there: values within an error
	runQuoted    = 0.5 // what these count of a whole text
	quotedWeight = 0.5 // of what BM25 gives for all words, for lines to be read
	quotedPool   = 8   // whose lines are read
)

// quoted measures how much of a query the best candidates by words have word for word:
// what it has of literals, else of all of it. Those whose lines can't be read have nothing.
func (s lineFinder) quoted(ctx context.Context, q goal, f found, p pool) error {
	if s.lines == nil || f.words.weight == 0 {
		return nil
	}
	if literals := q.literals(f.own.named || f.symbols.named); len(literals) > 0 {
		return s.measure(ctx, p, 0, func(text string) (share float64) {
			for _, l := range literals {
				if strings.Contains(text, l) {
					share += 1 / float64(len(literals))
				}
			}
			return share
		})
	}
	if name := q.undeclared(f.own.named || f.symbols.named); name != "" {
		return s.measure(ctx, p, 0, func(text string) float64 {
			if hasName(text, name) {
				return 1
			}
			return 0
		})
	}
	whole := quotationOf(q.Text)
	if whole.words < fewestQuoted || whole.words > mostQuoted {
		return nil
	}
	return s.measure(ctx, p, quotedWeight*f.words.weight, func(text string) float64 {
		n := whole.in(text)
		if n < fewestQuoted {
			return 0
		}
		run := runQuoted * min(1, float64(n-fewestQuoted+1)/(longQuoted-fewestQuoted+1))
		return max(run, (float64(n)/float64(whole.words)-leastQuoted)/(1-leastQuoted))
	})
}

// literals are those of a text that have several words, which others have, too, and are
// no names of something.
func (q goal) literals(named bool) []string {
	var all []string
	for _, literal := range q.Literals {
		isName := slices.ContainsFunc(q.Identifiers, func(id intent.Identifier) bool { return id.Name == literal })
		if quotationOf(literal).words > 1 && (!named || !isName) {
			all = append(all, strings.Trim(literal, "-"))
		}
	}
	return all
}

// undeclared is a name of several words that is asked for alone and that nothing declares: it
// may be in a comment, a string, or be declared elsewhere. Else it is "".
func (q goal) undeclared(named bool) string {
	if named || !q.Lone {
		return ""
	}
	name := q.Identifiers[0].Name
	if !strings.ContainsAny(name[min(1, len(name)):], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") {
		return ""
	}
	return name
}

// hasName reports whether a text has a name that is no part of a longer one.
func hasName(text, name string) bool {
	for {
		before, after, found := strings.Cut(text, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if !isNamePart(last) && !isNamePart(first) {
			return true
		}
		text = after
	}
}

func isNamePart(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

// measure reads the lines of the best candidates by words, which have at least so much.
func (s lineFinder) measure(ctx context.Context, p pool, least float64, share func(text string) float64) error {
	var best []*candidate
	for _, c := range p.all {
		if c.bm25 > 0 && c.bm25 >= least && c.StartLine > 0 {
			best = append(best, c)
		}
	}
	slices.SortFunc(best, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.bm25, a.bm25), cmp.Compare(a.ID, b.ID))
	})
	for _, c := range best[:min(len(best), quotedPool)] {
		text, _, err := s.lines.Lines(ctx, c.RepoID, c.FilePath, c.StartLine, c.EndLine)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			c.quoted = share(text)
		}
	}
	return nil
}

// A quotation is a text to look for: where each of its words is, in lower case.
type quotation struct {
	at    map[string][]int
	words int
}

func quotationOf(text string) quotation {
	q := quotation{at: map[string][]int{}}
	for _, word := range fts.Words(strings.ToLower(text)) {
		q.at[word] = append(q.at[word], q.words)
		q.words++
	}
	return q
}

// in is how many words of a quotation follow one another in a text.
func (q quotation) in(text string) int {
	longest := 0
	runs := make([]int, q.words) // that end with a word of the quotation and the last one of the text
	var last []int
	for _, word := range fts.Words(strings.ToLower(text)) {
		here := q.at[word]
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
