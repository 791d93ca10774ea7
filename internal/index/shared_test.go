package index_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// server is how servers are configured; a command line is the zero Config.
var server = index.Config{HandOver: true}

const leaseTTL = 10 * time.Second // the default

// inBubble runs a test in which time goes by only while all wait for it.
func inBubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// advance lets time go by. In a bubble that takes none.
func advance(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// atWork is a process that holds a run, begun a second ago, until release, and a server beside it.
func atWork(t *testing.T, c index.Config) (a, b *bench, j jobs.Job, release func()) {
	t.Helper()
	a = setUpServer(t, small, c)
	b = a.peer(server)
	release = a.hold()
	j = a.start(false)
	advance(time.Second)
	return a, b, j, release
}

// setUpServer is setUp for a process over a cluster of its own.
func setUpServer(t *testing.T, files map[string]string, c index.Config) *bench {
	t.Helper()
	shared := newCluster()
	b := &bench{T: t, root: t.TempDir(), store: shared.memory, node: shared.peer()}
	// A bubble begins in the year 2000, before the files were written.
	b.clock = func() time.Time { return time.Now().AddDate(50, 0, 0) }
	b.open(c)
	for name, content := range files {
		b.write(name, content)
	}
	t.Cleanup(func() {
		if len(shared.early) > 0 {
			t.Errorf("called fresh before searches saw it: %v", shared.early)
		}
	})
	return b
}

// peer is another process over the same cluster and with the same folders.
func (b *bench) peer(c index.Config) *bench {
	b.Helper()
	p := &bench{T: b.T, root: b.root, store: b.store, node: b.node.peer(), clock: b.clock}
	p.open(c)
	return p
}

// hold has runs of the process wait before their first document, until release
// is called or they are cancelled.
func (b *bench) hold() (release func()) {
	proceed := make(chan struct{})
	b.node.onApply = func(ctx context.Context, batch models.Batch) error {
		if len(batch.Put) == 0 {
			return nil
		}
		select {
		case <-proceed:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return func() { close(proceed) }
}

func (b *bench) job(id string) jobs.Job {
	b.Helper()
	res, err := b.service.Job(b.Context(), index.JobRequest{ID: id})
	if err != nil {
		b.Fatal(err)
	}
	return res.Items[0]
}

func (b *bench) jobs() []jobs.Job {
	b.Helper()
	res, err := b.service.Jobs(b.Context(), index.JobsRequest{})
	if err != nil {
		b.Fatal(err)
	}
	return res.Items
}

// wantFree wants no job to have a repository.
func (b *bench) wantFree() {
	b.Helper()
	if got := b.node.leases(); len(got) > 0 {
		b.Errorf("leases %v are left", got)
	}
}

func TestSharedRuns(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, small, server)
		j := b.run()
		want := jobs.Job{
			ID: j.ID, RepoID: repoID, Target: b.root, State: jobs.Done, Server: j.Server,
			Total: 9, Done: 9, Changed: 6, Skipped: 3, Documents: len(b.ids()),
		}
		if diff := cmp.Diff(want, j,
			cmpopts.IgnoreFields(jobs.Job{}, "Rate", "ETASeconds", "StartedAt", "FinishedAt", "Covered", "Embedded",
				"Reused")); diff != "" {
			t.Error(diff)
		}
		if j.Server == "" {
			t.Error("the job does not say whose it is")
		}
		sameAsClean(t, b)
		if j := b.run(); j.Changed != 0 || j.Removed != 0 {
			t.Errorf("nothing has changed: %+v", j)
		}
		b.write("server/server.go", "package server\n\nfunc New() {}\n")
		b.remove("server/deep")
		if j := b.run(); j.Changed != 1 || j.Removed != 1 {
			t.Errorf("job %+v", j)
		}
		sameAsClean(t, b)
		b.wantFree()
	})
}

func TestJobsAreSeenElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, release := atWork(t, server)
		seen := b.job(j.ID)
		if seen.State != jobs.Parsing || seen.Total != 9 || seen.Server != j.Server || seen.StartedAt == nil {
			t.Errorf("seen elsewhere: %+v", seen)
		}
		if done, total, running := b.service.Progress(repoID); !running || total != 9 || done != seen.Done {
			t.Errorf("progress %d of %d, %v", done, total, running)
		}
		_, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{a.root}, RepoID: repoID})
		if got := fault.MessageOf(err); fault.CodeOf(err) != fault.Conflict || !strings.Contains(got, j.ID) ||
			!strings.Contains(got, j.Server) {
			t.Errorf("a second job elsewhere: %v", err)
		}
		if _, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: repoID}); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("removing elsewhere meanwhile: %v", err)
		}
		begun := time.Now()
		_, err = a.service.Start(t.Context(), index.StartRequest{Targets: []string{a.root}, RepoID: repoID})
		if fault.CodeOf(err) != fault.Conflict || time.Since(begun) > 0 {
			t.Errorf("a second job on the same server, after %v: %v", time.Since(begun), err)
		}
		if _, err := b.service.Job(t.Context(), index.JobRequest{ID: "nope"}); fault.CodeOf(err) != fault.JobNotFound {
			t.Errorf("an unknown job: %v", err)
		}
		release()
		if got := b.wait(j); got.State != jobs.Done || got.Documents != len(a.ids()) || got.FinishedAt == nil {
			t.Errorf("waited for elsewhere: %+v", got)
		}
		advance(time.Minute)
		j2 := b.run()
		for _, s := range []*bench{a, b} {
			if got := s.jobs(); len(got) != 2 || got[0].ID != j2.ID || got[1].ID != j.ID {
				t.Errorf("jobs %+v, want the newest first", got)
			}
		}
		if diff := cmp.Diff(a.jobs(), b.jobs(), cmpopts.IgnoreFields(jobs.Job{}, "Covered")); diff != "" {
			t.Error(diff)
		}
		if _, _, running := a.service.Progress(repoID); running {
			t.Error("there is progress without a job")
		}
		b.wantFree()
	})
}

func TestEndedJobsExpire(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		j := a.run()
		a.close()
		a.node.pass(6 * 24 * time.Hour)
		b := a.peer(server)
		if got := b.jobs(); len(got) != 1 || got[0].ID != j.ID {
			t.Errorf("after six days: %+v", got)
		}
		a.node.pass(24*time.Hour + time.Second)
		if got := b.jobs(); len(got) != 0 {
			t.Errorf("after a week: %+v", got)
		}
	})
}

func TestCancelElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a, b, j, _ := atWork(t, server)
		begun := time.Now()
		res, err := b.service.Cancel(t.Context(), index.JobRequest{ID: j.ID})
		if err != nil || res.Items[0].State != jobs.Cancelled || *res.Items[0].Error == "" {
			t.Fatalf("cancelled elsewhere: %+v, %v", res.Items, err)
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("cancelling took %v", took)
		}
		if got := a.job(j.ID); got.State != jobs.Cancelled {
			t.Errorf("where it ran the job is %+v", got)
		}
		if res, err := b.service.Cancel(t.Context(), index.JobRequest{ID: j.ID}); err != nil ||
			res.Items[0].State != jobs.Cancelled {
			t.Errorf("cancelled twice: %+v, %v", res.Items, err)
		}
		if _, err := b.service.Cancel(t.Context(), index.JobRequest{ID: "nope"}); fault.CodeOf(err) != fault.JobNotFound {
			t.Errorf("an unknown job: %v", err)
		}
		b.wantFree()
		a.node.onApply = nil
		b.run()
		sameAsClean(t, b)
	})
}

// A canceller who does not wait is not kept.
func TestCancelElsewhereImpatiently(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		_, b, j, _ := atWork(t, server)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		res, err := b.service.Cancel(ctx, index.JobRequest{ID: j.ID})
		if err != nil || res.Items[0].State.Final() {
			t.Errorf("%+v, %v", res.Items, err)
		}
		if got := b.wait(j); got.State != jobs.Cancelled {
			t.Errorf("job %+v", got)
		}
	})
}

func TestQueuedJobIsCancelledElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		b := a.peer(server)
		a.hold()
		var queued jobs.Job
		for range 3 { // two run at once
			a.root = t.TempDir()
			a.write("a.go", "package a\n")
			res, err := a.service.Start(t.Context(), index.StartRequest{Targets: []string{a.root}})
			if err != nil {
				t.Fatal(err)
			}
			queued = res.Items[0]
			synctest.Wait()
		}
		advance(time.Second)
		if got := b.job(queued.ID); got.State != jobs.Queued {
			t.Fatalf("job %+v", got)
		}
		res, err := b.service.Cancel(t.Context(), index.JobRequest{ID: queued.ID})
		if err != nil || res.Items[0].State != jobs.Cancelled {
			t.Errorf("%+v, %v", res.Items, err)
		}
	})
}
