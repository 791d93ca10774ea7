package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
)

// Plain BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance
// Framework" (2009): whole lower-cased words, no stemming, no stop words. With
// fields it is their BM25F, over the words as the product cuts them: the name
// counts 4 times, what it is in twice, the path once.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

var wordPattern = regexp.MustCompile(`[\pL\pN_]+`)

func words(s string) []string { return wordPattern.FindAllString(strings.ToLower(s), -1) }

// A wordIndex is an inverted index over the units of one corpus at one level.
type wordIndex struct {
	units    []unit
	postings map[string][]posting
	lengths  []float64
	average  float64
	analyse  func(string) []string
}

type posting struct {
	unit  int
	count float64
}

func newWordIndex(units []unit, fields bool) *wordIndex {
	x := &wordIndex{units: units, postings: map[string][]posting{}, analyse: words}
	if fields {
		x.analyse = fts.Analyze
	}
	for i, u := range units {
		counts, length := map[string]float64{}, 0.0
		add := func(text string, weight float64) {
			for _, w := range x.analyse(text) {
				counts[w] += weight
				length += weight
			}
		}
		add(u.text, 1)
		if fields {
			add(u.symbol, 4)
			add(u.container, 2)
			add(pathWords(u.path), 1)
		}
		for w, n := range counts {
			x.postings[w] = append(x.postings[w], posting{i, n})
		}
		x.lengths = append(x.lengths, length)
		x.average += length / float64(len(units))
	}
	return x
}

func (x *wordIndex) search(query string) []answer {
	scores := map[int]float64{}
	for _, w := range x.analyse(query) {
		list := x.postings[w]
		n, df := float64(len(x.units)), float64(len(list))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, p := range list {
			scores[p.unit] += idf * p.count * (bm25K1 + 1) / (p.count + bm25K1*(1-bm25B+bm25B*x.lengths[p.unit]/x.average))
		}
	}
	return x.best(scores)
}

func (x *wordIndex) best(scores map[int]float64) []answer { return best(x.units, scores) }

func best(units []unit, scores map[int]float64) []answer {
	found := slices.SortedFunc(maps.Keys(scores),
		func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	answers := make([]answer, 0, depth)
	for _, u := range found[:min(depth, len(found))] {
		answers = append(answers, units[u].answer)
	}
	return answers
}

// bm25 answers from word indexes that it builds when first asked.
type bm25 struct {
	corpora *corpora
	fields  bool
	indexes map[[2]string]*wordIndex // repo, level
}

func (b *bm25) search(ctx context.Context, q question) ([]answer, error) {
	key := [2]string{q.Repo, q.Level}
	if b.indexes[key] == nil {
		c, err := b.corpora.of(ctx, q.Repo)
		if err != nil {
			return nil, err
		}
		b.indexes[key] = newWordIndex(c.units(q.Level), b.fields)
	}
	return b.indexes[key].search(q.Text), nil
}

// fillers are the words of a question that nobody would grep for.
const fillers = " a an and are as at be before by do does for from given how i if in into is it its not of on only " +
	"or so than that the their this to until what when where which while who with without "

// ripgrep is what a person without an index does: grep for each word of the
// query, and look first where most of the matches are.
type ripgrep struct{ corpora *corpora }

func (r ripgrep) search(ctx context.Context, q question) ([]answer, error) {
	c, err := r.corpora.of(ctx, q.Repo)
	if err != nil {
		return nil, err
	}
	args := []string{"--no-config", "--no-heading", "--no-messages", "-n", "-o", "-i", "-F"}
	for _, w := range words(q.Text) {
		if !strings.Contains(fillers, " "+w+" ") {
			args = append(args, "-e", w)
		}
	}
	cmd := exec.CommandContext(ctx, "rg", append(args, ".")...)
	cmd.Dir = c.root
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return nil, nil // no match
	}
	if err != nil {
		return nil, fmt.Errorf("rg: %w", err)
	}
	return best(c.units(q.Level), c.matches(q.Level, out)), nil
}

// matches counts lines "./path:line:match" by unit.
func (c *corpus) matches(level string, out []byte) map[int]float64 {
	files := map[string]int{}
	for i, f := range c.files {
		files[f.path] = i
	}
	counts := map[int]float64{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		name, rest, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "./"), ":")
		number, _, _ := strings.Cut(rest, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		if i, ok := files[name]; ok && level == "file" {
			counts[i]++
			continue
		}
		for _, i := range c.byPath[name] {
			if c.symbols[i].start <= n && n <= c.symbols[i].end {
				counts[i]++
			}
		}
	}
	return counts
}
