package jobs

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/parallel"
)

// A renewer holds one job of this process on the board. It writes the job's
// progress with each heartbeat, learns there that the job is to be cancelled,
// and stops the job as soon as it may no longer be this process's.
//
// Its writes don't end with the contexts that they are given.
type renewer struct {
	board  *Board
	job    *Handle
	stop   chan struct{} // closed to end the heartbeat
	done   chan struct{} // closed when it has ended
	expiry *time.Timer   // calls lose when the lease has run out
	lost   atomic.Bool

	mu sync.Mutex // held during a write
	posting
}

// A posting is a job's record as this process last wrote it.
type posting struct {
	rec     Record
	version uint64
	begun   time.Time // when the write was begun
}

func newRenewer(ctx context.Context, b *Board, j *Handle, p posting) *renewer {
	k := &renewer{board: b, job: j, posting: p, stop: make(chan struct{}), done: make(chan struct{})}
	k.expiry = time.AfterFunc(b.TTL-time.Since(p.begun), k.lose)
	j.renewer = k
	b.keep(k)
	parallel.Start(func() error { return k.beat(ctx) })
	return k
}

// beat renews the lease until it is told to stop or the job is lost.
func (k *renewer) beat(ctx context.Context) error {
	defer close(k.done)
	tick := time.NewTicker(k.board.Heartbeat)
	defer tick.Stop()
	for !k.lost.Load() {
		select {
		case <-k.stop:
			return nil
		case <-tick.C:
			_ = k.renew(ctx) // what fails is tried again until the lease runs out
		}
	}
	return nil
}

// lose ends the job here, without another write.
func (k *renewer) lose() {
	if k.lost.CompareAndSwap(false, true) {
		k.job.Stop(ErrLost)
	}
}

// renew writes the job as it is now.
func (k *renewer) renew(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	rec := k.rec
	rec.Job = k.job.Snapshot()
	rec.Heartbeat++
	return k.write(ctx, rec)
}

// check is ErrLost when the job may be another process's by now. The job asks
// before each of its writes: a process that was suspended goes on in the middle
// of what it did, and its timers are late.
func (k *renewer) check(ctx context.Context) error {
	k.mu.Lock()
	doubt := elapsed(k.begun) > k.board.TTL/2
	k.mu.Unlock()
	if doubt {
		_ = k.renew(ctx) // only a lost job must not go on
	}
	if k.lost.Load() {
		return ErrLost
	}
	return nil
}

// elapsed is the time since t by the clock that counts more: the monotonic one
// may stand still while the machine sleeps.
func elapsed(t time.Time) time.Duration {
	return max(time.Since(t), time.Now().Round(0).Sub(t.Round(0)))
}

// write puts rec in place of what this renewer wrote last; k.mu is held. An
// ErrLost means that somebody else has the job.
func (k *renewer) write(ctx context.Context, rec Record) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.board.TTL/4)
	defer cancel()
	for !k.lost.Load() {
		rec.CancelRequested = rec.CancelRequested || k.job.cancelled()
		begun := time.Now()
		version, err := k.board.write(ctx, rec, k.version)
		switch {
		case err == nil:
			k.posting = posting{rec, version, begun}
			k.expiry.Reset(k.board.TTL - elapsed(begun))
			return nil
		case !IsConflict(err):
			return fmt.Errorf("write job %s: %w", rec.Job.ID, err)
		}
		if err := k.catchUp(ctx, &rec); err != nil {
			return err
		}
	}
	return ErrLost
}

// catchUp reads what somebody else wrote, or this renewer itself without being
// told that it came through.
func (k *renewer) catchUp(ctx context.Context, rec *Record) error {
	current, version, err := k.board.read(ctx, rec.Job.ID)
	if err != nil {
		return err
	}
	if version == 0 || !current.held(k.rec.pulse) {
		k.lose()
		return ErrLost
	}
	k.version = version
	rec.Heartbeat = max(rec.Heartbeat, current.Heartbeat+1)
	if current.CancelRequested && !rec.CancelRequested {
		rec.CancelRequested = true
		k.job.Stop(ErrCancelled)
	}
	return nil
}

// last writes the last record of a job that this process has done with, and
// tries until that came through or the lease has run out.
func (k *renewer) last(ctx context.Context, change func(Record) Record) error {
	close(k.stop)
	<-k.done
	defer k.board.letGo(k.job.ID)
	defer k.expiry.Stop()
	for {
		k.mu.Lock()
		err := k.write(ctx, change(k.rec))
		k.mu.Unlock()
		if err == nil || k.lost.Load() {
			return err
		}
		pause(context.WithoutCancel(ctx), k.board.Heartbeat)
	}
}

// drop lets go of a job that was lost.
func (k *renewer) drop() {
	k.lose()
	close(k.stop)
	<-k.done
	k.expiry.Stop()
	k.board.letGo(k.job.ID)
}
