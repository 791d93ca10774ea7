package change

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A Way is how a test comes to what an edit changes.
type Way struct {
	Test

	Repo  string // where several are asked
	Depth int    // hops; 0: the edit changes the test itself
	Tier  byte   // of the least sure of them, the lower the surer
	About bool   // its file is named for one that differs
}

// farthest is from how many hops on it makes no difference how many there are.
const farthest = 3

// distance is how far a test is from what changed: in hops, one less where its file is named
// for one that differs.
func (w Way) distance() int {
	switch {
	case w.Depth == 0:
		return 0
	case w.About:
		return min(w.Depth, farthest)
	}
	return 1 + min(w.Depth, farthest)
}

// Order puts those tests first that most likely tell of an edit of symbols by these names:
// the nearest, of these the surest, then those named alike. A word that
// few of the tests have tells the most.
func Order(tests []Way, names []string) {
	changed := map[string]bool{}
	for _, name := range names {
		for _, w := range words(name[strings.LastIndexByte(name, '.')+1:]) {
			changed[w] = true
		}
	}
	in, of := map[string]int{}, make(map[Test][]string, len(tests))
	for _, t := range tests {
		name := t.Name
		if name == "" {
			name, _, _ = strings.Cut(path.Base(t.File), ".")
		}
		shared := slices.DeleteFunc(words(name), func(w string) bool { return !changed[w] })
		for of[t.Test] = shared; len(shared) > 0; shared = shared[1:] {
			in[shared[0]]++
		}
	}
	alike := make(map[Test]float64, len(tests))
	for t, shared := range of {
		for _, w := range shared {
			alike[t] += math.Log(1 + float64(len(tests))/float64(in[w]))
		}
	}
	slices.SortFunc(tests, func(a, b Way) int {
		return cmp.Or(a.distance()-b.distance(), cmp.Compare(a.Tier, b.Tier), cmp.Compare(alike[b.Test], alike[a.Test]),
			a.Depth-b.Depth,
			cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name))
	})
}

// stem is of how many letters a word is compared, so that "completion" is like "complete".
const stem = 6

// words are the words of a name but "test", in lower case, each once.
func words(name string) (all []string) {
	letters := []rune(name)
	for begin := 0; begin < len(letters); {
		end := begin + 1
		for end < len(letters) && joins(letters, end) {
			end++
		}
		w := strings.ToLower(string(letters[begin:min(end, begin+stem)]))
		if end-begin > 1 && w != "test" && w != "tests" {
			all = append(all, w)
		}
		begin = end
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// joins reports whether a letter of a name is of the same word as the one before it, as are
// those of HTTPServer's HTTP.
func joins(letters []rune, at int) bool {
	before, is := letters[at-1], letters[at]
	switch {
	case unicode.IsDigit(is):
		return unicode.IsDigit(before)
	case unicode.IsUpper(is):
		return unicode.IsUpper(before) && (at+1 == len(letters) || !unicode.IsLower(letters[at+1]))
	}
	return unicode.IsLetter(is) && unicode.IsLetter(before)
}
