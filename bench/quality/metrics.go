package main

import (
	"cmp"
	"math"
	"slices"
)

// depth is how many results of a system are looked at.
const depth = 10

// figures are the quality of one ranked list, or the mean of many.
type figures struct{ ndcg, recall, hit, mrr float64 }

// measure compares a ranked list with the judgements of q.
//
//   - ndcg: NDCG@10 with gain 2^grade-1 and discount 1/log2(rank+1).
//   - recall: the share of the answers of grade 2 and 3 in the first five; five
//     or more of them count as five.
//   - hit: 1 when one of them is in the first five.
//   - mrr: 1/rank of the first of them, 0 below rank 10.
//
// A second result for the same judged answer earns nothing.
func measure(q query, list []answer) figures {
	var f figures
	found := 0
	seen := map[judgment]bool{}
	for i, a := range list[:min(depth, len(list))] {
		j, ok := q.judged(a)
		if !ok || seen[j] {
			continue
		}
		seen[j] = true
		f.ndcg += gain(j.Grade) / math.Log2(float64(i+2))
		if j.Grade < 2 {
			continue
		}
		if f.mrr == 0 {
			f.mrr = 1 / float64(i+1)
		}
		if i < 5 {
			found, f.hit = found+1, 1
		}
	}
	best, right := ideal(q)
	f.ndcg /= best
	f.recall = float64(found) / float64(min(5, right))
	return f
}

// judged is the judgment that an answer meets. A file at symbol level is met
// by its symbols only.
func (q query) judged(a answer) (judgment, bool) {
	i := slices.IndexFunc(q.Relevant, func(j judgment) bool {
		return j.Path == a.path && (q.Level == "file" || sameSymbol(j.Symbol, a.symbol))
	})
	if i < 0 {
		return judgment{}, false
	}
	return q.Relevant[i], true
}

// ideal is the DCG of the best possible list and the number of right answers.
func ideal(q query) (dcg float64, right int) {
	byGrade := slices.SortedFunc(slices.Values(q.Relevant), func(a, b judgment) int { return cmp.Compare(b.Grade, a.Grade) })
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
		sum.ndcg += f.ndcg
		sum.recall += f.recall
		sum.hit += f.hit
		sum.mrr += f.mrr
	}
	n := float64(max(1, len(list)))
	return figures{sum.ndcg / n, sum.recall / n, sum.hit / n, sum.mrr / n}
}
