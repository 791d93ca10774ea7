package embedded

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/parallel"
)

// Apply rewrites the rows when it leaves more than compactAbove of them and
// more than the share compactDead is of no use.
const (
	compactAbove = 4096
	compactDead  = 0.5
)

// A segment of that many documents is large enough: merging it with others
// would save next to nothing.
const largeSegment = 48_000

// smallSegments merges all segments that are not large into one.
var smallSegments = mergeplan.MergePlanOptions{
	MaxSegmentsPerTier: 1, MaxSegmentSize: 2 * largeSegment, MaxSegmentFileSize: 1 << 40, TierGrowth: 1,
	SegmentsPerMergeTask: 1000, FloorSegmentSize: 1 << 30, FloorSegmentFileSize: 1 << 40, ReclaimDeletesWeight: 2,
}

// mergeGlance is how often one looks how far a merge is.
const mergeGlance = 200 * time.Millisecond

// mergeText merges the small segments of the text index, or returns when ctx
// ends: scorch may be in a merge of its own, which it doesn't interrupt.
func (w *writer) mergeText(ctx context.Context, progress func(done, total int)) error {
	total, err := w.smallBytes()
	if err != nil || total == 0 {
		return err
	}
	options := smallSegments
	before := w.mergedBytes()
	w.wanting.Add(1)
	merged, err := w.force(ctx, w.files.text, &options)
	w.wanting.Add(-1)
	if err != nil {
		return err
	}
	tick := time.NewTicker(mergeGlance)
	defer tick.Stop()
	progress(0, total)
	for {
		select {
		case err := <-merged:
			if err = cmp.Or(ctx.Err(), err); err == nil {
				progress(total, total)
			}
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-w.files.dead:
			return w.files.integrity.unwritable(nil)
		case <-tick.C:
			if done := w.mergedBytes() - before; done > 0 { // less than total: terms come together
				progress(min(done, total), total)
			}
		}
	}
}

// force has scorch merge by a plan, once it is in no other merge that it was told
// to do.
func (w *writer) force(ctx context.Context, text *scorch.Scorch, plan *mergeplan.MergePlanOptions) (<-chan error,
	error,
) {
	if err := w.merging.take(ctx); err != nil {
		return nil, err
	}
	return parallel.Start(func() error {
		defer w.merging.end()
		return text.ForceMerge(ctx, plan)
	}), nil
}

// smallBytes is the size of the segments that are to be merged.
func (w *writer) smallBytes() (int, error) {
	st := w.files.newest()
	defer st.Release()
	total := 0
	for _, snapshot := range st.Segments() {
		file, ok := snapshot.Segment().(segment.PersistedSegment)
		if !ok || snapshot.LiveSize() >= largeSegment {
			continue
		}
		info, err := os.Stat(file.Path())
		if err != nil {
			return 0, err
		}
		total += int(info.Size())
	}
	return total, nil
}

// mergedBytes is how much scorch has written in merges since it was opened.
func (w *writer) mergedBytes() int {
	n, _ := w.files.text.StatsMap()["TotFileMergeWrittenBytes"].(uint64)
	return int(n) //nolint:gosec // bytes of files
}

// purge makes scorch remove the segments that it merged. It does so only with
// a commit, and only once nobody reads them, which commits do themselves. done is
// false if some are still there.
func (w *writer) purge() (done bool, err error) {
	for range 4 {
		files, err := w.segmentFiles()
		if err != nil {
			return false, err
		}
		st := w.files.newest()
		live := len(st.Segments())
		st.Release()
		if files <= live {
			return true, nil
		}
		next := w.files.commit
		next.Seq++
		if err := w.commitBatch(index.NewBatch(), next); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (w *writer) segmentFiles() (int, error) {
	entries, err := os.ReadDir(filepath.Join(w.files.dir, "text"))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".zap" {
			n++
		}
	}
	return n, nil
}

// compactRows rewrites the log when it has more than that many rows and more
// than that share of them is of no use: not while repositories have to be indexed
// again, whose embeddings are in dead rows.
func (w *writer) compactRows(above int, dead float64) error {
	if w.files.registrations.Load().Damaged() {
		return nil
	}
	rows := w.files.rows.Snapshot()
	n := rows.Len()
	rows.Release()
	if n <= above || w.files.rows.Dead() <= dead {
		return nil
	}
	mark, err := w.files.rows.Compact()
	if err != nil {
		return err
	}
	next := w.files.commit
	next.Seq, next.Rows = next.Seq+1, mark
	return w.commitBatch(index.NewBatch(), next)
}
