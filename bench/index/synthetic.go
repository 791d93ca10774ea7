package main

import (
	"fmt"
	"io"
	"os/exec"
)

// line runs a command and prints what it cost.
func line(out io.Writer, what string, cmd *exec.Cmd) error {
	u, err := measured(cmd)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %.2f s (%.2f s CPU), peak %.0f MB\n", what, u.wall.Seconds(), u.cpu.Seconds(), mb(u.peak))
	return nil
}
