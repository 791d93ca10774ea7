//go:build !unix && !windows

package machine

import "errors"

func freeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }

// writable is not known here before something is written.
func writable(string) bool { return true }
