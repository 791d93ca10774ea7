package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// Why the context of a job ended: the cause that context.Cause tells.
var (
	ErrCancelled = errors.New("somebody cancelled the job")
	errClosing   = errors.New("the process ends, and its jobs with it")
	ErrHandOver  = errors.New("the process ends, another server goes on")
	ErrLost      = errors.New("the job is no longer this process's")
)

const progressInterval = 100 * time.Millisecond

// A Handle is a job of this process: what is known of it, and how to stop it.
type Handle struct {
	ID      string
	Spec    Spec
	Created time.Time     // only of jobs on a board
	Removal bool          // not a run: it holds the repository while it is removed
	Behind  *Handle       // that has to be done before; nil for none
	renewer *renewer      // holds the job on the board; nil where there is none
	done    chan struct{} // closed when the state is final, or the job no longer this process's
	now     func() time.Time

	mu      sync.Mutex
	view    Job
	parsing time.Time  // when the files' turn came
	commits time.Time  // when the part of committing began that is under way
	share   [2]float64 // of committing: where that part begins and ends
	same    int        // files of view.Done that took no time: they are as they were
	follows time.Time  // when vectors began to follow
	waited  int        // documents that waited for theirs then
	cancel  context.CancelCauseFunc
	cause   error // given to stop before there was a cancel, or with it
}

// New is a job that is not queued yet.
func New(s Spec, now func() time.Time) *Handle {
	id := strings.ToLower(rand.Text()[:12])
	return &Handle{
		ID: id, Spec: s, done: make(chan struct{}), now: now,
		view: Job{ID: id, RepoID: s.ID, Target: s.Shown(), State: Queued},
	}
}

// Under gives the job its context, below parent. Release it with the result.
func (j *Handle) Under(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.cancel = cancel
	if j.cause != nil {
		cancel(j.cause)
	}
	return ctx, func() { cancel(context.Canceled) }
}

// Forfeit takes a job that was not begun, or a removal, off the board, if it is
// on one.
func (j *Handle) Forfeit(ctx context.Context) {
	if j.renewer != nil {
		j.renewer.forfeit(ctx)
	}
}

// MayWrite is ErrLost when the job may be another process's by now. Ask before
// each write to a shared store; of any other a job may always write.
func (j *Handle) MayWrite(ctx context.Context) error {
	if j.renewer == nil {
		return nil
	}
	return j.renewer.check(ctx)
}

// Stop ends the job's context for that reason, unless it has ended before.
func (j *Handle) Stop(cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cause == nil {
		j.cause = cause
	}
	if j.cancel != nil {
		j.cancel(cause)
	}
}

// cancelled reports whether somebody asked for the end of the job.
func (j *Handle) cancelled() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Is(j.cause, ErrCancelled)
}

// Update changes what the outside sees.
func (j *Handle) Update(change func(*Job)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.view)
}

// Pass counts files as done that took no time, so that they are no part of the rate.
func (j *Handle) Pass(files int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.view.Done += files
	j.same = files
}

// Enter moves the job to its next state.
func (j *Handle) Enter(state State) {
	now := j.now().UTC()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.view.State, j.view.ETASeconds = state, 0
	if j.view.StartedAt == nil {
		j.view.StartedAt = &now
	}
	if state == Parsing {
		j.parsing = now
	}
}

// Follow takes note of how many documents wait for their vectors.
func (j *Handle) Follow(pending int) {
	now := j.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.view.Pending = pending
	if j.follows.IsZero() {
		j.follows, j.waited = now, pending
	}
	if made := j.waited - pending; made > 0 {
		j.view.ETASeconds = now.Sub(j.follows).Seconds() / float64(made) * float64(pending)
	}
}

// CommitFrom begins a part of committing, by the shares of the whole between which
// it is. Without, it is the whole.
func (j *Handle) CommitFrom(begin, end float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.share = [2]float64{begin, end}
	j.advance(begin)
}

// Commit takes note of how much of that part is done, for what the outside sees
// and the time that remains.
func (j *Handle) Commit(done, total int) {
	now := j.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.share[1] == 0 {
		j.share[1] = 1
	}
	if total > 0 {
		j.advance(j.share[0] + (j.share[1]-j.share[0])*float64(done)/float64(total))
	}
	if done == 0 {
		j.commits = now
		return
	}
	if !j.view.State.Final() {
		j.view.ETASeconds = max(0, now.Sub(j.commits).Seconds()) / float64(done) * float64(total-done)
	}
}

// advance sets the share that is committed, which never falls; j.mu is held. What
// goes on after a job has ended doesn't change it.
func (j *Handle) advance(share float64) {
	if j.view.State == Committing {
		j.view.Committed = max(j.view.Committed, min(share, 1))
	}
}

// Outcome is how the job looks once it has come out with err.
func (j *Handle) Outcome(err error) Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.setRate()
	v := j.view
	v.FinishedAt, v.ETASeconds, v.Committed = new(j.now().UTC()), 0, 0
	switch {
	case err == nil:
		v.State = Done
	case fault.CodeOf(err) == fault.Canceled:
		v.State, v.Error = Cancelled, new(cancelledMessage)
	default:
		v.State, v.Error = Failed, new(Reason(err))
	}
	return v
}

const cancelledMessage = "cancelled; run `ragnav index` again to finish"

// End makes an outcome known to those who wait.
func (j *Handle) End(outcome Job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.view = outcome
	close(j.done)
}

// abandon tells those who wait that the job goes on elsewhere.
func (j *Handle) abandon() { close(j.done) }

// wait follows the job until it has ended, or is no longer this process's.
func (j *Handle) wait(ctx context.Context, progress func(Job)) (Job, error) {
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	for {
		progress(j.Snapshot())
		select {
		case <-j.done:
			last := j.Snapshot()
			progress(last)
			return last, nil
		case <-ctx.Done():
			return j.Snapshot(), ctx.Err()
		case <-tick.C:
		}
	}
}

// attend waits until the job that j is behind is done, and shows how far that is.
func (j *Handle) attend(ctx context.Context) error {
	if j.Behind == nil {
		return nil
	}
	own := j.Snapshot()
	other, err := j.Behind.wait(ctx, func(v Job) {
		j.Update(func(mine *Job) { mine.WaitsFor = v.Target })
		j.Mirror(v)
	})
	j.Update(func(mine *Job) { *mine = own })
	if err == nil && other.State != Done {
		return fault.New(fault.Conflict, "all vectors have to be made again before, and that failed: %s", *other.Error)
	}
	return err
}

// Mirror shows in a job how far one is that works for it.
func (j *Handle) Mirror(one Job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	mine := &j.view
	if !one.State.Final() {
		mine.State = one.State
	}
	mine.Total, mine.Done, mine.Pending, mine.Rate, mine.ETASeconds, mine.Committed = one.Total, one.Done, one.Pending,
		one.Rate, one.ETASeconds, 0
	mine.Embedded, mine.Reused, mine.Documents = one.Embedded, one.Reused, one.Documents
}

// Snapshot is the job as it is now.
func (j *Handle) Snapshot() Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.view.State.Final() {
		j.setRate()
	}
	return j.view
}

// setRate brings the rate and the remaining time up to date; j.mu is held.
func (j *Handle) setRate() {
	if j.parsing.IsZero() || j.view.State != Parsing {
		return
	}
	if elapsed := j.now().Sub(j.parsing).Seconds(); elapsed > 0 {
		j.view.Rate = float64(j.view.Done-j.same) / elapsed
	}
	j.view.ETASeconds = 0
	if j.view.Rate > 0 {
		j.view.ETASeconds = float64(j.view.Total-j.view.Done) / j.view.Rate
	}
}

// Reason is an error in words for the person who started a job. Errors of the
// machine (permission, disk full) are shown as they are: the job's owner is
// the machine's.
func Reason(err error) string {
	if _, ok := errors.AsType[*fault.Panic](err); ok {
		return "internal error; the log has it under the job's id"
	}
	if fault.CodeOf(err) == fault.Internal {
		return err.Error()
	}
	return fault.MessageOf(err)
}
