package embedded_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

func TestCompact(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for n := 1; n <= 12; n++ {
		must(t, s.Apply(t.Context(), batch(n)))
	}
	before := everything(t, s)
	var told []int
	must(t, s.Compact(t.Context(), func(done, total int) { told = append(told, done, total) }))
	if n := len(told); n < 4 || told[0] != 0 || told[n-2] != told[n-1] || !slices.IsSorted(even(told)) {
		t.Errorf("progress was told %d", told)
	}
	if diff := cmp.Diff(before, everything(t, s)); diff != "" {
		t.Errorf("after Compact (-before +after):\n%s", diff)
	}
	if segments, _ := filepath.Glob(filepath.Join(dir, "text", "*.zap")); len(segments) != 1 {
		t.Errorf("%d segments after Compact: %q", len(segments), segments)
	}
	must(t, s.Apply(t.Context(), batch(13)))
	checkBatch(t, s, 13, 13)
	must(t, s.Close())
	checkBatch(t, open(t, dir), 13, 13)
}

// even are the elements at even places.
func even(all []int) (some []int) {
	for i := 0; i < len(all); i += 2 {
		some = append(some, all[i])
	}
	return some
}

// Rows that are replaced again and again must not fill the disk.
func TestRowsAreCompacted(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const docs, rounds = 1000, 12
	for round := range rounds {
		var b store.Batch
		for i := range docs {
			b.Put = append(b.Put, numbered(1, i, round))
		}
		must(t, s.Apply(t.Context(), b))
	}
	logs, err := filepath.Glob(filepath.Join(dir, "rows", "*"))
	must(t, err)
	if len(logs) != 1 {
		t.Fatalf("the row logs are %q, want one", logs)
	}
	info, err := os.Stat(logs[0])
	must(t, err)
	perDoc := info.Size() / docs
	if perDoc > 1000 {
		t.Errorf("%d bytes a document after %d rounds", perDoc, rounds)
	}
	res := find(t, s, fts.Request{Query: fts.Filter(fts.FieldKind, fmt.Sprint(rounds-1)), Size: 1})
	if res.Total != docs || res.Hits[0].Type != models.TypeFile {
		t.Errorf("%d documents of the last round, want %d", res.Total, docs)
	}
}
