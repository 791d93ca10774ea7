package fault

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// A Panic is a panic that was recovered. Whatever wraps it, its code is Internal.
type Panic struct {
	Value any
	Stack string // of the goroutine that panicked
}

// Panicked makes an error of what recover returned. Call it where that was
// called. A *Panic stays as it is: it was carried here from another goroutine.
func Panicked(value any) *Panic {
	if err, ok := value.(error); ok {
		if p, ok := errors.AsType[*Panic](err); ok {
			return p
		}
	}
	return &Panic{Value: value, Stack: string(debug.Stack())}
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap is the value that was panicked with, where it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
