package index_test

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// A lease whose job has ended, or is not there, is nobody's.
func TestStaleLease(t *testing.T) {
	for name, job := range map[string]func(b *bench) string{
		"of a job that is not there": func(*bench) string { return "nope" },
		"of a job that has ended":    func(b *bench) string { return b.run().ID },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := setUpServer(t, small, index.Config{})
				lease := map[string]string{"job_id": job(b)}
				put := func() {
					if _, err := b.node.Swap(t.Context(), "leases", string(repoID), 0, lease, 0); err != nil {
						t.Fatal(err)
					}
				}
				put()
				begun := time.Now()
				b.run()
				if time.Since(begun) > time.Second {
					t.Errorf("it held up a run for %v", time.Since(begun))
				}
				put()
				b.peer(server)
				advance(leaseTTL)
				b.wantFree()
			})
		})
	}
}

// Where no server takes the job of a process that died, a new job replaces it.
func TestDeadJobIsReplaced(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, index.Config{})
		a.hold()
		dead := a.start(false)
		advance(time.Second)
		a.node.kill()
		b := a.peer(index.Config{})
		begun := time.Now()
		j := b.start(false)
		if waited := time.Since(begun); waited < leaseTTL-time.Second || waited > 2*leaseTTL {
			t.Errorf("the new job was started after %v", waited)
		}
		if got := b.job(dead.ID); got.State != jobs.Failed || !strings.Contains(*got.Error, dead.Server) ||
			!strings.Contains(*got.Error, j.ID) {
			t.Errorf("the old job is %+v", got)
		}
		if got := b.wait(j); got.State != jobs.Done {
			t.Errorf("the new job is %+v", got)
		}
		sameAsClean(t, b)
		b.wantFree()
	})
}

// A start that waits for signs of life ends with its context.
func TestStartDoesNotWaitForLong(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, index.Config{})
		a.hold()
		j := a.start(false)
		advance(time.Second)
		a.node.kill()
		b := a.peer(index.Config{})
		ctx, cancel := context.WithTimeout(t.Context(), 2100*time.Millisecond)
		defer cancel()
		_, err := b.service.Start(ctx, index.StartRequest{Targets: []string{a.root}, RepoID: repoID})
		if fault.CodeOf(err) != fault.Conflict || !strings.Contains(fault.MessageOf(err), j.ID) {
			t.Errorf("got %v", err)
		}
		if got := b.jobs(); len(got) != 1 {
			t.Errorf("jobs %+v", got)
		}
	})
}

// A refused start leaves nothing behind.
func TestRefusedStart(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.hold()
		a.start(false)
		advance(time.Second)
		b := a.peer(server)
		before := a.node.leases()
		others := []string{t.TempDir(), t.TempDir()}
		for name, targets := range map[string][]string{
			"the last is taken":   {others[0], others[1], a.root},
			"twice the same":      {others[0], others[0]},
			"one is not a folder": {others[0], filepath.Join(a.root, "main.go")},
		} {
			if _, err := b.service.Start(t.Context(), index.StartRequest{Targets: targets}); err == nil {
				t.Errorf("%s: started", name)
			}
			if diff := diffContent(before, a.node.leases()); diff != "" {
				t.Errorf("%s: leases are left: %s", name, diff)
			}
			if got := b.jobs(); len(got) != 1 {
				t.Errorf("%s: jobs are left: %+v", name, got)
			}
		}
	})
}

// One of several servers that start at once gets the repository.
func TestOneOfManyStarts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		peers := []*bench{a, a.peer(server), a.peer(server)}
		errs := make(chan error)
		for _, p := range peers {
			p.hold()
			go func() {
				_, err := p.service.Start(t.Context(), index.StartRequest{Targets: []string{a.root}, RepoID: repoID})
				errs <- err
			}()
		}
		started := 0
		for range peers {
			if err := <-errs; err == nil {
				started++
			} else if fault.CodeOf(err) != fault.Conflict {
				t.Error(err)
			}
		}
		if started != 1 {
			t.Errorf("%d were started", started)
		}
	})
}

// What a write did is not always told, or told wrongly.
func TestUncertainWrites(t *testing.T) {
	for _, code := range []fault.Code{fault.Timeout, fault.Conflict} {
		for _, collection := range []string{"jobs", "leases"} {
			t.Run(string(code)+" "+collection, func(t *testing.T) {
				inBubble(t, func(t *testing.T) { runUncertain(t, collection, code) })
			})
		}
	}
}

func runUncertain(t *testing.T, collection string, code fault.Code) {
	b := setUpServer(t, small, server)
	b.node.onSwapped = func(c, _ string) error {
		if c == collection && b.node.order.IntN(3) == 0 {
			return fault.New(code, "no answer in time")
		}
		return nil
	}
	ended := 0
	for range 20 {
		res, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{b.root}, RepoID: repoID})
		if err != nil {
			advance(2 * leaseTTL)
			continue
		}
		if j := b.wait(res.Items[0]); j.State == jobs.Done {
			ended++
		}
	}
	if ended == 0 {
		t.Error("no run came to its end")
	}
	b.node.onSwapped = nil
	advance(6 * leaseTTL) // as long as a job may be announced without a lease
	b.run()
	sameAsClean(t, b)
	b.wantFree()
	for _, j := range b.jobs() {
		if !j.State.Final() {
			t.Errorf("job %+v", j)
		}
	}
}

// A server that starts leaves repositories alone that others index.
func TestRecoverBesideOthers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		release := a.hold()
		j := a.start(false)
		advance(time.Second)
		b := a.peer(server)
		if r := a.record(); r.State != models.StateIndexing || r.LastError != "" {
			t.Errorf("record %+v", r)
		}
		release()
		b.wait(j)
		sameAsClean(t, b)
	})
}

// What nobody indexes any more is set right, by one of several that start.
func TestRecoverOnShared(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, index.Config{})
		a.run()
		r := a.record()
		r.State = models.StateIndexing
		version, err := a.node.Versioned(t.Context(), models.CollectionRepos, string(repoID), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.node.Swap(t.Context(), models.CollectionRepos, string(repoID), version, r, 0); err != nil {
			t.Fatal(err)
		}
		opened := make(chan error)
		for range 3 {
			n := a.node.peer()
			go func() {
				s, err := index.Open(t.Context(), n, embedtest.New(16), index.Config{})
				opened <- errors.Join(err, s.Close())
			}()
		}
		for range 3 {
			if err := <-opened; err != nil {
				t.Error(err)
			}
		}
		if r := a.record(); r.State != models.StateFresh || !strings.Contains(r.LastError, "interrupted after 9 files") {
			t.Errorf("record %+v", r)
		}
	})
}

// A removal has its repository to itself, and one that died gives it free.
func TestRemoveElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		a.run()
		b := a.peer(server)
		proceed := make(chan struct{})
		a.node.onApply = func(_ context.Context, batch models.Batch) error {
			if len(batch.DeleteRepos) > 0 {
				<-proceed
			}
			return nil
		}
		removed := make(chan error)
		go func() { removed <- a.removeAll() }()
		advance(time.Second)
		_, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{a.root}, RepoID: repoID})
		if fault.CodeOf(err) != fault.Conflict || !strings.Contains(fault.MessageOf(err), "removed") {
			t.Errorf("started meanwhile: %v", err)
		}
		if got := b.jobs(); len(got) != 1 {
			t.Errorf("a removal is no job: %+v", got)
		}
		if r := a.record(); r.State != models.StateError || !strings.Contains(r.LastError, "ragnav remove") {
			t.Errorf("record %+v", r)
		}
		thaw := a.node.freeze()
		advance(2 * leaseTTL)
		a.wantFree()
		thaw()
		close(proceed)
		if err := <-removed; fault.CodeOf(err) != fault.RAGUnavailable ||
			!strings.Contains(fault.MessageOf(err), "ragnav remove") {
			t.Errorf("the removal says %v", err)
		}
		if err := b.removeAll(); err != nil {
			t.Error(err)
		}
		if got := a.store.content(); len(got) > 0 {
			t.Errorf("left behind: %v", got)
		}
	})
}

// Searches that don't catch up fail a run and a removal, which keep what they did.
func TestSearchIsBehind(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, small, index.Config{SettleFor: time.Minute})
		b.node.onSettle = func(ctx context.Context) error {
			<-ctx.Done()
			return fault.Wrap(fault.Timeout, ctx.Err(), "too slow")
		}
		j := b.wait(b.start(false))
		if j.State != jobs.Failed || !strings.Contains(*j.Error, "has not caught up within 1m0s") ||
			j.Documents != len(b.ids()) {
			t.Errorf("job %+v", j)
		}
		if r := b.record(); r.State != models.StateFresh || !strings.Contains(r.LastError, "caught up") {
			t.Errorf("record %+v", r)
		}
		err := b.removeAll()
		if fault.CodeOf(err) != fault.Timeout || !strings.Contains(fault.MessageOf(err), "caught up") {
			t.Errorf("the removal: %v", err)
		}
		b.node.onSettle = nil
		if err := b.removeAll(); err != nil {
			t.Error(err)
		}
		b.run()
		sameAsClean(t, b)
	})
}

// Of two servers with different embedders that begin on an empty store at once,
// one fails.
func TestEmbeddersAreNotMixed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := setUpServer(t, small, server)
		b := &bench{T: t, root: t.TempDir(), store: a.store, node: a.node.peer(), clock: a.clock}
		b.with(b.node, 8)
		b.write("x.go", "package x\n")
		begun := false
		b.node.onApply = func(_ context.Context, batch models.Batch) error {
			if len(batch.DeleteRepos) > 0 && !begun { // it has looked at the embedder
				begun = true
				a.run()
			}
			return nil
		}
		res, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{b.root}, RepoID: "other"})
		if err != nil {
			t.Fatal(err)
		}
		if j := b.wait(res.Items[0]); j.State != jobs.Failed || !strings.Contains(*j.Error, "another embedder") {
			t.Errorf("job %+v", j)
		}
		for id, d := range a.store.all() {
			if d.RepoID != repoID {
				t.Errorf("%s is there", id)
			}
		}
		if !begun {
			t.Error("the second run was not in the first")
		}
	})
}

// Servers have their clones where they like.
func TestClonesElsewhere(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, so cloning is not tested: ", err)
	}
	origin := bareRepository(t)
	inBubble(t, func(t *testing.T) {
		clones := []string{t.TempDir(), t.TempDir()}
		a := setUpServer(t, nil, index.Config{HandOver: true, ReposDir: clones[0]})
		start := func(b *bench) jobs.Job {
			t.Helper()
			res, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{origin}})
			if err != nil {
				t.Fatal(err)
			}
			return res.Items[0]
		}
		if j := a.wait(start(a)); j.State != jobs.Done || j.Documents == 0 {
			t.Fatalf("job %+v", j)
		}
		b := a.peer(index.Config{HandOver: true, ReposDir: clones[1]})
		if j := b.wait(start(b)); j.State != jobs.Done || j.Changed != 0 {
			t.Errorf("with another folder for clones: %+v", j)
		}
		a.hold()
		a.node.onSettle = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		j := start(a)
		advance(time.Second)
		a.node.kill()
		if j := b.wait(j); j.State != jobs.Done {
			t.Errorf("taken over: %+v", j)
		}
		var r models.Repository
		if _, err := a.store.Record(t.Context(), models.CollectionRepos, "tool", &r); err != nil ||
			!strings.HasPrefix(r.Root, clones[1]) {
			t.Errorf("record %+v, %v", r, err)
		}
	})
}

// bareRepository is a git repository with one file.
func bareRepository(t *testing.T) string {
	t.Helper()
	work, origin := t.TempDir(), filepath.Join(t.TempDir(), "tool.git")
	repotest.Write(t, work, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	repotest.Run(t, work, "init", "-q")
	repotest.Run(t, work, "add", ".")
	repotest.Run(t, work, "commit", "-qm", "one")
	repotest.Run(t, work, "clone", "-q", "--bare", work, origin)
	return origin
}

// Credentials of a URL are used and not kept.
func TestCredentialsAreNotShared(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, nil, index.Config{ReposDir: t.TempDir()})
		res, err := b.service.Start(t.Context(),
			index.StartRequest{Targets: []string{"https://me:hunter2@127.0.0.1:1/a/b.git"}})
		if err != nil {
			t.Fatal(err)
		}
		if j := b.wait(res.Items[0]); j.State != jobs.Failed || j.Target != "https://127.0.0.1:1/a/b.git" {
			t.Errorf("job %+v", j)
		}
		jobs := 0
		for id, value := range b.store.records {
			jobs += strings.Count(id.Collection, "jobs")
			if strings.Contains(string(value), "hunter2") {
				t.Errorf("%v has the password: %s", id, value)
			}
		}
		if jobs != 1 {
			t.Errorf("%d records of jobs", jobs)
		}
	})
}

// A store that has too much to do for a while costs a run time, not its end.
func TestBusyStore(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"}, server)
		refusals := 0
		b.node.onApply = func(_ context.Context, batch models.Batch) error {
			if len(batch.Put) == 0 {
				return nil
			}
			if refusals++; refusals <= 5 {
				return &fault.Error{Code: fault.Overloaded, Message: "busy", RetryAfter: 2 * time.Second}
			}
			return nil
		}
		started := time.Now()
		if job := b.run(); job.State != jobs.Done {
			t.Fatalf("job %+v", job)
		}
		if refusals < 6 || time.Since(started) < 10*time.Second {
			t.Errorf("%d batches in %v, want five refused ones 2 s apart", refusals, time.Since(started))
		}
	})
}
