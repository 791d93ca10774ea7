package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// sameAsClean wants the store to hold what a first run into an empty one makes.
func sameAsClean(t *testing.T, b *bench) {
	t.Helper()
	clean := setUp(t, nil)
	clean.root, clean.clock = b.root, b.clock
	clean.run()
	want, got := timeless(clean.store.all()), timeless(b.store.all())
	if !reflect.DeepEqual(want, got) { // much quicker than cmp
		t.Fatal("the index (+) is not what a clean build (-) makes:\n", cmp.Diff(want, got))
	}
	records := cmpopts.IgnoreFields(models.Repository{}, "LastIndexedAt", "Runs")
	if diff := cmp.Diff(clean.record(), b.record(), records); diff != "" {
		t.Fatal(diff)
	}
}

// timeless takes away when a document was made and updated, in time and commits.
func timeless(docs map[models.DocumentID]models.Document) map[models.DocumentID]models.Document {
	for id, d := range docs {
		d.Created, d.Updated, d.Commit = time.Time{}, time.Time{}, ""
		docs[id] = d
	}
	return docs
}

// After any edits, moves and deletions an incremental run makes the same index
// as a clean build.
func TestIncrementalIsClean(t *testing.T) {
	b := setUp(t, small)
	b.run()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		for range 1 + r.IntN(4) {
			edit(b, r)
		}
		b.run()
		sameAsClean(t, b)
	}
}

// edit changes something in the repository.
func edit(b *bench, r *rand.Rand) {
	b.Helper()
	name := fmt.Sprintf("%s/f%d.%s", []string{"server", "server/deep", "cmd/x/y", ".", "docs"}[r.IntN(5)], r.IntN(4),
		[]string{"go", "py", "md", "txt", "pem"}[r.IntN(5)])
	switch r.IntN(6) {
	case 0:
		b.remove(name)
	case 1:
		b.remove([]string{"server", "cmd", "docs", "server/deep", "README.md"}[r.IntN(5)])
	case 2:
		b.write(name, "")
	case 3:
		from, to := filepath.Join(b.root, name), filepath.Join(b.root, "moved.go")
		if _, err := os.Stat(from); err == nil {
			if err := os.Rename(from, to); err != nil {
				b.Fatal(err)
			}
		}
	case 4:
		b.write(name, fmt.Sprintf("# Title %d\n\ntext\n\n## Same\n\nx\n\n## Same\n\ny %d\n", r.IntN(3), r.IntN(100)))
	default:
		b.write(name, fmt.Sprintf(
			"// Package p is number %d.\npackage p\n\n// F%d does.\nfunc F%d() {}\n\nfunc init() {}\n\nfunc init() { _ = %d }\n",
			r.IntN(9), r.IntN(3), r.IntN(3), r.IntN(100)))
	}
}
