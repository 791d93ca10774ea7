// Package early is initialised before the libraries whose initialisation makes more
// garbage than Go's first heap of 4 MB holds, which would be collected before main.
// Packages are initialised as soon as what they import is, and this one imports next
// to nothing: not what sets the collector, which comes after them.
package early

import (
	"sync/atomic"
	"syscall"
)

// Size is how much of the heap is held: the next collection comes when there is as
// much again.
const Size = 64 << 20

// heap is never written to, so it is no memory of the machine.
var heap = hold()

// hold holds nothing where the user has said when garbage is to be collected.
func hold() []byte {
	if percent, _ := syscall.Getenv("GOGC"); percent != "" {
		return nil
	}
	return make([]byte, Size)
}

var released atomic.Bool

// Release lets go of what was held, for main. It counts as heap until the first
// collection.
func Release() (held int) {
	if released.Swap(true) {
		return 0
	}
	held, heap = len(heap), nil
	return held
}
