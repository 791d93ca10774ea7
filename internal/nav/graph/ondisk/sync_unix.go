//go:build unix

package ondisk

import (
	"errors"

	"golang.org/x/sys/unix"
)

// ignoreUnsupported drops the error of file systems that cannot sync folders.
func ignoreUnsupported(err error) error {
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}
