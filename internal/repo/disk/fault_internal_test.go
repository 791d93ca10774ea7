package disk

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
)

// A machine that has no more of something says nothing about what is there.
func TestMomentaryFaults(t *testing.T) {
	for _, c := range []struct {
		err  syscall.Errno
		want fault.Code
		says string
	}{
		{syscall.EMFILE, fault.Overloaded, "ulimit -n"},
		{syscall.ENFILE, fault.Overloaded, "ulimit -n"},
		{syscall.EIO, fault.RAGUnavailable, "look at its disk"},
		{syscall.ENOENT, fault.PathNotFound, "there is no"},
		{syscall.EACCES, fault.PathNotFound, "permissions"},
		{syscall.ENAMETOOLONG, fault.PathNotFound, "can't be read"},
	} {
		err := Fault("a.go", &fs.PathError{Op: "open", Path: "a.go", Err: c.err})
		if fault.CodeOf(err) != c.want || !strings.Contains(fault.MessageOf(err), c.says) {
			t.Errorf("%v: %s %q", c.err, fault.CodeOf(err), fault.MessageOf(err))
		}
	}
	if err := folderFault("/src", syscall.EMFILE); fault.CodeOf(err) != fault.Overloaded {
		t.Errorf("a folder: %v", err)
	}
	if err := folderFault("/src", syscall.EACCES); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a folder that may not be read: %v", err)
	}
}
