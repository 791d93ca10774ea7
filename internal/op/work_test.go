package op_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
)

// Lines of a commit ask git, those of a file as it is ask nobody.
func TestWork(t *testing.T) {
	for commit, want := range map[string]op.Class{"": op.ClassCheap, "0123456": op.ClassLive} {
		if got := op.File.Work(filefetch.Request{Commit: commit}); got != want {
			t.Errorf("lines of commit %q are of class %d, want %d", commit, got, want)
		}
	}
}
