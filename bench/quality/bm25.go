package main

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Plain BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance
// Framework" (2009): whole lower-cased words, no stemming, no stop words.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

var wordPattern = regexp.MustCompile(`[\pL\pN_]+`)

func words(s string) []string { return wordPattern.FindAllString(strings.ToLower(s), -1) }

// A unit is what BM25 ranks: a file, or a symbol's lines.
type unit struct {
	answer
	length int
}

// A wordIndex is an inverted index over the units of one corpus at one level.
type wordIndex struct {
	units    []unit
	postings map[string][]posting
	average  float64
}

type posting struct{ unit, count int }

func newWordIndex(c *corpus, level string) *wordIndex {
	x := &wordIndex{postings: map[string][]posting{}}
	for _, s := range c.files {
		if level == "file" {
			x.add(answer{path: s.path}, s.text)
			continue
		}
		for i, text := range s.texts() {
			x.add(answer{s.path, s.spans[i].name}, text)
		}
	}
	total := 0
	for _, u := range x.units {
		total += u.length
	}
	x.average = float64(total) / float64(max(1, len(x.units)))
	return x
}

func (x *wordIndex) add(a answer, text string) {
	counts := map[string]int{}
	all := words(text)
	for _, w := range all {
		counts[w]++
	}
	for w, n := range counts {
		x.postings[w] = append(x.postings[w], posting{len(x.units), n})
	}
	x.units = append(x.units, unit{a, len(all)})
}

func (x *wordIndex) search(query string, limit int) []answer {
	scores := map[int]float64{}
	for _, w := range words(query) {
		list := x.postings[w]
		n, df := float64(len(x.units)), float64(len(list))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, p := range list {
			tf, norm := float64(p.count), float64(x.units[p.unit].length)/x.average
			scores[p.unit] += idf * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*norm))
		}
	}
	found := make([]int, 0, len(scores))
	for u := range scores {
		found = append(found, u)
	}
	slices.SortFunc(found, func(a, b int) int {
		ua, ub := x.units[a], x.units[b]
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(ua.path, ub.path), cmp.Compare(ua.symbol, ub.symbol))
	})
	answers := make([]answer, 0, limit)
	for _, u := range found[:min(limit, len(found))] {
		answers = append(answers, x.units[u].answer)
	}
	return answers
}

// bm25System answers from word indexes that it builds when first asked.
type bm25System struct {
	corpora map[string]*corpus
	indexes map[[2]string]*wordIndex // repo, level
}

func (b *bm25System) search(_ context.Context, q query) ([]answer, error) {
	key := [2]string{q.Repo, q.Level}
	if b.indexes[key] == nil {
		b.indexes[key] = newWordIndex(b.corpora[q.Repo], q.Level)
	}
	return b.indexes[key].search(q.Query, depth), nil
}
