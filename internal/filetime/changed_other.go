//go:build !linux && !darwin && !freebsd && !netbsd

package filetime

import "io/fs"

// Changed is not told here.
func Changed(fs.FileInfo) int64 { return 0 }
