package jobs

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/records"
)

// oneRecord is a Shared with one job.
type oneRecord struct {
	records.Shared

	rec     Record
	version uint64
	err     error // of every call
}

func (o *oneRecord) Versioned(_ context.Context, _, _ string, v any) (uint64, error) {
	*v.(*Record) = o.rec
	return o.version, o.err
}

//nolint:revive // the arguments are those of Shared
func (o *oneRecord) Swap(_ context.Context, _, _ string, version uint64, v any, _ time.Duration) (uint64, error) {
	if o.err != nil {
		return 0, o.err
	}
	if version != o.version {
		return 0, fault.New(fault.Conflict, "version %d, not %d", o.version, version)
	}
	o.rec, o.version = v.(Record), version+1
	return o.version, nil
}

// A process that was suspended goes on with its next write, its timers late. It
// must find out first whether its job is still its own.
func TestRenewerChecksBeforeItWrites(t *testing.T) {
	away := fault.New(fault.RAGUnavailable, "the store is away")
	tests := []struct {
		name      string
		suspended time.Duration
		meanwhile func(o *oneRecord)
		want      error
	}{
		{"for a moment", time.Second, func(*oneRecord) {}, nil},
		{"for long, and nobody took the job", time.Hour, func(*oneRecord) {}, nil},
		{"for long, and another holder took it", time.Hour, func(o *oneRecord) { o.rec.Holder = "b"; o.version++ }, ErrLost},
		{"for long, and it has had another holder", time.Hour, func(o *oneRecord) { o.rec.Term++; o.version++ }, ErrLost},
		{
			"for long, and the job was ended", time.Hour,
			func(o *oneRecord) { o.rec = o.rec.ended(Failed, "", time.Time{}); o.version++ }, ErrLost,
		},
		{
			"for long, and it was to be cancelled", time.Hour, func(o *oneRecord) { o.rec.CancelRequested = true; o.version++ },
			ErrCancelled,
		},
		{"for a while, and the store is away", 8 * time.Second, func(o *oneRecord) { o.err = away }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := New(Spec{}, time.Now)
				o := &oneRecord{version: 1}
				b := &Board{
					Store: o, holder: "a", Timing: Timing{Heartbeat: time.Hour * 24, TTL: 10 * time.Second},
					kept: map[string]*renewer{},
				}
				o.rec = b.record(j)
				ctx, release := j.Under(t.Context())
				defer release()
				k := newRenewer(ctx, b, j, posting{o.rec, 1, time.Now()})
				k.expiry.Stop() // it will be late
				time.Sleep(test.suspended)
				test.meanwhile(o)
				err := k.check(ctx)
				if lost := errors.Is(test.want, ErrLost); lost != errors.Is(err, ErrLost) || err != nil && !lost {
					t.Errorf("check says %v", err)
				}
				if got := context.Cause(ctx); !errors.Is(got, test.want) {
					t.Errorf("the job was stopped for %v, want %v", got, test.want)
				}
				k.drop()
			})
		})
	}
}

// A job may be lost or cancelled before it is launched.
func TestJobIsStoppedBeforeItHasAContext(t *testing.T) {
	j := New(Spec{}, time.Now)
	j.Stop(ErrCancelled)
	j.Stop(ErrLost)
	ctx, release := j.Under(t.Context())
	defer release()
	if got := context.Cause(ctx); !errors.Is(got, ErrCancelled) {
		t.Errorf("the job was stopped for %v", got)
	}
}
