package jobs

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

// A Board is where the processes on a Shared store show each other their jobs,
// and agree on who has which.
//
// Each job has a Record, and each repository that is worked on a leaseRecord
// that names the job. Both change by Swap only, so of several processes that
// want the same thing exactly one gets it. A job's record is there before its
// lease and final before its lease goes: a lease whose job has ended or is not
// there is stale, and anybody may put another in its place.
//
// The holder of a job counts its heartbeat up. Who sees the same number for the
// length of TTL, by the own clock alone, may take the job over. The holder stops
// by itself when that long has passed since it began its last successful write,
// and so before anybody else begins.
type Board struct {
	Timing

	Store    records.Shared
	Embedder embed.Manifest
	holder   string           // random id of this process
	server   string           // how people call it
	now      func() time.Time // what people are shown; leases go by time.Now

	mu   sync.Mutex
	kept map[string]*renewer    // by job id; also lost ones until their work here has ended
	seen map[string]observation // of other holders, by job id
}

// Timing is how long processes wait for each other.
type Timing struct {
	Heartbeat time.Duration // how often a job shows that its process lives
	TTL       time.Duration // how long a process may be silent before its jobs are taken over
}

// NewBoard is the board of a store for a process that embeds as m says.
func NewBoard(st records.Shared, m embed.Manifest, t Timing, now func() time.Time) *Board {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	id := strings.ToLower(rand.Text())
	return &Board{
		Store: st, holder: id, server: host + "/" + id[:4], Embedder: m,
		Timing: t, now: now,
		kept: map[string]*renewer{}, seen: map[string]observation{},
	}
}

// read reads the record of a job; version 0 means that there is none.
func (b *Board) read(ctx context.Context, id string) (rec Record, version uint64, err error) {
	version, err = b.Store.Versioned(ctx, jobsCollection, id, &rec)
	if err != nil {
		return rec, 0, fmt.Errorf("read job %s: %w", id, err)
	}
	return rec, version, nil
}

// write puts a job's record in place of a version of it. A Conflict means that
// somebody else changed it.
func (b *Board) write(ctx context.Context, rec Record, version uint64) (uint64, error) {
	expiry := time.Duration(0)
	if rec.Job.State.Final() {
		expiry = keptFor
	}
	return b.Store.Swap(ctx, jobsCollection, rec.Job.ID, version, rec, expiry)
}

// list reads the records of all jobs, newest first.
func (b *Board) list(ctx context.Context) ([]Record, error) {
	var all []Record
	err := records.Each(ctx, b.Store, jobsCollection, func(_ string, rec Record) {
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

func newestFirst(a, b Record) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.Job.ID, a.Job.ID))
}

// Current reads the record of the job that has a repository; version 0 means
// that none has.
func (b *Board) Current(ctx context.Context, id models.RepoID) (rec Record, version uint64, err error) {
	var lease leaseRecord
	ok, err := b.Store.Record(ctx, leasesCollection, string(id), &lease)
	if err != nil {
		return rec, 0, fmt.Errorf("read the lease of %s: %w", id, err)
	}
	if !ok {
		return rec, 0, nil
	}
	if rec, version, err = b.read(ctx, lease.JobID); err != nil || rec.Job.State.Final() {
		return Record{}, 0, err
	}
	return rec, version, nil
}

// renewer is that of a job which is held here, or was and has not quite ended.
func (b *Board) renewer(id string) *renewer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept[id]
}

func (b *Board) keep(k *renewer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept[k.job.ID] = k
}

func (b *Board) letGo(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.kept, id)
}

// IsConflict reports that a record was changed by somebody else.
func IsConflict(err error) bool { return fault.CodeOf(err) == fault.Conflict }

// find is read for a job that must be there and is not a removal.
func (b *Board) find(ctx context.Context, id string) (Record, uint64, error) {
	rec, version, err := b.read(ctx, id)
	if err == nil && (version == 0 || rec.Removal) {
		err = noJob(id)
	}
	return rec, version, err
}

// record is a job as its holder first writes it.
func (b *Board) record(j *Handle) Record {
	sp := j.Spec
	return Record{
		Job: j.Snapshot(), Created: j.Created, Server: b.server, Removal: j.Removal,
		Spec: SpecRecord{
			Target: sp.Shown(), URL: sp.URL, Root: sp.Root, RepoID: sp.ID, Full: sp.Full, Inferred: sp.Inferred,
			Embedder: b.Embedder, Secret: remote.RedactURL(sp.Target) != sp.Target,
		},
		pulse: pulse{Holder: b.holder, Heartbeat: 1},
	}
}
