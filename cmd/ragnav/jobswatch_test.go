package main

import (
	"encoding/json"
	"testing"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/test/cbtest"
)

// A job is followed to its end from wherever it is asked for: its own server,
// another one, and a command line beside them.
func TestWatchAJob(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it runs programs for long")
	}
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		sh := newShell(t)
		server := sh.serve()
		watchedFrom(t, sh, server, "--server", server.url)
	})
	t.Run("couchbase", func(t *testing.T) {
		sh := newClusterShell(t, cbtest.Start(t, cbtest.Options{Bucket: "ragnav", Scope: "code"}))
		server := sh.serve()
		watchedFrom(t, sh, server, "--server", sh.serve().url)
		watchedFrom(t, sh, server)
	})
}

func watchedFrom(t *testing.T, sh shell, server *process, where ...string) {
	t.Helper()
	job := server.start(t, writeRepo(t, "many"+t.Name()[len("TestWatchAJob/"):]+string(rune('a'+len(where))),
		manyFiles(200)))
	out := sh.run(append([]string{"jobs", "watch", job.ID, "--json"}, where...)...)
	var reply index.JobsResponse
	if err := json.Unmarshal([]byte(out), &reply); err != nil || len(reply.Items) != 1 {
		t.Fatalf("%v in %s", err, out)
	}
	if got := reply.Items[0]; got.State != index.JobDone || got.Done != got.Total || got.Total != 200 {
		t.Errorf("the job ended %+v", got)
	}
	if _, errs, exit := sh.try(append([]string{"jobs", "watch", "nope"}, where...)...); exit != 3 {
		t.Errorf("no such job: exit %d, %s", exit, errs)
	}
}
