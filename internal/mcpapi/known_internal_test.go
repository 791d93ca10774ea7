package mcpapi

import (
	"context"
	"testing"
)

// A call whose time is over does not wait for another one that reads the list.
func TestKnownEndsWithTheCall(t *testing.T) {
	k := known{turn: make(chan struct{}, 1)}
	k.turn <- struct{}{} // another call has it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := k.repositories(ctx, nil); got != nil {
		t.Errorf("%v", got)
	}
}
