//go:build unix

package index_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A file or folder that is closed to this program leaves the index, although
// its size and time stay, and comes back when it is opened again.
func TestModes(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("SKIPPED: root can read everything")
	}
	for _, name := range []string{"server/server.go", "server", "main.go"} {
		for clock, ahead := range map[string]time.Duration{"young": 0, "old": time.Hour, "old in git": time.Hour} {
			t.Run(name+" "+clock, func(t *testing.T) {
				b := setUp(t, small)
				if clock == "old in git" {
					gitIn(t, b.root, "init", "-q")
					gitIn(t, b.root, "add", "main.go", "server/server.go")
				}
				b.clock = func() time.Time { return time.Now().Add(ahead) }
				b.run()
				before := len(b.ids())
				p := filepath.Join(b.root, filepath.FromSlash(name))
				info, err := os.Stat(p)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = os.Chmod(p, info.Mode()) })
				if err := os.Chmod(p, 0); err != nil {
					t.Fatal(err)
				}
				b.run()
				if rec := b.file(name); rec.Skipped != models.SkipUnreadable || len(b.ids()) >= before {
					t.Errorf("closed: record %+v, %d documents of %d", rec, len(b.ids()), before)
				}
				sameAsClean(t, b)
				sameRecords(t, b)
				if err := os.Chmod(p, info.Mode()); err != nil {
					t.Fatal(err)
				}
				b.run()
				if len(b.ids()) != before {
					t.Errorf("opened again: %d documents of %d", len(b.ids()), before)
				}
				sameAsClean(t, b)
				sameRecords(t, b)
			})
		}
	}
}
