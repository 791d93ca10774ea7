package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

type table []outcome

// print writes the figures of all questions, of each half, language and kind.
func (t table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tquestions\trecall@10\trecall@5\tfile search@10\tcited\tempty\tfalse out of "+
		"scope\tforeign\tright\teveryday\tright\ttokens max\tgaps\tmedian ms")
	for _, by := range []func(outcome) string{
		func(outcome) string { return "all" },
		func(o outcome) string { return o.Split },
		func(o outcome) string { return o.Split + " " + o.Language },
		func(o outcome) string { return o.Split + " from " + o.Kind },
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
		fmt.Fprintf(w, "%s\t%s\n", by(rows[0]), summary(rows[:n]))
		rows = rows[n:]
	}
}

func summary(rows table) string {
	own, foreign, everyday := rows.of("commit", "changelog", "doc"), rows.of("foreign"), rows.of("everyday")
	most, gaps := 0, 0
	times := make([]time.Duration, 0, len(rows))
	for _, o := range rows {
		most, gaps = max(most, o.tokens), gaps+o.gaps
		times = append(times, o.took)
	}
	slices.Sort(times)
	scope := func(o outcome) float64 { return one(o.outOfScope) }
	return fmt.Sprintf("%d\t%.3f\t%.3f\t%.3f\t%.1f\t%.0f\t%.3f\t%d\t%.3f\t%d\t%.3f\t%d\t%d\t%d",
		len(own), own.mean(func(o outcome) float64 { return o.recall }), own.mean(func(o outcome) float64 { return o.five }),
		own.mean(func(o outcome) float64 { return o.search }),
		own.mean(func(o outcome) float64 { return float64(o.cited) }),
		own.mean(func(o outcome) float64 { return one(o.empty) })*float64(len(own)), own.mean(scope),
		len(foreign), foreign.mean(scope), len(everyday), everyday.mean(scope), most, gaps,
		times[len(times)/2].Milliseconds())
}

func (t table) of(kinds ...string) (some table) {
	for _, o := range t {
		if slices.Contains(kinds, o.Kind) {
			some = append(some, o)
		}
	}
	return some
}

func (t table) mean(of func(outcome) float64) float64 {
	sum := 0.0
	for _, o := range t {
		sum += of(o)
	}
	return sum / float64(max(len(t), 1))
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
