package embedded_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// A store that stays open merges what batches left, beside others that write, and
// loses nothing.
func TestSegmentsAreMergedInTheBackground(t *testing.T) {
	dir := t.TempDir()
	batches := 0
	var before []fts.Hit
	for batches < 40 { // fewer documents than the plan lets be two segments
		s := open(t, dir)
		for range 8 {
			batches++
			must(t, s.Apply(t.Context(), batch(batches)))
		}
		before = everything(t, s)
		must(t, s.Close())
	}
	s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, Merge: 5 * time.Millisecond})
	must(t, err)
	t.Logf("%d segments to merge", segmentsIn(t, dir)) // on a slow machine scorch may have merged them
	for segmentsIn(t, dir) > 1 {                       // until the test's time is over
		time.Sleep(time.Millisecond)
	}
	if diff := cmp.Diff(before, everything(t, s)); diff != "" {
		t.Errorf("after the merge (-before +after):\n%s", diff)
	}
	for n := batches + 1; n <= 2*batches; n++ {
		must(t, s.Apply(t.Context(), batch(n)))
		if n%8 == 0 {
			must(t, s.Compact(t.Context(), nil))
		}
	}
	must(t, s.Close())
	checkBatch(t, open(t, dir), 2*batches, 2*batches)
}

func segmentsIn(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "text", "*.zap"))
	must(t, err)
	return len(files)
}
