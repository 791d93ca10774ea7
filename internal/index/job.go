package index

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// A job is a run as the service sees it.
type job struct {
	id     string
	spec   spec
	cancel context.CancelFunc
	done   chan struct{} // closed when the state is final
	now    func() time.Time

	mu      sync.Mutex
	view    Job
	parsing time.Time // when the files' turn came
}

func newJob(s spec, now func() time.Time) *job {
	id := strings.ToLower(rand.Text()[:12])
	return &job{
		id: id, spec: s, done: make(chan struct{}), now: now,
		view: Job{ID: id, RepoID: s.id, Target: shownTarget(s), State: JobQueued},
	}
}

func shownTarget(s spec) string {
	if s.url != "" {
		return s.url
	}
	return s.target
}

// update changes what the outside sees.
func (j *job) update(change func(*Job)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.view)
}

// enter moves the job to its next state.
func (j *job) enter(state JobState) {
	now := j.now().UTC()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.view.State = state
	if j.view.StartedAt == nil {
		j.view.StartedAt = &now
	}
	if state == JobParsing {
		j.parsing = now
	}
}

// end records how the job came out. Waiters learn of it.
func (j *job) end(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.setRate()
	j.view.FinishedAt, j.view.ETASeconds = new(j.now().UTC()), 0
	switch {
	case err == nil:
		j.view.State = JobDone
	case fault.CodeOf(err) == fault.Canceled:
		j.view.State, j.view.Error = JobCancelled, new("cancelled; run `ragnav index` again to finish")
	default:
		j.view.State, j.view.Error = JobFailed, new(reason(err))
	}
	close(j.done)
}

// snapshot is the job as it is now.
func (j *job) snapshot() Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.view.State.Final() {
		j.setRate()
	}
	return j.view
}

// setRate brings the rate and the remaining time up to date; j.mu is held.
func (j *job) setRate() {
	if j.parsing.IsZero() || j.view.State != JobParsing {
		return
	}
	if elapsed := j.now().Sub(j.parsing).Seconds(); elapsed > 0 {
		j.view.Rate = float64(j.view.Done) / elapsed
	}
	j.view.ETASeconds = 0
	if j.view.Rate > 0 {
		j.view.ETASeconds = float64(j.view.Total-j.view.Done) / j.view.Rate
	}
}

// reason is an error in words for the person who started a job. Errors of the
// machine (permission, disk full) are shown as they are: the job's owner is
// the machine's.
func reason(err error) string {
	if fault.CodeOf(err) == fault.Internal {
		return err.Error()
	}
	return fault.MessageOf(err)
}
