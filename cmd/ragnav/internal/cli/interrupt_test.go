//go:build unix

package cli_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
)

// The first interrupt ends a turn, the next one the program.
func TestInterrupts(t *testing.T) {
	interrupt := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	var i cli.Interrupts
	ctx, stop := i.Watch(t.Context())
	defer stop()
	for range 2 {
		turn, done := i.Turn(ctx)
		interrupt()
		<-turn.Done()
		done()
	}
	turn, done := i.Turn(ctx)
	done()
	if ctx.Err() != nil || turn.Err() == nil {
		t.Errorf("after turns %v, the last one %v; want only that one ended", ctx.Err(), turn.Err())
	}
	interrupt()
	<-ctx.Done()
}
