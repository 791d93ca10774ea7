package embedded

import (
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

const throttleName = "ragnav-throttle"

// registerThrottle makes scorch pause after a failure of its background work.
// It tries again at once otherwise, and keeps a core busy as long as the disk
// is full.
var registerThrottle = sync.OnceFunc(func() {
	scorch.RegistryAsyncErrorCallbacks[throttleName] = func(error, string) { time.Sleep(50 * time.Millisecond) }
})

// mergePlan is when scorch merges segments by itself. It is called for later
// than scorch does of its own, with 10 segments of a size, so that a first run
// merges each document once. Compact leaves what such a merge made as it is.
var mergePlan = map[string]any{"MaxSegmentsPerTier": segmentsOfSize, "SegmentsPerMergeTask": segmentsOfSize}

const segmentsOfSize = 16
