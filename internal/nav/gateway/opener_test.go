package gateway_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// What was found when the time was over is no answer.
func TestNoAnswerBehindTheDeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := gateway.Sound(ctx, gateway.New(gateway.Config{}), 1,
		func(context.Context, *gateway.Opener, int) (int, error) { cancel(); return 2, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's", err)
	}
}
