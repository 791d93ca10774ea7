package index_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Of three servers exactly one goes on with the job of a fourth that dies.
func TestTakeOver(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		peers := []*bench{a.peer(server), a.peer(server), a.peer(server)}
		a.hold()
		j := a.start(false)
		advance(time.Second)
		a.node.kill()
		died := time.Now()
		advance(leaseTTL - time.Second)
		for _, p := range peers {
			if got := p.job(j.ID); got.State.Final() || got.Server != j.Server {
				t.Errorf("too early: %+v", got)
			}
		}
		got := peers[0].wait(j)
		if got.State != index.JobDone || got.Server == j.Server || got.Changed != 6 || got.Documents != len(a.ids()) {
			t.Errorf("job %+v", got)
		}
		if took := time.Since(died); took > 2*leaseTTL {
			t.Errorf("after %v", took)
		}
		ran := 0
		for _, p := range peers {
			if p.node.writes() > 0 {
				ran++
			}
		}
		if ran != 1 {
			t.Errorf("%d servers have written", ran)
		}
		sameAsClean(t, a)
		a.wantFree()
	})
}

// The next server goes on from what was committed.
func TestTakeOverGoesOn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		many(a, 200)
		b := a.peer(server)
		batches := 0
		a.node.onApply = func(_ context.Context, batch models.Batch) error {
			if len(batch.Put) > 0 {
				if batches++; batches == 2 {
					a.node.kill()
				}
			}
			return nil
		}
		j := a.start(false)
		if got := b.wait(j); got.State != index.JobDone || got.Changed == 0 || got.Changed >= 60 {
			t.Errorf("job %+v", got)
		}
		sameAsClean(t, b)
	})
}

// A queued job is taken over too.
func TestQueuedJobsAreTakenOver(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.hold()
		var jobs []jobs.Job
		for range 3 { // two run at once
			a.root = t.TempDir()
			a.write("a.go", "package a\n")
			res, err := a.service.Start(t.Context(), index.StartRequest{Targets: []string{a.root}})
			if err != nil {
				t.Fatal(err)
			}
			jobs = append(jobs, res.Items[0])
		}
		advance(time.Second)
		a.node.kill()
		b := a.peer(server)
		for _, j := range jobs {
			if got := b.wait(j); got.State != index.JobDone || got.Documents == 0 {
				t.Errorf("job %+v", got)
			}
		}
		a.wantFree()
	})
}

// A server that was only paused finds its job taken, and does not write.
func TestPausedHolder(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, release := atWork(t, server)
		thaw := a.node.freeze()
		release() // the run goes on, to its next step
		if got := b.wait(j); got.State != index.JobDone || got.Server == j.Server {
			t.Fatalf("job %+v", got)
		}
		before, content := a.node.writes(), a.store.content()
		thaw()
		advance(leaseTTL)
		if got := a.node.writes(); got != before {
			t.Errorf("%d writes after the pause", got-before)
		}
		if diff := diffContent(content, a.store.content()); diff != "" {
			t.Error(diff)
		}
		if got := a.job(j.ID); got.State != index.JobDone || got.Server == j.Server {
			t.Errorf("the paused server says %+v", got)
		}
		sameAsClean(t, a)
	})
}

// A server that does not reach the store for as long as a lease lasts stops its
// runs. When it does again, it goes on itself if nobody else has.
func TestStoreIsAway(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, index.Config{})
		release := a.hold()
		j := a.start(false)
		advance(time.Second)
		a.node.away()
		before := a.node.writes()
		advance(leaseTTL + time.Second)
		release()
		if got := a.node.writes(); got > before {
			t.Errorf("%d writes while the store was away", got-before)
		}
		if _, err := a.service.Job(t.Context(), index.JobRequest{ID: j.ID}); fault.CodeOf(err) != fault.RAGUnavailable {
			t.Errorf("a look at a job that may be another's: %v", err)
		}
		a.node.back()
		if got := a.wait(j); got.State != index.JobDone || got.Server != j.Server {
			t.Errorf("job %+v", got)
		}
		sameAsClean(t, a)
	})
}

// A short interruption is not noticed.
func TestStoreIsAwayForAMoment(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, release := atWork(t, server)
		a.node.away()
		advance(leaseTTL - 2*time.Second)
		a.node.back()
		advance(leaseTTL)
		release()
		if got := b.wait(j); got.State != index.JobDone || got.Server != j.Server {
			t.Errorf("job %+v", got)
		}
	})
}

// A server that is closed leaves its jobs to the others at once.
func TestHandOver(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, _ := atWork(t, server)
		begun := time.Now()
		a.close()
		got := b.wait(j)
		if got.State != index.JobDone || got.Server == j.Server {
			t.Errorf("job %+v", got)
		}
		if took := time.Since(begun); took > leaseTTL/2 {
			t.Errorf("after %v", took)
		}
		sameAsClean(t, b)
		b.wantFree()
	})
}

// Where there is no other server, the job waits for the next one.
func TestHandOverToTheNextServer(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.hold()
		j := a.start(false)
		advance(time.Second)
		a.close()
		tool := a.peer(index.Config{})
		advance(time.Hour)
		if got := tool.job(j.ID); got.State != jobs.Queued || got.Server != "" {
			t.Errorf("job %+v", got)
		}
		if r := a.record(); r.State != models.StateIndexing {
			t.Errorf("record %+v", r)
		}
		b := a.peer(server)
		begun := time.Now()
		if got := b.wait(j); got.State != index.JobDone || time.Since(begun) > time.Second {
			t.Errorf("after %v: %+v", time.Since(begun), got)
		}
		sameAsClean(t, b)
	})
}

// A command line that is closed cancels its job for good.
func TestToolCancelsAtClose(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, _ := atWork(t, index.Config{})
		a.close()
		advance(time.Minute)
		if got := b.job(j.ID); got.State != jobs.Cancelled || got.Server != j.Server {
			t.Errorf("job %+v", got)
		}
		if r := a.record(); r.State == models.StateIndexing || !strings.Contains(r.LastError, "cancelled") {
			t.Errorf("record %+v", r)
		}
		a.wantFree()
	})
}

// A job that was to be cancelled when its server died is cancelled.
func TestCancelOutlivesItsServer(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, _ := atWork(t, server)
		a.node.kill()
		res, err := b.service.Cancel(t.Context(), index.JobRequest{ID: j.ID})
		if err != nil || res.Items[0].State != jobs.Cancelled {
			t.Errorf("%+v, %v", res.Items, err)
		}
		advance(time.Second)
		if b.node.writes() > 0 {
			t.Error("it was run again")
		}
		if r := a.record(); r.State != models.StateError || !strings.Contains(r.LastError, "interrupted") {
			t.Errorf("record %+v", r)
		}
		a.wantFree()
	})
}

// The job of a folder that no server has is given up in the end, and says so.
func TestUnreachableFolder(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, _ := atWork(t, server)
		a.node.kill()
		away := a.root + ".away"
		if err := os.Rename(a.root, away); err != nil {
			t.Fatal(err)
		}
		advance(3 * leaseTTL)
		if got := b.job(j.ID); got.State.Final() {
			t.Errorf("too early: %+v", got)
		}
		got := b.wait(j)
		if got.State != jobs.Failed || !strings.Contains(*got.Error, j.Server) || !strings.Contains(*got.Error, a.root) {
			t.Errorf("job %+v", got)
		}
		advance(time.Second)
		if r := a.record(); r.State != models.StateError {
			t.Errorf("record %+v", r)
		}
		a.wantFree()
		if err := os.Rename(away, a.root); err != nil {
			t.Fatal(err)
		}
		b.run()
		sameAsClean(t, b)
	})
}

// A folder with the same path on another machine may be another one, or one in
// which nothing is mounted.
func TestOtherFolderIsNotTakenOver(t *testing.T) {
	for name, fill := range map[string]func(t *testing.T, root string){
		"empty": func(*testing.T, string) {},
		"of another repository": func(t *testing.T, root string) {
			t.Helper()
			for _, args := range [][]string{
				{"init", "-q", root},
				{"-C", root, "remote", "add", "origin", "https://example.com/other/thing.git"},
			} {
				if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
					t.Skipf("SKIPPED: git does not work: git %v: %v: %s", args, err, out)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				a := setUpServer(t, small, server)
				a.run()
				before := a.ids()
				b := a.peer(server)
				a.write("main.go", "package main\n")
				a.hold()
				j := a.start(false)
				advance(time.Second)
				a.node.kill()
				if err := os.Rename(a.root, a.root+".away"); err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(a.root, 0o700); err != nil {
					t.Fatal(err)
				}
				fill(t, a.root)
				if got := b.wait(j); got.State != jobs.Failed || len(a.ids()) != len(before) {
					t.Errorf("job %+v, %d documents of %d", got, len(a.ids()), len(before))
				}
			})
		})
	}
}

// A server with another embedder leaves the job to one with the same.
func TestOtherEmbedderDoesNotTakeOver(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.run()
		a.write("main.go", "package main\n")
		other := a.node.peer()
		s, err := index.Open(t.Context(), other, embedtest.New(8), index.Config{HandOver: true, Now: a.clock})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		a.hold()
		j := a.start(true)
		advance(time.Second)
		a.node.kill()
		advance(2 * leaseTTL)
		if got := other.writes(); got > 0 {
			t.Errorf("%d writes of another embedder", got)
		}
		b := a.peer(server)
		if got := b.wait(j); got.State != jobs.Done {
			t.Errorf("job %+v", got)
		}
		sameAsClean(t, b)
	})
}

// Who waits for a job of a server that is closed is told to come back.
func TestWaitWhileClosing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.hold()
		j := a.start(false)
		waited := make(chan error)
		go func() {
			_, err := a.service.Wait(t.Context(), j.ID, nil)
			waited <- err
		}()
		advance(time.Second)
		a.close()
		if err := <-waited; fault.CodeOf(err) != fault.Overloaded {
			t.Errorf("got %v", err)
		}
	})
}

// After the store was away, servers that can go on with a job get their chance
// before another gives it up.
func TestPatienceBeginsAnew(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, _ := atWork(t, server)
		a.node.kill()
		away := a.root + ".away"
		if err := os.Rename(a.root, away); err != nil {
			t.Fatal(err)
		}
		advance(leaseTTL / 2)
		b.node.away()
		advance(time.Hour)
		b.node.back()
		advance(leaseTTL)
		if got := b.job(j.ID); got.State.Final() {
			t.Errorf("too early: %+v", got)
		}
	})
}

// A job that waits for a server is cancelled at once.
func TestCancelWhatWaits(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.hold()
		j := a.start(false)
		advance(time.Second)
		a.close()
		tool := a.peer(index.Config{})
		begun := time.Now()
		res, err := tool.service.Cancel(t.Context(), index.JobRequest{ID: j.ID})
		if err != nil || res.Items[0].State != jobs.Cancelled || time.Since(begun) > time.Second {
			t.Errorf("after %v: %+v, %v", time.Since(begun), res.Items, err)
		}
		if r := a.record(); r.State != models.StateError {
			t.Errorf("record %+v", r)
		}
		a.wantFree()
	})
}
