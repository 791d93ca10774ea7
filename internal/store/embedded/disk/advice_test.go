package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// The text index tells errors of the system in words only.
func TestAdvice(t *testing.T) {
	for errno, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "make room on its disk",
		syscall.EROFS:  "mount it for writing, or use another folder",
		syscall.EACCES: "run as the owner of /data",
		syscall.EMFILE: "ulimit -n",
		syscall.EIO:    "put it on another disk",
		syscall.EINVAL: "look at its disk and permissions",
	} {
		wrapped := fmt.Errorf("write a batch: %w", &fs.PathError{Op: "write", Path: "/data/text/5.zap", Err: errno})
		for how, err := range map[string]error{"wrapped": wrapped, "in words": errors.New(wrapped.Error())} {
			if got := disk.Advice("/data", err); !strings.Contains(got, want) {
				t.Errorf("%v, %s: %q, want %q in it", errno, how, got, want)
			}
		}
	}
}
