package embedded_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

var fullDir = flag.String("child-full", "", "test a full disk with the store there")

const unlimited = 1<<64 - 1

// TestFullDisk runs in a process of its own, because a limit on the size of
// files, which stands for the full disk, is a limit of the process.
func TestFullDisk(t *testing.T) {
	if *fullDir == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$", "-child-full="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	s := open(t, *fullDir)
	must(t, s.Apply(t.Context(), batch(1)))
	must(t, s.Apply(t.Context(), batch(2)))
	before := everything(t, s)

	large := batch(3)
	for i := range large.Put {
		large.Put[i].Content = incompressible(i, 2000)
	}
	onlyText := store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "large", Value: incompressible(1, 400_000)}}}
	for name, b := range map[string]store.Batch{"rows and text": large, "text only": onlyText} {
		for _, bytes := range []uint64{0, 1 << 10, 30 << 10} {
			limitFiles(t, bytes)
			err := s.Apply(t.Context(), b)
			limitFiles(t, unlimited)
			if err == nil {
				t.Fatalf("%s: applied within files of %d bytes", name, bytes)
			}
			wantFault(t, err, fault.RAGUnavailable, "try again")
			if diff := cmp.Diff(before, everything(t, s)); diff != "" {
				t.Errorf("%s, %d bytes: after the error (-before +after):\n%s", name, bytes, diff)
			}
		}
	}
	// Still full when the next batch tries to open the files again.
	limitFiles(t, 0)
	for range 2 {
		wantFault(t, s.Apply(t.Context(), onlyText), fault.RAGUnavailable, "try again")
		if diff := cmp.Diff(before, everything(t, s)); diff != "" {
			t.Errorf("after the error (-before +after):\n%s", diff)
		}
	}
	limitFiles(t, unlimited)
	must(t, s.Apply(t.Context(), large))
	must(t, s.Apply(t.Context(), batch(4)))
	checkBatch(t, s, 4, 4)
	must(t, s.Close())
	s, err := embedded.Open(t.Context(), *fullDir, embedded.Options{Dims: dims})
	must(t, err)
	checkBatch(t, s, 4, 4)
	must(t, s.Close())
}

func limitFiles(t *testing.T, bytes uint64) {
	t.Helper()
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: unlimited}))
}

func incompressible(seed, n int) string {
	var b strings.Builder
	for x := uint32(seed + 1); b.Len() < n; x = x*1664525 + 1013904223 {
		fmt.Fprintf(&b, "%x", x>>8)
	}
	return b.String()
}
