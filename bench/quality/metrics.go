package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// depth is how many results of a system are looked at.
const depth = 10

// figures are the quality of one ranked list, or the mean of many.
type figures struct {
	NDCG  float64 // NDCG@10 with gain 2^grade-1 and discount 1/log2(rank+1)
	MRR   float64 // 1/rank of the first answer of grade 2 or 3, 0 below rank 10
	First float64 // recall@1: of the answers of grade 2 and 3, as many as can be there
	Five  float64 // recall@5
	Ten   float64 // recall@10
}

// measure compares a ranked list with the judgements of q. A second result for
// the same judged answer earns nothing.
func measure(q question, list []answer) figures {
	var f figures
	best, right := ideal(q)
	seen := map[judgment]bool{}
	for i, a := range list[:min(depth, len(list))] {
		j, ok := q.judged(a)
		if !ok || seen[j] {
			continue
		}
		seen[j] = true
		f.NDCG += gain(j.Grade) / math.Log2(float64(i+2)) / best
		if j.Grade < 2 {
			continue
		}
		if f.MRR == 0 {
			f.MRR = 1 / float64(i+1)
		}
		for _, r := range []struct {
			sum *float64
			n   int
		}{{&f.First, 1}, {&f.Five, 5}, {&f.Ten, 10}} {
			if i < r.n {
				*r.sum += 1 / float64(min(r.n, right))
			}
		}
	}
	return f
}

// judged is the judgment that an answer meets.
func (q question) judged(a answer) (judgment, bool) {
	i := slices.IndexFunc(q.Relevant, func(j judgment) bool {
		if j.Path != a.path || j.Symbol == "" {
			return j.Path == a.path
		}
		within := j.Line == 0 || a.start <= j.Line && j.Line <= a.end
		return within && sameName(j.Symbol, a.symbol)
	})
	if i < 0 {
		return judgment{}, false
	}
	return q.Relevant[i], true
}

// sameName compares the last parts of qualified names. A group of constants or
// variables is named for all it declares, joined by commas.
func sameName(a, b string) bool {
	for x := range strings.SplitSeq(a, ",") {
		for y := range strings.SplitSeq(b, ",") {
			if last(x) == last(y) {
				return true
			}
		}
	}
	return false
}

func last(name string) string {
	name = strings.TrimSpace(name)
	return name[strings.LastIndexAny(name, ".:#\\/")+1:]
}

// ideal is the DCG of the best possible list and the number of right answers.
func ideal(q question) (dcg float64, right int) {
	byGrade := slices.SortedFunc(slices.Values(q.Relevant),
		func(a, b judgment) int { return cmp.Compare(b.Grade, a.Grade) })
	for i, j := range byGrade {
		if i < depth {
			dcg += gain(j.Grade) / math.Log2(float64(i+2))
		}
		if j.Grade >= 2 {
			right++
		}
	}
	return dcg, right
}

func gain(grade int) float64 { return math.Exp2(float64(grade)) - 1 }

func mean(list []figures) figures {
	var sum figures
	for _, f := range list {
		sum.NDCG += f.NDCG
		sum.MRR += f.MRR
		sum.First += f.First
		sum.Five += f.Five
		sum.Ten += f.Ten
	}
	n := float64(max(1, len(list)))
	return figures{sum.NDCG / n, sum.MRR / n, sum.First / n, sum.Five / n, sum.Ten / n}
}

// bootstrap is the mean of paired differences and the limits that hold 95% of the
// means of 2,000 samples of them.
func bootstrap(differences []float64) (middle, low, high float64) {
	if len(differences) == 0 {
		return 0, 0, 0
	}
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, 2000)
	for i := range means {
		for range differences {
			means[i] += differences[random.IntN(len(differences))]
		}
		means[i] /= float64(len(differences))
	}
	slices.Sort(means)
	for _, d := range differences {
		middle += d / float64(len(differences))
	}
	return middle, means[len(means)/40], means[len(means)-len(means)/40-1]
}
