package text

import (
	"errors"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// ThrottleName is under what scorch finds what RegisterThrottle registers.
const ThrottleName = "ragnav-throttle"

// RegisterThrottle makes scorch pause after a failure of its background work.
// It tries again at once otherwise, and keeps a core busy as long as the disk
// is full. A panic of that work is its end.
var RegisterThrottle = sync.OnceFunc(func() {
	scorch.RegistryAsyncErrorCallbacks[ThrottleName] = func(err error, folder string) {
		if do, ok := onPanic.Load(folder); ok && errors.Is(err, scorch.ErrAsyncPanic) {
			do.(func())() //nolint:forcetypeassert // as OnPanic stores it
		}
		time.Sleep(50 * time.Millisecond)
	}
})

// onPanic has what OnPanic was given.
var onPanic sync.Map

// OnPanic has do called, once, when scorch's background work on the text index in
// a folder ends in a panic.
func OnPanic(folder string, do func()) { onPanic.Store(folder, sync.OnceFunc(do)) }

// Closed ends what OnPanic began for a folder, whose store would be kept for ever.
func Closed(folder string) { onPanic.Delete(folder) }

// MergePlan is when scorch merges segments by itself. It is called for much later
// than scorch does of its own, with 10 segments of a size: a search over 52 segments
// costs a quarter more at most, and merging is a third of a first run. So one of up to
// 190,000 documents merges nothing, and a larger one each document once. A store that
// stays open merges more when it is quiet.
var MergePlan = map[string]any{"MaxSegmentsPerTier": segmentsOfSize, "SegmentsPerMergeTask": segmentsOfSize}

const segmentsOfSize = 64
