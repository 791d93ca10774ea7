package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// oneShots measures processes that do one thing: what every command costs before
// it does anything, and a search by a process that opens the index for it.
func (b *bench) oneShots(ctx context.Context) error {
	store := "embedded:" + b.data
	for _, one := range []struct {
		name string
		args []string
	}{
		{"ragnav version", []string{"version"}},
		{"ragnav repos", []string{"repos", "--store", store}},
		{
			"ragnav search, one process a search",
			[]string{"search", "--store", store, "--level", "symbol", "open a file for reading"},
		},
	} {
		cpu, peak, err := b.median(ctx, one.args)
		if err != nil {
			return err
		}
		b.row(one.name, "%.0f ms CPU, %.0f MB", millis(cpu), mb(peak))
	}
	return nil
}

// median runs ragnav as often as each query is asked, and once before.
func (b *bench) median(ctx context.Context, args []string) (cpu time.Duration, peak int64, err error) {
	var all []time.Duration
	for round := range b.rounds + 1 {
		cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("ragnav %s: %w\n%s", args[0], err, out)
		}
		if p := cmd.ProcessState; round > 0 {
			all, peak = append(all, p.UserTime()+p.SystemTime()), max(peak, peakMemory(p))
		}
	}
	slices.Sort(all)
	return quantile(all, .5), peak, nil
}
