package embedded

import (
	"runtime/debug"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

const sealerName = "ragnav-sealer"

// registerSealer makes scorch's goroutines, which no panic may end, report
// memory that a damaged file has not got as a panic, which they survive.
var registerSealer = sync.OnceFunc(func() {
	scorch.RegistryEventCallbacks[sealerName] = func(scorch.Event) bool {
		debug.SetPanicOnFault(true)
		return true
	}
})
