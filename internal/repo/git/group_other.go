//go:build !unix

package git

import "os/exec"

func endTogether(*exec.Cmd) {}

// finish waits until the pipe is closed.
func finish(c *collector) { <-c.done }
