package embedded_test

import (
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

var fullDraftDir = flag.String("child-full-draft", "", "test a full disk under a draft with the store there")

// On a full disk a batch of a draft is not appended and a draft not sealed; when
// the disk is full after that, the old generation answers until there is room,
// and nothing else is written before the draft.
func TestFullDiskDraft(t *testing.T) {
	if *fullDraftDir == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDiskDraft$", "-child-full-draft="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	s := open(t, *fullDraftDir)
	first(t, s)
	batches := generation(2)
	appendAll(t, s, batches[:1])
	limitFiles(t, 1<<10)
	wantFault(t, s.AppendDraft(t.Context(), drafted, "label", batches[1]), fault.RAGUnavailable, "try again")
	wantFault(t, s.PublishDraft(t.Context(), drafted, nil), fault.RAGUnavailable, "try again")
	wantGeneration(t, s, 1)
	limitFiles(t, unlimited)
	appendAll(t, s, batches[1:])

	info, err := os.Stat(draftFiles(t, *fullDraftDir)[0])
	must(t, err)
	limitFiles(t, uint64(info.Size())+100) // room for the seal
	wantFault(t, s.PublishDraft(t.Context(), drafted, nil), fault.RAGUnavailable, "try again")
	wantGeneration(t, s, 1)
	other := store.Batch{PutRecords: []store.Record{{Collection: "c", Key: "k", Value: 1}}}
	wantFault(t, s.Apply(t.Context(), other), fault.RAGUnavailable, "try again")
	wantGeneration(t, s, 1)
	limitFiles(t, unlimited)
	must(t, s.Apply(t.Context(), other))
	wantGeneration(t, s, 2)

	appendAll(t, s, generation(3))
	info, err = os.Stat(draftFiles(t, *fullDraftDir)[0])
	must(t, err)
	limitFiles(t, uint64(info.Size())+100)
	wantFault(t, s.PublishDraft(t.Context(), drafted, nil), fault.RAGUnavailable, "try again")
	wantGeneration(t, s, 2)
	_ = s.Close()
	limitFiles(t, unlimited)
	s, err = embedded.Open(t.Context(), *fullDraftDir, embedded.Options{Dims: dims})
	must(t, err)
	wantGeneration(t, s, 3)
	must(t, s.Close())
}
