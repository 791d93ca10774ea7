//go:build !unix

package repo

import "os/exec"

func endTogether(*exec.Cmd) {}

// finish waits until the pipe is closed.
func finish(c *collector) { <-c.done }
