//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// nonBlocking makes opening a FIFO return at once.
const nonBlocking = syscall.O_NONBLOCK

func isNotADirectory(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
