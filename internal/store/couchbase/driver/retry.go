package driver

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/couchbase/gocb/v2"
)

// How often and how soon something that failed for a passing reason is done
// again. With all retries it takes 0.4 to 0.8 seconds.
const (
	MaxRetries   = 4
	firstBackoff = 20 * time.Millisecond
	lastBackoff  = 540 * time.Millisecond
)

// Backoff is how long to wait before retry n, from 0: thrice as long each
// time, less up to half of it at random so that clients don't come in step.
func Backoff(n uint32) time.Duration {
	d := firstBackoff
	for range n {
		d = min(3*d, lastBackoff)
	}
	return d/2 + rand.N(d/2)
}

// patience is the driver's retry strategy: what it does on its own account,
// which is to repeat what did not reach the server, or what the server asks to
// repeat. It gives up soon: the driver's own strategy goes on until the timeout,
// also when the server is out of memory.
type patience struct {
	// exceptBroken leaves what a broken connection has cut to repeat. The
	// driver would send the same packet again, which another goroutine may
	// still be writing (gocbcore v10.8.1), and does not for writes, because it
	// cannot know that ours are idempotent.
	exceptBroken bool
}

// OnKeys is for operations on single keys.
var OnKeys = patience{exceptBroken: true}

// RetryAfter implements gocb.RetryStrategy.
func (p patience) RetryAfter(req gocb.RetryRequest, reason gocb.RetryReason) gocb.RetryAction {
	broken := reason == gocb.SocketNotAvailableRetryReason || reason == gocb.SocketCloseInFlightRetryReason
	allowed := req.Idempotent() || reason.AllowsNonIdempotentRetry()
	if !allowed || p.exceptBroken && broken || req.RetryAttempts() >= MaxRetries {
		return &gocb.NoRetryRetryAction{}
	}
	return &gocb.WithDurationRetryAction{WithDuration: Backoff(req.RetryAttempts())}
}

// Repeat does something idempotent until it succeeds, fails for a reason that
// does not pass or that the driver has repeated it for, or has been done
// maxRetries times again.
func Repeat(ctx context.Context, do func() error) error {
	for n := uint32(0); ; n++ {
		err := do()
		if err == nil || n == MaxRetries || !passing(err) || !Pause(ctx, Backoff(n)) {
			return err
		}
	}
}

// Pause waits, and reports whether the context is still alive.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// streamSlack is how much longer than OpTimeout an answer may take that has
// begun; the driver only watches over its beginning.
const streamSlack = 250 * time.Millisecond

// Bounded is a context for one call of a service with all of its retries. Its
// cause is gocb.ErrTimeout when it is over before ctx.
func (c Config) Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.OpTimeout+streamSlack, gocb.ErrTimeout)
}

// Timeout is how long a service may work for one call. It is told the service,
// which goes on when the caller has gone.
func (c Config) Timeout(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return max(min(c.OpTimeout, time.Until(deadline)), time.Millisecond)
	}
	return c.OpTimeout
}

// notSent are the reasons for a retry that mean that no connection was there.
var notSent = []gocb.RetryReason{
	gocb.SocketNotAvailableRetryReason, gocb.ServiceNotAvailableRetryReason, gocb.NodeNotAvailableRetryReason,
	gocb.NotReadyRetryReason, gocb.CircuitBreakerOpenRetryReason, gocb.SocketCloseInFlightRetryReason,
}

func anyOf(reasons, wanted []gocb.RetryReason) bool {
	return slices.ContainsFunc(reasons, func(r gocb.RetryReason) bool { return slices.Contains(wanted, r) })
}
