package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/ragnav/ragnav/internal/fault"
)

// Advice is what to do about an error of the system. No such error changes
// anything on disk.
func Advice(dir string, err error) string {
	switch {
	case is(err, syscall.EROFS):
		return "nothing was changed; its disk may only be read: mount it for writing, or use another folder with --store " +
			"embedded:DIR"
	case errors.Is(err, fs.ErrPermission) || is(err, syscall.EACCES):
		return "nothing was changed; run as the owner of " + dir + ", or get the right to its files"
	case is(err, syscall.EMFILE), is(err, syscall.ENFILE):
		return "nothing was changed; this process may open too few files: raise the limit (`ulimit -n 1024`), then try again"
	case is(err, syscall.EIO):
		return fmt.Sprintf("the disk fails: save what you can of %s, put it on another disk, then run `%s`", dir,
			CommandRepair)
	case IsFull(err):
		return "make room on its disk, then try again"
	}
	return "look at its disk and permissions, then try again"
}

// is reports whether an error is one of the system. Bleve has it in words only.
func is(err error, errno syscall.Errno) bool {
	return errors.Is(err, errno) || strings.HasSuffix(err.Error(), ": "+errno.Error())
}

// CommandRepair is what mends a data directory.
const CommandRepair = "ragnav doctor --repair"

// ErrLost says what is damaged and what to do.
func ErrLost(dir string, err error) error {
	return fault.Wrap(fault.IndexNotReady, err,
		"the data directory %s is damaged (%v); nothing was changed; run `%s`, which keeps what is whole and indexes the "+
			"rest again", dir, ReasonOf(err), CommandRepair)
}

// ReasonOf is what of an error a user needs.
func ReasonOf(err error) error {
	if d, ok := errors.AsType[*Damage](err); ok {
		return d
	}
	return err
}
