package change

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"
)

// Bounds of what tests are named alike.
const (
	maxNamesakes = 20 // tests
	byChance     = 2  // so many tests, at most, would share words as rare if words were drawn
)

// Namesakes are names of tests that share words with the qualified name of a symbol, few
// enough tests having these that it is hardly by chance: those with the rarest first. all is how
// many tests there are, names are names among which theirs are that have one of some words, and tests tells how many
// have one of them.
func Namesakes(
	symbols []string, all int, names func(words map[string]bool) iter.Seq[string], tests func(name string) int,
) (found []string) {
	of, sought := make([]map[string]bool, len(symbols)), map[string]bool{}
	for i, s := range symbols {
		of[i] = map[string]bool{}
		for _, w := range words(s) {
			of[i][w], sought[w] = true, true
		}
	}
	shared, in := map[string][]string{}, map[string]int{}
	begins := beginnings(sought)
	for name := range names(sought) {
		if !hasWord(name, sought, begins) || shared[name] != nil {
			continue
		}
		if n := tests(name); n > 0 {
			shared[name] = sharedWords(name, sought)
			for _, w := range shared[name] {
				in[w] += n
			}
		}
	}
	rare := map[string]float64{}
	for name, has := range shared {
		for _, s := range of {
			sum := 0.
			for _, w := range has {
				if s[w] {
					sum += math.Log(float64(max(all, in[w])) / float64(in[w]))
				}
			}
			rare[name] = max(rare[name], sum)
		}
		if rare[name] >= math.Log(float64(all)/byChance) && rare[name] > 0 {
			found = append(found, name)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(rare[b], rare[a]), strings.Compare(a, b)) })
	n := 0
	for i, name := range found {
		if n += tests(name); n > maxNamesakes {
			return found[:i]
		}
	}
	return found
}

// hasWord reports whether a name has one of some words, which begin with some bytes. It is
// asked of all names of a repository.
func hasWord(name string, sought map[string]bool, begins *[256]bool) (has bool) {
	EachWord(name, func(word []byte) { has = has || begins[word[0]] && sought[string(word)] })
	return has
}

// beginnings are the bytes that words begin with.
func beginnings[V any](words map[string]V) *[256]bool {
	var begins [256]bool
	for w := range words {
		begins[w[0]] = true
	}
	return &begins
}
