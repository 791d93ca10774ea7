package fault

import (
	"errors"
	"fmt"
	"syscall"
)

// OfSystem is an error about what could not be done, said by format, where the
// machine is to blame and not what was asked for: Overloaded where it has no more
// files or memory for this program, RAGUnavailable where its disk fails. It is
// nil for other errors.
func OfSystem(err error, format string, args ...any) *Error {
	what := fmt.Sprintf(format, args...)
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, errno) {
			return Wrap(Overloaded, err, "%s: %v; try again, or let this program have more (ulimit -n)", what, errno)
		}
	}
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EROFS, syscall.ESTALE} {
		if errors.Is(err, errno) {
			return Wrap(RAGUnavailable, err, "%s: %v; look at its disk, then try again", what, errno)
		}
	}
	return nil
}
