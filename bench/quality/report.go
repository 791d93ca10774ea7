package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// A searcher ranks answers to a query, best first.
type searcher interface {
	search(ctx context.Context, q query) ([]answer, error)
}

// A system is a searcher with the name it has in the table.
type system struct {
	name string
	searcher
}

// systems are what the table compares. What can't be run is told on out.
func systems(o options, corpora map[string]*corpus, out io.Writer) []system {
	var list []system
	add := func(name string, s searcher) {
		if o.only == "" || slices.Contains(strings.Split(o.only, ","), name) {
			list = append(list, system{name, s})
		}
	}
	if o.server != "" {
		for _, mode := range []string{"hybrid", "semantic", "lexical"} {
			add("ragnav-"+mode, ragnavSystem{server: o.server, mode: mode})
		}
	}
	add("bm25", &bm25System{corpora: corpora, indexes: map[[2]string]*wordIndex{}})
	if _, err := exec.LookPath("rg"); err != nil {
		fmt.Fprintln(out, "ripgrep is not installed: that reference is left out")
		return list
	}
	add("ripgrep", ripgrepSystem{corpora: corpora})
	return list
}

// A table collects figures by system and query.
type table struct {
	out     io.Writer
	verbose bool
	names   []string
	figures map[string][]figures // by system, in the order of the queries
}

func newTable(out io.Writer, verbose bool) *table {
	return &table{out: out, verbose: verbose, figures: map[string][]figures{}}
}

func (t *table) measure(ctx context.Context, s system, queries []query) error {
	t.names = append(t.names, s.name)
	for _, q := range queries {
		list, err := s.search(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		f := measure(q, list)
		t.figures[s.name] = append(t.figures[s.name], f)
		if t.verbose {
			t.explain(s.name, q, f, list)
		}
	}
	return nil
}

// explain prints a query's figures and its results with their grades, which is
// how unjudged answers are found and judged.
func (t *table) explain(name string, q query, f figures, list []answer) {
	fmt.Fprintf(t.out, "%-15s %.2f %.2f %.2f  %-7s %-6s %-4s %s\n", name, f.ndcg, f.recall, f.mrr, q.Repo, q.Level, q.Split, q.Query)
	for i, a := range list[:min(depth, len(list))] {
		j, _ := q.judged(a)
		fmt.Fprintf(t.out, "%20d. [%d] %s %s\n", i+1, j.Grade, a.path, a.symbol)
	}
}

// print writes one block a group: all queries, each half, each level, repo and kind.
func (t *table) print(out io.Writer, queries []query) {
	groups := []string{"all"}
	for _, q := range queries {
		for _, g := range keys(q) {
			if !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	slices.Sort(groups[1:])
	for _, g := range groups {
		t.block(out, g, queries)
	}
}

func keys(q query) []string {
	return []string{
		"all", "level " + q.Level, "split " + q.Split, "repo " + q.Repo, "kind " + q.Kind,
		"split " + q.Split + ", level " + q.Level,
	}
}

func (t *table) block(out io.Writer, group string, queries []query) {
	n := 0
	chosen := map[string][]figures{}
	for i, q := range queries {
		if !slices.Contains(keys(q), group) {
			continue
		}
		n++
		for _, name := range t.names {
			chosen[name] = append(chosen[name], t.figures[name][i])
		}
	}
	fmt.Fprintf(out, "\n%-32s %8s %8s %8s %8s\n", fmt.Sprintf("%s (%d queries)", group, n), "NDCG@10", "recall@5", "hit@5", "MRR@10")
	for _, name := range t.names {
		f := mean(chosen[name])
		fmt.Fprintf(out, "  %-30s %8.3f %8.3f %8.3f %8.3f\n", name, f.ndcg, f.recall, f.hit, f.mrr)
	}
}
