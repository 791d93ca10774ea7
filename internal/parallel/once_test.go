package parallel_test

import (
	"context"
	"testing"

	"github.com/ragnav/ragnav/internal/parallel"
)

// A value is made once; one that was given up is made again, and who waits for it does so
// no longer than its own context.
func TestOnce(t *testing.T) {
	made := 0
	begun, end := make(chan bool), make(chan bool)
	o := parallel.NewOnce(func(ctx context.Context) int {
		made++
		select {
		case begun <- true:
			<-end
		default:
		}
		if ctx.Err() != nil {
			return -1
		}
		return made
	})
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan int, 1)
	maker := parallel.Start(func() error { first <- o.Get(ctx); return nil })
	<-begun
	waiting, give := context.WithCancel(t.Context())
	give()
	if v := o.Get(waiting); v != 0 {
		t.Errorf("%d, while another one makes it", v)
	}
	cancel()
	close(end)
	if v := <-first; v != -1 || <-maker != nil {
		t.Errorf("%d, want what was made until then", v)
	}
	for range 2 {
		if v := o.Get(t.Context()); v != 2 {
			t.Errorf("%d, want 2", v)
		}
	}
}
