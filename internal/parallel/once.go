package parallel

import (
	"context"
	"sync/atomic"
)

// A Once is a value that is made when it is first asked for, by one of those who ask
// while the others wait. If the context of that one ends, what it made is not kept, and
// another one makes it. Make it with NewOnce.
type Once[T any] struct {
	value  atomic.Pointer[T]
	making chan struct{}
	create func(context.Context) T
}

// NewOnce is a value that create makes, which may give up when its context ends.
func NewOnce[T any](create func(context.Context) T) *Once[T] {
	return &Once[T]{making: make(chan struct{}, 1), create: create}
}

// Get is the value. When ctx ends it may be a part of it, or nothing.
func (o *Once[T]) Get(ctx context.Context) (none T) {
	if v := o.value.Load(); v != nil {
		return *v
	}
	select {
	case o.making <- struct{}{}:
	case <-ctx.Done():
		return none
	}
	defer func() { <-o.making }()
	if v := o.value.Load(); v != nil {
		return *v
	}
	v := o.create(ctx)
	if ctx.Err() == nil {
		o.value.Store(&v)
	}
	return v
}
