package watch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
)

// A fake is a source that is told what to say.
type fake struct {
	taken     chan func(context.Context) change
	locked    atomic.Bool
	gone      atomic.Bool
	refreshed int
	failing   error
}

func (s *fake) next() <-chan func(context.Context) change { return s.taken }
func (s *fake) refresh(context.Context) error             { s.refreshed++; return s.failing }
func (s *fake) busy() bool                                { return s.locked.Load() }
func (s *fake) there() bool                               { return !s.gone.Load() }
func (s *fake) close()                                    {}

func (s *fake) tell(c change) { s.taken <- func(context.Context) change { return c } }

// A scene is a follower at work over a fake source, on a clock of its own.
type scene struct {
	*fake

	t     *testing.T
	began time.Time
	runs  []string            // when each update began, and what it was about
	takes time.Duration       // of one update
	fails func(run int) error // how an update comes out
	over  chan bool           // what serve returned
	stop  func()              // ends the follower's context
	said  []string
}

// play has a follower past its first update, which is about everything.
func play(t *testing.T, body func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{
			fake: &fake{taken: make(chan func(context.Context) change)}, t: t, over: make(chan bool, 1),
			fails: func(int) error { return nil },
		}
		f := &follower{Config: Config{
			Quiet: 50 * time.Millisecond,
			Update: func(_ context.Context, _ Repo, paths []string) error {
				what := "all"
				if len(paths) > 0 {
					what = fmt.Sprint(paths)
				}
				s.runs = append(s.runs, fmt.Sprintf("%d ms: %s", time.Since(s.began).Milliseconds(), what))
				n := len(s.runs)
				time.Sleep(s.takes)
				return s.fails(n)
			},
			Say: func(_ Repo, message string) { s.said = append(s.said, message) },
		}.withDefaults()}
		s.began = time.Now()
		ctx, stop := context.WithCancel(t.Context())
		s.stop = stop
		go func() { s.over <- f.serve(ctx, s.fake) }()
		s.wait(100)
		s.began, s.runs = time.Now(), nil
		body(s)
		stop()
		synctest.Wait()
	})
}

// wait lets that many milliseconds pass.
func (s *scene) wait(ms int) {
	time.Sleep(time.Duration(ms) * time.Millisecond)
	synctest.Wait()
}

func (s *scene) want(runs ...string) {
	s.t.Helper()
	if diff := cmp.Diff(runs, s.runs); diff != "" {
		s.t.Error(diff)
	}
}

func TestUpdateWhenQuiet(t *testing.T) {
	play(t, func(s *scene) {
		for _, p := range []string{"a", "b", "a"} {
			s.tell(change{path: p})
			s.wait(20)
		}
		s.wait(100)
		s.tell(change{path: "c"})
		s.wait(100)
		s.want("90 ms: [a b]", "210 ms: [c]")
	})
}

func TestUpdateWhenNeverQuiet(t *testing.T) {
	play(t, func(s *scene) {
		for range 60 {
			s.tell(change{path: "log"})
			s.wait(20)
		}
		s.wait(100)
		s.want("1000 ms: [log]", "1230 ms: [log]")
	})
}

// A branch switch is one update, however long git takes and whatever it touches.
func TestUpdateWaitsForGit(t *testing.T) {
	play(t, func(s *scene) {
		s.locked.Store(true)
		s.tell(change{git: true})
		for i := range 300 {
			s.tell(change{path: fmt.Sprint(i)})
			s.wait(10)
		}
		s.locked.Store(false)
		s.tell(change{all: true, git: true}) // the index and HEAD
		s.wait(500)
		s.want("3250 ms: all")
		if s.refreshed != 2 { // one at the start
			t.Errorf("%d refreshes", s.refreshed)
		}
	})
}

// A lock that a killed git left behind does not stop updates for ever.
func TestUpdateWaitsForGitNotForEver(t *testing.T) {
	play(t, func(s *scene) {
		s.locked.Store(true)
		s.tell(change{path: "a"})
		s.wait(12_000)
		s.want("10050 ms: [a]")
	})
}

// What changes during an update is the next one's.
func TestOneUpdateAtATime(t *testing.T) {
	play(t, func(s *scene) {
		s.takes = 300 * time.Millisecond
		s.tell(change{path: "a"})
		s.wait(100)
		s.tell(change{path: "b"})
		s.wait(100)
		s.tell(change{path: "a"})
		s.wait(1000)
		s.want("50 ms: [a]", "350 ms: [a b]")
	})
}

// While another job has the repository, nothing is forgotten.
func TestUpdateAfterAnotherJob(t *testing.T) {
	play(t, func(s *scene) {
		s.fails = func(run int) error {
			if run < 3 {
				return fault.New(fault.Conflict, "a job runs")
			}
			return nil
		}
		s.tell(change{path: "a"})
		s.wait(200)
		s.tell(change{path: "b"})
		s.wait(2000)
		s.want("50 ms: [a]", "550 ms: [a b]", "1050 ms: [a b]")
		if len(s.said) > 0 {
			t.Errorf("said %q", s.said)
		}
	})
}

// An update that panics is one that failed, not the end of the process.
func TestUpdateThatPanics(t *testing.T) {
	play(t, func(s *scene) {
		s.fails = func(run int) error {
			if run == 1 {
				panic("no such file")
			}
			return nil
		}
		s.tell(change{path: "a"})
		s.wait(1000)
		s.want("50 ms: [a]", "550 ms: all")
	})
}

func TestFailedUpdate(t *testing.T) {
	play(t, func(s *scene) {
		s.fails = func(run int) error {
			if run < 4 {
				return fault.New(fault.RAGUnavailable, "the disk is full")
			}
			return nil
		}
		s.tell(change{path: "a"})
		s.wait(10_000)
		s.want("50 ms: [a]", "550 ms: all", "1550 ms: all", "3550 ms: all")
		if diff := cmp.Diff([]string{"not up to date: the disk is full", "up to date again"}, s.said); diff != "" {
			t.Error(diff)
		}
	})
}

func TestServeEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		do   func(*scene)
		want bool
	}{
		"when told": {func(s *scene) { s.stop() }, true},
		"with the registration": {func(s *scene) {
			s.fails = func(int) error { return fault.New(fault.RepoNotFound, "") }
			s.tell(change{path: "a"})
		}, true},
		"to begin anew with the root":   {func(s *scene) { s.gone.Store(true) }, false},
		"to begin anew with its source": {func(s *scene) { s.tell(change{lost: true}) }, false},
		"to begin anew without the folder": {func(
			s *scene,
		) {
			s.failing = errors.New("no such folder")
			s.tell(change{all: true})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *scene) {
				tc.do(s)
				s.wait(3000)
				select {
				case over := <-s.over:
					if over != tc.want {
						t.Errorf("over for good: %v", over)
					}
				default:
					t.Error("goes on")
				}
			})
		})
	}
}
