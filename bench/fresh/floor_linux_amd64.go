package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A floor is what no check that looks at every file can do without: one system
// call for each, by a name that is ready to be handed over, relative to its
// folder. Nothing is compared, no folder is looked at, git is not asked.
type floor struct {
	dirs  []*byte
	files [][]*byte // per folder
}

// prepareFloor finds the files of a folder.
func prepareFloor(root string) (*floor, error) {
	f := &floor{}
	at := map[string]int{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == ".llmc"):
			return fs.SkipDir
		case entry.IsDir():
			name, err := unix.BytePtrFromString(path)
			at[path] = len(f.dirs)
			f.dirs, f.files = append(f.dirs, name), append(f.files, nil)
			return err
		}
		name, err := unix.BytePtrFromString(entry.Name())
		n := at[filepath.Dir(path)]
		f.files[n] = append(f.files[n], name)
		return err
	})
	return f, err
}

// look makes the system calls, on as many threads as a check has. The first
// that fails is the error.
func (f *floor) look() error {
	var next atomic.Int64
	var failed atomic.Uintptr
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(f.dirs); i = int(next.Add(1)) - 1 {
				if errno := lookInto(f.dirs[i], f.files[i]); errno != 0 {
					failed.Store(uintptr(errno))
				}
			}
		})
	}
	all.Wait()
	if errno := unix.Errno(failed.Load()); errno != 0 {
		return os.NewSyscallError("fstatat", errno)
	}
	return nil
}

func lookInto(dir *byte, files []*byte) unix.Errno {
	here := unix.AT_FDCWD
	fd, _, failed := unix.Syscall6(unix.SYS_OPENAT, uintptr(here), uintptr(unsafe.Pointer(dir)), //nolint:gosec // terminated by a NUL
		unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0, 0, 0)
	if failed != 0 {
		return failed
	}
	defer func() { _ = unix.Close(int(fd)) }() //nolint:gosec // a descriptor
	var st unix.Stat_t
	for _, name := range files {
		if _, _, errno := unix.Syscall6(unix.SYS_NEWFSTATAT, fd, uintptr(unsafe.Pointer(name)), //nolint:gosec // terminated by a NUL
			uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0); errno != 0 {
			failed = errno
		}
	}
	return failed
}
