//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used is how long this process has run: the system does not tell more.
func Used() time.Duration { return time.Since(began) }
