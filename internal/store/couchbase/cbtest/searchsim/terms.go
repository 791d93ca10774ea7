package searchsim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/blevesearch/vellum/regexp"
)

// sortedTerms are the terms of a field in byte order, made when first asked
// for. Readers may ask side by side; forget is for the writer.
type sortedTerms struct{ list atomic.Pointer[[]string] }

func (s *sortedTerms) forget() { s.list.Store(nil) }

func (s *sortedTerms) of(f *field) []string {
	if list := s.list.Load(); list != nil {
		return *list
	}
	list := slices.Sorted(maps.Keys(f.postings))
	s.list.Store(&list)
	return list
}

// termsMatching are the terms that an expression matches as a whole.
func (f *field) termsMatching(expr string) ([]string, error) {
	automaton, err := regexp.New(strings.TrimPrefix(expr, "^")) // the server drops it, too
	if err != nil {
		return nil, fmt.Errorf("error compiling regexp %q: %w", expr, err)
	}
	var matching []string
	for _, term := range f.sorted.of(f) {
		if automaton.MatchesRegex(term) {
			matching = append(matching, term)
		}
	}
	return matching, nil
}

// termsIn are the terms in a range, by byte order. A bound that is empty is
// open; by default the range has its lower bound and not its upper one.
func (f *field) termsIn(c *rangeClause) []string {
	all := f.sorted.of(f)
	from, to := 0, len(all)
	if c.Min != "" {
		i, found := slices.BinarySearch(all, c.Min)
		if from = i; found && c.InclusiveMin != nil && !*c.InclusiveMin {
			from++
		}
	}
	if c.Max != "" {
		i, found := slices.BinarySearch(all, c.Max)
		if to = i; found && c.InclusiveMax != nil && *c.InclusiveMax {
			to++
		}
	}
	return all[from:max(from, to)]
}
