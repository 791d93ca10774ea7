package index

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// A board is where the processes on a Shared store show each other their jobs,
// and agree on who has which.
//
// Each job has a jobRecord, and each repository that is worked on a leaseRecord
// that names the job. Both change by Swap only, so of several processes that
// want the same thing exactly one gets it. A job's record is there before its
// lease and final before its lease goes: a lease whose job has ended or is not
// there is stale, and anybody may put another in its place.
//
// The holder of a job counts its heartbeat up. Who sees the same number for the
// length of ttl, by the own clock alone, may take the job over. The holder stops
// by itself when that long has passed since it began its last successful write,
// and so before anybody else begins.
type board struct {
	store     records.Shared
	holder    string // random id of this process
	server    string // how people call it
	embedder  embed.Manifest
	heartbeat time.Duration
	ttl       time.Duration
	now       func() time.Time // what people are shown; leases go by time.Now

	mu   sync.Mutex
	kept map[string]*renewer    // by job id; also lost ones until their work here has ended
	seen map[string]observation // of other holders, by job id
}

func newBoard(st records.Shared, e Embedder, c Config) *board {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	id := strings.ToLower(rand.Text())
	return &board{
		store: st, holder: id, server: host + "/" + id[:4], embedder: e.Manifest(),
		heartbeat: c.Heartbeat, ttl: c.LeaseTTL, now: c.Now,
		kept: map[string]*renewer{}, seen: map[string]observation{},
	}
}

// read reads the record of a job; version 0 means that there is none.
func (b *board) read(ctx context.Context, id string) (rec jobRecord, version uint64, err error) {
	version, err = b.store.Versioned(ctx, jobsCollection, id, &rec)
	if err != nil {
		return rec, 0, fmt.Errorf("read job %s: %w", id, err)
	}
	return rec, version, nil
}

// write puts a job's record in place of a version of it. A Conflict means that
// somebody else changed it.
func (b *board) write(ctx context.Context, rec jobRecord, version uint64) (uint64, error) {
	expiry := time.Duration(0)
	if rec.Job.State.Final() {
		expiry = keptFor
	}
	return b.store.Swap(ctx, jobsCollection, rec.Job.ID, version, rec, expiry)
}

// list reads the records of all jobs, newest first.
func (b *board) list(ctx context.Context) ([]jobRecord, error) {
	var all []jobRecord
	err := records.Each(ctx, b.store, jobsCollection, func(_ string, rec jobRecord) {
		if !rec.Removal {
			all = append(all, rec)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the jobs: %w", err)
	}
	slices.SortFunc(all, newestFirst)
	return all, nil
}

func newestFirst(a, b jobRecord) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.Job.ID, a.Job.ID))
}

// current reads the record of the job that has a repository; version 0 means
// that none has.
func (b *board) current(ctx context.Context, id models.RepoID) (rec jobRecord, version uint64, err error) {
	var lease leaseRecord
	ok, err := b.store.Record(ctx, leasesCollection, string(id), &lease)
	if err != nil {
		return rec, 0, fmt.Errorf("read the lease of %s: %w", id, err)
	}
	if !ok {
		return rec, 0, nil
	}
	if rec, version, err = b.read(ctx, lease.JobID); err != nil || rec.Job.State.Final() {
		return jobRecord{}, 0, err
	}
	return rec, version, nil
}

// renewer is that of a job which is held here, or was and has not quite ended.
func (b *board) renewer(id string) *renewer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept[id]
}

func (b *board) keep(k *renewer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept[k.job.id] = k
}

func (b *board) letGo(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.kept, id)
}

// isConflict reports that a record was changed by somebody else.
func isConflict(err error) bool { return fault.CodeOf(err) == fault.Conflict }

// pause waits, as long as ctx lives.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// givenUp reports that nobody waits any more for what ctx is about.
func givenUp(ctx context.Context) bool { return ctx.Err() != nil }

// find is read for a job that must be there and is not a removal.
func (b *board) find(ctx context.Context, id string) (jobRecord, uint64, error) {
	rec, version, err := b.read(ctx, id)
	if err == nil && (version == 0 || rec.Removal) {
		err = noJob(id)
	}
	return rec, version, err
}

// record is a job as its holder first writes it.
func (b *board) record(j *job) jobRecord {
	sp := j.spec
	return jobRecord{
		Job: j.snapshot(), Created: j.created, Server: b.server, Removal: j.removal,
		Spec: specRecord{
			Target: shownTarget(sp), URL: sp.url, Root: sp.root, RepoID: sp.id, Full: sp.full, Inferred: sp.inferred,
			Embedder: b.embedder, Secret: remote.RedactURL(sp.target) != sp.target,
		},
		pulse: pulse{Holder: b.holder, Heartbeat: 1},
	}
}
