package change

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
)

// maxRead is of how many tests the text is read.
const maxRead = 300

// The usual constants of BM25: how soon more of a word tell nothing, and how much a long text
// counts less.
const (
	saturation = 1.2
	ofLength   = .75
	maxRepeats = 3 // so often a word of the names counts
)

// likeness is how much the texts of tests are about the words of some names, by BM25.
func likeness(tests []Way, names []string, text func(Way) string) []float64 {
	sought := map[string]float64{}
	for _, name := range names {
		for _, w := range words(name) {
			sought[w]++
		}
	}
	texts, length, in := make([]map[string]float64, len(tests)), make([]float64, len(tests)), map[string]float64{}
	average, begins := 0., beginnings(sought)
	for i, t := range tests {
		texts[i] = map[string]float64{}
		for _, part := range []string{text(t), t.title(), path.Base(t.File)} {
			EachWord(part, func(word []byte) {
				if length[i]++; begins[word[0]] && sought[string(word)] > 0 {
					texts[i][string(word)]++
				}
			})
		}
		average += length[i] / float64(len(tests))
		for w := range texts[i] {
			in[w]++
		}
	}
	alike := make([]float64, len(tests))
	for i, has := range texts {
		for _, w := range slices.Sorted(maps.Keys(has)) {
			n := has[w]
			rare := math.Log(1 + (float64(len(tests))-in[w]+.5)/(in[w]+.5))
			long := 1 - ofLength + ofLength*length[i]/average
			alike[i] += rare * math.Sqrt(min(sought[w], maxRepeats)) * n * (1 + saturation) / (n + saturation*long)
		}
	}
	return alike
}

// fusion is by how much places far behind count less, in the sum of their reciprocals.
const fusion = 10

// fuse puts tests in an order between the one that they have and that of values of the first
// of them, the highest first.
func fuse(tests []Way, values []float64) {
	by := make([]int, len(tests))
	for i := range by {
		by[i] = i
	}
	slices.SortStableFunc(by[:len(values)], func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	score := make([]float64, len(tests))
	for place, i := range by {
		score[i] = 1/float64(fusion+place) + 1/float64(fusion+i)
	}
	for i := range by {
		by[i] = i
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	were := slices.Clone(tests)
	for place, i := range by {
		tests[place] = were[i]
	}
}
