//go:build darwin || freebsd || netbsd

package filetime

import (
	"io/fs"
	"syscall"
)

// Changed is when a file's content, name or permissions last changed, in
// nanoseconds since 1970: st_ctimespec of stat(2).
func Changed(info fs.FileInfo) int64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return st.Ctimespec.Nano()
}
