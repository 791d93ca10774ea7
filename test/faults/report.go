package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// A report counts the outcomes of cases.
type report struct {
	mu     sync.Mutex
	byKind map[string]*[verdicts]int
	byMode map[string]*[verdicts]int
	total  [verdicts]int
}

// judgeAll runs the cases and prints what came of them. It reports whether none failed.
func judgeAll(ctx context.Context, o options) (bool, error) {
	dir, err := os.MkdirTemp("", "ragnav-faults-")
	if err != nil {
		return false, err
	}
	if !o.keep {
		defer func() { _ = os.RemoveAll(dir) }()
	}
	if err := os.Chmod(dir, 0o755); err != nil { // some programs run as another user
		return false, err
	}
	skipLacking()
	fmt.Printf("seed %d, %d cases in %s\n", o.seed, o.n, dir)
	r := &report{byKind: map[string]*[verdicts]int{}, byMode: map[string]*[verdicts]int{}}
	numbers := make(chan int)
	var group sync.WaitGroup
	failures := make([]error, o.workers)
	for i := range o.workers {
		group.Go(func() { failures[i] = r.work(ctx, o, programs{o.bin}, filepath.Join(dir, fmt.Sprint(i)), numbers) })
	}
	go func() {
		defer close(numbers)
		for n := range o.n {
			if o.only >= 0 && n > 0 {
				return
			}
			select {
			case numbers <- max(n, o.only):
			case <-ctx.Done():
				return
			}
		}
	}()
	group.Wait()
	r.print(os.Stdout)
	return r.failed() == 0, errors.Join(failures...)
}

// skipLacking takes out what this machine has no program for, and says so.
func skipLacking() {
	failings = slices.DeleteFunc(failings, func(f failing) bool {
		for _, name := range f.needs {
			if _, err := exec.LookPath(name); err != nil || os.Getuid() != 0 {
				fmt.Printf("SKIPPED: %s needs %s and root\n", f.name, name)
				return true
			}
		}
		return false
	})
}

// work runs cases in a world of its own until there are no more. After an
// error of its own it takes the rest without running them.
func (r *report) work(ctx context.Context, o options, p programs, dir string, numbers <-chan int) error {
	w, err := newWorld(ctx, p, dir)
	if err == nil {
		w.kills = o.kind == "kill"
	}
	for n := range numbers {
		if err != nil {
			continue
		}
		var t *trial
		if t, err = try(ctx, w, o.seed, n); err != nil {
			err = fmt.Errorf("case %d (%s, %s, %s): %w", n, t.kind, t.mode, t.what, err)
			continue
		}
		r.add(t, o)
	}
	return err
}

func (r *report) add(t *trial, o options) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count(r.byKind, t.kind, t.worst)
	count(r.byMode, t.mode, t.worst)
	r.total[t.worst]++
	switch {
	case t.worst.bad() || o.only >= 0:
		fmt.Printf("%s\n", story(t, o))
	case t.worst == unseen:
		fmt.Printf("unseen: case %d: %s, %s: %s\n", t.number, t.kind, t.mode, t.what)
	}
}

func count(in map[string]*[verdicts]int, key string, v verdict) {
	if in[key] == nil {
		in[key] = new([verdicts]int)
	}
	in[key][v]++
}

// story tells a case: what was done and what was found, the worst first.
func story(t *trial, o options) string {
	var text strings.Builder
	_, _ = fmt.Fprintf(&text, "%s: case %d (-kind %s -seed %d -case %d) %s, %s: %s", t.worst, t.number, o.kind, o.seed,
		t.number, t.kind, t.mode, t.what)
	found := slices.Clone(t.findings)
	slices.SortStableFunc(found, func(a, b finding) int { return int(b.verdict - a.verdict) })
	limit, length := 3, 700
	if o.only >= 0 {
		limit, length = 100, 5000
	}
	for _, f := range found[:min(limit, len(found))] {
		_, _ = fmt.Fprintf(&text, "\n    %s: %s", f.verdict, f.what)
		if f.message != "" {
			text.WriteString("\n        " + strings.ReplaceAll(cut(strings.TrimSpace(f.message), length), "\n", "\n        "))
		}
	}
	return text.String()
}

func (r *report) failed() int {
	n := 0
	for v, count := range r.total {
		if verdict(v).bad() {
			n += count
		}
	}
	return n
}

func (r *report) print(out io.Writer) {
	for _, part := range []struct {
		title string
		rows  map[string]*[verdicts]int
	}{{"damage", r.byKind}, {"met by", r.byMode}} {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		_, _ = fmt.Fprintf(w, "\n%s\t%s\t\n", part.title, strings.Join(verdictNames[:], "\t"))
		for _, name := range slices.Sorted(maps.Keys(part.rows)) {
			writeRow(w, name, *part.rows[name])
		}
		writeRow(w, "all", r.total)
		_ = w.Flush()
	}
	_, _ = fmt.Fprintf(out, "\n%d cases, %d failed\n", sum(r.total), r.failed())
}

func writeRow(w io.Writer, name string, counts [verdicts]int) {
	_, _ = fmt.Fprintf(w, "%s\t", name)
	for _, n := range counts {
		_, _ = fmt.Fprintf(w, "%d\t", n)
	}
	_, _ = fmt.Fprintln(w)
}

func sum(counts [verdicts]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
