package embedded_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// What an index has can be removed from a full disk, which makes room on it.
func TestRemoveFromFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("SKIPPED: no disk can be made to be full: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	dir := filepath.Join(disk, "data")
	s := open(t, dir)
	for repo, documents := range map[models.RepoID]int{"keep": 300, "go": 6000} {
		var b store.Batch
		for i := range documents {
			b.Put = append(b.Put, models.Document{
				Header: models.Header{
					ID: models.DocumentID(fmt.Sprintf("file:%s:%d", repo, i)), Type: models.TypeFile, RepoID: repo,
				},
				Content: incompressible(i, 300),
			})
		}
		must(t, s.Apply(t.Context(), b))
	}
	must(t, s.Close())

	full, err := os.Create(filepath.Join(disk, "full"))
	must(t, err)
	block := make([]byte, 4<<10)
	for err == nil {
		_, err = full.Write(block)
	}
	must(t, full.Close())
	s, err = embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
	must(t, err)
	must(t, s.Announce("127.0.0.1:1")) // a server of it answers
	if err := s.Apply(t.Context(), batch(1)); err == nil {
		t.Error("a batch was written to a full disk")
	}
	must(t, s.Apply(t.Context(), store.Batch{DeleteRepos: []models.RepoID{"go"}}))
	must(t, s.Close())
	var st syscall.Statfs_t
	must(t, syscall.Statfs(disk, &st))
	if free := st.Bfree * uint64(st.Bsize); free < 1<<20 { //nolint:gosec // sizes of blocks are positive
		t.Errorf("%d bytes are free after the removal", free)
	}
	s = open(t, dir)
	must(t, s.Apply(t.Context(), batch(1)))
}
