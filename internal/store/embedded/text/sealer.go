package text

import (
	"runtime/debug"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// SealerName is under what scorch finds what RegisterSealer registers.
const SealerName = "ragnav-sealer"

// RegisterSealer makes scorch's goroutines, which no panic may end, report
// memory that a damaged file has not got as a panic, which they survive.
var RegisterSealer = sync.OnceFunc(func() {
	scorch.RegistryEventCallbacks[SealerName] = func(scorch.Event) bool {
		debug.SetPanicOnFault(true)
		return true
	}
})
