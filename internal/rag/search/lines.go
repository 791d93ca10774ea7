package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

// The lines that are shown of a hit.
const (
	linesOfHit   = 3
	lineRunes    = 240  // of a line; more are cut
	fewestShare  = 0.35 // of the best line's weight that another one has
	aroundShare  = 0.3  // that words in the lines around count
	againShare   = 0.3  // that words count which a better line has already
	linesAround  = 2
	maxLineTerms = 64 // of a query
)

// A lineFinder shows lines of hits.
type lineFinder struct {
	lines    LineReader // nil: none are shown
	analyser func() *fts.Analyser
}

// show gives the hits of a reply the lines in them that have the words of
// the query, or match its expressions. Files that can't be read have none, of
// which it warns.
func (s lineFinder) show(ctx context.Context, asked query.Query, items []models.SearchResult) ([]models.Warning,
	error,
) {
	m := s.matcher(asked)
	if s.lines == nil || len(m.terms) == 0 && len(m.exprs) == 0 {
		return nil, nil
	}
	found, failed := make([]hitLines, len(items)), make([]error, len(items))
	err := eachFile(ctx, ofFiles(items), func(ctx context.Context, places []int) error {
		for _, i := range places {
			if err := ctx.Err(); err != nil {
				return err
			}
			item := &items[i]
			text, _, err := s.lines.Lines(ctx, item.RepoID, *item.FilePath, *item.StartLine, *item.EndLine)
			if failed[i] = err; err == nil {
				found[i] = m.look(text)
			}
			if err == nil && *item.StartLine == 1 {
				found[i].passOver(parse.LicenceLines(text))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	weights := weigh(found)
	for i := range found {
		items[i].Lines = found[i].best(weights, *cmp.Or(items[i].StartLine, new(1)))
	}
	return withoutLines(items, failed), nil
}

// patience is for how long files are read one after the other: most are in memory, and
// to wake others up takes longer than to read them.
const patience = 300 * time.Microsecond

// eachFile calls read for the places in each file, several at once when that takes long.
func eachFile(ctx context.Context, files [][]int, read func(ctx context.Context, places []int) error) error {
	began, done := time.Now(), 0
	for done < len(files) && time.Since(began) < patience {
		if err := read(ctx, files[done]); err != nil {
			return err
		}
		done++
	}
	return parallel.Each(ctx, readersAtOnce, files[done:], read)
}

// ofFiles are the places of items that have lines, those of one file together: it is
// then read once.
func ofFiles(items []models.SearchResult) [][]int {
	var files [][]int
	at := map[place]int{}
	for i := range items {
		item := &items[i]
		if item.FilePath == nil || item.StartLine == nil {
			continue
		}
		file := place{item.RepoID, *item.FilePath}
		n, ok := at[file]
		if !ok {
			n, at[file], files = len(files), len(files), append(files, nil)
		}
		files[n] = append(files[n], i)
	}
	return files
}

// withoutLines warns of the hits whose files could not be read.
func withoutLines(items []models.SearchResult, failed []error) []models.Warning {
	var first error
	n := 0
	for i, err := range failed {
		if err == nil {
			continue
		}
		if n++; first == nil {
			first = fmt.Errorf("%s of %s: %s", *items[i].FilePath, items[i].RepoID, fault.MessageOf(err))
		}
	}
	if n == 0 {
		return nil
	}
	return []models.Warning{{
		Code:    "PARTIAL_RESULTS",
		Message: fmt.Sprintf("%d of %d hits have no lines, their files can't be read: %v", n, len(items), first),
	}}
}

// A lineMatcher finds the words of a query in lines.
type lineMatcher struct {
	analyser *fts.Analyser
	terms    map[string]int // number of each term of the query
	begins   *beginnings    // of the terms
	exprs    []*regexp.Regexp
}

func (s lineFinder) matcher(asked query.Query) lineMatcher {
	m := lineMatcher{analyser: s.analyser(), terms: map[string]int{}, begins: new(beginnings)}
	m.analyser.Each(asked.Words, func(term *fts.Token) {
		if _, ok := m.terms[term.Text]; !ok && len(m.terms) < maxLineTerms {
			m.terms[term.Text] = len(m.terms)
			m.begins.add(term.Text)
		}
	})
	query.Has(asked.Root, func(n query.Node) bool {
		if n, ok := n.(query.Regexp); ok {
			flags := "(?im:"
			if asked.Case {
				flags = "(?m:"
			}
			if re, err := regexp.Compile(flags + n.Expr + ")"); err == nil {
				m.exprs = append(m.exprs, re)
			}
		}
		return false
	})
	return m
}

// A matchedLine is a line with words of the query.
type matchedLine struct {
	number  int    // from 0
	terms   uint64 // a bit for each that it has
	exprs   bool   // an expression matches it
	text    string
	matches [][2]int // in bytes
}

// hitLines are the lines of a hit that have words of the query.
type hitLines struct {
	lines []matchedLine
	total int
}

func (m lineMatcher) look(text string) hitLines {
	var h hitLines
	for line := range strings.Lines(text) {
		l := matchedLine{number: h.total, text: strings.TrimRight(line, "\r\n")}
		h.total++
		if m.begins.in(l.text) {
			m.match(&l)
		}
		for _, re := range m.exprs {
			for _, at := range re.FindAllStringIndex(l.text, -1) {
				l.exprs = true
				l.matches = append(l.matches, [2]int(at))
			}
		}
		if len(l.matches) > 0 {
			h.lines = append(h.lines, l)
		}
	}
	return h
}

// match finds the words of a line.
func (m lineMatcher) match(l *matchedLine) {
	for at, word := range fts.Words(l.text) {
		if terms := m.bits(word); terms != 0 {
			l.terms |= terms
			l.matches = append(l.matches, [2]int{at, at + len(word)})
		}
	}
}

// passOver leaves out the first lines of a file, its licence header, if others have
// words of the query.
func (h *hitLines) passOver(header int) {
	if n := len(h.lines); n > 0 && h.lines[n-1].number >= header {
		h.lines = slices.DeleteFunc(h.lines, func(l matchedLine) bool { return l.number < header })
	}
}

// bits are the terms of the query that a word has.
func (m lineMatcher) bits(word string) (terms uint64) {
	if !m.begins.in(word) {
		return 0
	}
	for _, term := range m.analyser.Word(word) {
		if n, ok := m.terms[term.Text]; ok {
			terms |= 1 << n
		}
	}
	return terms
}

// weigh is what each term is worth: the more, the fewer lines have it.
func weigh(found []hitLines) (weights [maxLineTerms]float64) {
	var have [maxLineTerms]int
	total := 0
	for _, h := range found {
		total += h.total
		for _, l := range h.lines {
			for terms := l.terms; terms != 0; terms &= terms - 1 {
				have[bits.TrailingZeros64(terms)]++
			}
		}
	}
	for n, lines := range have {
		weights[n] = Word{In: lines, Of: total}.Rarity()
	}
	return weights
}

// best are the lines that say most of the query, in their order: first the one
// with the most of it in and around it, then those that add to it.
func (h hitLines) best(weights [maxLineTerms]float64, start int) []models.MatchLine {
	worth := func(terms uint64) (sum float64) {
		for ; terms != 0; terms &= terms - 1 {
			sum += weights[bits.TrailingZeros64(terms)]
		}
		return sum
	}
	scores := make([]float64, len(h.lines))
	for i, l := range h.lines {
		scores[i] = worth(l.terms) + aroundShare*worth(h.around(i)&^l.terms)
		if l.exprs {
			scores[i] += math.Log1p(float64(h.total))
		}
	}
	var picked []int
	var seen uint64
	least := 0.0
	for len(picked) < min(linesOfHit, len(h.lines)) {
		at, most := -1, least
		for i, l := range h.lines {
			score := scores[i] - (1-againShare)*worth(l.terms&seen)
			if score > most && !slices.Contains(picked, i) {
				at, most = i, score
			}
		}
		if at < 0 {
			break
		}
		least = max(least, fewestShare*most)
		picked, seen = append(picked, at), seen|h.lines[at].terms
	}
	slices.Sort(picked)
	var lines []models.MatchLine
	for _, i := range picked {
		lines = append(lines, h.lines[i].shown(start))
	}
	return lines
}

// around are the terms in the lines before and after a line.
func (h hitLines) around(i int) (terms uint64) {
	at := h.lines[i].number
	for j := i - 1; j >= 0 && at-h.lines[j].number <= linesAround; j-- {
		terms |= h.lines[j].terms
	}
	for j := i + 1; j < len(h.lines) && h.lines[j].number-at <= linesAround; j++ {
		terms |= h.lines[j].terms
	}
	return terms
}

// shown is the line as it is replied: without credentials, its matches in
// characters and apart from each other.
func (l matchedLine) shown(start int) models.MatchLine {
	text, _ := redact.Text(l.text)
	out := models.MatchLine{Line: start + l.number, Text: cut(text, lineRunes), Matches: [][2]int{}}
	slices.SortFunc(l.matches, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	end := 0
	for _, m := range l.matches {
		if m[0] < end || m[1] > len(out.Text) || m[0] == m[1] {
			continue
		}
		end = m[1]
		from := utf8.RuneCountInString(l.text[:m[0]])
		out.Matches = append(out.Matches, [2]int{from, from + utf8.RuneCountInString(l.text[m[0]:m[1]])})
	}
	return out
}
