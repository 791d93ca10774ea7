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
