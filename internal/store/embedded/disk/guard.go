package disk

import (
	"fmt"
	"runtime/debug"
)

// Guard runs a function that reads mapped files by code that trusts them. A
// panic, also for memory that a file does not have any more, is an error.
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading failed: %v", r)
		}
	}()
	return read()
}
