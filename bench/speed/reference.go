package main

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// references times what any tool has to do at least: read the tree, and scan it.
func (b *bench) references(ctx context.Context) error {
	start := time.Now()
	if err := eachFile(b.tree, func(string, []byte) error { return ctx.Err() }); err != nil {
		return err
	}
	b.row("reference: read every file, one thread", "%.2f s", time.Since(start).Seconds())
	scan := []string{"grep", "-rIc", "--include=*.go", "parseRFC3339", b.tree}
	if _, err := exec.LookPath("rg"); err == nil {
		scan = []string{"rg", "--no-config", "-c", "-F", "parseRFC3339", b.tree}
	}
	start = time.Now()
	err := exec.CommandContext(ctx, scan[0], scan[1:]...).Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil // no match
	}
	b.row("reference: "+scan[0]+" for one rare word", "%.0f ms", millis(time.Since(start)))
	return err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
