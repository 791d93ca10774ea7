package fault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ofSystem is what an error of the system means to a user, nil for other errors:
// the machine has no more of something, or its disk says no. Packages that know
// what failed say more; this is for all other places. Nothing follows from such an
// error for what is stored.
func ofSystem(err error) *Error {
	errno, ok := errors.AsType[syscall.Errno](err)
	if !ok {
		return nil
	}
	at := place(err)
	for _, k := range systemKinds {
		if slices.Contains(k.errnos, errno) {
			e := Wrap(k.code, err, k.message, at)
			e.RetryAfter = k.retryAfter
			return e
		}
	}
	return nil
}

var systemKinds = []struct {
	errnos     []syscall.Errno
	code       Code
	retryAfter time.Duration
	message    string // with the place
}{
	{
		[]syscall.Errno{syscall.EMFILE, syscall.ENFILE},
		Overloaded, time.Second,
		"%s can't be opened, as too many files are open; let this process open more (`ulimit -n 1024`) if that goes on",
	},
	{
		[]syscall.Errno{syscall.ENOMEM, syscall.EAGAIN},
		Overloaded, time.Second,
		"the machine has no memory or processes to spare for %s; try again when it has less to do",
	},
	{
		[]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT},
		RAGUnavailable, 0, "there is no room on the disk for %s; make some, then try again",
	},
	{
		[]syscall.Errno{syscall.EROFS},
		RAGUnavailable, 0, "%s is on a disk that may only be read; mount it to be written to, then try again",
	},
	{
		[]syscall.Errno{syscall.EACCES, syscall.EPERM},
		RAGUnavailable, 0, "this program may not use %s; change its permissions or run as its owner, then try again",
	},
	{
		[]syscall.Errno{syscall.EIO},
		RAGUnavailable, 0, "the disk fails at %s; save what is on it, look at the disk, then try again",
	},
}

// place is the file that an error of the system is about, with the folder that it is
// in: clients of a server need not know where that is.
func place(err error) string {
	p := ""
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		p = at.Path
	} else if at, ok := errors.AsType[*os.LinkError](err); ok {
		p = at.New
	}
	if p == "" {
		return "a file"
	}
	return strings.TrimPrefix(filepath.Join(filepath.Base(filepath.Dir(p)), filepath.Base(p)), string(filepath.Separator))
}
