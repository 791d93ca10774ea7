package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// madeUp measures a git repository of n small files: a first run with what its
// progress said, and runs that find nothing to do.
func (b *bench) madeUp(ctx context.Context, n int) error {
	dir, data := filepath.Join(b.work, "src"), filepath.Join(b.work, "data")
	if err := makeUp(ctx, dir, n); err != nil {
		return err
	}
	load := loadAverage()
	first := b.command(ctx, dir, data)
	var said bytes.Buffer
	first.Stderr = &said
	u, err := measured(first)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said.String())
	}
	size, err := diskUsage(data)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d files, load %s: first run %.1f s (%.1f s CPU), peak %.0f MB, data %.0f MB; %d lines of "+
		"progress:\n%s\n",
		n, load, u.wall.Seconds(), u.cpu.Seconds(), mb(u.peak), mb(size), bytes.Count(said.Bytes(), []byte("\n")),
		said.String())
	for range 3 {
		if err := b.line("nothing changed", b.command(ctx, dir, data, "--quiet")); err != nil {
			return err
		}
	}
	return b.line("reference: git status",
		exec.CommandContext(ctx, "git", "-C", dir, "--no-optional-locks", "status", "--porcelain"))
}

// line runs a command and prints what it cost.
func (b *bench) line(what string, cmd *exec.Cmd) error {
	u, err := measured(cmd)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s: %.2f s (%.2f s CPU), peak %.0f MB\n", what, u.wall.Seconds(), u.cpu.Seconds(), mb(u.peak))
	return nil
}
