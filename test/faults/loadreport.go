package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"
)

// all are the times of all admitted requests but health checks.
func (r *round) all() []time.Duration {
	var all []time.Duration
	for name, took := range r.took {
		if name != "healthz" {
			all = append(all, took...)
		}
	}
	return all
}

// print tells what a round was like, and reports whether it was good beside the first.
func (r *round) print(out io.Writer, first *round) bool {
	all := r.all()
	p99, limit := percentile(all, .99), slower*percentile(first.all(), .99)
	_, _ = fmt.Fprintf(out,
		"\n%d clients: %d answered, p50 %v, p95 %v, p99 %v; %d refused; %d index runs; at most %d git at once\n",
		r.clients, len(all), ms(percentile(all, .5)), ms(percentile(all, .95)), ms(p99), r.refused, r.jobs, r.git)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "request\tanswered\tp50\tp95\tp99\t")
	for _, name := range slices.Sorted(maps.Keys(r.took)) {
		of := r.took[name]
		_, _ = fmt.Fprintf(w, "%s\t%d\t%v\t%v\t%v\t\n", name, len(of), ms(percentile(of, .5)), ms(percentile(of, .95)),
			ms(percentile(of, .99)))
	}
	_ = w.Flush()
	good := true
	fail := func(format string, args ...any) {
		good = false
		_, _ = fmt.Fprintf(out, "FAIL: "+format+"\n", args...)
	}
	for _, what := range slices.Sorted(maps.Keys(r.bad)) {
		fail("%d times %s", r.bad[what], what)
	}
	if r != first && p99 > limit {
		fail("p99 of the admitted is %v, over %d times that of %d clients", ms(p99), slower, first.clients)
	}
	if file := percentile(r.took["file"], .95); file > filesIn {
		fail("p95 of file reads is %v, over %v", ms(file), filesIn)
	}
	if r.git > gitAtOnce {
		fail("%d processes of git at once, over %d", r.git, gitAtOnce)
	}
	return good
}

func ms(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
