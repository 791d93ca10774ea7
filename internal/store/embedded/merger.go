package embedded

import (
	"context"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"

	"github.com/ragnav/ragnav/internal/parallel"
)

// A first run leaves a segment of each batch: to merge them would be a fifth of
// it. A search looks into each of them. So a store that stays open merges them
// when nothing was written for a while, beside what then writes and searches.

const (
	// mergeAgain is how long the merger waits after a failure, as on a full disk, and
	// after it gave way.
	mergeAgain = 10 * time.Minute
	// mergeBusy is at how many looks in a row there must be as many readers as
	// processors for it to give way.
	mergeBusy = 5
	// purgeAgain is after how many times the quiet what was merged is removed again
	// that somebody still read.
	purgeAgain = 6
)

// fewSegments is the plan of the merger. Large segments stay as they are, small
// ones are merged with those of their size: a document is merged a few times,
// however many changes follow one another.
var fewSegments = mergeplan.MergePlanOptions{
	MaxSegmentsPerTier: 4, MaxSegmentSize: 2 * largeSegment, MaxSegmentFileSize: 1 << 40, TierGrowth: 10,
	SegmentsPerMergeTask: 32, FloorSegmentSize: 2000, ReclaimDeletesWeight: 2,
}

// A merger merges the segments of a store in the background.
type merger struct {
	writer *writer
	drafts *drafts
}

// start does so whenever nothing was written for that long, until stop.
func (m *merger) start(ctx context.Context, idle time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := parallel.Start(func() error { m.run(ctx, idle); return nil })
	return sync.OnceFunc(func() { cancel(); <-done }) //nolint:errcheck // what fails is tried again
}

func (m *merger) run(ctx context.Context, idle time.Duration) {
	var seen, merged uint64 // commits
	for wait := idle; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = idle
		text, dead, seq := m.quiet(ctx)
		if text != nil && seq == seen && seq != merged {
			if !m.merge(ctx, text, dead) {
				wait = mergeAgain
				continue
			}
			if merged = m.purge(ctx); merged == 0 {
				wait = purgeAgain * idle
			}
			seq = merged
		}
		seen = seq
	}
}

// quiet is the text index, what is closed when scorch dies, and the last commit;
// no index where somebody reads or writes at this moment, or nobody can.
func (m *merger) quiet(ctx context.Context) (text *scorch.Scorch, dead <-chan struct{}, seq uint64) {
	f := m.writer.files
	if m.writer.readers.count.Load() > 0 || f.writing.taken() || f.writing.take(ctx) != nil {
		return nil, nil, 0
	}
	defer f.writing.end()
	if m.writer.broken || m.drafts.publishing != nil || m.writer.ready(ctx) != nil {
		return nil, nil, 0
	}
	return f.text, f.dead, f.commit.Seq
}

// merge reports whether the segments were merged as the plan says. It doesn't take
// the turn to write: scorch merges beside batches, and stops when it is closed.
func (m *merger) merge(ctx context.Context, text *scorch.Scorch, dead <-chan struct{}) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options, failures := fewSegments, mergeFailures(text)
	merged, err := m.writer.force(ctx, text, &options)
	if err != nil {
		return false
	}
	tick := time.NewTicker(mergeGlance)
	defer tick.Stop()
	for busy := 0; ; {
		select {
		case err := <-merged:
			return err == nil && ctx.Err() == nil
		case <-dead:
			return false
		case <-tick.C:
			if busy++; m.writer.readers.count.Load() < int64(parallel.Processors()) {
				busy = 0
			}
			if mergeFailures(text) != failures || m.writer.wanting.Load() > 0 || busy >= mergeBusy {
				cancel() // scorch tries again without end, and who compacts merges all of it
			}
		}
	}
}

// mergeFailures is how often scorch failed to merge since it was opened.
func mergeFailures(text *scorch.Scorch) uint64 {
	n, _ := text.StatsMap()["TotFileMergeLoopErr"].(uint64)
	return n
}

// purge removes what was merged, reads what the next search would have to read,
// and returns the last commit, or 0 if something is still to be removed.
func (m *merger) purge(ctx context.Context) uint64 {
	if m.drafts.begin(ctx) != nil {
		return 0
	}
	f := m.writer.files
	defer f.writing.end()
	done := false
	err := parallel.Call(func() (err error) { done, err = m.writer.purge(); return err })
	if err == nil && f.text != nil {
		_ = parallel.Call(m.drafts.warm)
	}
	if !done {
		return 0
	}
	return f.commit.Seq
}
