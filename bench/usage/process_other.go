//go:build !linux

package usage

import "time"

// CPUOf is not measured on this system.
func CPUOf(int) time.Duration { return 0 }
