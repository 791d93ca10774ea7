package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// An outcome is a question with what both policies came to.
type outcome struct {
	question

	tools, grep worth
}

// share is what the tools cost of what ripgrep and reading did. Where those did
// not find it, that is what they had cost until they gave up.
func (o outcome) share() float64 { return float64(o.tools.tokens) / float64(o.grep.tokens) }

type table []outcome

// print writes a line for each question, then one for each kind and language.
func (t table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "question\tkind\ttools\tcalls\tright\trg\tcalls\tright\tshare")
	for _, o := range t {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.0f%%\t%d\t%d\t%.0f%%\t%.0f%%\n", o.ID, o.Kind,
			o.tools.tokens, o.tools.calls, 100*o.tools.met, o.grep.tokens, o.grep.calls, 100*o.grep.met, 100*o.share())
	}
	fmt.Fprintln(w, "\nmedian of\tquestions\ttools\tright\trg\tright\tshare")
	for _, by := range []func(outcome) string{
		func(outcome) string { return "all" },
		func(o outcome) string { return o.Kind },
		func(o outcome) string { return o.Language },
	} {
		t.lines(w, by)
	}
	_ = w.Flush()
}

func (t table) lines(w io.Writer, by func(outcome) string) {
	rows := slices.Clone(t)
	slices.SortStableFunc(rows, func(a, b outcome) int { return cmp.Compare(by(a), by(b)) })
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && by(rows[n]) == by(rows[0]) {
			n++
		}
		of := rows[:n]
		right := func(worthOf func(outcome) worth) (n int) {
			for _, o := range of {
				if worthOf(o).right {
					n++
				}
			}
			return n
		}
		tools, grep := func(o outcome) worth { return o.tools }, func(o outcome) worth { return o.grep }
		fmt.Fprintf(w, "%s\t%d\t%.0f\t%d\t%.0f\t%d\t%.0f%%\n", by(of[0]), n,
			of.median(func(o outcome) float64 { return float64(o.tools.tokens) }), right(tools),
			of.median(func(o outcome) float64 { return float64(o.grep.tokens) }), right(grep),
			100*of.median(outcome.share))
		rows = rows[n:]
	}
}

func (t table) median(of func(outcome) float64) float64 {
	values := make([]float64, len(t))
	for i, o := range t {
		values[i] = of(o)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
