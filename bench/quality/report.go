package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// results are the figures of each system, in the order of the questions.
type results struct {
	names   []string
	figures map[string][]figures
}

// A group is what of a list has one name.
type group[T any] struct {
	name string
	of   []T
}

func groups[T any](list []T, by func(T) string) []group[T] {
	var all []group[T]
	for _, v := range list {
		i := slices.IndexFunc(all, func(g group[T]) bool { return g.name == by(v) })
		if i < 0 {
			all = append(all, group[T]{name: by(v)})
			i = len(all) - 1
		}
		all[i].of = append(all[i].of, v)
	}
	slices.SortFunc(all, func(a, b group[T]) int {
		if a.name < b.name {
			return -1
		}
		return 1
	})
	return all
}

// report prints a block of all figures by half, and NDCG@10 by task and language,
// each beside what ours gains over the others with its 95% limits.
func report(out io.Writer, qs []question, r results) {
	at := make([]int, len(qs))
	for i := range at {
		at[i] = i
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, half := range groups(at, func(i int) string { return qs[i].Half }) {
		fmt.Fprintf(w, "\n%s: %d questions\tNDCG@10\tMRR@10\trecall@1\t@5\t@10\tours is better by\n", half.name, len(half.of))
		for _, name := range r.names {
			f := mean(r.of(name, half.of))
			fmt.Fprintf(w, "  %s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%s\n", name, f.NDCG, f.MRR, f.First, f.Five, f.Ten,
				r.gain(name, half.of))
		}
		for _, by := range []func(int) string{
			func(i int) string { return qs[i].Task },
			func(i int) string { return qs[i].Language },
		} {
			fmt.Fprintf(w, "\n%s, NDCG@10\tquestions", half.name)
			for _, name := range r.names {
				fmt.Fprintf(w, "\t%s", name)
			}
			fmt.Fprintln(w, "\trecall@1\t@10")
			for _, g := range groups(half.of, by) {
				fmt.Fprintf(w, "  %s\t%d", g.name, len(g.of))
				for _, name := range r.names {
					fmt.Fprintf(w, "\t%.3f", mean(r.of(name, g.of)).NDCG)
				}
				first := mean(r.of(r.names[0], g.of))
				fmt.Fprintf(w, "\t%.3f\t%.3f\n", first.First, first.Ten)
			}
		}
	}
	_ = w.Flush()
}

func (r results) of(name string, which []int) []figures {
	list := make([]figures, len(which))
	for n, i := range which {
		list[n] = r.figures[name][i]
	}
	return list
}

func (r results) gain(name string, which []int) string {
	if name == ours || r.figures[ours] == nil {
		return ""
	}
	differences := make([]float64, len(which))
	for n, i := range which {
		differences[n] = r.figures[ours][i].NDCG - r.figures[name][i].NDCG
	}
	middle, low, high := bootstrap(differences)
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", middle, low, high)
}
