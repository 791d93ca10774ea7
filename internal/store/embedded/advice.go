package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// advice is what to do about an error of the system. No such error changes
// anything on disk.
func advice(dir string, err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return "nothing was changed; run as the owner of " + dir + ", or get the right to its files"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "nothing was changed; this process may open too few files: raise the limit (`ulimit -n 1024`), then try again"
	case errors.Is(err, syscall.EIO):
		return fmt.Sprintf("the disk fails: save what you can of %s, put it on another disk, then run `%s`", dir,
			commandRepair)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "make room on its disk, then try again"
	}
	return "look at its disk and permissions, then try again"
}
