package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/test/cbtest"
)

// jobOf asks a server for a job.
func (p *process) jobOf(t *testing.T, method, id string) index.Job {
	t.Helper()
	var reply index.JobsResponse
	body := p.send(t, method, "/api/index/jobs/"+id, "")
	if err := json.Unmarshal([]byte(body), &reply); err != nil || len(reply.Items) != 1 {
		t.Fatalf("%s job %s: %v in %s", method, id, err, body)
	}
	return reply.Items[0]
}

// start starts an index job for a folder.
func (p *process) start(t *testing.T, root string) index.Job {
	t.Helper()
	var reply index.JobsResponse
	body := p.send(t, "POST", "/api/index", fmt.Sprintf(`{"targets":[%q]}`, root))
	if err := json.Unmarshal([]byte(body), &reply); err != nil || len(reply.Items) != 1 {
		t.Fatalf("start: %v in %s", err, body)
	}
	return reply.Items[0]
}

// patience is more than anything takes on the busiest machine.
const patience = 10 * time.Minute

// until asks for a job until it is as wanted.
func (p *process) until(t *testing.T, id string, want func(index.Job) bool) index.Job {
	t.Helper()
	deadline := time.After(patience)
	for {
		job := p.jobOf(t, "GET", id)
		if want(job) {
			return job
		}
		if job.State.Final() {
			t.Fatalf("the job ended before it was as wanted: %+v", job)
		}
		select {
		case <-deadline:
			t.Fatalf("after %v the job is %+v", patience, job)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func underway(j index.Job) bool { return j.Done > 0 && !j.State.Final() }

// Two servers share one cluster: a job of one is seen and cancelled from the
// other, and taken over when its server dies.
func TestTwoServers(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it runs programs for long")
	}
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: "ragnav", Scope: "code"})
	sh := newClusterShell(t, node)
	root := writeRepo(t, "many", manyFiles(250))
	a, b := sh.serve(), sh.serve()
	// a job is seen under way
	quick := node.Inject(cbtest.Fault{Service: "kv", Op: "CMD_SET", Delay: 25 * time.Millisecond})

	job := a.start(t, root)
	seen := b.until(t, job.ID, underway)
	if seen.Server == "" {
		t.Errorf("job %+v does not say whose it is", seen)
	}
	if code := errorCode(t, b.send(t, "POST", "/api/index", fmt.Sprintf(`{"targets":[%q]}`, root))); code != "CONFLICT" {
		t.Errorf("a second job on the other server: %s, want CONFLICT", code)
	}
	if got := b.jobOf(t, "DELETE", job.ID); got.State != index.JobCancelled {
		t.Errorf("cancelled from the other server: %+v", got)
	}
	// The record on the cluster ends a moment before the server's own view of it.
	a.until(t, job.ID, func(j index.Job) bool { return j.State == index.JobCancelled })

	job = a.start(t, root)
	b.until(t, job.ID, func(j index.Job) bool { return underway(j) && j.Done >= 20 })
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	quick()
	done := b.until(t, job.ID, func(j index.Job) bool { return j.State.Final() })
	if done.State != index.JobDone || done.Server == job.Server || done.Total < 250 {
		t.Errorf("taken over: %+v; it was %+v", done, job)
	}
	sameAsAlone(t, node, root, done.Documents)
}

func errorCode(t *testing.T, body string) string {
	t.Helper()
	var reply models.Result[json.RawMessage]
	if err := json.Unmarshal([]byte(body), &reply); err != nil || reply.Meta.ErrorCode == nil {
		t.Fatalf("no error in %s", body)
	}
	return *reply.Meta.ErrorCode
}

// sameAsAlone compares what two servers left with a run of one program.
func sameAsAlone(t *testing.T, node *cbtest.Node, root string, documents int) {
	t.Helper()
	alone := cbtest.Start(t, cbtest.Options{Bucket: "ragnav", Scope: "code"})
	newClusterShell(t, alone).run("index", "--quiet", root)
	if got, want := node.Len("documents"), alone.Len("documents"); got != want || documents != want {
		t.Errorf("%d documents in the cluster and %d in the job, want %d", got, documents, want)
	}
}
