package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
)

// A root.bolt that is cut short while scorch writes to it, which has it mapped,
// ends neither the process nor anybody's patience.
func TestRootCutInUse(t *testing.T) {
	var cut atomic.Pointer[func()]
	text.RegisterSealer()
	seal := scorch.RegistryEventCallbacks[text.SealerName]
	scorch.RegistryEventCallbacks[text.SealerName] = func(e scorch.Event) bool {
		if do := cut.Load(); do != nil && e.Kind == scorch.EventKindBatchIntroductionStart {
			(*do)()
		}
		return seal(e)
	}
	t.Cleanup(func() { scorch.RegistryEventCallbacks[text.SealerName] = seal })
	for _, size := range []int64{0, 4096, 16384} {
		for _, when := range []string{"in a batch", "before the end"} {
			t.Run(fmt.Sprintf("to %d %s", size, when), func(t *testing.T) {
				dir := t.TempDir()
				s, err := Open(t.Context(), dir, Options{Dims: 4})
				if err != nil {
					t.Fatal(err)
				}
				put := func(key string) error {
					return s.Apply(t.Context(), store.Batch{PutRecords: []models.Record{{Collection: "c", Key: key, Value: key}}})
				}
				for i := range 5 {
					if err := put(fmt.Sprint(i)); err != nil {
						t.Fatal(err)
					}
				}
				root := filepath.Join(dir, disk.TextDir, disk.RootFile)
				truncate := func() { _ = os.Truncate(root, size) }
				if when == "in a batch" {
					cut.Store(&truncate)
					err = put("lost")
					cut.Store(nil)
					if err != nil && fault.CodeOf(err) != fault.IndexNotReady {
						t.Errorf("Apply: %v (%s)", err, fault.CodeOf(err))
					}
				} else {
					truncate()
				}
				if err := s.Close(); err != nil && fault.CodeOf(err) != fault.IndexNotReady {
					t.Errorf("Close: %v", err)
				}
				dir = found(t, dir)
				if _, err := Open(t.Context(), dir, Options{Dims: 4}); fault.CodeOf(err) != fault.IndexNotReady {
					t.Errorf("Open: %v (%s)", err, fault.CodeOf(err))
				}
				mended, err := Open(t.Context(), dir, Options{Dims: 4, Repair: true})
				if err == nil {
					err = mended.Close()
				}
				if err != nil {
					t.Errorf("mended: %v", err)
				}
			})
		}
	}
}

// found is what another process finds: of this one bolt may still be locked, and
// what scorch began in the background may still go on.
func found(t *testing.T, dir string) string {
	t.Helper()
	for {
		left := t.TempDir()
		err := os.CopyFS(left, os.DirFS(dir))
		if err == nil {
			return left
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}
