package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// repoID is what the measured tree is called.
const repoID = "bench/source"

// index times the first run and the second one, each in a process of its own.
func (b *bench) index(ctx context.Context) error {
	first, err := b.indexOnce(ctx)
	if err != nil {
		return err
	}
	seconds := first.wall.Seconds()
	b.row("index, first run", "%.1f s (%.1f s CPU): %.0f files/s, %.2f MB/s, %.0f lines/s", seconds, first.cpu.Seconds(),
		float64(b.size.files)/seconds, mb(b.size.bytes)/seconds, float64(b.size.lines)/seconds)
	b.row("peak memory of that process", "%.0f MB", mb(first.peak))
	used, err := diskUsage(b.data)
	if err != nil {
		return err
	}
	b.row("data directory", "%.1f MB = %.2f × the source", mb(used), float64(used)/float64(b.size.bytes))
	second, err := b.indexOnce(ctx)
	if err != nil {
		return err
	}
	b.row("index, second run, nothing changed", "%.2f s (%.2f s CPU), %.0f MB", second.wall.Seconds(),
		second.cpu.Seconds(), mb(second.peak))
	return nil
}

// usage is what a process cost.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory; 0 where the system does not tell
}

func (b *bench) indexOnce(ctx context.Context) (usage, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "ragnav"), "index", "--quiet",
		"--store", "embedded:"+b.data, "--repo-id", repoID, b.tree)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return usage{}, fmt.Errorf("ragnav index: %w\n%s", err, out)
	}
	return usage{
		wall: time.Since(start),
		cpu:  cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		peak: peakMemory(cmd.ProcessState),
	}, nil
}
