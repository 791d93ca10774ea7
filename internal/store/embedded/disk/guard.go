package disk

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrPanicked is a panic of code that trusts the files which it reads.
var ErrPanicked = errors.New("reading failed")

// Guard runs a function that reads mapped files by code that trusts them. A
// panic, also for memory that a file does not have any more, is ErrPanicked.
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrPanicked, r)
		}
	}()
	return read()
}
